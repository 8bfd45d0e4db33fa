package ab

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// failing adds n pairs of which B fails in every k-th.
func failing(x *Comparison, n, k int, a, b float64) {
	for i := range n {
		spread := 1 + 0.001*float64(i%7-3)
		other := result(b * spread)
		if i%k == 0 {
			other = failed(probe.FailTimeout)
		}
		x.Add(result(a), other)
	}
}

// Who fails is in the sentence that is pasted, not below it alone.
func TestSentenceNamesFailures(t *testing.T) {
	for _, c := range []struct {
		name    string
		n, k    int
		b       float64
		outcome Outcome
		want    string
	}{
		{"faster, but it fails", 131, 5, 200, BFaster, "eu-west is faster than us-east: TTFT median −100 ms (−100 … −100), −33 % (−33 … −33), but eu-west failed 27 of 131, 131 pairs, "},
		{"slower, and it fails", 60, 5, 400, AFaster, "us-east is faster than eu-west: TTFT median −100 ms (−100 … −101), −25 % (−25 … −25), but eu-west failed 12 of 60, 60 pairs, "},
		{"a few", 20, 7, 200, BFaster, ", but eu-west failed 3 of 20, "},
		{"as fast, but it fails", 100, 5, 301, BFailsMore, "eu-west fails more than us-east, 20 of 100 against 0 of 100, and takes as long to within 5 %: eu-west compared with us-east, TTFT median +1.3 ms (+0.7 … +1.6)"},
		{"one is chance", 40, 50, 301, Same, "are the same to within 5 %: eu-west compared with us-east, TTFT median +1.0 ms (+0.4 … +1.6), +0.33 % (+0.13 … +0.53), 40 pairs, "},
		{"all", 12, 1, 300, AFaster, "us-east is faster than eu-west, which failed 12 of 12 (us-east failed 0 of 12), 12 pairs, 95 %"},
		{"all of a few", 5, 1, 300, Undecided, "it can't be said yet whether us-east or eu-west is faster: us-east failed 0 of 5, eu-west failed 5 of 5, 5 pairs, 95 %"},
	} {
		x := New(usual())
		failing(x, c.n, c.k, 300, c.b)
		v := x.Verdict()
		if got := v.Sentence(); v.Outcome != c.outcome || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s: %s\nwant %s", c.name, v.Outcome, got, c.want)
		}
		if warned := slices.ContainsFunc(v.Warnings, func(w string) bool { return strings.Contains(w, "eu-west fails") }); warned != (c.outcome != Same) {
			t.Errorf("%s: warnings %q", c.name, v.Warnings)
		}
	}
}

// Failures have no number: no bound of −100 %, and nothing of a median that lies
// among them.
func TestFailuresHaveNoNumber(t *testing.T) {
	for fails := range 40 {
		for _, side := range []int{0, 1} {
			x := New(usual())
			for i := range 40 {
				pair := [2]*probe.Result{result(100 + float64(i)), result(110 + float64(i))}
				if i < fails {
					pair[side] = failed(probe.FailTimeout)
				}
				x.Add(pair[0], pair[1])
			}
			v := x.Verdict()
			if s := v.Sentence(); strings.Contains(s, "−100") || strings.Contains(s, "–") || strings.Contains(s, "Inf") || strings.Contains(s, "NaN") {
				t.Errorf("side %d fails %d of 40: %s", side, fails, s)
			}
			if line := v.Record(time.Now()); line.LoPct != nil && *line.LoPct <= -100 {
				t.Errorf("side %d fails %d of 40: from %v %%", side, fails, *line.LoPct)
			}
		}
	}
}

// A pair that was refused counts for neither side, and is not hidden.
func TestRefusals(t *testing.T) {
	x := New(usual())
	refused := func(kind probe.FailureKind, status int) *probe.Result {
		return &probe.Result{Failure: &probe.Failure{Kind: kind, Status: status, Message: "x"}}
	}
	for i := range 51 {
		x.Add(result(300), result(200+float64(i%3)))
		if i%3 == 0 {
			x.Add(result(300), refused(probe.FailRateLimit, 429))
		}
	}
	x.Add(result(300), refused(probe.FailStatus, 404))
	v := x.Verdict()
	if v.Pairs != 51 || v.Beside != 18 || v.Sides[1].Refused != 18 || v.Sides[0].Refused != 0 {
		t.Errorf("%d pairs, %d beside, %d refused", v.Pairs, v.Beside, v.Sides[1].Refused)
	}
	const how = "18 of 69 (HTTP 404, 429)"
	if s := v.Sentence(); !strings.Contains(s, ", but eu-west was refused "+how+", 51 pairs and 18 left out") {
		t.Errorf("%s", s)
	}
	table := v.Table()
	if last := table[len(table)-1]; last[0] != "refused" || last[1] != "0 of 51" || last[2] != how {
		t.Errorf("%q", last)
	}
	if len(v.Warnings) != 1 || v.Warnings[0] != "eu-west refused 18 of 69 probes (HTTP 404, 429): their pairs count for neither side" {
		t.Errorf("%q", v.Warnings)
	}
	if line := v.Record(time.Now()); line.Sides[1].Refused != 18 {
		t.Errorf("%+v", line.Sides)
	}
}

// A side that never answers is named although there is no pair.
func TestSilentSide(t *testing.T) {
	x := New(usual())
	dead := &probe.Result{Failure: &probe.Failure{Kind: probe.FailStatus, Status: 500, Message: "boom"}}
	x.Tried(0, result(100))
	x.Tried(0, dead)
	x.Tried(1, dead)
	if s := x.Verdict().Sentence(); !strings.HasPrefix(s, "nothing can be said yet of us-east and eu-west: eu-west has not answered: HTTP 500: boom, 0 pairs") {
		t.Errorf("%s", s)
	}
}

// What takes more pairs than anybody sends is no forecast.
func TestForecastEnds(t *testing.T) {
	x := New(usual())
	for i := range 200 { // just over half of the pairs lie on one side of every bound
		x.Add(result(300), result([]float64{250, 350}[min(1, i*2/201)]))
	}
	if v := x.Verdict(); v.More > farthest || v.More == 0 != strings.Contains(v.Sentence(), "more won't settle it at this spread") {
		t.Errorf("%d more: %s", v.More, v.Sentence())
	}
}
