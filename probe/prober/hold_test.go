package prober

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

var noon = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time {
	return noon.Add(time.Duration(seconds * float64(time.Second)))
}

func status(code int, retryAfter time.Duration) *probe.Failure {
	f := &probe.Failure{Kind: probe.FailStatus, Status: code, Message: "no", RetryAfter: retryAfter}
	if code == 429 {
		f.Kind = probe.FailRateLimit
	}
	return f
}

// Ends of probes, in order, and how long the target is left alone after each.
func TestHold(t *testing.T) {
	type end struct {
		begun, at float64 // seconds
		failure   *probe.Failure
		until     float64 // second until which it holds, 0 for not at all
	}
	skipped := &probe.Failure{Kind: probe.FailSkipped}
	for name, ends := range map[string][]end{
		"one failure is no reason": {{0, 1, status(500, 0), 0}, {1, 2, nil, 0}, {2, 3, status(500, 0), 0}},
		"then ever longer, up to a limit": {
			{0, 1, status(500, 0), 0}, {1, 2, status(500, 0), 2.5}, {3, 4, status(500, 0), 5}, {5, 6, status(500, 0), 8}, {8, 9, status(500, 0), 13},
			{13, 14, status(500, 0), 22}, {22, 23, status(500, 0), 39}, {39, 40, status(500, 0), 70}, {70, 71, status(500, 0), 101},
		},
		"those in flight together count once": {{0, 5, status(500, 0), 0}, {1, 5.1, status(500, 0), 0}, {2, 5.2, status(500, 0), 0}, {5.3, 6, status(500, 0), 6.5}},
		"a rate limit is obeyed":              {{0, 1, status(429, 7*time.Second), 8}, {8, 9, nil, 0}},
		"without a time, for a moment":        {{0, 1, status(429, 0), 1.5}, {2, 3, status(429, 0), 3.5}, {4, 5, status(429, 0), 6}},
		"older probes don't lift it":          {{0.5, 1, status(429, 7*time.Second), 8}, {0.2, 2, nil, 8}, {0.3, 3, status(500, 0), 8}, {9, 10, nil, 0}},
		"a longer wait counts, a shorter not": {{0, 1, status(503, 5*time.Second), 6}, {0, 2, status(503, 9*time.Second), 11}, {0, 3, status(503, time.Second), 11}},
		"skipped ones say nothing":            {{0, 1, skipped, 0}, {0, 2, skipped, 0}, {0, 3, skipped, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			var h hold
			for i, e := range ends {
				before := h.until
				changed := h.take(e.failure, at(e.begun), at(e.at))
				if changed != !before.Equal(h.until) {
					t.Errorf("end %d: changed %v", i, changed)
				}
				if h.active(at(e.at)) != (e.until > 0) || e.until > 0 && !h.until.Equal(at(e.until)) {
					t.Errorf("end %d: holds until %v, want second %v", i, h.until.Sub(noon), e.until)
				}
			}
		})
	}
}

func TestPersistence(t *testing.T) {
	type end struct {
		minute  float64
		kind    probe.Kind
		failure *probe.Failure
	}
	refused := &probe.Failure{Kind: probe.FailConnect, Message: "refused"}
	for name, c := range map[string]struct {
		ends []end
		says string // of the last, "" while there is hope
	}{
		"two refusals":          {[]end{{0, probe.Ordinary, status(401, 0)}, {1, probe.Ordinary, status(401, 0)}}, ""},
		"three":                 {[]end{{0, probe.Warmup, status(404, 0)}, {1, probe.Ordinary, status(404, 0)}, {2, probe.Ordinary, status(404, 0)}}, "3 tries"},
		"a success between":     {[]end{{0, probe.Ordinary, status(400, 0)}, {1, probe.Ordinary, status(400, 0)}, {2, probe.Ordinary, nil}, {3, probe.Ordinary, status(400, 0)}}, ""},
		"nobody at first":       {[]end{{0, probe.Warmup, refused}, {1, probe.Warmup, refused}, {2, probe.Warmup, refused}}, "3 tries"},
		"nobody later":          {[]end{{0, probe.Ordinary, refused}, {1, probe.Ordinary, refused}, {2, probe.Ordinary, refused}, {3, probe.Ordinary, refused}}, ""},
		"errors that count":     {[]end{{0, probe.Ordinary, status(500, 0)}, {20, probe.Ordinary, status(500, 0)}, {40, probe.Ordinary, status(500, 0)}}, ""},
		"loading":               {[]end{{0, probe.Warmup, status(503, 0)}, {5, probe.Warmup, status(503, 0)}, {9, probe.Warmup, status(503, 0)}}, ""},
		"loading for ever":      {[]end{{0, probe.Warmup, status(503, 0)}, {5, probe.Warmup, status(503, 0)}, {11, probe.Warmup, status(503, 0)}}, "11m0s"},
		"limited for ever":      {[]end{{0, probe.Ordinary, status(429, 0)}, {5, probe.Ordinary, status(429, 0)}, {10.5, probe.Ordinary, status(429, 0)}}, "10m30s"},
		"limited now and then":  {[]end{{0, probe.Ordinary, status(429, 0)}, {5, probe.Ordinary, nil}, {11, probe.Ordinary, status(429, 0)}}, ""},
		"a long wait":           {[]end{{0, probe.Ordinary, status(429, time.Hour)}}, "1h0m0s"},
		"an error's long wait":  {[]end{{0, probe.Ordinary, status(503, time.Hour)}}, "1h0m0s"},
		"a wait":                {[]end{{0, probe.Ordinary, status(429, time.Minute)}}, ""},
		"refused rungs":         {[]end{{0, probe.Calibration, status(400, 0)}, {1, probe.Calibration, status(400, 0)}, {2, probe.Calibration, status(400, 0)}}, ""},
		"a request took a time": {[]end{{0, probe.Ordinary, status(408, 0)}, {1, probe.Ordinary, status(408, 0)}, {2, probe.Ordinary, status(408, 0)}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var p persistence
			for i, e := range c.ends {
				why := p.take(e.kind, e.failure, at(60*e.minute))
				want := c.says
				if i < len(c.ends)-1 {
					want = ""
				}
				if (why == "") != (want == "") || !strings.Contains(why, want) {
					t.Errorf("end %d: %q, want %q", i, why, want)
				}
			}
		})
	}
}

func TestLadder(t *testing.T) {
	k := probe.DefaultKnobs
	k.Model, k.Pressure, k.Cache = "m", 9, probe.Warm
	l := newLadder("m", false)
	got := l.next(k)
	if got.PromptTokens != 16 || got.MaxTokens != ladderOutput || got.Pressure != 0 || got.Cache != probe.Bust || got.Model != "m" || l.left() != 7 {
		t.Errorf("%+v, %d left", got, l.left())
	}
	l.again(16)
	if l.left() != 8 || l.next(k).PromptTokens != 16 {
		t.Error("a rung that was put back is not sent again")
	}
	l.refused(256)
	for _, want := range []int{64, 16, 64} {
		if n := l.next(k).PromptTokens; n != want {
			t.Errorf("rung %d, want %d", n, want)
		}
	}
	if l.left() != 0 {
		t.Errorf("%d left", l.left())
	}
	l.restart()
	if l.left() != len(rungs) || rungs[0] != 16 || newLadder("m", true).left() != 0 {
		t.Error("a ladder does not begin again")
	}
	if n := CalibrationTokens(); n != 2*(16+64+256+1024)+8*ladderOutput {
		t.Errorf("a calibration costs %d tokens", n)
	}
}
