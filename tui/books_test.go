package tui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"ttftop/probe"
)

// served is the server time of a simulator's books, in ms.
func served(handling, queue, prefill, decode int) probe.Waterfall {
	seg := func(n probe.SegmentName, v int) probe.Segment {
		return probe.Segment{Name: n, Duration: time.Duration(v) * ms, Source: probe.Measured}
	}
	return probe.Waterfall{seg(probe.Handling, handling), seg(probe.Queue, queue), seg(probe.Prefill, prefill), seg(probe.FirstDecode, decode)}
}

// ledger is books that know requests by target and identifier.
type ledger map[string]probe.Waterfall

func (l ledger) truth(target int, id string) (probe.Waterfall, bool) {
	w, ok := l[fmt.Sprint(target, id)]
	return w, ok
}

func TestNoBooks(t *testing.T) {
	b := newBooks(nil)
	if b != nil {
		t.Error("there are books without truth")
	}
	w := tellOf(t, targetAt(t, "near", atReal, "a"))
	w.ended(nil)
	st := w.at(5 * time.Second)
	b.lay(st)
	if v := st.targets[0]; v.Last.Truth != nil || v.P50Truth != nil {
		t.Errorf("%+v", v)
	}
}

// The truth of a probe is found by its request, and kept when the simulator
// forgets; that of the p50 is the mean over the probes that the p50 is of.
func TestBooks(t *testing.T) {
	l := ledger{}
	b := newBooks(l.truth)
	w := tellOf(t, targetAt(t, "near", atSimulator, "a"), targetAt(t, "far", atSimulator, "a"))
	probed := func(id string, target int, served probe.Waterfall) {
		if served != nil {
			l[fmt.Sprint(target, id)] = served
		}
		w.ended(func(r *probe.Result) {
			r.RequestID, r.Target = id, target
			b.note(probe.Finished{Result: *r}, nil)
		})
		clear(l)
	}
	probed("r1", 0, served(10, 20, 30, 10))
	probed("r1", 1, served(10, 0, 30, 10)) // the same name at another server
	probed("r2", 0, served(10, 40, 30, 10))
	probed("lost", 0, nil)
	b.note(probe.Finished{Result: probe.Result{Seq: 99}}, nil)
	st := w.at(5 * time.Second)
	b.lay(st)
	near, far := st.targets[0], st.targets[1]
	if near.Last.Truth != nil {
		t.Errorf("a probe that the books don't tell of has a truth: %v", near.Last.Truth)
	}
	if got := far.Last.Truth; got.Of(probe.QueuePart) != 0 || got.Of(probe.NetworkPart) != 50*ms || got.Total() != 100*ms {
		t.Errorf("far: %v", got)
	}
	if got := near.P50Truth; got.Of(probe.QueuePart) != 30*ms || got.Of(probe.NetworkPart) != 20*ms || got.Total() != near.P50.Total() {
		t.Errorf("near p50: %v", got)
	}
}

// The books keep the newest probes of each target.
func TestBooksAreBounded(t *testing.T) {
	b := newBooks(func(int, string) (probe.Waterfall, bool) { return served(1, 0, 1, 1), true })
	for i := range 2*booksKept + 5 {
		b.note(probe.Finished{Result: probe.Result{Seq: i, Target: i % 2, Timeline: probe.Timeline{FirstToken: probe.At(ms)}}}, nil)
	}
	if n := len(b.kept); n != 2*booksKept {
		t.Errorf("%d probes are kept", n)
	}
	if _, ok := b.kept[2*booksKept+4]; !ok {
		t.Error("the newest is forgotten")
	}
	if _, ok := b.kept[0]; ok {
		t.Error("the oldest is kept")
	}
}

// A true waterfall adds up to the TTFT unless the books alone are longer, its
// server time is that of the books, and no segment is negative.
func TestBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		var measured probe.Waterfall
		for _, n := range []probe.SegmentName{probe.DNS, probe.Connect, probe.TLS, probe.Send, probe.RTT, probe.Server} {
			measured = append(measured, probe.Segment{Name: n, Duration: time.Duration(r.IntN(50)) * ms, Source: probe.Measured})
		}
		books := served(r.IntN(30), r.IntN(30), r.IntN(30), r.IntN(30))
		got := beside(measured, books)
		if got.Total() != max(measured.Total(), books.Total()) || !slices.Equal(got[len(got)-len(books):], books) {
			t.Fatalf("%v beside %v: %v", books, measured, got)
		}
		for i, s := range got {
			if s.Duration < 0 || i < 4 && s.Duration > measured[i].Duration {
				t.Fatalf("%v beside %v: %v", books, measured, got)
			}
		}
	}
}
