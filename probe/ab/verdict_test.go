package ab

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/record"
)

func usual() Config {
	return Config{A: "us-east", B: "eu-west", Margin: DefaultMargin, Confidence: DefaultConfidence}
}

func failed(kind probe.FailureKind) *probe.Result {
	return &probe.Result{Failure: &probe.Failure{Kind: kind, Message: "x"}}
}

// cut is a result whose TTFT is network, queue and prefill.
func cut(network, queue, prefill float64) *probe.Result {
	r := result(network + queue + prefill)
	d := func(ms float64) time.Duration { return time.Duration(ms * 1e6) }
	r.Waterfall = probe.Waterfall{
		{Name: probe.RTT, Duration: d(network), Source: probe.Measured}, {Name: probe.Queue, Duration: d(queue), Source: probe.Reported},
		{Name: probe.Prefill, Duration: d(prefill), Source: probe.Reported},
	}
	return r
}

// pairs adds n pairs, the i-th of them spread a little around a and b.
func pairs(c *Comparison, n int, a, b float64) {
	for i := range n {
		spread := 1 + 0.001*float64(i%7-3)
		c.Add(result(a), result(a+(b-a)*spread))
	}
}

func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		a, b float64
		want Outcome
	}{
		{"none", 0, 0, 0, Undecided},
		{"ten pairs say nothing", 10, 300, 200, Undecided},
		{"eleven of one sign do", 11, 300, 200, BFaster},
		{"the other way", 11, 200, 300, AFaster},
		{"a certain difference within the margin is none", 40, 300, 306, Same},
		{"equal to the nanosecond", 11, 300, 300, Same},
	} {
		x := New(usual())
		pairs(x, c.n, c.a, c.b)
		if v := x.Verdict(); v.Outcome != c.want || x.Outcome() != c.want || v.Pairs != c.n {
			t.Errorf("%s: %s of %d pairs, want %s", c.name, v.Outcome, v.Pairs, c.want)
		}
	}
	c := usual()
	c.Margin = 0
	x := New(c)
	pairs(x, 40, 300, 306)
	if x.Outcome() != AFaster {
		t.Errorf("without a margin: %s", x.Outcome())
	}
}

// A failure of one side decides its pair; two are a tie, which says nothing.
func TestFailures(t *testing.T) {
	x := New(usual())
	for range 11 {
		x.Add(failed(probe.FailTimeout), result(9000))
	}
	v := x.Verdict()
	if v.Outcome != BFaster || v.Diff.Estimate.OK || v.Diff.Hi.OK || v.Sides[0].Failed != 11 || v.Sides[0].P50.Estimate.OK {
		t.Errorf("one side fails: %s, %+v", v.Outcome, v.Diff)
	}
	if s := v.Sentence(); !strings.Contains(s, "eu-west is faster than us-east, which failed 11 of 11 (eu-west failed 0 of 11), 11 pairs") {
		t.Errorf("%s", s)
	}
	if len(v.Warnings) == 0 || !strings.Contains(v.Warnings[0], "us-east fails more: 11 of 11 probes, eu-west 0 of 11") {
		t.Errorf("%q", v.Warnings)
	}

	x = New(usual())
	for range 500 {
		x.Add(failed(probe.FailTimeout), failed(probe.FailStream))
	}
	if v := x.Verdict(); v.Outcome != Undecided || v.Pairs != 500 || v.More != 0 {
		t.Errorf("both fail: %s after %d pairs, %d more", v.Outcome, v.Pairs, v.More)
	}
	pairs(x, 11, 300, 200)
	if x.Outcome() != Undecided {
		t.Errorf("11 pairs beside 500 ties: %s", x.Outcome())
	}

	x = New(usual())
	step := result(100)
	step.Flagged(probe.FlagClockStep)
	x.Add(failed(probe.FailRateLimit), result(100))
	x.Add(result(100), failed(probe.FailClient))
	x.Add(result(100), step)
	if v := x.Verdict(); v.Pairs != 0 || v.Beside != 3 || v.Sides[1].Probes != 0 {
		t.Errorf("pairs that don't count: %d pairs, %d beside, %d probes", v.Pairs, v.Beside, v.Sides[1].Probes)
	}
}

