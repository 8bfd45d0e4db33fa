package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	toml "github.com/pelletier/go-toml/v2"

	"ttftop/probe/keyline"
)

// longestFile limits a configuration file, in bytes.
const longestFile = 1 << 20

// File is a configuration file that was read and checked. Printing it shows
// nothing of what it holds.
type File struct {
	path     string
	document document
	lines    keyline.Lines
}

// document is what the file says, key by key. What may hold a credential is
// behind a pointer, where no formatter looks.
type document struct {
	Endpoints []entry  `toml:"endpoints"`
	Settings  settings `toml:"settings"`
}

// entry is one [[endpoints]].
type entry struct {
	Name     *string            `toml:"name"`
	URL      *string            `toml:"url"`
	Models   []string           `toml:"models"`
	Handoff  *string            `toml:"handoff"`
	KeyEnv   *string            `toml:"key_env"`
	Headers  map[string]*string `toml:"headers"`
	Region   *string            `toml:"region"`
	CACert   *string            `toml:"cacert"`
	Insecure bool               `toml:"insecure"`
}

// settings are the defaults that the file sets; nil where it doesn't.
type settings struct {
	PromptTokens *int     `toml:"prompt_tokens"`
	Pressure     *int     `toml:"pressure"`
	MaxTokens    *int     `toml:"max_tokens"`
	Cache        *string  `toml:"cache"`
	CacheShare   *float64 `toml:"cache_share"`
	Conn         *string  `toml:"conn"`
	Rate         *float64 `toml:"rate"`
	Timeout      *string  `toml:"timeout"`
	TokenBudget  *int64   `toml:"token_budget"`
	Theme        *string  `toml:"theme"`
	SLO          []string `toml:"slo"`
}

// Load reads and checks a configuration file. Errors name the file and the
// line, and say what was meant; a file that is not there is fs.ErrNotExist.
// The environment is not looked at before Targets.
func Load(path string) (*File, error) {
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	return parse(path, data)
}

// parse decodes and checks the text of a file.
func parse(path string, data []byte) (*File, error) {
	f := &File{path: path}
	decoder := toml.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f.document); err != nil {
		return nil, decodeError(path, err)
	}
	f.lines = keyline.Read(data)
	if err := f.check(); err != nil {
		return nil, err
	}
	return f, nil
}

func read(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		cause := err
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			cause = e.Err
		}
		return nil, fmt.Errorf("the configuration file %s can't be read: %w", path, cause)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, longestFile+1))
	if err != nil {
		return nil, fmt.Errorf("the configuration file %s can't be read: %w", path, errors.Unwrap(err))
	}
	if len(data) > longestFile {
		return nil, fmt.Errorf("the configuration file %s is longer than 1 MiB", path)
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil
}

// fault is a sentence about the value at a key, with file and line.
func (f *File) fault(key, format string, args ...any) error {
	return located(f.path, f.lines.Of(key), fmt.Errorf(format, args...))
}

// place is FILE:LINE of a key.
func (f *File) place(key string) string { return place(f.path, f.lines.Of(key)) }

func place(path string, line int) string {
	if line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d", path, line)
}

// located puts the file and, where it is known, the line before a sentence.
func located(path string, line int, err error) error {
	return fmt.Errorf("%s: %w", place(path, line), err)
}

// beside finds a file that is named relative to the configuration file.
func (f *File) beside(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(f.path), name)
}
