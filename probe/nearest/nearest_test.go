package nearest

import (
	"slices"
	"testing"
)

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"rate", "rat", 1}, {"abc", "abc", 0}, {"ab", "ba", 2}}
	for _, tt := range tests {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestOf(t *testing.T) {
	names := []string{"rate", "cache", "cache_share", "theme"}
	for text, want := range map[string]string{"rat": "rate", "cach": "cache", "cacheshare": "cache_share", "RATE": "", "x": "", "": "", "zzzzzz": ""} {
		if got := Of(text, names); got != want {
			t.Errorf("Of(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestFew(t *testing.T) {
	names := []string{"Llama-3.1-8B-Instruct", "gpt-4o-mini", "gpt-4o", "gpt-4.1"}
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"gpt4o", []string{"gpt-4o"}}, {"GPT-4o", []string{"gpt-4o", "gpt-4.1"}}, {"gpt", []string{"gpt-4o-mini", "gpt-4o"}},
		{"8b-instruct", []string{"Llama-3.1-8B-Instruct"}}, {"mistral", nil}, {"", nil},
	} {
		if got := Few(tt.text, names, 2); !slices.Equal(got, tt.want) {
			t.Errorf("Few(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