// The difference of p95 is as wide as both intervals together.
func TestDifferenceOfP95(t *testing.T) {
	x := New(usual())
	for i := range 200 {
		f := float64(i)
		x.Add(result(1000+f), result(3000+f))
	}
	d := x.Verdict().P95
	if d.Estimate.At != 2*time.Second || !d.Lo.OK || !d.Hi.OK || d.Lo.At >= d.Estimate.At || d.Hi.At <= d.Estimate.At {
		t.Errorf("%+v", d)
	}
	a, b := x.sides[0].ttft.Interval(x.p95Half), x.sides[1].ttft.Interval(x.p95Half)
	if want := b.Hi - a.Lo; float64(d.Hi.At) != want {
		t.Errorf("up to %v, want %v ns", d.Hi.At, want)
	}
	if p99 := x.Verdict().Sides[0].P99; p99.Hi.OK || !strings.Contains(p99.Level(""), "(≥ ") {
		t.Errorf("p99 of 200: %s", p99.Level(""))
	}
}

func TestWhy(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b *probe.Result
		want string
	}{
		{"closer", cut(140, 10, 60), cut(99, 10, 63), "why: closer, though its server is slower: network −41, prefill +3.0 ms"},
		{"closer alone", cut(140, 10, 60), cut(99, 10, 60), "why: closer, not faster: network −41 ms"},
		{"seen from A", cut(99, 10, 60), cut(140, 10, 60), "why: closer, not faster: network −41 ms"},
		{"faster", cut(100, 80, 60), cut(100, 10, 60), "why: its server is faster: queue −70 ms"},
		{"farther", cut(100, 80, 60), cut(120, 10, 60), "why: its server is faster, though it is farther away: network +20, queue −70 ms"},
	} {
		x := New(usual())
		for range 20 {
			x.Add(c.a, c.b)
		}
		if got := x.Verdict().Why(); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
	x := New(usual())
	whole := cut(99, 10, 60)
	whole.Waterfall = probe.Waterfall{{Name: probe.RTT, Duration: 99e6, Source: probe.Measured}, {Name: probe.Server, Duration: 70e6, Source: probe.Measured}}
	for range 20 {
		x.Add(cut(140, 10, 60), whole)
	}
	v := x.Verdict()
	if len(v.Parts) != 2 || v.Parts[1].Part != probe.ServerPart || v.Parts[1].Estimate.At != 0 || v.Sides[0].Parts[2].Part != probe.QueuePart {
		t.Errorf("where one side isn't cut: %+v", v.Parts)
	}
}

