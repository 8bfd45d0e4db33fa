package prober

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/chat"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/sim"
)

// offBy is how far a prompt is from the length asked for, in tokens, beyond
// what is allowed: 1 % or 2 tokens.
func offBy(r probe.Result) float64 {
	asked := float64(r.Knobs.PromptTokens)
	return math.Abs(float64(r.PromptTokens)-asked) - max(2, asked/100)
}

// From the second probe at a length on, the endpoint counts what was asked
// for, also after a turn of the knob and for another model.
func TestPromptLength(t *testing.T) {
	t.Parallel()
	s := simulated(t, func(c *sim.Config) { c.Hardware.FLOPS *= 20 }) // 8,192 tokens in 8 ms
	k := fast()
	k.Rate = 20
	r := begin(t, Config{Targets: []probe.Target{simTarget(s, "a")}, Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: tooLong})
	for i, turn := range []func(*probe.Knobs){
		func(k *probe.Knobs) { k.PromptTokens = 64 },
		func(k *probe.Knobs) { k.PromptTokens = 1000 },
		func(k *probe.Knobs) { k.PromptTokens = 8192 },
		func(k *probe.Knobs) { k.PromptTokens = 16 },
		func(k *probe.Knobs) { k.Model = "other" },
		func(k *probe.Knobs) { k.PromptTokens = 777 },
		func(k *probe.Knobs) { k.Cache = probe.Warm },
	} {
		r.turn(turn)
		at := r.Settings().Knobs[0]
		var taught time.Time // when the first at this length had ended
		r.until("five probes that could know", func(events []probe.Event) bool {
			taught = time.Time{}
			known := 0
			for _, res := range results(events, probe.Ordinary) {
				switch {
				case res.Knobs != at, res.Failure != nil:
				case taught.IsZero():
					taught = res.At.Add(res.TotalTime().At)
				case res.At.After(taught): // others were in flight together with the first
					known++
				}
			}
			return known >= 5
		})
		for _, res := range results(r.events(), probe.Ordinary) {
			if res.Knobs != at || res.Failure != nil || !res.At.After(taught) {
				continue
			}
			if offBy(res) > 0 || !res.PromptExact {
				t.Errorf("turn %d: %d tokens (exact: %v), %d were asked for", i, res.PromptTokens, res.PromptExact, at.PromptTokens)
			}
		}
	}
}

// Unique prompts meet no cache; warm ones share what they are said to.
func TestCacheModes(t *testing.T) {
	t.Parallel()
	s := simulated(t, nil)
	k := fast()
	k.PromptTokens, k.Rate = 1600, 15
	r := begin(t, Config{Targets: []probe.Target{simTarget(s, "a")}, Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: tooLong})
	for _, res := range r.ordinary(5) {
		if res.CachedTokens > 32 || res.Has(probe.FlagCached) {
			t.Errorf("a unique prompt has %d cached tokens, flags %v", res.CachedTokens, res.Flags)
		}
	}
	r.turn(func(k *probe.Knobs) { k.Cache, k.CacheShare = probe.Warm, 0.75 })
	met := 0 // warm probes that met the cache; the first, and those in flight with it, can't
	r.until("warm probes", func(events []probe.Event) bool {
		met = 0
		for _, res := range results(events, probe.Ordinary) {
			if res.Knobs.Cache != probe.Warm || res.CachedTokens == 0 {
				continue
			}
			met++
			if got := float64(res.CachedTokens) / float64(res.PromptTokens); math.Abs(got-0.75) > 0.05 {
				t.Fatalf("%.2f of a warm prompt is cached, want 0.75", got)
			}
			if res.Has(probe.FlagCached) {
				t.Fatal("a warm prompt is flagged as cached")
			}
		}
		return met >= 4
	})
}

// A person's own request goes out with model and limit turned, unique where
// asked for, and without a ladder.
func TestOwnRequest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.json")
	if err := os.WriteFile(path, []byte(`{"model":"theirs","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}],"temperature":0}`), 0o600); err != nil {
		t.Fatal(err)
	}
	own, err := chat.LoadTemplate(path)
	if err != nil {
		t.Fatal(err)
	}
	prompts := make(chan string, 1000)
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) {
		if r.Fields["temperature"] != 0.0 || r.Model != "m" || len(r.Fields["messages"].([]any)) != 2 {
			t.Errorf("sent %v", r.Fields)
		}
		if r.Load() {
			if words := r.Words(); words > 60 {
				t.Errorf("a load stream has a prompt of %d words, longer than the request", words)
			}
			a.Token("A")
			a.End(0)
			return
		}
		prompts <- r.Prompt
		a.Token("A")
		a.End(0)
	})
	k := fast()
	k.Pressure = 1
	k.PromptTokens = 5000
	c := onto(s, k)
	c.Template, c.Count, c.LadderFirst = own, 5, true
	r := begin(t, c)
	r.wait()
	if n := len(results(r.events(), probe.Calibration)); n != 0 {
		t.Errorf("%d rungs of a ladder", n)
	}
	seen := map[string]bool{}
	for range 5 + 1 {
		p := <-prompts
		if seen[p] {
			t.Errorf("the prompt %q was sent twice", p)
		}
		seen[p] = true
	}
	for _, res := range results(r.events(), probe.Ordinary) {
		if !res.Has(probe.FlagApproximate) || res.PromptTokens < 20 || res.PromptTokens > 100 {
			t.Errorf("%d prompt tokens, flags %v", res.PromptTokens, res.Flags)
		}
	}
}
