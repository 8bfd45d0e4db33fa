package slo

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

func TestParse(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		text, written string
		want          SLO
	}{
		{"p95=600ms", "p95=600ms", SLO{Metric: probe.TTFTMetric, Quantile: 0.95, Limit: 600 * ms}},
		{" P95 = 600 ms ", "p95=600ms", SLO{Metric: probe.TTFTMetric, Quantile: 0.95, Limit: 600 * ms}},
		{"p95<=600ms", "p95=600ms", SLO{Metric: probe.TTFTMetric, Quantile: 0.95, Limit: 600 * ms}},
		{"p50≤1.5s", "p50=1.5s", SLO{Metric: probe.TTFTMetric, Quantile: 0.5, Limit: 1500 * ms}},
		{"p99.9=2m", "p99.9=2m", SLO{Metric: probe.TTFTMetric, Quantile: 0.999, Limit: 2 * time.Minute}},
		{"p1=30s", "p1=30s", SLO{Metric: probe.TTFTMetric, Quantile: 0.01, Limit: 30 * time.Second}},
		{"ttft_per_1k=80ms", "ttft_per_1k=80ms", SLO{Metric: probe.Per1kMetric, Quantile: 0.5, Limit: 80 * ms}},
		{"tpot=40ms", "tpot=40ms", SLO{Metric: probe.TPOTMetric, Quantile: 0.5, Limit: 40 * ms}},
		{"failures=1%", "failures=1%", SLO{Metric: probe.FailuresMetric, Share: 0.01}},
		{"failures = 0.5 %", "failures=0.5%", SLO{Metric: probe.FailuresMetric, Share: 0.005}},
		{"failures=0%", "failures=0%", SLO{Metric: probe.FailuresMetric}},
	} {
		got, err := Parse(c.text)
		if err != nil || got != c.want || got.String() != c.written {
			t.Errorf("%q: %+v %q, %v; want %+v", c.text, got, got.String(), err, c.want)
		}
		if again, err := Parse(got.String()); err != nil || again != got {
			t.Errorf("%q written is %q, which reads as %+v, %v", c.text, got.String(), again, err)
		}
	}
}

func TestWhatIsNoSLO(t *testing.T) {
	for text, want := range map[string]string{
		"":               `"" is no SLO: write a quantile`,
		"600ms":          `"600ms" is no SLO: write a quantile`,
		"p95":            "such as p95=600ms",
		"p95=":           "such as p95=600ms",
		"=600ms":         "such as p95=600ms",
		"p95=600":        "p95=600: 600 has no unit: write 600ms or 600s",
		"p95=fast":       `"fast" is no length of time: write one such as 600ms`,
		"p95=-1s":        "above 0",
		"p95=0s":         "above 0",
		"p95=2h":         "at most 1h",
		"p100=1s":        `"p100" limits nothing that is measured`,
		"p0=1s":          `"p0" limits nothing`,
		"pNaN=1s":        "limits nothing",
		"p50.0000001=1s": "limits nothing",
		"latency=1s":     `"latency" limits nothing that is measured: write a quantile`,
		"failures=1":     "failures=1: 1 could be a share or a percentage: write 1%",
		"failures=few":   `"few" is no share: write a percentage such as 1%`,
		"failures=100%":  "below 100%",
		"failures=-1%":   "from 0%",
		"failures=NaN%":  "from 0%",
		"failures=600ms": "no share",
	} {
		if got, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q", text, got, err, want)
		}
	}
}

func TestParseAll(t *testing.T) {
	all, err := ParseAll([]string{"p95=600ms", "p50=200ms", "failures=1%"})
	if err != nil || len(all) != 3 {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := ParseAll([]string{"p95=600ms", "tpot=40ms", "p95=1s"}); err == nil || !strings.Contains(err.Error(), "p95=600ms and p95=1s limit the same") {
		t.Error(err)
	}
	if _, err := ParseAll([]string{"p95=600ms", "x"}); err == nil {
		t.Error("one of them is none")
	}
	if all, err := ParseAll(nil); all != nil || err != nil {
		t.Errorf("%v, %v", all, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"p95=600ms", "failures=1%", "tpot=40ms", "p99.9≤1.5s", "p1e1=1s"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		if again, err := Parse(s.String()); err != nil || again != s {
			t.Errorf("%q reads as %+v, is written %q and read as %+v, %v", text, s, s.String(), again, err)
		}
	})
}
