package prober

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

// A server that becomes slower is found out by sentinels within a few probes,
// though the ordinary ones leave no gap for them; until then the queue is at
// most what it seems. Noise of the machine only delays it.
func TestASlowerServerIsFoundOut(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	var slow atomic.Bool
	server := &odd{handling: 10 * ms, step: 4 * ms, slots: 4, prefill: func(n int) time.Duration {
		d := time.Duration(n) * ms / 10
		if slow.Load() {
			d = 4*d + 60*ms
		}
		return d
	}}
	k := fast()
	k.PromptTokens, k.Rate, k.MaxTokens = 512, 2, 8
	r := begin(t, onto(server.start(t), k))
	before := len(r.ordinary(12))
	slow.Store(true)
	told := func(events []probe.Event) bool {
		for _, text := range notices(events) {
			if strings.Contains(text, "has become slower") {
				return true
			}
		}
		return false
	}
	r.until("the slower server", told)
	r.stop()
	events := r.events()
	doubted := 0
	for _, res := range results(events, probe.Ordinary)[before:] {
		if res.Has(probe.FlagAtMost) {
			doubted++
			for _, s := range res.Waterfall {
				if s.Name == probe.Queue && s.Lo != 0 {
					t.Errorf("a queue in doubt begins at %v", s.Lo)
				}
			}
		}
	}
	if doubted == 0 || len(results(events, probe.Sentinel)) < 2 {
		t.Errorf("%d probes in doubt, %d sentinels", doubted, len(results(events, probe.Sentinel)))
	}
}

// A sentinel goes between ordinary probes where it fits, by how long the last
// one took.
func TestSentinelsFit(t *testing.T) {
	k := probe.DefaultKnobs
	k.PromptTokens, k.Rate = 512, 1.5
	s := sentinels{ordinary: sentinelEvery, last: noon.Add(-time.Hour)}
	if s.due(k, noon.Add(160*time.Millisecond), noon) || !s.due(k, noon.Add(400*time.Millisecond), noon) {
		t.Error("without a measure it takes half the time between probes")
	}
	s.landed(probe.Calibration, &probe.Result{Knobs: probe.Knobs{PromptTokens: sentinelTokens}, Timeline: probe.Timeline{Done: probe.At(80 * time.Millisecond)}})
	if !s.due(k, noon.Add(160*time.Millisecond), noon) || s.due(k, noon.Add(100*time.Millisecond), noon) {
		t.Errorf("one that takes %v fits a gap of one and a half times that", s.took)
	}
}

// Sentinels that decide a doubt are bounded, and ask for unique prompts on a
// server without load of our own.
func TestSentinelsAreNeeded(t *testing.T) {
	k := probe.DefaultKnobs
	k.PromptTokens = 512
	s := sentinels{last: noon}
	if s.needed(k, noon.Add(witnessPause-1)) || !s.needed(k, noon.Add(witnessPause)) {
		t.Error("a second apart")
	}
	s.doubts = witnesses
	if s.needed(k, noon.Add(witnessPause)) || !s.needed(k, noon.Add(sentinelPause)) {
		t.Error("after the last witness they come as seldom as others")
	}
	pressed := k
	pressed.Pressure = 2
	if s.needed(pressed, noon.Add(time.Hour)) {
		t.Error("a sentinel amid batch pressure")
	}
}

// Probes of a server that becomes slower overlap from then on: their longer steps
// make a gap for sentinels, which find it out. Noise of the machine only delays
// it.
func TestASlowerServerIsFoundOutAmidOverlap(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	var slow atomic.Bool
	server := &odd{handling: 10 * ms, step: 4 * ms, slots: 8, prefill: perToken(100 * time.Microsecond), before: func(*testserver.Request) time.Duration {
		if slow.Load() {
			return 20 * ms
		}
		return 0
	}, paced: func() time.Duration {
		if slow.Load() {
			return 12 * ms
		}
		return 4 * ms
	}}
	k := fast()
	k.PromptTokens, k.Rate, k.MaxTokens = 256, 4, 30
	r := begin(t, onto(server.start(t), k))
	r.ordinary(12)
	slow.Store(true)
	r.until("the slower server", func(events []probe.Event) bool {
		return slices.ContainsFunc(notices(events), func(text string) bool { return strings.Contains(text, "The server has changed") })
	})
	r.stop()
	for _, res := range results(r.events(), probe.Ordinary) {
		if res.Failure != nil && res.Failure.Kind == probe.FailSkipped {
			t.Errorf("probe %d was skipped", res.Seq)
		}
	}
}
