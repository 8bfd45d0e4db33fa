package reported

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"ttftop/probe"
)

const (
	longest  = time.Hour // a figure beyond it can't be
	maxRaw   = 64        // figures kept of one adapter, beside as many that it asks for
	maxDepth = 3         // objects within objects that are kept
	maxCount = 1 << 31   // a token count beyond it can't be
)

// object is a JSON object, or headers by their lower-case names. Numbers are
// json.Number.
type object map[string]any

func (o object) has(keys ...string) bool {
	for _, k := range keys {
		if _, ok := o[k]; ok {
			return true
		}
	}
	return false
}

// object returns the nested object under key, or nil.
func (o object) object(key string) object {
	m, _ := o[key].(map[string]any)
	return m
}

// place is where an adapter reads: an object with the name that its figures
// carry in Raw, and the figures read so far.
type place struct {
	*Figures
	prefix string
	object object
}

// gather begins the figures of one adapter with everything in an object.
func gather(prefix string, o object) place {
	p := place{Figures: &Figures{Raw: map[string]any{}}, prefix: prefix, object: o}
	p.keepAll(prefix, o, maxDepth)
	return p
}

// headers is a place that holds the named headers that the response has.
func headers(h http.Header, names ...string) place {
	o := object{}
	for _, name := range names {
		if v := h.Get(name); v != "" {
			o[name] = v
		}
	}
	return place{Figures: &Figures{Raw: map[string]any{}}, object: o}
}

// in is the same figures read at a nested object. Anything else in its place
// can't be.
func (p place) in(key string) place {
	if v := p.object[key]; v != nil && p.object.object(key) == nil {
		p.absurd(p.name(key), v)
	}
	return place{Figures: p.Figures, prefix: p.name(key), object: p.object.object(key)}
}

func (p place) name(key string) string {
	if p.prefix == "" {
		return key
	}
	return p.prefix + "." + key
}

// keepAll records every scalar of an object, in the order of its keys so that
// the bound always cuts the same ones.
func (p place) keepAll(prefix string, o object, depth int) {
	keys := make([]string, 0, len(o))
	for k := range o {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		name := prefix + "." + clean(k)
		if inner := o.object(k); inner != nil && depth > 1 {
			p.keepAll(name, inner, depth-1)
			continue
		}
		p.keep(name, o[k], maxRaw)
	}
}

// keep records a scalar where there is room for it.
func (p place) keep(name string, v any, room int) {
	if _, known := p.Raw[name]; !known && len(p.Raw) >= room {
		return
	}
	if s, ok := scalar(v); ok {
		p.Raw[name] = s
	}
}

// number reads a figure: kept in Raw where it was said, named in Absurd where
// it can't be (fits decides), and ok only where it can be used.
func (p place) number(key string, fits func(float64) bool) (n float64, ok bool) {
	name, v := p.name(key), p.object[key]
	n, found := number(v)
	if found == unsaid {
		return 0, false
	}
	p.keep(name, v, 2*maxRaw)
	if found == absurd || !fits(n) {
		p.absurd(name, v)
		return 0, false
	}
	return n, true
}

// absurd names a figure that can't be and makes sure that Raw has it, also
// where it is no scalar.
func (p place) absurd(name string, v any) {
	if len(p.Absurd) < maxRaw {
		p.Absurd = append(p.Absurd, name)
	}
	if _, kept := p.Raw[name]; kept || len(p.Raw) >= 2*maxRaw {
		return
	}
	if text, err := json.Marshal(v); err == nil {
		p.Raw[name] = clean(string(text))
	}
}

// span reads a duration in a unit.
func (p place) span(key string, unit time.Duration) probe.Mark {
	limit := float64(longest) / float64(unit)
	n, ok := p.number(key, func(n float64) bool { return n >= 0 && n <= limit })
	if !ok {
		return probe.Mark{}
	}
	return probe.At(time.Duration(math.Round(n * float64(unit))))
}

// positive is span where zero means that the server did not measure: no
// prefill and no step takes no time.
func (p place) positive(key string, unit time.Duration) probe.Mark {
	m := p.span(key, unit)
	if m.At <= 0 {
		return probe.Mark{}
	}
	return m
}

// perSecond reads a rate and returns the time of one. A rate of zero was not
// measured.
func (p place) perSecond(key string) probe.Mark {
	n, ok := p.number(key, func(n float64) bool { return n >= 0 && n <= float64(time.Second) })
	if !ok || n < 1/longest.Seconds() {
		return probe.Mark{}
	}
	return probe.At(time.Duration(math.Round(float64(time.Second) / n)))
}

// count reads a number of tokens.
func (p place) count(key string) Count {
	n, ok := p.number(key, func(n float64) bool { return n >= 0 && n <= maxCount && n == math.Trunc(n) })
	return Count{N: int(n), OK: ok}
}

// done returns what was read, and whether the server said anything.
func (p place) done() (Figures, bool) {
	if !p.Prefill.OK {
		p.FirstDecodeInPrefill = Unknown
	}
	if !p.Queue.OK {
		p.QueueHasHandling = false
	}
	return *p.Figures, len(p.Raw) > 0
}

// sum adds marks: OK where the first is, with those of the others that are.
func sum(first probe.Mark, others ...probe.Mark) probe.Mark {
	if !first.OK {
		return first
	}
	for _, m := range others {
		if m.OK {
			first.At += m.At
		}
	}
	return first
}

// perStep divides the time of all tokens after the first by their number.
func perStep(total probe.Mark, tokens Count) probe.Mark {
	if !total.OK || total.At <= 0 || !tokens.OK || tokens.N < 2 {
		return probe.Mark{}
	}
	return probe.At(total.At / time.Duration(tokens.N-1))
}

// withPrefix lists the headers whose lower-case name starts with prefix.
func withPrefix(h http.Header, prefix string) []string {
	var names []string
	for name := range h {
		if lower := strings.ToLower(name); strings.HasPrefix(lower, prefix) {
			names = append(names, lower)
		}
	}
	slices.Sort(names)
	return names
}
