package tui

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/ab"
	"ttftop/probe/race"
	"ttftop/views"
)

// bout is a contest of two targets that a test tells what happens.
type bout struct {
	*contest
	t        *testing.T
	now      time.Time
	settings probe.Settings
	epoch    int
	pair     int
}

func boutOf(t *testing.T) *bout {
	targets := []probe.Target{targetAt(t, "near", atReal, "a"), targetAt(t, "far", atLoopback, "a"), targetAt(t, "third", atReal, "a")}
	s := settingsFor(targets)
	return &bout{t: t, contest: newContest(targets, s, ab.Config{}), now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), settings: s}
}

// turn tells other settings; those of a knob begin an epoch.
func (b *bout) turn(change func(*probe.Settings)) {
	before := b.settings.Clone()
	b.settings = before.Clone()
	change(&b.settings)
	if described(before, b.settings) != "" {
		b.epoch++
	}
	told := b.settings.Clone()
	if !told.Pairs.On {
		told.Pairs = probe.Pairs{} // as the engine tells it
	}
	b.now = b.now.Add(time.Second)
	b.note(probe.Changed{Epoch: b.epoch, At: b.now, Before: before, Settings: told}, nil)
}

func (b *bout) pairs(on bool, a, other int) {
	b.turn(func(s *probe.Settings) { s.Pairs = probe.Pairs{On: on, A: a, B: other, Order: probe.Together} })
}

// sent tells so many pairs in which A takes 100 ms and B 200 ms.
func (b *bout) sent(n int) {
	for range n {
		b.pair++
		b.now = b.now.Add(time.Second)
		for side, target := range []int{b.settings.Pairs.A, b.settings.Pairs.B} {
			r := probe.Result{At: b.now, Kind: probe.Ordinary, Pair: b.pair, Side: side, Target: target, Epoch: b.epoch}
			r.Timeline.FirstToken = probe.At(time.Duration(100*(side+1))*ms + time.Duration(b.pair%7)*ms)
			b.note(probe.Finished{Result: r}, nil)
		}
	}
}

// stands is the comparison as the screen has it.
func (b *bout) stands(pairs int, since string) *views.Versus {
	b.t.Helper()
	var st state
	b.lay(&st)
	if st.versus == nil {
		b.t.Fatal("nothing is compared")
	}
	if v := st.versus; v.Verdict.Pairs != pairs || v.Since != since {
		b.t.Fatalf("%d pairs, since %q, want %d and %q", v.Verdict.Pairs, v.Since, pairs, since)
	}
	return st.versus
}

func TestContest(t *testing.T) {
	b := boutOf(t)
	var st state
	if b.lay(&st); st.versus != nil {
		t.Fatal("a comparison before any pair was asked for")
	}
	b.pairs(true, 0, 1)
	b.stands(0, "")
	b.sent(11)
	v := b.stands(11, "")
	if v.Verdict.Outcome != ab.AFaster || v.Verdict.A != "near" || v.Verdict.Confidence != ab.DefaultConfidence || !v.Pairs.On || len(v.History) != 11 || len(v.TTFT[1]) != 11 {
		t.Errorf("%+v", v)
	}
	if again := b.stands(11, ""); again != v {
		t.Error("what did not change is made anew")
	}
	b.sent(1)
	if b.stands(12, "") == v || v.Verdict.Pairs != 11 {
		t.Error("a comparison that is shown was changed")
	}

	b.pairs(false, 0, 1)
	if v := b.stands(12, ""); v.Pairs.On {
		t.Error("pairs are said to be sent")
	}
	b.pairs(true, 0, 1)
	b.sent(1)
	b.stands(13, "") // it goes on
}

func TestContestBeginsAnew(t *testing.T) {
	b := boutOf(t)
	b.pairs(true, 0, 1)
	b.sent(3)
	b.turn(func(s *probe.Settings) { s.Knobs[0].PromptTokens = 512 })
	b.stands(0, "prompt 256 → 512")
	b.sent(2)
	b.stands(2, "prompt 256 → 512")
	b.pairs(true, 2, 1)
	b.sent(4)
	if v := b.stands(4, "third against far"); v.Sides != [2]int{2, 1} {
		t.Errorf("sides %v", v.Sides)
	}
	b.turn(func(s *probe.Settings) { s.Pairs.Order = probe.BackToBack })
	b.stands(0, "pairs back to back")
	b.sent(1)
	b.pairs(true, 1, 1)
	b.sent(11)
	if v := b.stands(11, "far (A) against far (B)"); !strings.HasPrefix(v.Verdict.Sentence(), "far (A) is faster than far (B)") {
		t.Errorf("%s", v.Verdict.Sentence())
	}
	b.epoch++
	b.note(probe.Cleared{Epoch: b.epoch, At: b.now, Settings: b.settings}, nil)
	b.stands(0, "the figures were cleared")
	b.sent(11)
	b.pairs(false, 1, 1)
	b.turn(func(s *probe.Settings) { s.Knobs[0].MaxTokens = 32 })
	b.stands(11, "the figures were cleared") // until pairs are sent again
	b.pairs(true, 1, 1)
	b.stands(0, "output 16 → 32")
}

