package views

import (
	"strings"
	"testing"

	"ttftop/probe"
	"ttftop/themes"
)

// Where a server does not speak of caching, nothing says that none of a prompt
// was cached.
func TestCachedTokensThatAreNotTold(t *testing.T) {
	s := sheetOf(t, false)
	for _, c := range []struct {
		last Settled
		want string
	}{
		{Settled{PromptTokens: 256, PromptExact: true, CachedTold: true}, "256 tokens: 256 uncached, 0 cached"},
		{Settled{PromptTokens: 256, PromptExact: true}, "256 tokens: unique, cached: not told"},
		{Settled{PromptTokens: 256, PromptExact: true, UncachedGuess: true}, "256 tokens: how many of them were cached is not told"},
	} {
		if got := s.promptText(&c.last); !strings.HasPrefix(got, c.want+";") {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for told, want := range map[bool]string{true: "256 tokens, 0 of them cached", false: "256 tokens, cached: not told"} {
		r := &probe.Result{Kind: probe.Ordinary, PromptTokens: 256, PromptExact: true, CachedTold: told}
		if full := PlainFull(Snapshot{}, r, nil, themes.Mono()); !strings.Contains(full, want) {
			t.Errorf("no %q in\n%s", want, full)
		}
	}
	if line := PlainSummary("a", "m", Figures{}, nil, nil, themes.Mono()); !strings.Contains(line, "per 1k uncached input tokens –") {
		t.Errorf("%s", line)
	}
}
