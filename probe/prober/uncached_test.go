package prober

import (
	"testing"

	"ttftop/probe"
)

// What is unique of a prompt can't have been cached, however many tokens the
// server says were.
func TestCachedTooMuch(t *testing.T) {
	unique, warm := probe.Knobs{Cache: probe.Bust}, probe.Knobs{Cache: probe.Warm, CacheShare: 0.9}
	for name, c := range map[string]struct {
		knobs          probe.Knobs
		prompt, cached int
		flags          []probe.Flag
		want           bool
	}{
		"all but one":             {unique, 256, 255, nil, true},
		"all":                     {unique, 256, 256, nil, true},
		"half":                    {unique, 256, 128, nil, false},
		"a template of 2,000":     {unique, 2256, 2000, nil, false},
		"of a shared prefix":      {warm, 256, 230, nil, false},
		"and of what is not":      {warm, 256, 255, nil, true},
		"of a prompt that is cut": {unique, 100, 99, []probe.Flag{probe.FlagPromptCut}, false},
	} {
		r := probe.Result{Knobs: c.knobs, PromptTokens: c.prompt, PromptExact: true, PromptChars: 1239, CachedTokens: c.cached, Flags: c.flags}
		if got := cachedTooMuch(&r); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
