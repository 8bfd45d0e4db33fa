package prober

import (
	"regexp"
	"strings"
)

// dated is what a server adds to the name of a model to say which version of it
// answers: a date or a number.
var dated = regexp.MustCompile(`^[-@:.]v?[0-9][0-9.-]*$`)

// sameModel reports whether an answer that names one model is an answer of the
// other that was asked for: the same name, in any case, with or without its
// maker, its file's ending, its tag, or the date of its version.
func sameModel(answered, asked string) bool {
	a, b := bare(answered), bare(asked)
	if a == b || untagged(a) == b || a == untagged(b) {
		return true
	}
	longer, shorter := a, b
	if len(a) < len(b) {
		longer, shorter = b, a
	}
	rest, ok := strings.CutPrefix(longer, shorter)
	return ok && dated.MatchString(rest)
}

// bare is the name of a model without what doesn't tell models apart.
func bare(name string) string {
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	for _, ending := range []string{".gguf", "-latest"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// untagged is a name without what follows a colon, as Ollama and gateways tag
// models.
func untagged(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return name
}
