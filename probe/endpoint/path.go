package endpoint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ttftop/probe"
)

// path is how the path of an OpenAI-style URL was read.
type path struct {
	segments []string // of the base: chat completions are at segments + /chat/completions
	note     string   // what was done to it, "" for nothing
	instead  []string // of the base that would be tried next
}

var versionForm = regexp.MustCompile(`^(?i)v[0-9]+(\.[0-9]+)?((alpha|beta|preview)[0-9]*)?$`)

// readPath finds the base in the path of an OpenAI-style URL. A full path of
// chat completions is taken as typed. Otherwise /v1 is added unless the path
// names a version: at its end (/v1, /api/v3), or further in, as some services
// have it (/v1beta/openai, /v1/projects/…/openapi).
func readPath(segments []string) path {
	if base, full := cutSuffix(segments, "chat", "completions"); full {
		if !versioned(base) {
			return path{base, "a full path is taken as typed", with(base, "v1")}
		}
		return endsInVersion(base, "")
	}
	for _, last := range []string{"models", "completions", "chat", "responses", "embeddings"} {
		if base, cut := cutSuffix(segments, last); cut && len(base) > 0 && isVersion(base[len(base)-1]) {
			return endsInVersion(base, "/"+last+" was taken off its end")
		}
	}
	if !versioned(segments) {
		return path{with(segments, "v1"), "/v1 was added", segments}
	}
	return endsInVersion(segments, "")
}

// endsInVersion is a base that names a version. What may be wrong with it is
// the version at its end, or that there is none at its end.
func endsInVersion(base []string, note string) path {
	if last := len(base) - 1; isVersion(base[last]) {
		return path{base, note, base[:last]}
	}
	return path{base, note, with(base, "v1")}
}

func isVersion(segment string) bool { return versionForm.MatchString(segment) }

func versioned(segments []string) bool { return slices.ContainsFunc(segments, isVersion) }

// with appends to a copy.
func with(segments []string, more ...string) []string {
	return append(slices.Clone(segments), more...)
}

func cutSuffix(segments []string, suffix ...string) ([]string, bool) {
	n := len(segments) - len(suffix)
	if n < 0 || !slices.EqualFunc(segments[n:], suffix, strings.EqualFold) {
		return segments, false
	}
	return segments[:n], true
}

// tried tells how the URL was read and what could be written instead, for the
// sentence of a 404. The endpoint's Base is this path already.
func (p path) tried(e *probe.Endpoint) []string {
	asked := "asked " + DisplayChat(e, "")
	if p.note != "" {
		asked += fmt.Sprintf(" (%s)", p.note)
	}
	return []string{asked, "if that is wrong, try " + shown(e, with(p.instead, "chat", "completions"))}
}
