package scenario

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	toml "github.com/pelletier/go-toml/v2"

	"ttftop/probe/keyline"
	"ttftop/probe/sim"
)

// explain names file and line of what the decoder found.
func explain(path string, data []byte, err error) error {
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		lines := keyline.Read(data)
		var all []error
		for _, e := range strict.Errors {
			line, _ := e.Position()
			key := e.Key()
			name := lines.Key(line, key[len(key)-1])
			all = append(all, fmt.Errorf("%s:%d: %s is no field of a scenario", path, line, name))
		}
		return errors.Join(all...)
	}
	decode, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return fmt.Errorf("%s: %s", path, strings.TrimPrefix(err.Error(), "toml: "))
	}
	line, _ := decode.Position()
	where := ""
	if key := strings.Join(decode.Key(), "."); key != "" {
		where = key + ": "
	}
	return fmt.Errorf("%s:%d: %s%s", path, line, where, inWords(strings.TrimPrefix(decode.Error(), "toml: ")))
}

// wrongType is how the decoder tells of a value of the wrong type, by the names of
// Go's types.
var wrongType = regexp.MustCompile(`^(?:cannot decode TOML (.+?) into|cannot store an? (.+?) in an?) (?:struct field \S+ of type )?(.+)$`)

// wanted is what stands in place of a type of ours.
var wanted = map[string]string{
	kind[int]():      "a whole number",
	kind[uint64]():   "a whole number, 0 or more",
	kind[float64]():  "a number",
	kind[bool]():     "true or false",
	kind[string]():   "text in quotes",
	kind[duration](): "a duration in quotes, such as " + durations,
	kind[hardware](): "an accelerator in quotes, one of " + accelerators(),
	kind[shape]():    "a shape in quotes, one of " + shapes(),
	kind[choice]():   "a name in quotes",
	kind[what]():     `a fault in quotes, such as "429:2s"`,
}

func kind[T any]() string { return reflect.TypeFor[T]().String() }

// inWords is what the decoder says, without Go.
func inWords(message string) string {
	if strings.HasPrefix(message, "negative integer") {
		return "it is below 0: write " + wanted[kind[uint64]()]
	}
	found := wrongType.FindStringSubmatch(message)
	if found == nil {
		return message
	}
	got, to := found[1]+found[2], strings.TrimPrefix(found[3], "*")
	must, known := wanted[to]
	switch {
	case known:
	case strings.HasPrefix(to, "[]"):
		must = "a list of tables"
	default:
		must = "a table"
	}
	return fmt.Sprintf("this is of the kind %s: write %s", got, must)
}

// located are errors of fields of endpoint number i, each with its line.
func located(path string, lines keyline.Lines, i int, wrong []fieldError) error {
	var all []error
	for _, w := range wrong {
		key := strings.TrimSuffix(fmt.Sprintf("endpoints.%d.%s", i, w.field), ".")
		all = append(all, fmt.Errorf("%s:%d: %w", path, lines.Of(key), w.err))
	}
	return errors.Join(all...)
}

// misfits are what the simulator finds.
func misfits(cfg sim.Config) (all []fieldError) {
	for _, err := range sim.CheckFile(cfg) {
		wrong := fieldError{"", fmt.Errorf("simulated endpoint %q: %w", cfg.Name, err)}
		if m, ok := errors.AsType[*sim.Misfit](err); ok {
			wrong.field = m.Field
		}
		all = append(all, wrong)
	}
	return all
}