// A pair that was begun before a change is none of the comparison after it.
func TestContestLeavesOldPairs(t *testing.T) {
	b := boutOf(t)
	b.pairs(true, 0, 1)
	b.sent(1)
	old := b.now
	b.turn(func(s *probe.Settings) { s.Knobs[0].PromptTokens = 512 })
	b.pair++
	for side := range 2 {
		r := probe.Result{At: old, Kind: probe.Ordinary, Pair: b.pair, Side: side, Target: side}
		r.Timeline.FirstToken = probe.At(100 * ms)
		b.note(probe.Finished{Result: r}, nil)
	}
	b.stands(0, "prompt 256 → 512")
}

// What a comparison remembers is bounded, and that it is full is said.
func TestContestIsBounded(t *testing.T) {
	if testing.Short() || race.Enabled {
		t.Skip("takes many pairs")
	}
	b := boutOf(t)
	b.pairs(true, 0, 1)
	b.sent(mostPairs + 10)
	if v := b.stands(mostPairs, ""); !v.Full || len(v.History) > 5000 {
		t.Errorf("full %v, %d moments", v.Full, len(v.History))
	}
}

func TestKeysOfPairs(t *testing.T) {
	p := sit(t, targetAt(t, "near", atSimulator, "a"), targetAt(t, "far", atSimulator, "a"), targetAt(t, "third", atSimulator, "a"))
	wants := func(what string, want probe.Pairs) {
		t.Helper()
		if got := p.m.settings.Pairs; got != want || p.last().Pairs != want {
			t.Fatalf("%s: %+v, the engine has %+v, want %+v", what, got, p.last().Pairs, want)
		}
	}
	together, back := probe.Together, probe.BackToBack
	p.press("5")
	wants("opened", probe.Pairs{On: true, A: 0, B: 1, Order: back}) // one host
	p.press("d")
	wants("together", probe.Pairs{On: true, A: 0, B: 1, Order: together})
	p.press("b")
	wants("the third for B", probe.Pairs{On: true, A: 0, B: 2, Order: together})
	p.press("b")
	wants("one target twice", probe.Pairs{On: true, A: 0, B: 0, Order: together})
	p.press("a A A B")
	wants("back", probe.Pairs{On: true, A: 2, B: 2, Order: together})
	p.press("e")
	wants("ended", probe.Pairs{On: false, A: 2, B: 2, Order: together})
	p.press("1 5")
	if p.last().Pairs.On {
		t.Error("pairs begin when the view is opened again")
	}
	p.press("e a p u")
	wants("a knob was turned and taken back", probe.Pairs{On: true, A: 0, B: 2, Order: together})
	if len(p.m.undo) != 0 || p.m.settings.Knobs[0].PromptTokens != 256 {
		t.Errorf("undo %+v", p.m.undo)
	}
	p.agrees()
}

// Unlinked, a knob that both sides of a pair share turns for both of them.
func TestKnobsOfPairs(t *testing.T) {
	p := sit(t, targetAt(t, "near", atSimulator, "a"), targetAt(t, "far", atSimulator, "a"), targetAt(t, "third", atSimulator, "a"))
	p.press("5 x ] p")
	for i, want := range []int{512, 512, 256} {
		if got := p.last().Knobs[i].PromptTokens; got != want {
			t.Errorf("target %d has %d tokens, want %d", i, got, want)
		}
	}
	p.press("1 b")
	for i, want := range []int{0, 1, 0} {
		if got := p.last().Knobs[i].Pressure; got != want {
			t.Errorf("target %d has a pressure of %d, want %d", i, got, want)
		}
	}
	p.m.twoModels = true
	p.engineDoes(func(st *state) { st.models = [][]string{{"a", "b"}, {"a", "b"}, {"a"}} })
	p.press("x m")
	if k := p.last().Knobs; k[0].Model != "a" || k[1].Model != "b" {
		t.Errorf("models %q and %q", k[0].Model, k[1].Model)
	}
}

