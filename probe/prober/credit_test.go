package prober

import (
	"fmt"
	"testing"

	"ttftop/probe"
)

// handled, prefilled and stepped are a server that takes 6 ms to accept a request and
// 15 ms + 80 ms per 1,000 tokens to read it.
const (
	handled = 6.0
	stepped = 10.0
)

func prefilled(n int) float64 { return 15 + 0.08*float64(n) }

// waiting is a server that one of three probes waits at, once it is known, and
// that reports as it is told.
func waiting(report func(i, n int, wait float64) string) func(i, n int) (float64, float64, float64, float64, string) {
	return func(i, n int) (float64, float64, float64, float64, string) {
		wait := 0.0
		if i > 16 && i%3 == 0 {
			wait = 40 + 10*float64(i%5)
		}
		return handled, wait, prefilled(n), stepped, report(i, n, wait)
	}
}

func usageTimes(queue, prompt float64) string {
	return fmt.Sprintf(`{"usage":{"queue_time":%g,"prompt_time":%g}}`, queue/1000, prompt/1000)
}

// A server that lies now and then changes nothing of what is said of its other
// answers, and what it says itself is not shown where the prompt's length was
// seen to cost more.
func TestLiesOfAFew(t *testing.T) {
	every := func(n int, report string) func(int, int, float64) string {
		return func(i, _ int, _ float64) string {
			if i%n == 0 {
				return report
			}
			return ""
		}
	}
	for name, c := range map[string]struct {
		report func(i, n int, wait float64) string
		flag   probe.Flag
	}{
		"a prefill of 1 ms":              {every(6, `{"usage":{"prompt_time":0.001}}`), probe.FlagReportMismatch},
		"of all, before a baseline too":  {every(2, `{"usage":{"prompt_time":0.001}}`), probe.FlagReportMismatch},
		"beside a queue that can't be":   {every(6, `{"usage":{"queue_time":-1,"prompt_time":0.001}}`), probe.FlagAbsurdReport},
		"likely, beside one":             {every(6, `{"usage":{"queue_time":-1,"prompt_time":0.026}}`), probe.FlagAbsurdReport},
		"likely, beside an absurd count": {every(6, `{"usage":{"queue_time":0,"prompt_time":0.026,"completion_tokens":-5}}`), probe.FlagAbsurdReport},
	} {
		f := newFed(t, waiting(c.report))
		for f.i < 80 {
			i := f.i
			lies := c.report(i, 256, 0) != ""
			r := f.probe(256)
			_, wait, prefill, _, _ := f.serve(i, 256)
			for _, s := range r.Waterfall {
				if s.Source == probe.Reported {
					t.Errorf("%s: probe %d has a reported %s of %v", name, i, s.Name, s.Duration)
				}
			}
			if !holds(r, probe.Handling, handled) || !holds(r, probe.Prefill, prefill) || off(r, probe.QueuePart, wait) > 3 {
				t.Errorf("%s: probe %d waited %v: %v", name, i, wait, r.Waterfall)
			}
			if r.Has(c.flag) != lies {
				t.Errorf("%s: probe %d lies %v, flags %v", name, i, lies, r.Flags)
			}
		}
	}
}

// A prefill that is a wrong part of the truth is not shown as reported, nor one
// that happens to fit among many that don't.
func TestReportsOutOfScale(t *testing.T) {
	for name, factor := range map[string]float64{"0.4 of it": 0.4, "three times": 3, "in turns": 0} {
		f := newFed(t, waiting(func(i, n int, _ float64) string {
			by := factor
			if by == 0 {
				by = []float64{1e-3, 0.4, 3, 1}[i%4]
			}
			return timings(n, by*(prefilled(n)+stepped))
		}))
		for f.i < 80 {
			i := f.i
			r := f.probe(256)
			_, wait, prefill, _, _ := f.serve(i, 256)
			if !r.Has(probe.FlagReportMismatch) || !holds(r, probe.Handling, handled) || !holds(r, probe.Prefill, prefill) || off(r, probe.QueuePart, wait) > 3 {
				t.Errorf("%s: probe %d waited %v, %v: %v", name, i, wait, r.Flags, r.Waterfall)
			}
		}
	}
}

