package scenario

import (
	"encoding"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"ttftop/probe/sim"
)

// Values that are written as text, and as nothing else: the decoder would hand a
// number to a type that reads text, and without its line.
type (
	duration string // 80ms
	hardware string // name of an accelerator
	shape    string // name of a model's shape
	choice   string // one of a few names
	what     string // a fault as a request asks for it
)

// fieldError is what is wrong with a field of an endpoint.
type fieldError struct {
	field string // with indices: tenants.0.peak
	err   error
}

// reader reads values that are written as text, and keeps what is wrong with them.
type reader struct{ wrong []fieldError }

func (r *reader) note(field string, err error) {
	if err != nil {
		name := "endpoints." + index.ReplaceAllString(field, "")
		r.wrong = append(r.wrong, fieldError{field, fmt.Errorf("%s: %w", name, err)})
	}
}

// index is where a field of a table in a list has its number.
var index = regexp.MustCompile(`\.\d+`)

// duration is 0 where the field isn't there.
func (r *reader) duration(field string, text *duration) time.Duration {
	if text == nil {
		return 0
	}
	d, err := time.ParseDuration(string(*text))
	if err != nil {
		r.note(field, fmt.Errorf("%q is no duration: write %s", *text, durations))
	}
	return d
}

// choose reads a name into to, which stays as it is where the field isn't there.
func (r *reader) choose(field string, name *choice, to encoding.TextUnmarshaler) {
	if name != nil {
		r.note(field, to.UnmarshalText([]byte(*name)))
	}
}

func (r *reader) hardware(field string, name hardware) sim.Hardware {
	h, ok := sim.Accelerators[strings.ToLower(string(name))]
	if !ok {
		r.note(field, fmt.Errorf("%q is not known: write one of %s", name, accelerators()))
	}
	return h
}

func (r *reader) shape(field string, name shape) sim.Model {
	i := slices.IndexFunc(sim.Models, func(m sim.Model) bool { return m.Name == string(name) })
	if i < 0 {
		r.note(field, fmt.Errorf("%q is not known: write one of %s", name, shapes()))
		return sim.Model{}
	}
	return sim.Models[i]
}

func (r *reader) fault(field string, text what) sim.Fault {
	f, err := sim.ParseFault(string(text))
	r.note(field, err)
	return f
}

const durations = `"80ms", "1.5s" or "2m"`

func accelerators() string { return strings.Join(slices.Sorted(maps.Keys(sim.Accelerators)), ", ") }

func shapes() string {
	var names []string
	for _, m := range sim.Models {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}
