package ab

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// A queue that is a bound on a side is written as one, and its difference as a
// guess.
func TestAQueueThatIsABound(t *testing.T) {
	c := New(Config{A: "a", B: "b", Confidence: 0.95})
	for i := range 40 {
		a, b := cutResult(100+float64(i%3)), cutResult(120+float64(i%3))
		b.Flags = []probe.Flag{probe.FlagAtLeast}
		c.Add(a, b)
	}
	row := ""
	for _, line := range strings.Split(c.Verdict().Markdown(), "\n") {
		if strings.HasPrefix(line, "| queue p50") {
			row = line
		}
	}
	cells := strings.Split(row, "|")
	if len(cells) < 5 || strings.Contains(cells[2], "≥") || !strings.HasPrefix(cells[3], " ≥ ") || !strings.HasPrefix(cells[4], " \\~") {
		t.Errorf("%q", row)
	}
}

// cutResult is a success of so many milliseconds with a queue of a tenth.
func cutResult(total float64) *probe.Result {
	d := func(share float64) time.Duration { return time.Duration(share * total * float64(time.Millisecond)) }
	r := &probe.Result{Kind: probe.Ordinary, PromptTokens: 100, PromptExact: true}
	r.Waterfall = probe.Waterfall{
		{Name: probe.Handling, Duration: d(0.1), Source: probe.Estimated, Lo: d(0.1), Hi: d(0.1)},
		{Name: probe.Queue, Duration: d(0.1), Source: probe.Estimated, Lo: d(0.05), Hi: d(0.2)},
		{Name: probe.Prefill, Duration: d(0.7), Source: probe.Reported},
		{Name: probe.FirstDecode, Duration: d(0.1), Source: probe.Estimated, Lo: d(0.1), Hi: d(0.1)},
	}
	r.Timeline.FirstToken = probe.At(r.Waterfall.Total())
	return r
}
