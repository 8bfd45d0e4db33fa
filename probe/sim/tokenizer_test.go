package sim

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTokens(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"Hello, world", []string{"Hello", ",", " world"}},
		{"internationalisation", []string{"inter", "natio", "nalis", "ation"}},
		{"a  b", []string{"a", " ", " b"}},
		{"end  ", []string{"end", "  "}},
		{"a \n\n b", []string{"a", " ", "\n\n", " b"}},
		{"1234567", []string{"123", "456", "7"}},
		{"HTTPServer", []string{"HTT", "PS", "erver"}},
		{" !?", []string{" !", "?"}},
		{"über 日本語", []string{"ü", "ber", " 日本", "語"}},
		{"\xff\xfe", []string{"\xff", "\xfe"}},
		{"a\tb", []string{"a", "\t", "b"}},
	} {
		if got := slices.Collect(tokens(tt.text)); !slices.Equal(got, tt.want) {
			t.Errorf("tokens(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// Characters per token must differ from text to text, so that a client has to
// find them out.
func TestCharactersPerTokenDiffer(t *testing.T) {
	ratio := func(text string) float64 { return float64(utf8.RuneCountInString(text)) / float64(countTokens(text)) }
	prose := ratio(strings.Repeat("The river was quiet at night, and the houses along it had no light. ", 20))
	code := ratio(strings.Repeat("if (x[i] == NULL) { return -1; }\n", 20))
	noise := ratio(base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x8f\x01\xc3random\x99", 60))))
	if !(prose > 3.8 && prose < 5 && code < 2.5 && noise < 2.5) {
		t.Errorf("characters per token: prose %.2f, code %.2f, base64 %.2f", prose, code, noise)
	}
}

// Tokens are never lost, joined they are the text.
func FuzzTokens(f *testing.F) {
	f.Add("Hello  world\n 123 ÄÖ \xff")
	f.Fuzz(func(t *testing.T, text string) {
		if got := strings.Join(slices.Collect(tokens(text)), ""); got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}

// Every word of an answer is one token.
func TestAnswerWordsAreTokens(t *testing.T) {
	for i, w := range words {
		if countTokens(w) != 1 || countTokens(spaced[i]) != 1 || strings.ContainsAny(w, "\"\\") {
			t.Errorf("word %q is no single token", w)
		}
	}
}

func BenchmarkTokenize(b *testing.B) {
	text := strings.Repeat("The river was quiet at night, and the houses along it had no light. ", 6000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		newPrompt([]message{{"user", text}}, 16)
	}
}

// countTokens is the number of tokens of a text without any template.
func countTokens(text string) int {
	n := 0
	for range tokens(text) {
		n++
	}
	return n
}
