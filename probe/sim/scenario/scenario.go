package scenario

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	toml "github.com/pelletier/go-toml/v2"

	"ttftop/probe/sim"
)

//go:embed scenarios
var embedded embed.FS

// Scenario is one or more endpoints, and what they are there to show.
type Scenario struct {
	Name      string
	About     string // one sentence
	Endpoints []sim.Config
}

// Names are those of the scenarios that are built in, in order.
func Names() []string {
	entries, _ := embedded.ReadDir("scenarios") // embedded files can't fail
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".toml")
	}
	return names
}

// Load reads a scenario that is built in by its name, or a file: what has a dot
// or a slash in it is a file. Errors name the file and, where they can, the line.
func Load(name string) (*Scenario, error) {
	if strings.ContainsAny(name, "./\\") {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("scenario: %w", err)
		}
		return Parse(name, data)
	}
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("there is no scenario %q: write one of %s, or the name of a file such as ./my.toml", name, strings.Join(Names(), ", "))
	}
	data, _ := embedded.ReadFile("scenarios/" + name + ".toml")
	return Parse(name+".toml", data)
}

// Parse reads a scenario from the text of a file.
func Parse(path string, data []byte) (*Scenario, error) {
	var f file
	d := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, explain(path, err)
	}
	if len(f.Endpoints) == 0 {
		return nil, fmt.Errorf("%s: it has no endpoint: begin one with [[endpoints]]", path)
	}
	s := &Scenario{Name: strings.TrimSuffix(filepath.Base(path), ".toml"), About: f.About}
	for i, e := range f.Endpoints {
		cfg := e.config(f.Dialect)
		err := e.zeros()
		if err == nil {
			err = sim.CheckFile(cfg)
		}
		for _, other := range s.Endpoints {
			if err == nil && other.Name == cfg.Name {
				err = fmt.Errorf("two endpoints are named %q: give each a name of its own", cfg.Name)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, endpointLine(data, i), err)
		}
		s.Endpoints = append(s.Endpoints, cfg)
	}
	return s, nil
}

// explain names file and line of what the decoder found.
func explain(path string, err error) error {
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		var all []error
		for _, e := range strict.Errors {
			line, _ := e.Position()
			all = append(all, fmt.Errorf("%s:%d: %s is no field of a scenario", path, line, strings.Join(e.Key(), ".")))
		}
		return errors.Join(all...)
	}
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := decode.Position()
		where := ""
		if key := strings.Join(decode.Key(), "."); key != "" {
			where = key + ": "
		}
		return fmt.Errorf("%s:%d: %s%s", path, line, where, strings.TrimPrefix(decode.Error(), "toml: "))
	}
	return fmt.Errorf("%s: %w", path, err)
}

// endpointLine is the line on which endpoint number i begins, from 0; 1 where it
// can't be found.
func endpointLine(data []byte, i int) int {
	for n, line := range bytes.Split(data, []byte("\n")) {
		head, _, _ := bytes.Cut(line, []byte("#"))
		if string(bytes.ReplaceAll(bytes.TrimSpace(head), []byte(" "), nil)) != "[[endpoints]]" {
			continue
		}
		if i == 0 {
			return n + 1
		}
		i--
	}
	return 1
}
