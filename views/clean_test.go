package views

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"ttftop/themes"
)

func TestClean(t *testing.T) {
	tests := []struct{ in, want, ascii string }{
		{"sim-8b", "sim-8b", "sim-8b"},
		{"", "", ""},
		{"  a   b ", "a b", "a b"},
		{"a\x1b[31mred\x1b[0m\x07", "ared", "ared"},
		{"\x1b]0;title\x07after", "after", "after"},
		{"line\nbreak\ttab\r", "line break tab", "line break tab"},
		{"para\u2029graph\u0085", "para graph", "para graph"},
		{"\u202eevil\u2066", "evil", "evil"},
		{"\x00\x01\x7f", "", ""},
		{"模型-é🌍", "模型-é🌍", "??-e?"},
		{"256 → 1,024", "256 → 1,024", "256 -> 1,024"},
		{"5 µs…", "5 µs…", "5 us.."},
		{"zero\u200bwidth\ufeff", "zerowidth", "zerowidth"},
		{"❤\ufe0f", "❤", "?"},
		{"👩\u200d💻", "👩💻", "??"},                                // not joined: terminals disagree about its width
		{"e\u0301", "e\u0301", "e"},                             // one mark is fine
		{"e" + strings.Repeat("\u0301", 40), "e", "e"},          // forty are not
		{"\u0301x", "?x", "?x"},                                 // a mark without a letter would join what is before it
		{"\U0001F3FDx", "?x", "?x"},                             // so would a skin tone
		{"\xff\xfe broken", "\ufffd\ufffd broken", "?? broken"}, // bytes that are no text
	}
	for _, tt := range tests {
		if got := Clean(tt.in, false); got != tt.want {
			t.Errorf("Clean(%q) = %q, want %q", tt.in, got, tt.want)
		}
		if got := Clean(tt.in, true); got != tt.ascii {
			t.Errorf("ASCII Clean(%q) = %q, want %q", tt.in, got, tt.ascii)
		}
	}
}

func TestClip(t *testing.T) {
	u, a := symbols(t)
	tests := []struct {
		in          string
		max         int
		want, ascii string
	}{
		{"abcdef", 6, "abcdef", "abcdef"},
		{"abcdef", 5, "abcd…", "abc.."},
		{"abc def", 5, "abc…", "abc.."},
		{"模型模型", 8, "模型模型", "????"},
		{"模型模型", 6, "模型…", "????"},
		{"模型模型", 7, "模型模…", "????"},
		{"abc", 1, "a", "a"},
		{"模", 1, "", "?"},
		{"abc", 0, "", ""},
		{"abc", -3, "", ""},
	}
	for _, tt := range tests {
		if got := clip(tt.in, tt.max, u); got != tt.want {
			t.Errorf("clip(%q, %d) = %q, want %q", tt.in, tt.max, got, tt.want)
		}
		if got := clip(tt.in, tt.max, a); got != tt.ascii {
			t.Errorf("ASCII clip(%q, %d) = %q, want %q", tt.in, tt.max, got, tt.ascii)
		}
	}
}

// A megabyte from a server costs no more than what is shown of it.
func TestClipLooksAtTheHead(t *testing.T) {
	u, _ := symbols(t)
	huge := strings.Repeat("错误 ", 1<<20)
	if n := testing.AllocsPerRun(1, func() { clip(huge, 40, u) }); n > 500 {
		t.Errorf("%v allocations", n)
	}
	if got := clip(huge, 40, u); cells(got) > 40 || !strings.HasSuffix(got, "…") {
		t.Errorf("clip gives %q", got)
	}
}

func FuzzClip(f *testing.F) {
	for _, s := range []string{"a", "\x1b[31m", "模型", "👩\u200d💻", "\u0301", "\xff", "🇩🇪", "ﷺ", "각", "\u0600x"} {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		u, a := symbols(t)
		n %= 300
		got := clip(s, n, u)
		if !utf8.ValidString(got) {
			t.Fatalf("clip(%q) = %q is no text", s, got)
		}
		around := "x" + got + "x"
		if w := ansi.StringWidth(around) - 2; w > max(n, 0) || w != ansi.StringWidthWc(around)-2 || w != cells(got) {
			t.Fatalf("clip(%q, %d) = %q is %d cells wide, by characters %d, alone %d", s, n, got, w, ansi.StringWidthWc(around)-2, cells(got))
		}
		if got := clip(s, n, a); !isASCII(got) || len(got) > max(n, 0) {
			t.Fatalf("ASCII clip(%q, %d) = %q", s, n, got)
		}
	})
}

// Names that differ at their ends stay apart.
func TestClipName(t *testing.T) {
	sym := themes.Mono().Symbols
	for _, c := range []struct {
		max        int
		name, want string
	}{
		{20, "api.eu.example/large", "api.eu.example/large"}, {12, "api.eu.example/large", "api.eu…large"}, {12, "api.eu.example/small", "api.eu…small"},
		{6, "api.eu.example", "api.e…"}, {10, "模型模型模型模型", "模型…模型"}, {0, "near", ""}, {-3, "near", ""},
	} {
		got := clipName(c.name, c.max, sym)
		if c.max > 0 && (cells(got) > c.max) || got != c.want && c.name[0] < 0x80 {
			t.Errorf("%q in %d cells: %q, want %q", c.name, c.max, got, c.want)
		}
	}
}
