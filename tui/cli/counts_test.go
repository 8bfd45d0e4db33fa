package cli

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"ttftop/probe/setup"
)

// The flags take whole numbers as the knobs do.
func TestCounts(t *testing.T) {
	parse := func(args ...string) (f setup.ProbeFlags, err error) {
		_, err = kong.Must(&f, count).Parse(args)
		return f, err
	}
	f, err := parse("--prompt-tokens", "8k", "--pressure=1,024", "--max-tokens", "16", "--token-budget", "1,000k")
	if err != nil || *f.PromptTokens != 8192 || *f.Pressure != 1024 || *f.MaxTokens != 16 || *f.TokenBudget != 1000*1024 {
		t.Errorf("%+v, %v", f, err)
	}
	if f, err := parse(); err != nil || f.PromptTokens != nil {
		t.Errorf("what is not given: %v, %v", f.PromptTokens, err)
	}
	for text, want := range map[string]string{"0,5k": "write 0.5k", "1.5": "whole number", "many": "such as 512 or 8k"} {
		if _, err := parse("--prompt-tokens", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q in it", text, err, want)
		}
	}
}
