package curl

import (
	"strings"
	"unicode/utf8"
)

// lineWidth is how wide lines are at most, where they can be broken: what is wider
// than a screen can't be copied from it as it is.
const lineWidth = 78

// folded breaks long lines of a here-document with a backslash at their end, which a
// shell takes out again with the line end. The text begins in a column of its line.
func folded(text string, column int) string {
	var b strings.Builder
	for len(text) > 0 {
		unit, width := unitOf(text)
		text = text[len(unit):]
		switch {
		case unit == "\n":
			column = 0
		case column+width >= lineWidth && !strings.HasPrefix(text, "\n") && text != "":
			b.WriteString("\\\n")
			column = width
		default:
			column += width
		}
		b.WriteString(unit)
	}
	return b.String()
}

// unitOf is the first character of a here-document, or the escape that stands for
// one, and how many cells it takes at most.
func unitOf(text string) (unit string, width int) {
	size := 0
	if text[0] == '\\' {
		size = 1
	}
	r, n := utf8.DecodeRuneInString(text[size:])
	if size += n; r >= utf8.RuneSelf {
		return text[:size], 2
	}
	return text[:size], size
}

// column is in which column a text ends.
func column(text string) int {
	return utf8.RuneCountInString(text[strings.LastIndexByte(text, '\n')+1:])
}

// quotedLines is an address as one word of the shell, on as many lines as it takes,
// broken before a part of it where there is one.
func quotedLines(address string) string {
	const backslash = 2
	var parts []string
	for len(quoted(address)) > lineWidth-backslash {
		cut, part := 0, 0
		for i := range address {
			if len(quoted(address[:i])) > lineWidth-backslash {
				break
			}
			if cut = i; i > 0 && strings.ContainsRune("/?&", rune(address[i])) {
				part = i
			}
		}
		if 2*part > cut {
			cut = part
		}
		parts, address = append(parts, quoted(address[:cut])), address[cut:]
	}
	return strings.Join(append(parts, quoted(address)), "\\\n")
}
