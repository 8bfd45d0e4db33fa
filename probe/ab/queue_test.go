package ab

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ttftop/probe"
)

// sent is a comparison that is told what is sent and what ends, and which pairs
// count, as "3 8": those of the TTFT that B has.
type sent struct{ *Comparison }

func newSent() sent { return sent{New(usual())} }

func (s sent) begin(pairs ...int) {
	for _, n := range pairs {
		s.beginHalf(n, 0)
		s.beginHalf(n, 1)
	}
}

func (s sent) beginHalf(pair, side int) {
	s.Began(probe.Started{Pair: pair, Side: side, Target: side}, 0, 1)
}

// end ends a half: of A after 1,000 ms, of B after as many ms as its pair's number.
func (s sent) end(pair, side int, kinds ...probe.FailureKind) bool {
	r := result([2]float64{1000, float64(pair)}[side])
	for _, k := range kinds {
		r = failed(k)
	}
	r.Pair, r.Side, r.Target = pair, side, side
	return s.Take(r, 0, 1)
}

func (s sent) both(pairs ...int) {
	for _, n := range pairs {
		s.end(n, 0)
		s.end(n, 1)
	}
}

func (s sent) counted() string {
	var all []string
	for _, d := range s.TTFTs(1) {
		all = append(all, fmt.Sprint(d.Milliseconds()))
	}
	return strings.Join(all, " ")
}

// Pairs count in the order they were sent: quick ones wait for slow ones.
func TestOrderOfSending(t *testing.T) {
	for _, c := range []struct {
		name     string
		story    func(s sent)
		want     string
		underWay int
	}{
		{"in order", func(s sent) { s.begin(1, 2, 3); s.both(1, 2, 3) }, "1 2 3", 0},
		{"a slow one first", func(s sent) { s.begin(1, 2, 3); s.end(1, 0); s.both(2, 3) }, "", 3},
		{"that has ended", func(s sent) { s.begin(1, 2, 3); s.end(1, 0); s.both(3, 2); s.end(1, 1) }, "1 2 3", 0},
		{"one hangs in the middle", func(s sent) { s.begin(1, 2, 3, 4); s.both(4, 3, 1) }, "1", 3},
		{"it is cancelled: what ended behind it is left out", func(s sent) { s.begin(1, 2, 3, 4); s.both(4, 3, 1); s.end(2, 0); s.end(2, 1, probe.FailCanceled) }, "1", 3},
		{"two are", func(s sent) {
			s.begin(1, 2, 3, 4)
			s.both(4, 1)
			s.end(3, 0, probe.FailCanceled)
			s.end(2, 0)
			s.end(2, 1, probe.FailCanceled)
			s.end(3, 1)
		}, "1", 3},
		{"what begins later counts", func(s sent) {
			s.begin(1, 2)
			s.end(1, 0)
			s.end(1, 1, probe.FailCanceled)
			s.both(2)
			s.begin(3)
			s.both(3)
		}, "3", 2},
		{"a half that was never sent", func(s sent) { s.beginHalf(1, 0); s.end(1, 0); s.begin(2); s.both(2) }, "", 2},
		{"holds nobody up for long", func(s sent) { s.beginHalf(1, 0); s.end(1, 0); s.begin(2); s.both(2); s.begin(3) }, "2", 1},
		{"nor a pair of which nothing was", func(s sent) { s.begin(1); s.both(1); s.begin(3, 4); s.both(3, 4) }, "1 3 4", 0},
		{"a half that is under way alone", func(s sent) { s.beginHalf(1, 0); s.begin(2, 3); s.both(2, 3) }, "", 3},
		{"the first is not number 1", func(s sent) { s.begin(7); s.both(7) }, "7", 0},
		{"told in another order", func(s sent) { s.beginHalf(8, 0); s.beginHalf(7, 1); s.beginHalf(7, 0); s.beginHalf(8, 1); s.both(8, 7) }, "7 8", 0},
	} {
		s := newSent()
		c.story(s)
		if got := s.counted(); got != c.want || s.UnderWay() != c.underWay {
			t.Errorf("%s: %q count, %d are under way; want %q, %d", c.name, got, s.UnderWay(), c.want, c.underWay)
		}
	}
}

// A pair that this program could not send says nothing of the endpoint.
func TestSkippedPairs(t *testing.T) {
	s := newSent()
	for n := 1; n <= 60; n++ {
		if n%3 == 0 { // A is full: B's half is not sent either, or was by chance
			if n%2 == 0 {
				s.beginHalf(n, 1)
				s.end(n, 1)
			}
			s.end(n, 0, probe.FailSkipped)
			continue
		}
		s.begin(n)
		s.both(n)
	}
	v := s.Verdict()
	if v.Pairs != 40 || v.Skipped != 20 || v.Sides[0].Failed != 0 || v.Sides[1].Probes != 40 || v.Outcome != BFaster {
		t.Errorf("%d pairs, %d skipped, %d failed, %s", v.Pairs, v.Skipped, v.Sides[0].Failed, v.Outcome)
	}
	if !strings.Contains(v.Sentence(), "40 pairs (20 skipped)") || len(v.Warnings) != 1 || !strings.HasPrefix(v.Warnings[0], "20 pairs skipped: too many probes were in flight") {
		t.Errorf("%s; %q", v.Sentence(), v.Warnings)
	}
}

// B hangs in six of ten of its probes and is quicker in the others: at no moment
// that a person may look does it seem faster, whenever what hangs ends.
func TestHangingIsNotFaster(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		s := newSent()
		var late []int
		for n := 1; n <= 300; n++ {
			s.begin(n)
			s.end(n, 0)
			if r.Float64() < 0.6 {
				late = append(late, n)
			} else {
				s.end(n, 1)
			}
			if len(late) > 15 { // as many as may be in flight: the first has run into its timeout
				s.end(late[0], 1, probe.FailTimeout)
				late = slices.Delete(late, 0, 1)
			}
			if s.Outcome() == BFaster {
				t.Fatalf("B is called faster after %d pairs", s.Pairs())
			}
		}
		for _, n := range late {
			s.end(n, 1, probe.FailCanceled)
		}
		if v := s.Verdict(); v.Outcome == BFaster || v.Sides[1].Failed*10 < v.Sides[1].Probes*4 {
			t.Fatalf("%s with %d of %d failed", v.Outcome, v.Sides[1].Failed, v.Sides[1].Probes)
		}
	}
}
