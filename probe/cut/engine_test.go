package cut

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/baseline"
	"ttftop/probe/reported"
)

// measuredRow is one line of testdata/llama-latency.tsv, in ms.
type measuredRow struct {
	slots, background, uncached   int
	ttft, ttft95, headers, prompt float64
	starved                       bool // the machine itself was too busy to be measured
	prompts                       string
}

func measuredRows(t *testing.T) []measuredRow {
	t.Helper()
	f, err := os.Open("testdata/llama-latency.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.Comment = '\t', '#'
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []measuredRow
	for _, l := range lines[1:] {
		v := make([]float64, len(l))
		for i := range l {
			if i != 1 {
				if v[i], err = strconv.ParseFloat(l[i], 64); err != nil {
					t.Fatal(err)
				}
			}
		}
		rows = append(rows, measuredRow{
			prompts: l[1], slots: int(v[0]), background: int(v[2]), uncached: int(v[3]),
			ttft: v[4], ttft95: v[5], headers: v[6], prompt: v[7], starved: v[8] > 10,
		})
	}
	return rows
}

// engineStep is about the engine's decode step; the table doesn't have it.
const engineStep = 8.0

// Errors of the cut on a real engine: the baseline from its idle rows, and the
// cut of each row under load against what llama.cpp itself says. Its wait ends
// with the headers, and what lies above the idle row of the same length is
// queue: wait above the idle handling, prompt_ms above the idle one.
func TestErrorsOnLlamaCPP(t *testing.T) {
	for _, ignore := range []bool{true, false} {
		var queue, prefill []float64
		inside := coverage{}
		rows := measuredRows(t)
		for _, row := range rows {
			idle := idleRow(rows, row)
			if row.background == 0 || row.starved {
				continue
			}
			c, ok := idleCurve(rows, row)
			if !ok {
				t.Fatal("no baseline")
			}
			slowed := max(0, row.prompt-idle.prompt)
			trueQueue := max(0, row.headers-idle.headers) + slowed
			truePrefill := row.prompt - slowed - engineStep
			in := Input{Timeline: tokens(row.ttft), Step: probe.At(ms(engineStep)), Uncached: row.uncached, Baseline: &c, IgnoreReported: ignore,
				Figures: reported.Figures{Prefill: probe.At(ms(row.prompt)), FirstDecodeInPrefill: reported.Yes}}
			in.Timeline.Headers = probe.At(ms(row.headers))
			if !ignore {
				in.Headers = OnSlot
			}
			out := Probe(in).Waterfall
			inside.add(out, truth{queue: trueQueue, prefill: truePrefill})
			q, p := inMS(out.Of(probe.QueuePart)), inMS(out.Of(probe.PrefillPart))
			queue = append(queue, math.Abs(q-trueQueue)/row.ttft)
			prefill = append(prefill, math.Abs(p-truePrefill)/row.ttft)
			if e := math.Abs(q-trueQueue) / row.ttft; e > .10 {
				t.Logf("%d slots, %s, %d background, %d tokens: queue %.1f, true %.1f of %.1f ms", row.slots, row.prompts, row.background, row.uncached, q, trueQueue, row.ttft)
			}
		}
		t.Logf("ignoring the report: %v; %d settings; queue: median %.1f %%, p95 %.1f %% of the TTFT; prefill: %.1f %%, %.1f %%",
			ignore, len(queue), at100(queue, .5), at100(queue, .95), at100(prefill, .5), at100(prefill, .95))
		if q, p := inside[probe.Queue], inside[probe.Prefill]; ignore {
			t.Logf("of %d intervals of queue %d hold the truth, as the medians of the table have it, and of %d of prefill %d", q.of, q.in, p.of, p.in)
			if 10*q.in < 8*q.of || 10*p.in < 9*p.of {
				t.Error("want at least 80 % and 90 %")
			}
		}
		if at100(queue, .5) > 5 || at100(queue, .95) > 15 || at100(prefill, .5) > 5 || at100(prefill, .95) > 15 {
			t.Error("want at most 5 % at the median and 15 % at p95")
		}
	}
}

func inMS(d time.Duration) float64 { return float64(d) / 1e6 }

// idleRow is the row of the same server and prompts without load.
func idleRow(rows []measuredRow, of measuredRow) measuredRow {
	i := slices.IndexFunc(rows, func(r measuredRow) bool {
		return r.slots == of.slots && r.prompts == of.prompts && r.uncached == of.uncached && r.background == 0
	})
	return rows[i]
}

// idleCurve is the baseline of a server for one kind of prompts: cache modes
// have baselines of their own.
func idleCurve(rows []measuredRow, of measuredRow) (baseline.Curve, bool) {
	var f baseline.Fitter
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, r := range rows {
		if r.slots != of.slots || r.prompts != of.prompts || r.background != 0 {
			continue
		}
		for _, ttft := range []float64{r.ttft, r.ttft, r.ttft95} { // half are quicker, few as slow as the p95
			at = at.Add(time.Second)
			f.Add(baseline.Point{At: at, Tokens: r.uncached, Server: ms(ttft - engineStep)})
		}
	}
	return f.Curve()
}
