package tui

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ttftop/probe"
	"ttftop/probe/typed"
	"ttftop/views"
)

// knob is one thing to turn: how it reads, turns and takes a typed value.
type knob struct {
	name  string
	key   string
	get   func(probe.Knobs) string
	take  func(to *probe.Knobs, from probe.Knobs) // the value of another target
	turn  func(k *probe.Knobs, up bool)           // to the next value of its ladder
	parse func(k *probe.Knobs, text string) error // nil where it is not typed on the screen
	pick  func(k *probe.Knobs, text string) error // of two values; nil where there are more
}

// The places of the knobs in the row.
const (
	knobPrompt = iota
	knobPressure
	knobModel
	knobCache
	knobConn
	knobOutput
	knobRate
	knobSLO
)

// The ladders that the knobs go up and down.
var (
	promptLadder   = doubling(16, 131072)
	pressureLadder = append([]float64{0}, doubling(1, probe.MaxPressure)...)
	outputLadder   = doubling(1, 1024)
	rateLadder     = []float64{0.1, 0.2, 0.5, 1, 2, 4, 5, 10, 20, 50, 100}
)

func doubling(from, to float64) []float64 {
	var steps []float64
	for v := from; v <= to; v *= 2 {
		steps = append(steps, v)
	}
	return steps
}

// knobs are the knobs of the screen. The model's ladder is the target's list,
// and the SLO is no knob of a target: they are turned elsewhere.
var knobs = []knob{
	knobPrompt:   whole("prompt", "p", "512 or 8k", promptLadder, probe.MinPromptTokens, probe.MaxPromptTokens, func(k *probe.Knobs) *int { return &k.PromptTokens }),
	knobPressure: whole("batch", "b", "64", pressureLadder, 0, probe.MaxPressure, func(k *probe.Knobs) *int { return &k.Pressure }),
	knobModel:    {name: "model", key: "m", get: func(k probe.Knobs) string { return k.Model }},
	knobCache: {name: "cache", key: "c", get: func(k probe.Knobs) string { return string(k.Cache) },
		take: func(to *probe.Knobs, from probe.Knobs) { to.Cache = from.Cache },
		turn: func(k *probe.Knobs, _ bool) { k.Cache = other(k.Cache, probe.Bust, probe.Warm) },
		pick: func(k *probe.Knobs, text string) error { return oneOf(&k.Cache, text, probe.Bust, probe.Warm) }},
	knobConn: {name: "conn", key: "n", get: func(k probe.Knobs) string { return string(k.Conn) },
		take: func(to *probe.Knobs, from probe.Knobs) { to.Conn = from.Conn },
		turn: func(k *probe.Knobs, _ bool) { k.Conn = other(k.Conn, probe.WarmConn, probe.ColdConn) },
		pick: func(k *probe.Knobs, text string) error { return oneOf(&k.Conn, text, probe.WarmConn, probe.ColdConn) }},
	knobOutput: whole("output", "o", "16", outputLadder, 1, probe.MaxOutputTokens, func(k *probe.Knobs) *int { return &k.MaxTokens }),
	knobRate: {name: "rate", key: "r", get: func(k probe.Knobs) string { return number(k.Rate) + "/s" },
		take: func(to *probe.Knobs, from probe.Knobs) { to.Rate = from.Rate },
		turn: func(k *probe.Knobs, up bool) { k.Rate = along(rateLadder, k.Rate, up) },
		parse: func(k *probe.Knobs, text string) error {
			v, err := typed.Number(strings.TrimSuffix(strings.TrimSpace(text), "/s"))
			if err != nil || v < probe.MinRate || v > probe.MaxRate {
				return toType(err, fmt.Sprintf("type probes per second between %g and %s", probe.MinRate, views.Count(probe.MaxRate)))
			}
			k.Rate = v
			return nil
		}},
	knobSLO: {name: "slo", key: "s", get: func(probe.Knobs) string { return "" }},
}

// turns are the keys that turn a knob: up and down, or one for both of its values.
func (k *knob) turns() string {
	if k.pick != nil {
		return k.key
	}
	return k.key + "/" + strings.ToUpper(k.key)
}

