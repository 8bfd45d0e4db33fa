package prober

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/attempt"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/reported"
)

// A server that has prompts cached and does not say so is noticed, and its time
// is not cut: how much it had to prefill is not known.
func TestSilentCaching(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[string]bool{}
	cached := func(prompt string) bool {
		mu.Lock()
		defer mu.Unlock()
		start := prompt[:len(prompt)/2]
		defer func() { seen[start] = true }()
		return seen[start]
	}
	server := &odd{step: 2 * time.Millisecond, slots: 8, prefill: perToken(0)}
	server.before = func(r *testserver.Request) time.Duration {
		if cached(r.Prompt) {
			return 5 * time.Millisecond
		}
		return time.Duration(r.Words()) * 500 * time.Microsecond
	}
	k := fast()
	k.PromptTokens, k.Rate, k.MaxTokens = 256, 6, 4
	r := begin(t, onto(server.start(t), k))
	for _, res := range r.ordinary(4) {
		if res.Has(probe.FlagSilentCache) {
			t.Error("unique prompts are taken for cached ones")
		}
	}
	r.turn(func(k *probe.Knobs) { k.Cache = probe.Warm })
	warm := func(events []probe.Event) (found []probe.Result) {
		for _, res := range results(events, probe.Ordinary) {
			if res.Knobs.Cache == probe.Warm {
				found = append(found, res)
			}
		}
		return found
	}
	r.until("warm probes", func(events []probe.Event) bool { return len(warm(events)) > 8 })
	r.stop()
	for i, res := range warm(r.events())[2:] { // the first one fills the cache
		if !res.Has(probe.FlagSilentCache) || res.CachedTold || res.UncachedKnown() || res.Waterfall.Of(probe.ServerPart) == 0 {
			t.Errorf("warm probe %d: flags %v, %v", i+2, res.Flags, res.Waterfall)
		}
	}
	if told := notices(r.events()); len(told) != 1 || !strings.Contains(told[0], "caches prompts and does not say so") {
		t.Errorf("told %q", told)
	}
}

// A server without a cache is none that hides it, and shared prefixes are cut
// by the baseline of unique prompts.
func TestNoCacheIsNotCaching(t *testing.T) {
	t.Parallel()
	server := &odd{step: 2 * time.Millisecond, slots: 8, prefill: perToken(500 * time.Microsecond)}
	k := fast()
	k.PromptTokens, k.Rate, k.MaxTokens, k.Cache = 256, 6, 4, probe.Warm
	r := begin(t, onto(server.start(t), k))
	all := r.ordinary(6)
	r.stop()
	for _, res := range all {
		if res.Has(probe.FlagSilentCache) || res.Waterfall.Of(probe.ServerPart) != 0 {
			t.Errorf("flags %v, %v", res.Flags, res.Waterfall)
		}
	}
}

// A model that comes back after another one has to be loaded: its first answer
// says nothing of prefill.
func TestAModelIsLoaded(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	loaded := ""
	server := &odd{step: 2 * time.Millisecond, slots: 8, prefill: perToken(200 * time.Microsecond)}
	server.before = func(r *testserver.Request) time.Duration {
		mu.Lock()
		defer mu.Unlock()
		if r.Model == loaded {
			return 0
		}
		loaded = r.Model
		return 3 * time.Second
	}
	r := begin(t, onto(server.start(t), fast()))
	r.ordinary(2)
	of := func(model string) func([]probe.Event) bool {
		return func(events []probe.Event) bool {
			all := results(events, probe.Ordinary)
			return all[len(all)-1].Knobs.Model == model
		}
	}
	r.turn(func(k *probe.Knobs) { k.Model = "other" })
	r.until("the other model", of("other"))
	r.turn(func(k *probe.Knobs) { k.Model = "m" })
	r.until("the first model again", of("m"))
	r.stop()
	warmups := results(r.events(), probe.Warmup)
	for i, res := range warmups {
		want := i == 2 // before that there is no baseline to tell it by
		if res.Has(probe.FlagModelLoad) != want {
			t.Errorf("warm-up %d: flags %v", i, res.Flags)
		}
		if want && res.Waterfall.Of(probe.ServerPart) < 2*time.Second {
			t.Errorf("%v", res.Waterfall)
		}
	}
	if len(warmups) != 3 {
		t.Errorf("%d warm-ups", len(warmups))
	}
	if told := notices(r.events()); !slices.ContainsFunc(told, func(s string) bool { return strings.Contains(s, "the model was loaded first") }) {
		t.Errorf("told %q", told)
	}
	for _, res := range results(r.events(), probe.Ordinary) {
		if res.Has(probe.FlagModelLoad) {
			t.Error("a probe of a loaded model is taken for one that loads it")
		}
	}
}

// taught is a cutter that has seen an idle server with a cost of 10 ms and 0.1
// ms a token and steps of 5 ms, until the instant it returns.
func taught() (cutter, time.Time) {
	c := newCutter(false)
	at := noon
	for range 10 {
		for _, n := range []int{16, 64, 256, 1024} {
			at = at.Add(time.Second)
			c.cut(unhurried(n, at, 0), attempt.Outcome{}, reported.Figures{}, true, true)
		}
	}
	return c, at
}