// What is reported of a prompt that was cached, or that waited, is believed.
func TestTrueReportsAreBelieved(t *testing.T) {
	f := newFed(t, waiting(func(_, n int, wait float64) string { return usageTimes(wait, prefilled(n)+stepped) }))
	for f.i < 60 {
		i := f.i
		r := f.probe(256)
		_, wait, _, _, _ := f.serve(i, 256)
		if len(r.Flags) > 0 || off(r, probe.PrefillPart, prefilled(256)) > 2 || off(r, probe.QueuePart, wait) > 2 {
			t.Errorf("probe %d waited %v, %v: %v", i, wait, r.Flags, r.Waterfall)
		}
	}
	cached := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
		prefill := 2 + 0.08*float64(n)
		if i > 8 && i%5 == 0 {
			prefill = 2 + 0.01*float64(n) // and the server does not say why
		}
		return handled, 0, prefill, stepped, timings(n, prefill+stepped)
	})
	for cached.i < 40 {
		i := cached.i
		r := cached.probe(256)
		_, _, prefill, _, _ := cached.serve(i, 256)
		if r.Has(probe.FlagReportMismatch) || off(r, probe.PrefillPart, prefill) > 2 {
			t.Errorf("probe %d, %v: %v", i, r.Flags, r.Waterfall)
		}
	}
}

// What a server has reported before it turned out to be mostly wrong does not cut
// its other answers any more, though it may have been right.
func TestReportsOfAServerThatIsMostlyWrong(t *testing.T) {
	f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
		report := ""
		switch {
		case i < 20:
			report = timings(n, 0.8*prefilled(n)+stepped)
		case i%2 == 1:
			report = timings(n, 30*prefilled(n))
		}
		return handled, 0, prefilled(n), stepped, report
	})
	for f.i < 20+2*creditLost {
		f.probe(256)
	}
	for range 10 {
		if r := f.probe(256); !holds(r, probe.Handling, handled) || !holds(r, probe.Prefill, prefilled(256)) {
			t.Errorf("probe %d: %v", f.i-1, r.Waterfall)
		}
	}
}

// Warm prompts that met a cache nobody speaks of, and then waited, are reported
// as they were.
func TestAReportAmidAnUnsaidCache(t *testing.T) {
	prefill := func(n int) float64 { return 2 + 0.08*float64(n) }
	f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
		if i < 20 {
			return handled, 0, prefill(n), stepped, timings(n, prefill(n)+stepped)
		}
		return handled, 40, prefill(n / 8), stepped, timings(n, prefill(n/8)+stepped)
	})
	for f.i < 20 {
		f.probe(256)
	}
	f.change = func(r *probe.Result) { r.Knobs.Cache, r.Knobs.CacheShare = probe.Warm, 0.9 }
	for range 10 {
		r := f.probe(256)
		if r.Has(probe.FlagReportMismatch) || off(r, probe.PrefillPart, prefill(32)) > 2 {
			t.Errorf("probe %d, %v: %v", f.i-1, r.Flags, r.Waterfall)
		}
	}
}

// Of a prompt that the server has cut nobody knows how much it read: its time
// stays in one piece, and teaches nothing.
func TestAPromptThatWasCut(t *testing.T) {
	f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
		if i >= 20 {
			n = 1024
		}
		return handled, 0, prefilled(n), stepped, ""
	})
	for f.i < 20 {
		f.probe(256)
	}
	before, _, _ := f.c.curve(f.c.baselines, probe.Knobs{Model: "m", Cache: probe.Bust}, true).At(256)
	f.change = func(r *probe.Result) { r.Flagged(probe.FlagPromptCut) }
	for range 20 {
		if r := f.probe(256); r.Waterfall.Of(probe.ServerPart) == 0 {
			t.Errorf("probe %d, %v: %v", f.i-1, r.Flags, r.Waterfall)
		}
	}
	if after, _, _ := f.c.curve(f.c.baselines, probe.Knobs{Model: "m", Cache: probe.Bust}, true).At(256); after != before || len(f.told) > 0 {
		t.Errorf("the baseline moved from %v to %v: %q", before, after, f.told)
	}
}

func TestCredit(t *testing.T) {
	for reports, want := range map[string]string{
		"yyyyyyyy":         "yyyyyyyy",
		"nyyyyyyynyyy":     "yyyyyyyyyyyy", // now and then
		"nnnnyyyyy":        "yyynnnnyy",    // believed again after four that fit
		"nnnnnynnynyyynyy": "yyynnnnnnnnnnnnn",
		"ynynynynynynynyn": "yyyyyyynnnnnnnnn",
	} {
		var c credit
		got := ""
		for _, r := range reports {
			got += map[bool]string{true: "y", false: "n"}[c.add(r == 'y')]
		}
		if got != want {
			t.Errorf("reports %s are believed %s, want %s", reports, got, want)
		}
	}
}
