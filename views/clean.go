package views

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"ttftop/themes"
)

// Clean makes text from outside (names, models, messages of servers) safe to
// draw on one line: control sequences, control characters and characters that
// reorder text are taken out, line ends and tabs become blanks, and what
// terminals disagree about the width of is made plain. With ascii, what is not
// ASCII is spelled in it, or becomes a question mark.
func Clean(s string, ascii bool) string {
	return tidy(strings.Join(strings.Fields(visible(s)), " "), ascii)
}

// cleanLine is Clean for text with columns: its blanks are kept.
func cleanLine(s string, ascii bool) string { return tidy(visible(s), ascii) }

// tidy settles the width of every character, and spells what isn't ASCII.
func tidy(s string, ascii bool) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		s = s[len(cluster):]
		cluster = settled(cluster)
		if ascii {
			cluster = spelled(cluster)
		}
		b.WriteString(cluster)
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// longest bounds the bytes looked at for a text of so many cells: enough for
// four-byte characters with two marks each.
func longest(cells int) int { return 12*cells + 256 }

// clip is Clean, cut to a number of cells; a cut text ends in an ellipsis.
func clip(s string, max int, sym *themes.Symbols) string {
	if max <= 0 {
		return ""
	}
	s = Clean(head(s, longest(max)), sym.ASCII)
	if cells(s) <= max {
		return s
	}
	room := max - cells(sym.Ellipsis)
	if room <= 0 {
		return cutCells(s, max)
	}
	return strings.TrimRight(cutCells(s, room), " ") + sym.Ellipsis
}

// clipName is clip for names, which often differ at their end: what is too long is
// cut in its middle.
func clipName(s string, max int, sym *themes.Symbols) string {
	const least = 8 // cells of which two halves say something
	if max < least {
		return clip(s, max, sym)
	}
	whole := Clean(head(s, longest(400)), sym.ASCII)
	if cells(whole) <= max {
		return whole
	}
	room := max - cells(sym.Ellipsis)
	end := whole
	for cells(end) > room/2 {
		_, rest := cutFirst(end)
		end = rest
	}
	return strings.TrimRight(cutCells(whole, room-cells(end)), " ") + sym.Ellipsis + end
}

// cutFirst is the first character of a text that is not empty, and the rest.
func cutFirst(s string) (first, rest string) {
	cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return cluster, s[len(cluster):]
}

// cutCells is as much of a clean text as fits in n cells.
func cutCells(s string, n int) string {
	end := 0
	for end < len(s) {
		cluster, w := ansi.FirstGraphemeCluster(s[end:], ansi.GraphemeWidth)
		if n -= w; n < 0 {
			break
		}
		end += len(cluster)
	}
	return s[:end]
}

// head is the beginning of s, of at most n bytes, without half a character.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// visible takes out control sequences, and of the rest what doesn't show.
func visible(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] >= ' ' && s[i] < 0x7f
	}
	if plain {
		return strings.TrimSpace(s)
	}
	s = strings.ToValidUTF8(ansi.Strip(spaced(s)), "�")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) ||
			unicode.Is(unicode.Co, r) {
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// spaced turns line ends and tabs into blanks, before they are taken out.
func spaced(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\t', '\n', '\v', '\f', '\r', '\u0085', '\u2028', '\u2029':
			return ' '
		}
		return r
	}, s)
}

// settled is a cluster whose width every terminal agrees on: one whose width
// depends on how the terminal counts is reduced to its first character, and at
// most two marks are kept on a letter.
func settled(cluster string) string {
	if len(cluster) == 1 {
		return cluster
	}
	if utf8.RuneCountInString(cluster) > 3 || !agreed(cluster) {
		_, n := utf8.DecodeRuneInString(cluster)
		cluster = cluster[:n]
	}
	if !agreed(cluster) || cells(cluster) == 0 {
		return "?"
	}
	return cluster
}

// agreed reports whether both ways of counting, by clusters and by characters,
// give a cluster the same width, and whether it joins no neighbour.
func agreed(cluster string) bool {
	between := "x" + cluster + "x"
	w := ansi.StringWidth(cluster) + 2
	return ansi.StringWidth(between) == w && ansi.StringWidthWc(between) == w
}

// spellings are characters that the program's own texts and common messages
// hold, in ASCII.
var spellings = map[string]string{
	"→": "->", "←": "<-", "↑": "^", "↓": "v", "µ": "u", "μ": "u", "…": "..",
	"–": "-", "—": "-", "−": "-", "‑": "-", "×": "x", "·": "-", "•": "*", "≤": "<=", "≥": ">=", "≈": "~",
	"“": `"`, "”": `"`, "„": `"`, "‘": "'", "’": "'", "«": `"`, "»": `"`, "‹": "<", "›": ">",
	"\u00a0": " ", "°": "deg", "±": "+-", "é": "e", "è": "e", "ü": "u", "ö": "o", "ä": "a", "ß": "ss",
	"␣": "space", "⏎": "enter", "⇧": "shift", "⇥": "tab", "✓": "ok", "✗": "x",
}

// spelled is a cluster in ASCII.
func spelled(cluster string) string {
	if cluster[0] < utf8.RuneSelf {
		return cluster[:1] // a letter without its marks
	}
	if s, ok := spellings[cluster]; ok {
		return s
	}
	return "?"
}
