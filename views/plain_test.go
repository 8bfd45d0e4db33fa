package views

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"ttftop/probe"
	"ttftop/probe/kept"
	"ttftop/probe/quantile"
	"ttftop/themes"
)

func plainResults() []*probe.Result {
	const ms = time.Millisecond
	ok := &probe.Result{
		Seq: 7, Kind: probe.Ordinary, PromptTokens: 1024, PromptExact: true, OutputTokens: 3, OutputExact: true, FirstTokens: 1,
		Timeline: probe.Timeline{FirstToken: probe.At(120 * ms), LastToken: probe.At(140 * ms), Done: probe.At(145 * ms),
			Tokens: []probe.Arrival{{At: 120 * ms, Read: 1}, {At: 130 * ms, Read: 2}, {At: 140 * ms, Read: 3}}},
		Waterfall: probe.Waterfall{{Name: probe.RTT, Duration: 8 * ms, Source: probe.Measured}, {Name: probe.Handling, Duration: 4 * ms, Source: probe.Measured},
			{Name: probe.Queue, Source: probe.Reported}, {Name: probe.Prefill, Duration: 98 * ms, Source: probe.Reported}, {Name: probe.FirstDecode, Duration: 10 * ms, Source: probe.Estimated}},
		Flags: []probe.Flag{probe.FlagCached},
	}
	uncut := &probe.Result{Seq: 8, Kind: probe.Warmup, PromptTokens: 16, Timeline: probe.Timeline{FirstToken: probe.At(20 * ms)},
		Waterfall: probe.Waterfall{{Name: probe.RTT, Duration: 8 * ms, Source: probe.Measured}, {Name: probe.Server, Duration: 12 * ms, Source: probe.Measured}}}
	failed := &probe.Result{Seq: 9, Kind: probe.Ordinary, PromptTokens: 1024,
		Failure: &probe.Failure{Kind: probe.FailStatus, Status: 503, Message: "loading\x1b[31m model"}}
	return []*probe.Result{ok, uncut, failed}
}

// What is said of an SLO tells what there is to know, and what is missing.
func TestPlainState(t *testing.T) {
	p95 := probe.SLO{Metric: probe.TTFTMetric, Quantile: 0.95, Limit: 120 * time.Millisecond}
	for _, c := range []struct {
		slo  probe.SLO
		n    int
		want string
	}{
		{p95, 0, "; undecided (0 probes say nothing yet: it takes 64 to prove it kept), 95 % at any time of looking"},
		{p95, 12, "; undecided: at least 100 ms (12 probes say nothing yet: it takes 64 to prove it kept), 95 % at any time of looking"},
		{p95, 64, "; kept: between 100 and 100 ms, 95 % at any time of looking"},
		{probe.SLO{Metric: probe.TTFTMetric, Quantile: 0.5, Limit: 50 * time.Millisecond}, 20, "; broken: between 100 and 100 ms, 95 % at any time of looking"},
		{probe.SLO{Metric: probe.TTFTMetric, Quantile: 0.9, Limit: 120 * time.Millisecond}, 64, "; p90 100 ms; kept: between 100 and 100 ms, 95 % at any time of looking"},
		{probe.SLO{Metric: probe.FailuresMetric}, 9, "; undecided: that nothing ever fails can't be proved, 95 % at any time of looking"},
	} {
		j := kept.New(c.slo, 0.95)
		for range c.n {
			j.Take(&probe.Result{Kind: probe.Ordinary, Timeline: probe.Timeline{FirstToken: probe.At(100 * time.Millisecond)}})
		}
		if got := PlainState(j, themes.Mono()); got != c.want {
			t.Errorf("%v of %d: %s\nwant %s", c.slo, c.n, got, c.want)
		}
	}
}

func TestPlainTable(t *testing.T) {
	th, err := themes.Pick("mono", true, true)
	if err != nil {
		t.Fatal(err)
	}
	const name = "a-rather-long-target-name"
	table := NewPlainTable([]string{"short", name}, th)
	lines := []string{table.Head()}
	for i, r := range plainResults() {
		lines = append(lines, table.Row(r, []string{name, "short", name}[i]))
	}
	golden.RequireEqual(t, []byte(strings.Join(lines, "\n")))
}

func TestPlainSummary(t *testing.T) {
	th, err := themes.Pick("mono", true, true)
	if err != nil {
		t.Fatal(err)
	}
	const ms = time.Millisecond
	f := Figures{
		Probes: 50, Failed: 2, Beside: 3, P50: quantile.Estimate{At: 120 * ms, OK: true, N: 47}, P95: quantile.Estimate{At: 30 * time.Second, OK: true, Censored: true, N: 47},
		P99: quantile.Estimate{At: 400 * ms, OK: true, Max: true, N: 47}, Per1k: probe.At(117 * ms), Fixed: probe.At(4 * ms), Slope: probe.At(98 * ms),
		ITL: probe.At(10 * ms), TPOT: probe.At(10 * ms), TokensPerSec: 100, Total: probe.At(260 * ms), PromptTokens: 1024, PromptExact: true, TokensExact: true,
	}
	empty := PlainSummary("b", "m", Figures{}, nil, nil, th)
	golden.RequireEqual(t, []byte(PlainSummary("a", "m", f, plainResults()[0].Waterfall, nil, th)+"\n\n"+empty))
}

func TestPlainLimit(t *testing.T) {
	f := Figures{
		Probes: 64, Failed: 1, P95: quantile.Estimate{At: 124600 * time.Microsecond, OK: true, N: 64},
		Per1k: probe.At(105700 * time.Microsecond), TPOT: probe.At(9310 * time.Microsecond),
	}
	for _, c := range []struct {
		slo  probe.SLO
		want string
	}{
		{probe.SLO{Metric: probe.TTFTMetric, Quantile: 0.95, Limit: 120 * time.Millisecond}, "  SLO p95 ≤ 120 ms: p95 125 ms, 94 % of the probes within"},
		{probe.SLO{Metric: probe.TTFTMetric, Quantile: 0.9, Limit: time.Second}, "  SLO p90 ≤ 1.00 s: 94 % of the probes within"},
		{probe.SLO{Metric: probe.Per1kMetric, Quantile: 0.5, Limit: 80 * time.Millisecond}, "  SLO TTFT per 1k ≤ 80.0 ms: p50 106 ms"},
		{probe.SLO{Metric: probe.TPOTMetric, Quantile: 0.5, Limit: 40 * time.Millisecond}, "  SLO TPOT ≤ 40.0 ms: p50 9.31 ms"},
		{probe.SLO{Metric: probe.FailuresMetric, Share: 0.01}, "  SLO failures=1%: 1.6 % failed"},
	} {
		if got := PlainLimit(c.slo, Share{N: 60, Of: 64}, f, themes.Mono()); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
