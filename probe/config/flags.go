package config

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"ttftop/probe"
	"ttftop/probe/endpoint"
)

// Flags is what the command line says about endpoints. Models, KeyEnvs, Names,
// Regions and Handoffs go with the URLs by position; "" skips one.
type Flags struct {
	URLs     []string
	Models   []string // -m: one for all URLs or one for each
	KeyEnvs  []string // --key-env: one for all URLs or one for each
	Names    []string // --name: one for each URL
	Regions  []string // --region: one for all URLs or one for each
	Handoffs []string // --handoff: one for all URLs or one for each
	Headers  []string // --header 'K: V', sent to every URL
	CACert   string
	Insecure bool
	Getenv   func(string) string // nil for os.Getenv
}

// FromFlags makes a target of every URL, in order. Models is empty where no
// model is given: then they are what /v1/models lists, which on Azure is not
// enough and an error. Targets are named after their hosts unless --name says
// otherwise.
func FromFlags(f Flags) ([]probe.Target, error) {
	if len(f.URLs) == 0 {
		return nil, errors.New("no URL is given: write ttftop https://host/v1 -m MODEL")
	}
	all, err := f.asked()
	if err != nil {
		return nil, err
	}
	var targets []probe.Target
	var names []string
	for i, a := range all {
		t, err := a.target(f.getenv())
		if err != nil {
			return nil, f.numbered(i, err)
		}
		targets, names = append(targets, t), append(names, a.name)
	}
	if _, err := label(targets, names); err != nil {
		return nil, err
	}
	return targets, nil
}

// FromEnv is FromFlags for the endpoint of OPENAI_BASE_URL, with the model of
// OPENAI_MODEL unless -m names one. There is no endpoint to fall back on.
func FromEnv(f Flags) ([]probe.Target, error) {
	if len(f.URLs) > 0 {
		return nil, errors.New("ttftop env takes its URL from OPENAI_BASE_URL: leave the URL away, or leave env away")
	}
	base := f.getenv()("OPENAI_BASE_URL")
	if strings.TrimSpace(base) == "" {
		return nil, errors.New("OPENAI_BASE_URL is not set or empty: set it to the base URL of an endpoint, such as https://host/v1, or write ttftop https://host/v1 -m MODEL")
	}
	if _, err := endpoint.Parse(base); err != nil {
		return nil, fmt.Errorf("OPENAI_BASE_URL: %w", err)
	}
	if model := strings.TrimSpace(f.getenv()("OPENAI_MODEL")); len(f.Models) == 0 && model != "" {
		f.Models = []string{model}
	}
	f.URLs = []string{base}
	return FromFlags(f)
}

func (f Flags) getenv() func(string) string {
	if f.Getenv == nil {
		return os.Getenv
	}
	return f.Getenv
}

// numbered says which of several URLs an error is about.
func (f Flags) numbered(i int, err error) error {
	if p, ok := errors.AsType[part](err); ok {
		err = p.err
	}
	if len(f.URLs) == 1 {
		return err
	}
	return fmt.Errorf("URL %d of %d: %w", i+1, len(f.URLs), err)
}

// asked lays the flags beside the URLs they go with.
func (f Flags) asked() ([]asked, error) {
	n := len(f.URLs)
	models, err1 := byPosition("-m", f.Models, n, true)
	keyEnvs, err2 := byPosition("--key-env", f.KeyEnvs, n, true)
	names, err3 := byPosition("--name", f.Names, n, false)
	regions, err4 := byPosition("--region", f.Regions, n, true)
	handoffs, err5 := byPosition("--handoff", f.Handoffs, n, true)
	headers, err6 := readHeaders(f.Headers)
	if err := cmp.Or(err1, err2, err3, err4, err5, err6, f.checkTLS()); err != nil {
		return nil, err
	}
	all := make([]asked, n)
	for i := range all {
		all[i] = asked{
			url: f.URLs[i], name: names[i], region: regions[i], keyEnv: keyEnvs[i], handoff: handoffs[i],
			headers: headers, caCert: f.CACert, insecure: f.Insecure,
		}
		if err := cmp.Or(checkLabel("name", names[i]), checkLabel("region", regions[i])); err != nil {
			return nil, f.numbered(i, err)
		}
		if models[i] == "" {
			continue
		}
		if err := checkModel(models[i]); err != nil {
			return nil, f.numbered(i, err)
		}
		all[i].models = []string{models[i]}
	}
	return all, nil
}

func (f Flags) checkTLS() error {
	if f.CACert == "" {
		return nil
	}
	if f.Insecure {
		return errors.New("--cacert and --insecure are both given: certificates are checked with the file or not at all, so leave one away")
	}
	return checkCACert(f.CACert)
}

// ByPosition gives each of n endpoints its value of a flag, where one value is
// for all of them and "" skips one.
func ByPosition(flag string, values []string, n int) ([]string, error) {
	return byPosition(flag, values, n, true)
}

// byPosition gives each of n URLs its value of a flag. One value of a flag
// that may be shared is for all of them.
func byPosition(flag string, values []string, n int, shared bool) ([]string, error) {
	switch {
	case len(values) == n:
		return values, nil
	case len(values) == 0:
		return make([]string, n), nil
	case len(values) > n:
		return nil, fmt.Errorf("%s is given %d times for %s: it goes with the URLs by position, so give it at most once for each", flag, len(values), urls(n))
	case len(values) == 1 && shared:
		all := make([]string, n)
		for i := range all {
			all[i] = values[0]
		}
		return all, nil
	case shared:
		return nil, fmt.Errorf("%s is given %d times for %s: give it once for all, or once for each (%s '' skips one)", flag, len(values), urls(n), flag)
	}
	return nil, fmt.Errorf("%s is given %s for %s: give it once for each (%s '' skips one)", flag, times(len(values)), urls(n), flag)
}

func urls(n int) string {
	if n == 1 {
		return "one URL"
	}
	return fmt.Sprintf("%d URLs", n)
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func readHeaders(linesGiven []string) ([]headerLine, error) {
	var headers []headerLine
	for _, line := range linesGiven {
		name, value, err := endpoint.Header(line)
		if err != nil {
			return nil, err
		}
		headers = append(headers, headerLine{name, value})
	}
	return headers, nil
}