// whole is a knob of whole numbers.
func whole(name, key, example string, ladder []float64, least, most int, field func(*probe.Knobs) *int) knob {
	return knob{
		name: name, key: key,
		get:  func(k probe.Knobs) string { return views.Count(int64(*field(&k))) },
		take: func(to *probe.Knobs, from probe.Knobs) { *field(to) = *field(&from) },
		turn: func(k *probe.Knobs, up bool) { *field(k) = int(along(ladder, float64(*field(k)), up)) },
		parse: func(k *probe.Knobs, text string) error {
			v, err := typed.Number(text)
			if err != nil || v != math.Trunc(v) || v < float64(least) || v > float64(most) {
				return toType(err, fmt.Sprintf("type a whole number from %s to %s, such as %s", views.Count(int64(least)), views.Count(int64(most)), example))
			}
			*field(k) = int(v)
			return nil
		},
	}
}

// toType is the error about a value that can't be: what to type, or what the comma
// in it could mean.
func toType(err error, what string) error {
	if comma, ok := errors.AsType[typed.Comma](err); ok {
		return comma
	}
	return errors.New(what)
}

func oneOf[T ~string](to *T, text string, a, b T) error {
	v := T(strings.ToLower(strings.TrimSpace(text)))
	if v != a && v != b {
		return fmt.Errorf("type %s or %s", a, b)
	}
	*to = v
	return nil
}

func other[T comparable](now, a, b T) T {
	if now == a {
		return b
	}
	return a
}

// along is the next value of a ladder above or below v; at its end v stays.
func along(ladder []float64, v float64, up bool) float64 {
	if up {
		for _, step := range ladder {
			if step > v {
				return step
			}
		}
		return v
	}
	for _, step := range slices.Backward(ladder) {
		if step < v {
			return step
		}
	}
	return v
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// described is a change of what is sent in a person's words: "prompt 256 →
// 1,024".
func described(before, after probe.Settings) string {
	return strings.Join(turns(before, after), ", ")
}

// link has the knobs turn for the selected target alone, or for all again.
func (m *model) link() {
	switch name := m.targets[m.target].Name; {
	case len(m.targets) < 2:
		m.tell("there is one target alone: the knobs turn for it")
	case m.unlinked:
		m.unlinked = false
		m.tell("knobs turn for all targets")
	default:
		m.unlinked = true
		m.tell("knobs turn for " + name + " alone: x links them again")
	}
}

// turns describes each knob and lever that stands otherwise in after.
func turns(before, after probe.Settings) []string {
	var parts []string
	for _, kn := range knobs {
		var said saying
		for i := range min(len(before.Knobs), len(after.Knobs)) {
			said.add(i, kn.get(before.Knobs[i]), kn.get(after.Knobs[i]))
		}
		if text := said.of(kn.name); text != "" {
			parts = append(parts, text)
		}
	}
	return append(parts, leversDescribed(before.Levers, after.Levers)...)
}

// saying is what was turned at which targets.
type saying struct{ texts, targets []string }

// add takes how a target stood and stands.
func (s *saying) add(target int, from, to string) {
	if from == to {
		return
	}
	text := cmp.Or(from, "–") + " → " + to
	i := slices.Index(s.texts, text)
	if i < 0 {
		i = len(s.texts)
		s.texts, s.targets = append(s.texts, text), append(s.targets, "")
	}
	s.targets[i] += views.Letter(target)
}

// of words it, and says whose each turn is where they differ: "prompt A 512 →
// 2,048, B 1,024 → 2,048".
func (s *saying) of(name string) string {
	if len(s.texts) == 1 {
		return name + " " + s.texts[0]
	}
	for i, text := range s.texts {
		s.texts[i] = s.targets[i] + " " + text
	}
	if len(s.texts) == 0 {
		return ""
	}
	return name + " " + strings.Join(s.texts, ", ")
}

// still reports whether no knob and no lever of a target stands otherwise in
// after.
func still(before, after probe.Settings, target int) bool {
	one := func(s probe.Settings) probe.Settings {
		var of probe.Settings
		if target < len(s.Knobs) {
			of.Knobs = s.Knobs[target : target+1]
		}
		if target < len(s.Levers) {
			of.Levers = s.Levers[target : target+1]
		}
		return of
	}
	return described(one(before), one(after)) == ""
}

// differ reports whether any knob or lever stands otherwise in b than in a.
func differ(a, b probe.Settings) bool { return described(a, b) != "" || !slices.Equal(a.SLO, b.SLO) }