// What is forecast is about what it takes: signs two to one, and pairs that are
// nearly the same.
func TestMore(t *testing.T) {
	x := New(usual())
	add := func(i int) {
		b := 200.0
		if i%3 == 0 {
			b = 400
		}
		x.Add(result(300), result(b))
	}
	n := 0
	for ; n < 12; n++ {
		add(n)
	}
	more := x.Verdict().More
	for ; x.Outcome() == Undecided; n++ {
		add(n)
	}
	if forecast := 12 + more; forecast < n-3 || forecast > n+3 {
		t.Errorf("after 12 pairs %d in all were forecast, it took %d", forecast, n)
	}
	x = New(usual())
	for i := range 9 {
		x.Add(result(300), result(300+float64(i-4)))
	}
	if v := x.Verdict(); v.Outcome != Undecided || v.More != 2 {
		t.Errorf("nine pairs within the margin: %s, %d more", v.Outcome, v.More)
	}
	x = New(usual())
	for i := range 400 { // the median ratio lies on the very edge: neither faster nor the same
		x.Add(result(300), result([]float64{200, 400}[i%2]))
	}
	if v := x.Verdict(); v.More != 0 || !strings.Contains(v.Sentence(), "more won't settle it at this spread") {
		t.Errorf("%d more: %s", v.More, v.Sentence())
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		a, b float64
		want string
	}{
		{"none", 0, 0, 0, "nothing can be said yet of us-east and eu-west, 0 pairs, 95 % at any time of looking"},
		{"few", 3, 300, 260, "it can't be said yet whether us-east or eu-west is faster: eu-west compared with us-east, TTFT median −40 ms, −13 %, 3 pairs, about 8 more would settle it at the present spread, 95 % at any time of looking"},
		{"B", 84, 300, 262, "eu-west is faster than us-east: TTFT median −38 ms (−38 … −38), −13 % (−13 … −13), 84 pairs, 95 % at any time of looking"},
		{"A", 84, 262, 300, "us-east is faster than eu-west: TTFT median −38 ms (−38 … −38), −13 % (−13 … −13), 84 pairs, 95 % at any time of looking"},
		{"same", 84, 300, 303, "us-east and eu-west are the same to within 5 %: eu-west compared with us-east, TTFT median +3.0 ms (+3.0 … +3.0), +1.0 % (+1.0 … +1.0), 84 pairs, 95 % at any time of looking"},
	} {
		x := New(usual())
		pairs(x, c.n, c.a, c.b)
		if got := x.Verdict().Sentence(); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestWords(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		estimate, lo, hi float64
		want             string
	}{
		{-38, -52.4, -21, "−38 (−21 … −52)"}, {38, 21, 52, "+38 (+21 … +52)"}, {3, -4, 120, "+3.0 (−4.0 … +120.0)"},
		{412, 300, inf, "+412 (≥ +300)"}, {-5, -inf, -1, "−5.0 (≤ −1.0)"}, {1, -inf, inf, "+1.0"}, {math.NaN(), -inf, -12, "– (≤ −12)"}, {0.001, -1, 1, "0 (−1.00 … +1.00)"},
	} {
		if got := words(c.estimate, c.lo, c.hi, "", true); got != c.want {
			t.Errorf("%v (%v … %v): %s, want %s", c.estimate, c.lo, c.hi, got, c.want)
		}
	}
	for share, want := range map[float64]string{0.95: "95 %", 0.05: "5 %", 0.99999: "99.999 %", 0.125: "12.5 %"} {
		if got := percent(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
	for n, want := range map[int]int{7: 7, 99: 99, 104: 100, 105: 110, 12345: 12000} {
		if got := roughly(n); got != want {
			t.Errorf("roughly %d: %d, want %d", n, got, want)
		}
	}
}

func TestWarnings(t *testing.T) {
	base := func() *probe.Result {
		r := cut(10, 20, 30)
		r.Clock, r.PromptTokens, r.PromptExact, r.PromptChars, r.Knobs = probe.KernelClock, 1024, true, 4096, probe.Knobs{Model: "m", PromptTokens: 1024, Cache: probe.Bust}
		return r
	}
	for _, c := range []struct {
		name   string
		change func(*probe.Result)
		want   string
	}{
		{"alike", func(*probe.Result) {}, ""},
		{"clock", func(r *probe.Result) { r.Clock = probe.UserClock }, "the clocks differ: arrivals at us-east are stamped by the kernel, those at eu-west by the clock after the read"},
		{"source", func(r *probe.Result) { r.Waterfall[2].Source = probe.Estimated }, "prefill is reported at us-east and estimated at eu-west"},
		{"both sure", func(r *probe.Result) { r.Waterfall[1].Source = probe.Measured }, ""},
		{"cached", func(r *probe.Result) { r.CachedTokens = 900 }, "one side is cached: 0 of 20 prompts at us-east, 20 of 20 at eu-west"},
		{"length", func(r *probe.Result) { r.PromptTokens, r.PromptChars = 1180, 4720 }, "the prompts differ in length: us-east counts 1024 tokens, eu-west counts 1180"},
		{"tokenizer", func(r *probe.Result) { r.PromptChars = 1400 }, "the tokenizers differ: a token is 4.0 characters at us-east and 1.4 at eu-west, so what is compared is the same number of tokens; the same text is 2.9 times as many at eu-west"},
		{"nearly the same tokenizer", func(r *probe.Result) { r.PromptChars = 3800 }, ""},
		{"tokens that are guessed", func(r *probe.Result) { r.PromptChars, r.PromptExact = 1400, false }, ""},
		{"model", func(r *probe.Result) { r.Knobs.Model = "n" }, "the models differ: m at us-east, n at eu-west"},
		{"knobs", func(r *probe.Result) { r.Knobs.PromptTokens, r.Knobs.Cache = 256, probe.Warm }, "us-east and eu-west were probed differently: prompt tokens 1024 and 256, cache bust and warm"},
	} {
		x := New(usual())
		for range 20 {
			b := base()
			c.change(b)
			x.Add(base(), b)
		}
		if got := strings.Join(x.Verdict().Warnings, "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Halves come in any order; a knob that was turned between them parts a pair.
func TestTake(t *testing.T) {
	x := New(usual())
	take := func(pair, target, epoch int, ms float64) bool {
		r := result(ms)
		r.Pair, r.Target, r.Epoch = pair, target, epoch
		if target != 2 {
			r.Side = 1
		}
		return x.Take(r, 2, 0)
	}
	for i, step := range []struct {
		complete bool
		want     bool
	}{
		{take(1, 2, 0, 300), false}, {take(2, 0, 0, 200), false}, {take(1, 0, 0, 210), true}, {take(2, 2, 0, 310), true},
		{take(3, 2, 0, 1), false}, {take(3, 0, 1, 1), false}, {take(0, 2, 0, 1), false}, {take(4, 1, 0, 1), false}, {take(4, 0, 0, 1), false},
	} {
		if step.complete != step.want {
			t.Errorf("step %d: %v", i, step.complete)
		}
	}
	if v := x.Verdict(); v.Pairs != 2 || v.Diff.Estimate.At >= 0 || v.Sides[0].P50.Estimate.At != 300*time.Millisecond {
		t.Errorf("%d pairs, %+v", v.Pairs, v.Diff)
	}
	twice := New(usual())
	for pair := 1; pair <= 11; pair++ {
		for i := range 2 { // either side may end first
			side := (pair + i) % 2
			r := result(float64(300 - 100*side))
			r.Pair, r.Target, r.Side = pair, 5, side
			twice.Take(r, 5, 5)
		}
	}
	if twice.Outcome() != BFaster {
		t.Errorf("one target twice: %s after %d pairs", twice.Outcome(), twice.Pairs())
	}
}

func TestAlone(t *testing.T) {
	x := New(usual())
	pairs(x, 5, 300, 200)
	x.Alone(1, result(900))
	x.Alone(1, failed(probe.FailRateLimit))
	if v := x.Verdict(); v.Pairs != 5 || v.Sides[0].Probes != 5 || v.Sides[1].Probes != 6 {
		t.Errorf("%d pairs, %d and %d probes", v.Pairs, v.Sides[0].Probes, v.Sides[1].Probes)
	}
}

func TestRecord(t *testing.T) {
	x := New(usual())
	for range 20 {
		x.Add(cut(140, 10, 60), cut(99, 10, 63))
	}
	var out bytes.Buffer
	if err := record.NewWriter(&out).Write(x.Verdict().Record(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC))); err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{
		"type": "verdict", "at": "2030-01-02T03:04:05Z", "a": "us-east", "b": "eu-west", "verdict": "b_faster", "pairs": 20.0,
		"median_diff_ms": -38.0, "lo_ms": -38.0, "hi_ms": -38.0, "confidence": 0.95, "median_diff_pct": -18.095, "more_pairs": nil, "margin_pct": 5.0,
	} {
		if v, there := got[name]; !there || v != want {
			t.Errorf("%s: %v, want %v", name, v, want)
		}
	}
	network := got["by_segment"].(map[string]any)["network"].(map[string]any)
	if network["estimate"] != -41.0 || network["hi"] != -41.0 || got["by_segment"].(map[string]any)["first_decode"] == nil {
		t.Errorf("by_segment: %v", got["by_segment"])
	}
	if p95 := got["p95_diff_ms"].(map[string]any); p95["estimate"] != -38.0 || p95["hi"] != nil {
		t.Errorf("p95: %v", p95)
	}
	out.Reset()
	if err := record.NewWriter(&out).Write(New(usual()).Verdict().Record(time.Now())); err != nil {
		t.Errorf("without a pair: %v", err)
	}
}

func TestMarkdown(t *testing.T) {
	c := usual()
	c.A = "a|\x1bb_c"
	x := New(c)
	for range 20 {
		x.Add(cut(140, 10, 60), cut(99, 10, 63))
	}
	lines := strings.Split(x.Verdict().Markdown(), "\n")
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "| ms") })
	if i < 0 || lines[i] != `| ms | A a\| b\_c | B eu-west | B − A, median of pairs |` || lines[i+1] != "| --- | ---: | ---: | ---: |" || !strings.HasPrefix(lines[i+2], "| TTFT p50 | 210 (210 … 210) | 172") {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
}

// The band shrinks around the median; a failure is told, and a long history is
// thinned evenly.
func TestHistory(t *testing.T) {
	x := New(usual())
	x.Add(failed(probe.FailTimeout), result(100))
	x.Add(failed(probe.FailTimeout), failed(probe.FailTimeout))
	pairs(x, 40, 300, 262)
	h := x.History()
	if len(h) != 42 || h[0].Failed != SideA || h[1].Failed != Both || h[0].Diff.OK || h[2].Failed != Neither || h[2].Number != 3 {
		t.Fatalf("%+v", h[:3])
	}
	if h[5].Hi.OK || !h[41].Lo.OK || !h[41].Hi.OK || h[41].Lo.At > h[41].Hi.At || h[41].Diff.At >= 0 {
		t.Errorf("the band: %+v, %+v", h[5], h[41])
	}
	pairs(x, 3*mostMoments, 300, 262)
	h = x.History()
	if len(h) > mostMoments || len(h) < mostMoments/2 || h[len(h)-1].Number <= x.Pairs()-x.stride {
		t.Errorf("%d moments up to %d of %d", len(h), h[len(h)-1].Number, x.Pairs())
	}
	for i := 1; i < len(h); i++ {
		if step := h[i].Number - h[i-1].Number; step != x.stride {
			t.Fatalf("from %d to %d", h[i-1].Number, h[i].Number)
		}
	}
	if v := x.TTFTs(0); len(v) != 40+3*mostMoments || !slices.IsSorted(v) {
		t.Errorf("%d delays of A", len(v))
	}
}
