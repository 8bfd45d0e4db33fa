package prober

import (
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ttftop/probe"
	"ttftop/probe/load"
)

// restingLane is a lane that nobody runs, of an endpoint where nothing answers.
func restingLane(t *testing.T, rate float64) *lane {
	t.Helper()
	base := &url.URL{Scheme: "http", Host: "127.0.0.1:1", Path: "/v1"}
	k := probe.DefaultKnobs
	k.Model, k.Rate = "m", rate
	p, err := New(Config{
		Targets:  []probe.Target{{Name: "a", Endpoint: &probe.Endpoint{Base: base, API: probe.OpenAI}}},
		Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: time.Second, Seed: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	l := p.lanes[0]
	l.load = load.New(t.Context(), func(load.State) {})
	l.ladder.model = "m"
	t.Cleanup(func() {
		l.flying.Wait()
		l.load.Close()
		l.pool.Close()
	})
	return l
}

// told are the results among the events that wait to be read.
func told(p *Prober) (list []probe.Result) {
	for len(p.events) > 0 {
		if f, ok := (<-p.events).(probe.Finished); ok {
			list = append(list, f.Result)
		}
	}
	return list
}

// Probes that were due while this program stood still are recorded, each with
// how late it would have been, and none of them is the endpoint's fault.
func TestProbesThatWereNeverSentAreRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := restingLane(t, 10)
		k := l.prober.Settings().Knobs[0]
		start := time.Now()
		l.schedule.Set(k.Rate, start)
		now := start.Add(550 * time.Millisecond) // those at 0, 100 … 500 ms are due
		l.probe(t.Context(), k, now)
		list := told(l.prober)
		if len(list) != 5 || l.due != 6 || l.missed != 5 {
			t.Fatalf("%d records of %d due and %d missed probes", len(list), l.due, l.missed)
		}
		for i, r := range list {
			lag := 550*time.Millisecond - time.Duration(i+1)*100*time.Millisecond
			f := r.Failure
			if r.Lag != lag || f == nil || f.Kind != probe.FailClient || f.Code != probe.CodeNotSent || f.Censored() || !strings.Contains(f.Message, "this program was "+lag.String()+" late") {
				t.Errorf("record %d: lag %v, %+v", i, r.Lag, f)
			}
		}
	})
}

// After a long stall the records are bounded, and the last speaks for the rest.
func TestAnHourOfUnsentProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := restingLane(t, 10)
		k := l.prober.Settings().Knobs[0]
		start := time.Now()
		l.schedule.Set(k.Rate, start)
		l.probe(t.Context(), k, start.Add(time.Hour))
		list := told(l.prober)
		if len(list) != mostUnsent || !strings.HasSuffix(list[mostUnsent-1].Failure.Message, "and so for 35900 more that were due") {
			t.Errorf("%d records, the last %v", len(list), list[len(list)-1].Failure)
		}
	})
}
