package stream

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	messageLimit = 300 // characters of a message
	nameLimit    = 200 // characters of an id, a model's name, a finish reason
	codeLimit    = 64  // characters of an error code
)

// terminalSequence is what a terminal would act on: CSI and OSC sequences.
var terminalSequence = regexp.MustCompile("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?")

// oneLine makes text from outside fit to be shown: one line of at most limit
// characters, without control or format characters (those that reorder text
// among them), with single spaces.
func oneLine(s string, limit int) string {
	if strings.IndexByte(s, 0x1b) >= 0 {
		s = terminalSequence.ReplaceAllString(s, "")
	}
	var b strings.Builder
	n, gap := 0, false
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			gap = true
			continue
		}
		if !unicode.IsGraphic(r) {
			continue
		}
		if gap && n > 0 {
			b.WriteByte(' ')
			n++
		}
		gap = false
		if n++; n > limit {
			return shortened(b.String(), limit)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Name makes a name from outside fit to be shown and kept: one line of at most
// 200 characters.
func Name(s string) string { return oneLine(s, nameLimit) }

// shortened cuts text of at least limit characters so that an ellipsis fits.
func shortened(s string, limit int) string {
	runes := []rune(s)
	return strings.TrimSpace(string(runes[:min(len(runes), limit-1)])) + "…"
}

// excerpt keeps the beginning of a text that comes in pieces.
type excerpt struct {
	limit int // bytes
	buf   []byte
	full  bool // something was left out: nothing more is added
}

func (e *excerpt) add(s string) {
	if e.full || s == "" {
		return
	}
	if room := e.limit - len(e.buf); len(s) > room {
		e.full = true
		s = s[:max(0, room)]
		for len(s) > 0 && !validEnd(s) {
			s = s[:len(s)-1]
		}
	}
	e.buf = append(e.buf, s...)
}

func (e *excerpt) String() string { return string(e.buf) }

// validEnd reports whether s ends with a whole character.
func validEnd(s string) bool {
	r, size := utf8.DecodeLastRuneInString(s)
	return r != utf8.RuneError || size != 1
}
