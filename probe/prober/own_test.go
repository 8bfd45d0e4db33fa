package prober

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/attempt"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/reported"
)

func TestOwnRungs(t *testing.T) {
	k := probe.DefaultKnobs
	l := newLadder("m", false)
	for l.left() > 0 {
		l.next(k)
	}
	for _, n := range rungs {
		if l.turn(n, noon); l.left() != 0 {
			t.Errorf("the rung of %d tokens is sent again", n)
		}
	}
	l.turn(4096, noon)
	if l.left() != ownRungs || !l.alone().Equal(noon.Add(ladderAlone)) {
		t.Errorf("%d left, alone until %v", l.left(), l.alone())
	}
	if n := l.next(k).PromptTokens; n != 4096 || l.left() != 1 {
		t.Errorf("a rung of %d tokens, %d left", n, l.left())
	}
	l.again(4096)
	if l.left() != 2 {
		t.Errorf("%d left after one that was not answered", l.left())
	}
	l.turn(8192, noon.Add(time.Second))
	if !l.alone().Equal(noon.Add(ladderAlone)) {
		t.Error("constant turning keeps the endpoint from ordinary probes")
	}
	l.refused(8192)
	if l.left() != 0 {
		t.Errorf("%d left of a length that is refused", l.left())
	}
	if l.turn(4096, noon); l.left() != 2 {
		t.Errorf("%d left of a length that was left before", l.left())
	}
	l.next(k)
	l.next(k)
	l.turn(256, noon)
	if l.turn(4096, noon); l.left() != 0 {
		t.Error("a length is calibrated twice")
	}
	if l.restart(); l.left() != len(rungs)+ownRungs || l.total() != len(rungs)+ownRungs {
		t.Errorf("%d of %d left after a restart", l.left(), l.total())
	}
	if LengthTokens(4096) != 2*(4096+ladderOutput) || LengthTokens(256) != 0 {
		t.Errorf("%d and %d tokens", LengthTokens(4096), LengthTokens(256))
	}
	none := newLadder("m", true)
	if none.turn(4096, noon); none.left() != 0 {
		t.Error("rungs without a ladder")
	}
}

// A length that is turned to gets rungs with the endpoint to themselves: no
// load streams and no other probes, also amid pressure; then the load comes
// back.
func TestATurnedLengthIsCalibratedAlone(t *testing.T) {
	var flying, disturbed atomic.Int64
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if r.Load() {
			flying.Add(1)
			defer flying.Add(-1)
			a.Hold()
			return
		}
		flying.Add(1)
		defer flying.Add(-1)
		if r.Words() > 1500 && r.MaxTokens == ladderOutput {
			time.Sleep(20 * time.Millisecond)
			if flying.Load() > 1 {
				disturbed.Add(1)
			}
		}
		a.Short()
	})
	k := fast()
	k.Rate, k.Pressure = 20, 3
	r := begin(t, onto(s, k))
	r.ordinary(5)
	eventually(t, "the load streams are in flight", func() bool { now, _ := s.Load(); return now == 3 })
	r.turn(func(k *probe.Knobs) { k.PromptTokens = 2000 })
	r.until("probes of the new length", func(events []probe.Event) bool {
		all := results(events, probe.Ordinary)
		return all[len(all)-1].Knobs.PromptTokens == 2000
	})
	eventually(t, "the load streams are back", func() bool { now, _ := s.Load(); return now == 3 })
	r.stop()
	own := 0
	for _, res := range results(r.events(), probe.Calibration) {
		if res.Knobs.PromptTokens == 2000 {
			own++
		}
	}
	if own != ownRungs || disturbed.Load() != 0 {
		t.Errorf("%d rungs of the length, %d of them amid other requests", own, disturbed.Load())
	}
	checkEvents(t, r.events())
}

func TestSentinelsAreRare(t *testing.T) {
	k := probe.DefaultKnobs
	k.Rate = 1
	soon, later := noon.Add(100*time.Millisecond), noon.Add(900*time.Millisecond)
	tests := []struct {
		name   string
		s      sentinels
		tokens int
		next   time.Time
		want   bool
	}{
		{"due", sentinels{ordinary: sentinelEvery}, 256, later, true},
		{"too soon after so many probes", sentinels{ordinary: sentinelEvery - 1}, 256, later, false},
		{"too soon after the last", sentinels{ordinary: 500, last: noon.Add(-sentinelPause + time.Second)}, 256, later, false},
		{"a probe is due soon", sentinels{ordinary: sentinelEvery}, 256, soon, false},
		{"the ordinary ones are as short", sentinels{ordinary: sentinelEvery}, 20, later, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k.PromptTokens = tt.tokens
			if got := tt.s.due(k, tt.next, noon); got != tt.want {
				t.Errorf("due: %v", got)
			}
		})
	}
}

