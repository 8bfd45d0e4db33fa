package sim

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"ttftop/probe/typed"
)

// Lever is one thing that can be changed while the server runs, as text, for a
// screen that shows it as a knob.
type Lever struct {
	Name    string   // such as "max-batch"
	Group   string   // what belongs together: batching, cache, drafts, weights, capacity, network, users or faults
	About   string   // in a few words
	Value   string   // as it is now
	Choices []string // every value that it can have; nil where it is a number or a duration
	Steps   []string // values to turn through, in order, the first one being off or least
}

// lever is a Lever with its place in Levers.
type lever struct {
	Lever
	get func(*Levers) string
	set func(*Levers, string) error
}

// whole is a lever that is a whole number.
func whole(name, group, about string, at func(*Levers) *int, steps ...string) lever {
	return lever{
		Lever: Lever{Name: name, Group: group, About: about, Steps: steps},
		get:   func(l *Levers) string { return strconv.Itoa(*at(l)) },
		set: func(l *Levers, v string) (err error) {
			*at(l), err = wholeNumber(v)
			return wanted(v, err, "a whole number, such as "+steps[len(steps)/2])
		},
	}
}

// number is a lever that is a number, as times its unit.
func number(name, group, about string, unit float64, at func(*Levers) *float64, steps ...string) lever {
	return lever{
		Lever: Lever{Name: name, Group: group, About: about, Steps: steps},
		get:   func(l *Levers) string { return strconv.FormatFloat(*at(l)/unit, 'g', 6, 64) },
		set: func(l *Levers, v string) error {
			x, err := typed.Number(v)
			*at(l) = x * unit
			return wanted(v, err, "a number, such as "+steps[len(steps)/2])
		},
	}
}

// period is a lever that is a duration.
func period(name, group, about string, at func(*Levers) *time.Duration, steps ...string) lever {
	return lever{
		Lever: Lever{Name: name, Group: group, About: about, Steps: steps},
		get:   func(l *Levers) string { return at(l).String() },
		set: func(l *Levers, v string) (err error) {
			*at(l), err = time.ParseDuration(v)
			return wanted(v, err, "a duration, such as "+steps[len(steps)/2])
		},
	}
}

// choice is a lever that is one of a few names.
func choice[T ~int](name, group, about string, names []string, at func(*Levers) *T) lever {
	return lever{
		Lever: Lever{Name: name, Group: group, About: about, Choices: names, Steps: names},
		get:   func(l *Levers) string { return nameOf(*at(l), names) },
		set: func(l *Levers, v string) (err error) {
			*at(l), err = choose[T](v, names)
			return wanted(v, err, "one of "+strings.Join(names, ", "))
		},
	}
}

// yesNo is a lever that is on or off.
func yesNo(name, group, about string, at func(*Levers) *bool) lever {
	names := []string{"off", "on"}
	return lever{
		Lever: Lever{Name: name, Group: group, About: about, Choices: names, Steps: names},
		get: func(l *Levers) string {
			if *at(l) {
				return names[1]
			}
			return names[0]
		},
		set: func(l *Levers, v string) error {
			on, err := choose[int](v, names)
			*at(l) = on == 1
			return wanted(v, err, "one of "+strings.Join(names, ", "))
		},
	}
}

// mishap is a lever that is a fault, or off. Its choices are some of those that
// ParseFault reads.
func mishap(name, group, about string, at func(*Levers) *Fault, choices ...string) lever {
	return lever{
		Lever: Lever{Name: name, Group: group, About: about, Choices: choices, Steps: choices},
		get:   func(l *Levers) string { return at(l).String() },
		set: func(l *Levers, v string) (err error) {
			if *at(l) = (Fault{}); v == at(l).String() {
				return nil
			}
			*at(l), err = ParseFault(v)
			return wanted(v, err, Fault{}.String()+" or a fault: "+faultForms)
		},
	}
}

// wanted says what should be there in place of a value that can't be read.
func wanted(value string, err error, what string) error {
	if err == nil {
		return nil
	}
	if comma, ok := errors.AsType[typed.Comma](err); ok {
		return comma
	}
	return &unread{value, what, err}
}

// unread is a value that can't be read.
type unread struct {
	value, what string
	err         error
}

func (e *unread) Error() string { return fmt.Sprintf("%q: set it to %s", e.value, e.what) }
func (e *unread) Unwrap() error { return e.err }

// wholeNumber reads a number as people type it, that has to be whole. It is
// strconv.ErrRange for one that no int holds.
func wholeNumber(text string) (int, error) {
	x, err := typed.Number(text)
	switch {
	case err != nil:
		return 0, err
	case x != math.Trunc(x):
		return 0, strconv.ErrSyntax
	case math.Abs(x) > math.MaxInt32:
		return 0, strconv.ErrRange
	}
	return int(x), nil
}

