package reported

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"ttftop/probe"
)

// The names under which servers put these parts, in lower case with _ as -.
// Other names are only kept.
var (
	timingHandling = []string{"handling", "tokenize", "tokenizer", "tokenization", "preprocess"}
	timingQueue    = []string{"queue", "queued", "queueing", "queue-time", "queue-duration"}
	timingPrefill  = []string{"prefill", "prefill-time", "prefill-duration", "prompt", "prompt-eval", "prompt-processing"}
	timingTTFT     = []string{"ttft", "time-to-first-token"}
	timingLoad     = []string{"model-load", "load-duration"}
)

// serverTiming reads the Server-Timing headers (w3.org/TR/server-timing),
// whose durations are in milliseconds. A name that comes twice was said by two
// parties: both are kept and none is used, and where they contradict each other
// on a part of the request that can't be. Descriptions are not figures.
func serverTiming(h http.Header, _ []json.RawMessage) (Figures, bool) {
	o := timings(parseServerTiming(h.Values("Server-Timing")))
	p := gather("server-timing", o)
	p.Handling = p.firstSpan(timingHandling)
	p.Queue = p.firstSpan(timingQueue)
	if m := p.firstSpan(timingPrefill); m.At > 0 {
		p.Prefill = m
	}
	p.WholeTTFT = p.firstSpan(timingTTFT)
	p.ModelLoad = p.firstSpan(timingLoad)
	for _, name := range slices.Sorted(maps.Keys(o)) {
		p.span(name, time.Millisecond)
	}
	p.contradictions()
	return p.done()
}

// contradictions names the durations that were said twice of one part of the
// request, and not alike.
func (p place) contradictions() {
	for _, name := range slices.Concat(timingHandling, timingQueue, timingPrefill, timingTTFT, timingLoad) {
		first, found := number(p.object[again(name, 1)])
		for i := 2; found == fine && p.object.has(again(name, i)); i++ {
			if other, found := number(p.object[again(name, i)]); found == fine && other != first {
				p.absurd(p.name(again(name, i)), other)
				break
			}
		}
	}
}

// again is the name of the i-th duration that was said of one name.
func again(name string, i int) string { return fmt.Sprintf("%s#%d", name, i) }

// timings puts metrics under their names, those of one name under name#1,
// name#2 and so on.
func timings(list []timing) object {
	o, times := object{}, map[string]int{}
	for _, m := range list {
		name := timingName(m.name)
		times[name]++
		o[again(name, times[name])] = m.dur
	}
	for name, n := range times {
		if n == 1 {
			o[name] = o[again(name, 1)]
			delete(o, again(name, 1))
		}
	}
	return o
}

// firstSpan is the first of several names that was said.
func (p place) firstSpan(names []string) probe.Mark {
	for _, name := range names {
		if m := p.span(name, time.Millisecond); m.OK {
			return m
		}
	}
	return probe.Mark{}
}

func timingName(name string) string {
	return strings.ReplaceAll(strings.ToLower(clean(name)), "_", "-")
}

// timing is one metric of a Server-Timing header; dur is nil where it has
// none, else the text of the number.
type timing struct {
	name string
	dur  any
	desc string
}

// parseServerTiming follows the specification's grammar: metrics between
// commas, parameters between semicolons, values as tokens or quoted strings,
// the first of several equal parameters. Malformed metrics are passed over.
func parseServerTiming(values []string) []timing {
	var list []timing
	for _, value := range values {
		for _, metric := range split(value, ',') {
			parts := split(metric, ';')
			if name := strings.TrimSpace(parts[0]); isToken(name) {
				list = append(list, timingOf(name, parts[1:]))
			}
		}
	}
	return list
}

func timingOf(name string, params []string) timing {
	t := timing{name: name}
	hasDesc := false
	for _, param := range params {
		key, value, _ := strings.Cut(param, "=")
		value = unquote(strings.TrimSpace(value))
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "dur":
			if t.dur == nil {
				t.dur = value
			}
		case "desc":
			if !hasDesc {
				t.desc, hasDesc = value, true
			}
		}
	}
	return t
}

// split cuts at a separator outside of quoted strings.
func split(s string, sep byte) []string {
	var parts []string
	quoted, from := false, 0
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case !quoted && s[i] == sep:
			parts, from = append(parts, s[from:i]), i+1
		}
	}
	return append(parts, s[from:])
}

func unquote(s string) string {
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	var b strings.Builder
	for i := 1; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// isToken reports whether s is a token of RFC 9110.
func isToken(s string) bool {
	const marks = "!#$%&'*+-.^_`|~"
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte(marks, c) >= 0) {
			return false
		}
	}
	return s != ""
}