func TestPairsOfOneTargetAreAskedFor(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.press("5")
	if len(p.engine.applied) != 0 || !strings.Contains(p.m.View().Content, "ttftop URL_A URL_B") {
		t.Errorf("it isn't told what to do: %+v", p.engine.applied)
	}
	p.press("b")
	if len(p.engine.applied) != 0 || !strings.Contains(p.m.notice, "one target alone") {
		t.Errorf("notice %q, %+v", p.m.notice, p.engine.applied)
	}
	p.press("e")
	if got, want := p.last().Pairs, (probe.Pairs{On: true, Order: probe.BackToBack}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if c := p.m.cost(p.m.settings); c.all != 2*60*(256+16) {
		t.Errorf("%d tokens a minute for one target twice", c.all)
	}
}

// What pairs back to back cost is not more than there can be of them.
func TestCostOfSlowPairs(t *testing.T) {
	p := sit(t, targetAt(t, "near", atLoopback, "a"), targetAt(t, "far", atLoopback, "a"))
	p.m.settings.Knobs[0].Rate = 20
	p.press("5")
	for _, c := range []struct {
		total time.Duration // of a probe of either side
		want  int64         // pairs a minute
	}{{0, 1200}, {10 * ms, 1200}, {250 * ms, 120}} {
		p.engineDoes(func(st *state) {
			for i := range st.targets {
				st.targets[i].Figures.Total = probe.Mark{At: c.total, OK: c.total > 0}
			}
		})
		if got, want := p.m.cost(p.m.settings).all, c.want*2*(256+16); got != want {
			t.Errorf("probes of %v: %d tokens a minute, want %d", c.total, got, want)
		}
	}
}

// Pairs that make probing dear are asked about; refused, they are not sent.
func TestPairsThatCost(t *testing.T) {
	p := sit(t, targetAt(t, "near", atReal, "a"), targetAt(t, "far", atReal, "a"))
	p.m.settings.Knobs[0].Rate = 4 // 65,280 tokens a minute; B takes it over
	p.press("5")
	if !p.asked() || !strings.Contains(strings.Join(p.m.dialog.Lines, "\n"), "Pairs of probes: near and far, back to back.\nAbout 130,560 tokens") {
		t.Fatalf("not asked: %+v", p.m.dialog)
	}
	p.press("n")
	if len(p.engine.applied) != 0 || p.m.settings.Pairs.On || !strings.Contains(p.m.View().Content, "press e to begin") {
		t.Errorf("pairs are sent: %+v", p.engine.applied)
	}
	p.press("e y")
	if got := p.last().Pairs; !got.On || got.B != 1 {
		t.Errorf("%+v", got)
	}
}

func TestCopyTheVerdict(t *testing.T) {
	p := sit(t, targetAt(t, "near", atSimulator, "a"), targetAt(t, "far", atSimulator, "a"))
	p.press("5 y")
	if p.m.page != nil || p.cmd != nil || !strings.Contains(p.m.notice, "no verdict to copy") {
		t.Errorf("notice %q, page %+v", p.m.notice, p.m.page)
	}
	b := boutOf(t)
	b.pairs(true, 0, 1)
	b.sent(11)
	p.engineDoes(func(st *state) { b.lay(st) })
	p.press("y")
	if want := "near is faster than far: TTFT median −100 ms"; p.m.page == nil || p.cmd == nil || !strings.HasPrefix(p.m.page.Lines[0], want) {
		t.Errorf("page %+v", p.m.page)
	}
	p.press("esc")
	if p.m.page != nil {
		t.Error("the page stays")
	}
}

// Pairs that were ended are not sent again by choosing a side or an order.
func TestEndedPairsStayEnded(t *testing.T) {
	for _, key := range []string{"b", "a", "B", "d"} {
		p := sit(t, targetAt(t, "near", atReal, "a"), targetAt(t, "far", atLoopback, "a"), targetAt(t, "third", atReal, "a"))
		p.press("5")
		if !p.m.settings.Pairs.On {
			t.Fatal("no pairs are sent")
		}
		p.press("e")
		before := p.m.settings.Pairs
		p.press(key)
		if now := p.m.settings.Pairs; now.On || now.Alike(before) || !strings.Contains(p.m.notice, "e sends the pairs") {
			t.Errorf("%s: %+v, %q", key, now, p.m.notice)
		}
		p.press("e")
		if now := p.m.settings.Pairs; !now.On || now.Alike(before) {
			t.Errorf("%s and e: %+v", key, now)
		}
	}
}

// A third target on the host of a pair that is sent back to back is told of.
func TestTargetBesideThePairs(t *testing.T) {
	for _, c := range []struct {
		a, b  int
		order probe.Order
		want  bool
	}{
		{0, 2, probe.BackToBack, false}, // the other is elsewhere
		{0, 1, probe.BackToBack, true},
		{0, 1, probe.Together, false},
	} {
		b := boutOf(t)
		b.turn(func(s *probe.Settings) { s.Pairs = probe.Pairs{On: true, A: c.a, B: c.b, Order: c.order} })
		warned := strings.Contains(strings.Join(b.stands(0, "").Verdict.Warnings, ""), "third on the same host is probed beside the pairs")
		if warned != c.want {
			t.Errorf("%d and %d %s: warned %v", c.a, c.b, c.order, warned)
		}
	}
}

// Pairs that come more slowly than asked for are told of.
func TestSlowPairs(t *testing.T) {
	b := boutOf(t)
	b.turn(func(s *probe.Settings) {
		s.Knobs[0].Rate = 20
		s.Pairs = probe.Pairs{On: true, A: 0, B: 1, Order: probe.BackToBack}
	})
	for pair := 1; pair <= 10; pair++ {
		b.now = b.now.Add(300 * ms)
		for side := range 2 {
			b.note(probe.Started{Target: side, Pair: pair, Side: side, At: b.now, Epoch: b.epoch}, nil)
		}
	}
	b.sent(1)
	if text := strings.Join(b.stands(1, "").Verdict.Warnings, ""); !strings.Contains(text, "3.3 pairs a second were sent where 20 are asked for") {
		t.Errorf("%q", text)
	}
}