// levers is every lever, in the order in which a screen shows them: what moves
// TTFT most cheaply first.
var levers = []lever{
	whole("cache-blocks", "cache", "prefix cache, in blocks of 16 tokens", func(l *Levers) *int { return &l.CacheBlocks }, "0", "256", "1024", "4096", "16384", "65536"),
	whole("kv-blocks", "cache", "KV memory, in blocks of 16 tokens; 0 for all that fit beside the weights", func(l *Levers) *int { return &l.KVBlocks }, "0", "512", "1024", "2048", "4096", "8192", "16384"),
	whole("draft-tokens", "drafts", "tokens drafted per step", func(l *Levers) *int { return &l.Speculation.Draft }, "0", "1", "2", "4", "8"),
	number("draft-acceptance", "drafts", "chance that a draft is right", 1, func(l *Levers) *float64 { return &l.Speculation.Acceptance }, "0.2", "0.4", "0.6", "0.7", "0.8", "0.9"),
	number("draft-cost", "drafts", "a draft step against one of the model", 1, func(l *Levers) *float64 { return &l.Speculation.Cost }, "0.01", "0.02", "0.05", "0.1", "0.2"),
	choice("quantization", "weights", "precision of the weights", precisionNames(), func(l *Levers) *Precision { return &l.Quantization }),
	choice("policy", "batching", "how batches are made", policyNames, func(l *Levers) *Policy { return &l.Policy }),
	period("batch-wait", "batching", "how long static batching waits for a full batch", func(l *Levers) *time.Duration { return &l.BatchWait }, "0s", "50ms", "100ms", "250ms", "1s"),
	whole("max-batch", "batching", "requests that run at once", func(l *Levers) *int { return &l.MaxBatch }, "1", "4", "8", "16", "32", "48", "64", "128", "256"),
	whole("max-waiting", "batching", "requests that may wait; lowered, those that came last are dropped", func(l *Levers) *int { return &l.MaxWaiting }, "1", "16", "64", "256", "1024", "4096"),
	whole("token-budget", "batching", "tokens per step", func(l *Levers) *int { return &l.TokenBudget }, "256", "512", "1024", "2048", "4096", "8192", "16384"),
	choice("order", "batching", "who is let in first", orderNames, func(l *Levers) *Order { return &l.Order }),
	whole("replicas", "capacity", "copies of each model", func(l *Levers) *int { return &l.Replicas }, "1", "2", "3", "4", "6", "8"),
	choice("routing", "capacity", "which copy a request goes to", routingNames, func(l *Levers) *Routing { return &l.Routing }),
	period("rtt", "network", "round trip", func(l *Levers) *time.Duration { return &l.Link.RTT }, "1ms", "8ms", "20ms", "40ms", "80ms", "140ms", "250ms"),
	period("jitter", "network", "mean random delay on top", func(l *Levers) *time.Duration { return &l.Link.Jitter }, "0s", "1ms", "3ms", "6ms", "15ms", "40ms"),
	number("bandwidth", "network", "megabits per second, 0 for no limit", 1e6, func(l *Levers) *float64 { return &l.Link.Bandwidth }, "0", "1", "5", "20", "50", "200", "1000"),
	number("loss", "network", "per cent of packets lost", 0.01, func(l *Levers) *float64 { return &l.Link.Loss }, "0", "0.1", "0.5", "1", "2", "5"),
	yesNo("tls", "network", "a TLS handshake on new connections", func(l *Levers) *bool { return &l.Link.TLS }),
	period("edge", "network", "round trip to an edge that ends connections near the client, 0 for none", func(l *Levers) *time.Duration { return &l.Link.Edge }, "0s", "5ms", "10ms", "20ms"),
	number("users", "users", "background requests per second and model", 1, func(l *Levers) *float64 { return &l.Users.Rate }, "0", "0.5", "1", "2", "4", "8", "16", "32"),
	whole("user-prompt", "users", "median prompt of theirs, in tokens", func(l *Levers) *int { return &l.Users.PromptTokens }, "64", "256", "512", "1024", "2048", "4096"),
	whole("user-output", "users", "median answer to them, in tokens", func(l *Levers) *int { return &l.Users.OutputTokens }, "16", "64", "128", "256", "512"),
	number("prompt-spread", "users", "how their prompts spread: sigma of a lognormal, 0 for all the same", 1, func(l *Levers) *float64 { return &l.Users.PromptSpread }, "0", "0.3", "0.6", "0.8", "1", "1.5"),
	number("output-spread", "users", "how their answers spread, likewise", 1, func(l *Levers) *float64 { return &l.Users.OutputSpread }, "0", "0.3", "0.6", "0.8", "1", "1.5"),
	whole("user-shared", "users", "tokens that all their prompts begin with", func(l *Levers) *int { return &l.Users.SharedTokens }, "0", "64", "256", "1024", "4096"),
	period("user-day", "users", "length of their day, with a lunchtime peak; 0 for none", func(l *Levers) *time.Duration { return &l.Users.Day }, "0s", "2m0s", "5m0s", "10m0s"),
	number("user-peak", "users", "lunchtime against the mean", 1, func(l *Levers) *float64 { return &l.Users.Peak }, "1.7", "2", "3", "4", "5"),
	mishap("fault", "faults", "what goes wrong on purpose", func(l *Levers) *Fault { return &l.Fault }, "off", "429:2s", "503", "stall@3:10s", "cut@3", "reset@3", "late-headers"),
	number("fault-share", "faults", "per cent of the requests that it hits", 0.01, func(l *Levers) *float64 { return &l.FaultShare }, "1", "5", "10", "25", "50", "100"),
}

