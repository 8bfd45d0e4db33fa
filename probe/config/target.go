package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ttftop/probe"
	"ttftop/probe/endpoint"
)

// asked is one endpoint as a person asked for it, in flags or in a file.
type asked struct {
	url, name, region string
	keyEnv            string
	models            []string
	handoff           string // model that acknowledges, "" for none
	headers           []headerLine
	caCert            string
	insecure          bool
}

type headerLine struct {
	name  string
	value probe.Secret
}

// part says which part of what was asked an error is about, as the file
// spells it.
type part struct {
	key string
	err error
}

func (p part) Error() string { return p.err.Error() }
func (p part) Unwrap() error { return p.err }

// target makes a target of what was asked. Its names are given by label.
// Errors are of type part.
func (a asked) target(getenv func(string) string) (probe.Target, error) {
	e, err := endpoint.Parse(a.url)
	if err != nil {
		return probe.Target{}, part{"url", err}
	}
	e.Region, e.CACert, e.Insecure = a.region, a.caCert, a.insecure
	for _, h := range a.headers {
		if err := endpoint.AddHeader(e, h.name, h.value); err != nil {
			return probe.Target{}, part{"headers", err}
		}
	}
	if e.Key, err = endpoint.KeyFor(e, a.keyEnv, getenv); err != nil {
		return probe.Target{}, part{"key_env", err}
	}
	if !e.Key.IsZero() {
		e.KeyEnv = cmp.Or(a.keyEnv, endpoint.OpenAIKey)
	}
	models, err := modelsFor(e, a.models)
	if err != nil {
		return probe.Target{}, part{"models", err}
	}
	if err := checkHandoff(e, models, a.handoff); err != nil {
		return probe.Target{}, part{"handoff", err}
	}
	return probe.Target{Endpoint: e, Models: models, Handoff: a.handoff}, nil
}

// modelsFor is the models to choose from. None is left to /v1/models, except
// on Azure: its list does not name the deployments that can be asked for.
func modelsFor(e *probe.Endpoint, models []string) ([]string, error) {
	deployment := endpoint.Deployment(e)
	switch {
	case len(models) == 0 && deployment != "":
		return []string{deployment}, nil
	case deployment != "" && !slices.Contains(models, deployment):
		return nil, fmt.Errorf("the URL names the deployment %q already, and another model is asked for: leave the model away, or write the URL without /openai/deployments/%s", deployment, deployment)
	case len(models) == 0 && e.API == probe.Azure:
		return nil, errors.New("the deployments of an Azure resource can't be listed: name one as the model (-m, or models in a configuration file), or in the URL")
	}
	return models, nil
}

// label names the targets: as asked for, or else by host, with the model where
// a host is there more than once. Names are unique; an explicit one that is
// there twice is an error for the target of the given index.
func label(targets []probe.Target, names []string) (index int, err error) {
	taken := map[string]bool{}
	for i, name := range names {
		if name != "" && taken[name] {
			return i, fmt.Errorf("the name %q is given twice: every endpoint needs a name of its own", name)
		}
		taken[name] = name != ""
	}
	hosts := map[string]int{}
	for i, t := range targets {
		if names[i] == "" {
			hosts[t.Endpoint.Base.Host]++
		}
	}
	for i := range targets {
		t := &targets[i]
		t.Name = names[i]
		if t.Name == "" {
			t.Name = unique(hostLabel(t, hosts[t.Endpoint.Base.Host] > 1), taken)
		}
		t.Endpoint.Name = t.Name
	}
	return 0, nil
}

func hostLabel(t *probe.Target, shared bool) string {
	host := t.Endpoint.Base.Host
	if !shared || len(t.Models) == 0 {
		return host
	}
	return host + " " + t.Models[0]
}

// unique adds a number to a name that is taken, and takes it.
func unique(name string, taken map[string]bool) string {
	free := name
	for n := 2; taken[free]; n++ {
		free = fmt.Sprintf("%s %d", name, n)
	}
	taken[free] = true
	return free
}

// orEnv reads a header's value from the environment where it says so.
func orEnv(value string, getenv func(string) string) (string, error) {
	variable, found := strings.CutPrefix(value, "env:")
	if !found {
		return value, nil
	}
	variable = strings.TrimSpace(variable)
	if endpoint.NotVariable(variable) {
		return "", errors.New(`what follows env: is no name of an environment variable: write "env:NAME"`)
	}
	if value = getenv(variable); strings.TrimSpace(value) == "" {
		return "", fmt.Errorf("the environment variable %s is not set or empty: put the value of the header into it", variable)
	}
	return value, nil
}
