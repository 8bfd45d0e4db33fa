package prober

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// whole reports whether the server time of a result stayed in one piece.
func whole(r probe.Result) bool {
	return slices.ContainsFunc(r.Waterfall, func(s probe.Segment) bool { return s.Name == probe.Server })
}

// The answers of an alias, which all name the same other model, are learnt from
// and cut as any, and it is said once which model that is.
func TestAnAliasIsLearnt(t *testing.T) {
	f := newFed(t, plain)
	f.name = "gateway-real-name"
	f.ladder()
	for range 30 {
		r := f.probe(256)
		if whole(r) || off(r, probe.PrefillPart, 25.6) > 1.5 || off(r, probe.QueuePart, 0) > 1.5 {
			t.Errorf("probe %d: %v", f.i, r.Waterfall)
		}
	}
	if len(f.told) != 1 || !strings.Contains(f.told[0], "gateway-real-name") {
		t.Errorf("told %q", f.told)
	}
}

func plain(_, n int) (float64, float64, float64, float64, string) {
	return 5, 0, 0.1 * float64(n), 3, ""
}

// Another model that answers to the name, slower or not, is told at its second
// answer in a row, and its first is not cut by what was learnt of the one before;
// once the ladder was climbed, its probes are.
func TestANamedSwapStartsAnew(t *testing.T) {
	for _, after := range []string{"other", "m-2025-01-01"} {
		slow := false
		f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
			if slow {
				return 11, 0, 0.2 * float64(n), 4, ""
			}
			return plain(i, n)
		})
		f.name = "m-2024-06-01"
		for range 20 {
			f.probe(256)
		}
		if len(f.told) != 0 {
			t.Fatalf("told without a change: %q", f.told)
		}
		slow, f.name = true, after
		first := f.probe(256)
		if after == "other" && !whole(first) {
			t.Errorf("the first answer of another model is cut: %v", first.Waterfall)
		}
		second := f.probe(256)
		if len(f.told) != 1 || !strings.Contains(f.told[0], after+", and no longer m-2024-06-01") || !whole(second) {
			t.Fatalf("told %q, cut %v", f.told, second.Waterfall)
		}
		f.ladder()
		for range 20 {
			if r := f.probe(256); off(r, probe.PrefillPart, 51.2) > 3 || off(r, probe.QueuePart, 0) > 3 {
				t.Errorf("%s, probe %d: %v", after, f.i, r.Waterfall)
			}
		}
		slow, f.name = false, "m-2024-06-01" // what was learnt of it before stands
		for range 10 {
			if r := f.probe(256); off(r, probe.PrefillPart, 25.6) > 3 || off(r, probe.QueuePart, 0) > 3 {
				t.Errorf("back from %s, probe %d: %v", after, f.i, r.Waterfall)
			}
		}
		if len(f.told) != 1 {
			t.Errorf("told %q", f.told)
		}
	}
}

// Two models that answer by turns have a baseline each; a single answer of a
// third teaches nothing.
func TestModelsByTurns(t *testing.T) {
	var a answering
	for i, name := range []string{"x", "y", "x", "y", "z", "x", "y", "x"} {
		got := a.take(name, "m", true)
		want := answered{key: stray}
		if i >= 2 && name != "z" {
			want = answered{key: map[string]string{"x": "m", "y": "m\x00y"}[name], teaches: true}
		}
		if got.key != want.key || got.teaches != want.teaches || got.changed != "" {
			t.Errorf("answer %d of %s: %+v, want %+v", i, name, got, want)
		}
	}
	if got := a.take("y", "m", true); got.changed != "" {
		t.Errorf("told by turns: %q", got.changed)
	}
	if got := a.take("y", "m", true); !strings.Contains(got.changed, "y") {
		t.Errorf("not told of y in a row: %+v", got)
	}
}

// An endpoint that makes up names has no end of them kept.
func TestMadeUpNames(t *testing.T) {
	var a answering
	for i := range 100 {
		name := fmt.Sprint("name-", i)
		a.take(name, "m", true)
		a.take(name, "m", true)
	}
	if len(a.names) != mostNames || len(a.recent) != recentNames {
		t.Errorf("%d names, %d of late", len(a.names), len(a.recent))
	}
	var b answering
	for i := range 40 {
		if got := b.take(fmt.Sprint("m-", i), "m", false); got.key != "m" || !got.teaches {
			t.Fatalf("version %d of the model asked for: %+v", i, got)
		}
	}
}

// Of probes that overlap, six whose steps are half as long again put the
// baseline in doubt; undisturbed ones decide.
func TestLongerStepsOfProbesThatOverlap(t *testing.T) {
	slow := false
	f := newFed(t, func(i, n int) (float64, float64, float64, float64, string) {
		if slow {
			return 13, 0, 0.2 * float64(n), 6.6, ""
		}
		return 6, 0, 0.1 * float64(n), 3, ""
	})
	for range 20 {
		f.probe(256)
	}
	slow, f.overlap = true, true
	for i := range stepsRow + 3 {
		r := f.probe(256)
		if doubt := r.Has(probe.FlagAtMost); doubt != (i >= stepsRow-1) {
			t.Errorf("slow probe %d: in doubt %v", i, doubt)
		}
	}
	f.overlap = false
	f.probe(16)
	if len(f.told) != 0 {
		t.Fatalf("told by one: %q", f.told)
	}
	f.probe(16)
	if len(f.told) != 1 || !strings.Contains(f.told[0], "a decode step took 3.0 ms and now takes") {
		t.Fatalf("told %q", f.told)
	}
	f.ladder()
	f.overlap = true
	for range 20 {
		if r := f.probe(256); off(r, probe.QueuePart, 0) > 3 || r.Has(probe.FlagAtMost) {
			t.Errorf("probe %d: %v %v", f.i, r.Waterfall, r.Flags)
		}
	}
	if len(f.told) != 1 {
		t.Errorf("told %q", f.told)
	}
}

// Probes that lengthen each other's steps are no slower server: an undisturbed
// one shows it, once for all.
func TestOwnProbesLengthenSteps(t *testing.T) {
	var w stepWatch
	for range stepsBefore {
		w.add(3 * time.Millisecond)
	}
	for range stepsRow {
		w.addBeside(6 * time.Millisecond)
	}
	if !w.inDoubt() {
		t.Fatal("no doubt")
	}
	if _, sentence := w.add(3 * time.Millisecond); w.inDoubt() || sentence != "" {
		t.Errorf("in doubt %v, told %q", w.inDoubt(), sentence)
	}
	for range 2 * stepsRow {
		w.addBeside(6 * time.Millisecond)
	}
	if w.inDoubt() {
		t.Error("in doubt of the same steps again")
	}
	for range stepsRow {
		w.addBeside(12 * time.Millisecond)
	}
	if !w.inDoubt() {
		t.Error("no doubt of steps that are longer still")
	}
}
