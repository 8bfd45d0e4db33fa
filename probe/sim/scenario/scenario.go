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

	"ttftop/probe/keyline"
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
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // a byte-order mark
	d := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, explain(path, data, err)
	}
	if len(f.Endpoints) == 0 {
		return nil, fmt.Errorf("%s: it has no endpoint: begin one with [[endpoints]]", path)
	}
	s := &Scenario{Name: strings.TrimSuffix(filepath.Base(path), ".toml"), About: f.About}
	lines := keyline.Read(data)
	var top reader
	var dialect sim.Dialect
	if top.choose("dialect", f.Dialect, &dialect); top.wrong != nil {
		return nil, fmt.Errorf("%s:%d: dialect: %w", path, lines.Of("dialect"), errors.Unwrap(top.wrong[0].err))
	}
	for i, e := range f.Endpoints {
		cfg, wrong := e.read(dialect)
		if slices.ContainsFunc(s.Endpoints, func(other sim.Config) bool { return other.Name == cfg.Name }) {
			wrong = append(wrong, fieldError{"name", fmt.Errorf("two endpoints are named %q: give each a name of its own", cfg.Name)})
		}
		if wrong != nil {
			return nil, located(path, lines, i, wrong)
		}
		s.Endpoints = append(s.Endpoints, cfg)
	}
	return s, nil
}

// read is the endpoint as the simulator takes it, and what is wrong with it.
func (e endpoint) read(d sim.Dialect) (sim.Config, []fieldError) {
	var r reader
	cfg := e.config(d, &r)
	for _, wrong := range [][]fieldError{r.wrong, e.lacks()} {
		if wrong != nil { // nothing else can be said before it is mended
			return cfg, wrong
		}
	}
	return cfg, misfits(cfg)
}