// unhurried is a probe of that server that took it some time more.
func unhurried(n int, at time.Time, more time.Duration) *probe.Result {
	const ms = time.Millisecond
	first := 15*ms + time.Duration(n)*ms/10 + more
	r := &probe.Result{At: at, Kind: probe.Ordinary, PromptTokens: n, PromptExact: true, RTT: probe.At(0), Knobs: probe.Knobs{Model: "m", PromptTokens: n, Cache: probe.Bust}}
	r.Timeline = probe.Timeline{GotConn: probe.At(0), Sent: probe.At(0), Headers: probe.At(first), FirstToken: probe.At(first), Done: probe.At(first + 15*ms)}
	for i := range 4 {
		r.Timeline.Tokens = append(r.Timeline.Tokens, probe.Arrival{At: first + time.Duration(i)*5*ms, Read: i})
	}
	return r
}

// After a pause a first request that takes far longer met a model that was
// unloaded; so did those that wait for the same, and nobody later.
func TestALoadAfterAPause(t *testing.T) {
	const load = 4 * time.Second
	tests := []struct {
		name  string
		pause time.Duration
		more  time.Duration
		want  bool
	}{
		{"a pause", time.Minute, load, true},
		{"a short pause", 4 * time.Second, load, true},
		{"no pause", 2 * time.Second, load, false},
		{"a short delay", time.Minute, 200 * time.Millisecond, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, at := taught()
			at = at.Add(tt.pause)
			first, beside, later := unhurried(256, at, tt.more), unhurried(256, at.Add(time.Second), tt.more-time.Second), unhurried(256, at.Add(tt.more+time.Second), tt.more)
			said := c.cut(first, attempt.Outcome{}, reported.Figures{}, true, true).unsaid
			again := c.cut(beside, attempt.Outcome{}, reported.Figures{}, false, true).unsaid
			c.cut(later, attempt.Outcome{}, reported.Figures{}, true, true)
			if first.Has(probe.FlagModelLoad) != tt.want || (said != "") != tt.want || beside.Has(probe.FlagModelLoad) != tt.want || again != "" {
				t.Errorf("flags %v and %v, told %q and %q", first.Flags, beside.Flags, said, again)
			}
			if whole := first.Waterfall.Of(probe.ServerPart) > 0; whole != tt.want {
				t.Errorf("%v", first.Waterfall)
			}
			if later.Has(probe.FlagModelLoad) {
				t.Error("a wait without a pause is taken for a load")
			}
		})
	}
}

// Loads after short pauses are alike; a server on which waits differ, or come
// without a pause, has a queue.
func TestWaitsAfterShortPausesAreNoLoads(t *testing.T) {
	type wait struct{ pause, more time.Duration }
	for _, c := range []struct {
		name  string
		waits []wait
		want  []bool
	}{
		{"loads", []wait{{9 * time.Second, 3 * time.Second}, {9 * time.Second, 0}, {9 * time.Second, 3100 * time.Millisecond}}, []bool{true, false, true}},
		{"waits that differ", []wait{{9 * time.Second, 2 * time.Second}, {9 * time.Second, 5 * time.Second}, {9 * time.Second, 5 * time.Second}}, []bool{true, false, false}},
		{"waits without a pause", []wait{{time.Second, 3 * time.Second}, {9 * time.Second, 3 * time.Second}}, []bool{false, false}},
		{"a queue of a second", []wait{{9 * time.Second, 900 * time.Millisecond}}, []bool{false}},
	} {
		u, at := taught()
		for i, w := range c.waits {
			at = at.Add(w.pause)
			r := unhurried(1024, at, w.more)
			u.cut(r, attempt.Outcome{}, reported.Figures{}, true, true)
			if r.Has(probe.FlagModelLoad) != c.want[i] {
				t.Errorf("%s: request %d has the flags %v", c.name, i, r.Flags)
			}
			at = at.Add(r.TotalTime().At)
		}
	}
}

// The very first request is held against the baseline that comes later.
func TestTheFirstRequestLoadedTheModel(t *testing.T) {
	for more, want := range map[time.Duration]bool{3 * time.Second: true, 300 * time.Millisecond: false} {
		c := newCutter(false)
		first := unhurried(16, noon.Add(-time.Minute), more)
		first.Kind = probe.Warmup
		c.cut(first, attempt.Outcome{}, reported.Figures{}, true, false)
		told, at := "", noon
		for i := range 12 {
			at = at.Add(100 * time.Millisecond)
			told += c.cut(unhurried([]int{16, 64, 256, 1024}[i%4], at, 0), attempt.Outcome{}, reported.Figures{}, true, i > 3).unsaid
		}
		if got := strings.Count(told, "The very first prompt took the server"); (got == 1) != want || got > 1 {
			t.Errorf("%v: told %q", more, told)
		}
	}
}
