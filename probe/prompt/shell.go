package prompt

import (
	"fmt"
	"strings"

	"ttftop/probe"
)

// shellWords is how many words the shell's prompts repeat.
const shellWords = 8

// stampLength is the length of a time in seconds and the blank after it.
const stampLength = 11

// Shell is what a POSIX shell turns into a prompt of so many characters, made
// of the same kind of words as one that was built. With Bust it begins with
// the time, so that no second run finds it in a prefix cache. It is broken into
// lines that fit on a screen.
func Shell(chars int, cache probe.Cache) string {
	stamp := ""
	if cache != probe.Warm && chars > stampLength {
		stamp, chars = "$(date +%s) ", chars-stampLength
	}
	if chars <= 0 {
		return ""
	}
	return stamp + fmt.Sprintf("$(yes '%s' |\ntr '\\n' ' ' | head -c %d)", strings.Join(words[:shellWords], " "), chars)
}
