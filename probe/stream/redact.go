package stream

import (
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	mask = "***"
	// minEcho is the shortest beginning or end of a secret that is masked, in
	// bytes: servers like to repeat part of a key.
	minEcho = 8
	// minSecret is the shortest secret that is masked inside of words, in bytes:
	// keys such as "x" are given to servers that want none.
	minSecret = 4
)

// likeKey finds what is written like a key of one of the known makers, or
// stands behind Bearer: a server may repeat a key that another client was given.
var likeKey = regexp.MustCompile(`\b(?:sk|gsk|csk|rk|pk|xai|nvapi|hf|fw|pplx|r8)[-_][A-Za-z0-9_*-]{12,}|\b[Bb]earer\s+[A-Za-z0-9._~+/*-]{12,}=*`)

// Redact masks every secret in s, and what is written like a key: as it is, escaped for JSON, for URLs or for
// HTML, and also where only eight bytes or more of its beginning or end are
// repeated, in whatever case and with - for _, as names of headers and metrics
// are written. Secrets below four bytes are masked only where they stand alone.
// White space around a secret is no part of it. Cut text after redacting it, not
// before.
func Redact(s string, secrets ...string) string {
	var found []span
	for _, secret := range secrets {
		for _, shape := range shapes(secret) {
			found = append(found, spansOf(s, shape)...)
		}
	}
	for _, at := range likeKey.FindAllStringIndex(s, -1) {
		found = append(found, span{at[0], at[1]})
	}
	if len(found) == 0 {
		return s
	}
	slices.SortFunc(found, func(a, b span) int { return a.from - b.from })
	var b strings.Builder
	end := 0
	for i, f := range found {
		if i == 0 || f.from > end {
			b.WriteString(s[end:f.from])
			b.WriteString(mask)
		}
		end = max(end, f.to)
	}
	b.WriteString(s[end:])
	return b.String()
}

// span is a range of bytes.
type span struct{ from, to int }

// shapes returns the ways in which a secret can be written.
func shapes(secret string) []string {
	s := strings.TrimSpace(secret)
	if s == "" {
		return nil
	}
	list := []string{s, html.EscapeString(s), url.QueryEscape(s), url.PathEscape(s), jsonText(s, true), jsonText(s, false)}
	slices.Sort(list)
	return slices.Compact(list)
}

// jsonText is s as it stands between the quotes of a JSON string, from encoders
// that escape <, > and & and from those that don't.
func jsonText(s string, escapeHTML bool) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(escapeHTML)
	if e.Encode(s) != nil {
		return s
	}
	quoted := strings.TrimSuffix(b.String(), "\n")
	return quoted[1 : len(quoted)-1]
}

// spansOf finds a shape of a secret in s, and echoes of its beginning and end.
func spansOf(s, shape string) []span {
	if len(shape) < minEcho {
		return wholeSpans(s, shape)
	}
	s, shape = folded(s), folded(shape)
	var found []span
	n := len(shape)
	for i := range positions(s, shape[:minEcho]) {
		to := i + minEcho
		for to < len(s) && to-i < n && s[to] == shape[to-i] {
			to++
		}
		found = append(found, widen(s, span{i, to}))
	}
	for i := range positions(s, shape[n-minEcho:]) {
		from, to := i, i+minEcho
		for from > 0 && to-from < n && s[from-1] == shape[n-(to-from)-1] {
			from--
		}
		found = append(found, widen(s, span{from, to}))
	}
	return found
}

// folded is s with one case for all letters of ASCII and - for _: names are
// compared and written so. Its bytes stand where they stood.
func folded(s string) string {
	b := []byte(s)
	for i, c := range b {
		switch {
		case c >= 'A' && c <= 'Z':
			b[i] = c + 'a' - 'A'
		case c == '_':
			b[i] = '-'
		}
	}
	return string(b)
}

func wholeSpans(s, shape string) []span {
	var found []span
	for i := range positions(s, shape) {
		if f := (span{i, i + len(shape)}); len(shape) >= minSecret || alone(s, f) {
			found = append(found, f)
		}
	}
	return found
}

// positions yields every place at which part occurs in s.
func positions(s, part string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for at := 0; ; at++ {
			i := strings.Index(s[at:], part)
			if i < 0 {
				return
			}
			if at += i; !yield(at) {
				return
			}
		}
	}
}

// alone reports whether no letter or digit touches the span.
func alone(s string, f span) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:f.from])
	after, _ := utf8.DecodeRuneInString(s[f.to:])
	return !wordRune(before) && !wordRune(after)
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// widen makes a span of bytes one of whole characters.
func widen(s string, f span) span {
	for f.from > 0 && !utf8.RuneStart(s[f.from]) {
		f.from--
	}
	for f.to < len(s) && !utf8.RuneStart(s[f.to]) {
		f.to++
	}
	return f
}