// Sentinels are mixed in alone, counted in what is spent and in nothing else.
func TestSentinels(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Short() })
	k := fast()
	k.PromptTokens = 256
	c := onto(s, k)
	c.Count, c.LadderFirst = sentinelEvery+10, true
	r := begin(t, c)
	r.wait()
	sentinels := results(r.events(), probe.Sentinel)
	if len(sentinels) != 1 { // the next one is not due before ten seconds
		t.Fatalf("%d sentinels", len(sentinels))
	}
	if one := sentinels[0]; one.PromptTokens > 2*sentinelTokens || one.OutputTokens != 2 || one.Failure != nil || one.Epoch != 0 {
		t.Errorf("%+v", one)
	}
	if n := len(results(r.events(), probe.Ordinary)); n != c.Count {
		t.Errorf("%d ordinary probes, want %d", n, c.Count)
	}
	var sent int64
	for _, res := range results(r.events(), "") {
		sent += int64(res.PromptTokens)
	}
	all := of[probe.Spent](r.events())
	if got := all[len(all)-1].Sent; got != sent {
		t.Errorf("%d tokens spent, %d sent", got, sent)
	}
	checkEvents(t, r.events())
}

// A server that becomes faster behind its name is told of, calibrated anew, and
// its probes are cut by what it costs now. A busy machine may hide one change,
// so there are some.
func TestAFasterServerIsNoticed(t *testing.T) {
	t.Parallel()
	var perWord atomic.Int64
	perWord.Store(int64(400 * time.Microsecond))
	server := &odd{handling: 4 * time.Millisecond, step: 2 * time.Millisecond, slots: 8,
		prefill: func(n int) time.Duration { return time.Duration(n) * time.Duration(perWord.Load()) }}
	k := fast()
	k.PromptTokens, k.Rate, k.MaxTokens = 256, 6, 4
	r := begin(t, onto(server.start(t), k))
	noticed := func(events []probe.Event) int {
		return slices.IndexFunc(events, func(e probe.Event) bool {
			n, ok := e.(probe.Notice)
			return ok && strings.Contains(n.Text, "The server has become faster")
		})
	}
	for probes := 20; noticed(r.events()) < 0 && probes < 120; probes += 20 {
		r.ordinary(probes)
		perWord.Store(perWord.Load() / 2)
	}
	r.until("the notice", func(events []probe.Event) bool { return noticed(events) >= 0 })
	r.until("another ladder and a probe that is cut by it", func(events []probe.Event) bool {
		after := events[noticed(events):]
		again := results(after, probe.Calibration)
		if len(again) < len(rungs) {
			return false
		}
		return slices.ContainsFunc(results(after, probe.Ordinary), func(res probe.Result) bool {
			return res.Seq > again[len(rungs)-1].Seq && res.Waterfall.Of(probe.PrefillPart) > 0
		})
	})
}

// The baseline of a server that has changed is that of the new one, at every
// length, though the change was seen at one.
func TestTheBaselineFollowsAChange(t *testing.T) {
	c, at := taught()
	quick := func(n int) *probe.Result { // half of what each token took
		return unhurried(n, at, -time.Duration(n)*time.Millisecond/20)
	}
	changed := ""
	for i := 0; changed == "" && i < 40; i++ {
		at = at.Add(time.Second)
		changed = c.cut(quick(256), attempt.Outcome{}, reported.Figures{}, true, true).changed
	}
	if !strings.Contains(changed, "The server has become faster") {
		t.Fatalf("told %q", changed)
	}
	l := newLadder("m", false)
	l.restart()
	for l.left() > 0 {
		at = at.Add(time.Second)
		c.cut(quick(l.next(probe.Knobs{Model: "m"}).PromptTokens), attempt.Outcome{}, reported.Figures{}, true, l.climbed())
	}
	res := quick(1024)
	c.cut(res, attempt.Outcome{}, reported.Figures{}, true, true)
	if prefill := res.Waterfall.Of(probe.PrefillPart); prefill < 46*time.Millisecond || prefill > 56*time.Millisecond {
		t.Errorf("prefill of 1,024 tokens: %v, want 51 ms: %v", prefill, res.Waterfall)
	}
}

// So is one that becomes slower, once that has lasted.
func TestASlowerServerIsNoticed(t *testing.T) {
	c, at := taught()
	var said []string
	for i := range 30 {
		at = at.Add(time.Second)
		spread := time.Duration(i%3) * time.Millisecond
		if text := c.cut(unhurried(256, at, 40*time.Millisecond+spread), attempt.Outcome{}, reported.Figures{}, true, true).changed; text != "" {
			said = append(said, text)
		}
	}
	if len(said) != 1 || !strings.Contains(said[0], "The server has become slower") {
		t.Errorf("told %q", said)
	}
}