// Levers are the levers with their present values.
func (s *Server) Levers() []Lever { return shown(s.Config().Levers) }

// shown are the levers with the values that they have.
func shown(now Levers) []Lever {
	all := make([]Lever, len(levers))
	for i, l := range levers {
		l.Value = l.get(&now)
		all[i] = l.Lever
	}
	return all
}

// Set turns one lever. The error says what is wrong with the value, and what to
// write instead; the lever is as before then.
func (s *Server) Set(name, value string) error { return s.Turn(map[string]string{name: value}) }

// Turn turns several levers at once, by their names: what they come to must be
// possible, whatever it is on the way there. The error says what is wrong; all
// are as before then.
func (s *Server) Turn(values map[string]string) error {
	return s.change(func(to *Levers) error { return set(to, values) })
}

// With is what the levers would be after Turn, without turning any.
func (s *Server) With(values map[string]string) ([]Lever, error) {
	s.setting.Lock()
	defer s.setting.Unlock()
	to, err := s.altered(func(l *Levers) error { return set(l, values) })
	if err != nil {
		return nil, err
	}
	return shown(to.filled().Levers), nil
}

// With is the configuration with levers at other values, by their names. The
// error says what is wrong, and what to write instead.
func (c Config) With(values map[string]string) (Config, error) {
	if err := set(&c.Levers, values); err != nil {
		return Config{}, err
	}
	return c, c.filled().check()
}

// set sets levers by their names, in the order of the table.
func set(to *Levers, values map[string]string) error {
	known := 0
	for _, l := range levers {
		value, ok := values[l.Name]
		if !ok {
			continue
		}
		known++
		if err := checkLever(l.Name, value, to, l.set(to, value)); err != nil {
			return err
		}
	}
	if known == len(values) {
		return nil
	}
	var names []string
	for _, l := range levers {
		names = append(names, l.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("there is no lever %q: the levers are %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

// Apply sets all levers at once. The error says what can't be simulated; they
// are as before then.
func (s *Server) Apply(to Levers) error {
	return s.change(func(l *Levers) error {
		*l = to
		return nil
	})
}

// Config is the configuration with its defaults filled in and the levers as
// they are now.
func (s *Server) Config() Config {
	s.setting.Lock()
	defer s.setting.Unlock()
	return s.asked.filled()
}

// change changes the levers, and hands the change to whom it concerns.
func (s *Server) change(how func(*Levers) error) error {
	s.setting.Lock()
	defer s.setting.Unlock()
	if s.over {
		return fmt.Errorf("simulated endpoint %q is closed", s.asked.Name)
	}
	to, err := s.altered(how)
	if err != nil {
		return err
	}
	s.asked = to
	s.hand(to.filled().faster())
	return nil
}

// altered is the configuration that was asked for with other levers, where that
// can be simulated. The caller holds setting.
func (s *Server) altered(how func(*Levers) error) (Config, error) {
	to := s.asked
	if err := how(&to.Levers); err != nil {
		return Config{}, err
	}
	return to, to.filled().check()
}

// hand gives a configuration to all that obey it.
func (s *Server) hand(c Config) {
	s.obeyed.Store(&c)
	s.dialer.link.Store(&c.Link)
	for _, f := range s.fleets {
		f.set(c)
	}
	changed := make(chan struct{})
	if before := s.changed.Swap(&changed); before != nil {
		close(*before)
	}
}
