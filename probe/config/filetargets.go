package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"ttftop/probe"
	"ttftop/probe/endpoint"
)

// Targets makes a target of every endpoint of the file, in its order, with
// keys and env: headers read by getenv (nil for os.Getenv). Models is empty
// where the file names none: then they are what /v1/models lists. A file
// without endpoints gives none and no error: it only sets defaults.
func (f *File) Targets(getenv func(string) string) ([]probe.Target, error) {
	if getenv == nil {
		getenv = os.Getenv
	}
	var targets []probe.Target
	var names []string
	for i, e := range f.document.Endpoints {
		key := fmt.Sprintf("endpoints.%d", i)
		a, err := f.asked(e, getenv)
		var t probe.Target
		if err == nil {
			t, err = a.target(getenv)
		}
		if p, ok := errors.AsType[part](err); ok {
			return nil, f.fault(key+"."+p.key, "%w", p.err)
		}
		targets, names = append(targets, t), append(names, a.name)
	}
	if i, err := label(targets, names); err != nil {
		return nil, f.fault(fmt.Sprintf("endpoints.%d.name", i), "%w", err)
	}
	return targets, nil
}

// asked is an endpoint of the file with its headers read. Errors are of type
// part.
func (f *File) asked(e entry, getenv func(string) string) (asked, error) {
	a := asked{
		url: *e.URL, name: text(e.Name), region: text(e.Region), keyEnv: text(e.KeyEnv),
		models: e.Models, handoff: text(e.Handoff), insecure: e.Insecure,
	}
	if e.CACert != nil {
		a.caCert = f.beside(*e.CACert)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Headers)) {
		h, err := readHeader(name, text(e.Headers[name]), getenv)
		if err != nil {
			return asked{}, part{"headers." + strings.ToLower(name), err}
		}
		a.headers = append(a.headers, h)
	}
	return a, nil
}

// readHeader reads one header. Its name is checked before the environment is,
// and the value when it is known.
func readHeader(name, written string, getenv func(string) string) (headerLine, error) {
	if _, _, err := endpoint.CheckHeader(name, written); err != nil {
		return headerLine{}, err
	}
	value, err := orEnv(written, getenv)
	if err != nil {
		return headerLine{}, err
	}
	canonical, secret, err := endpoint.CheckHeader(name, value)
	return headerLine{canonical, secret}, err
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
