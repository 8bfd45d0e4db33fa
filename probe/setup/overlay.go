package setup

import (
	"cmp"
	"fmt"
	"time"

	"ttftop/probe"
	"ttftop/probe/config"
)

// overlay lays the flags that were given over the defaults. The error is a
// sentence about the first value that can't be.
func (p ProbeFlags) overlay(d *config.Defaults) error {
	k := &d.Knobs
	return cmp.Or(
		within("--prompt-tokens", &k.PromptTokens, p.PromptTokens, probe.MinPromptTokens, probe.MaxPromptTokens),
		within("--pressure", &k.Pressure, p.Pressure, 0, probe.MaxPressure),
		within("--max-tokens", &k.MaxTokens, p.MaxTokens, 1, probe.MaxOutputTokens),
		within("--cache-share", &k.CacheShare, p.CacheShare, 0, 1),
		within("--rate", &k.Rate, p.Rate, probe.MinRate, probe.MaxRate),
		within("--timeout", &d.Timeout, p.Timeout, time.Millisecond, 24*time.Hour),
		within("--token-budget", &d.TokenBudget, p.TokenBudget, 0, 1<<50),
		oneOf("--cache", &k.Cache, p.Cache, probe.Bust, probe.Warm),
		oneOf("--conn", &k.Conn, p.Conn, probe.WarmConn, probe.ColdConn),
	)
}

// within sets a value that was given and lies within its bounds. NaN lies
// within none.
func within[T int | int64 | float64 | time.Duration](flag string, to, given *T, least, most T) error {
	if given == nil {
		return nil
	}
	if !(*given >= least && *given <= most) {
		return fmt.Errorf("%s %v is out of range: write a value from %v to %v", flag, *given, least, most)
	}
	*to = *given
	return nil
}

func oneOf[T ~string](flag string, to *T, given *string, a, b T) error {
	if given == nil {
		return nil
	}
	if v := T(*given); v != a && v != b {
		return fmt.Errorf("%s %q is not known: write %s or %s", flag, *given, a, b)
	}
	*to = T(*given)
	return nil
}
