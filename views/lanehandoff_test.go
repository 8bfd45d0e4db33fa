package views

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/probe/tally"
)

// Both marks stand on the bar at their own places, whichever came first; the
// answer's is behind the end of the bar.
func TestTwoMarks(t *testing.T) {
	at := func(ms int) probe.Mark { return probe.At(time.Duration(ms) * time.Millisecond) }
	for _, c := range []struct {
		name        string
		ack, answer probe.Mark
		want        string
	}{
		{"as a rule", at(20), at(60), "##K###A   "},
		{"the answer first", at(80), at(60), "######A K "},
		{"both in one cell", at(60), at(60), "######KA  "},
		{"one cell, the answer first", at(65), at(60), "######AK  "},
		{"no acknowledgement", probe.Mark{}, at(60), "######A   "},
		{"beyond the axis", at(200), at(60), "######A   "},
		{"both beyond", at(200), at(300), "######    "},
		{"not answered yet", at(20), probe.Mark{}, "##K###    "},
	} {
		s := newSheet(10, 1, sheetOf(t, true).th)
		s.fill(0, 0, 6, "#", 0)
		s.twoMarks(0, plan{barW: 10, axis: axis{Step: 50 * time.Millisecond, Top: 100 * time.Millisecond}}, c.ack, c.answer)
		if got := ansi.Strip(s.String()); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestHandoffWords(t *testing.T) {
	s := newSheet(200, 1, sheetOf(t, true).th)
	ms := time.Millisecond
	target := Target{Model: "large", Handoff: "fast", Last: &Settled{TTFT: 100 * ms, Ack: &probe.Ack{Model: "fast", At: probe.At(150 * ms), PromptTokens: 1000, OutputTokens: 16}}}
	said := func() string {
		var all []string
		for _, r := range s.handoffRemarks(&target) {
			all = append(all, r.text)
		}
		return strings.Join(all, "; ")
	}
	if got := said(); !strings.HasPrefix(got, "the last was answered before it was acknowledged; p50: K fast - ms; K costs ~1.02k tok") {
		t.Errorf("%q", got)
	}
	if got := s.handoffText(target.Last.Ack, probe.At(target.Last.TTFT), target.Model); !strings.Contains(got, "acknowledged by fast after 150 ms (K), answered by large after 100 ms (A): two answers to one prompt, and the answer came first") {
		t.Errorf("%q", got)
	}
	target.Last.Ack.Failure = &probe.Failure{Kind: probe.FailTimeout, Message: "no first token after 30s"}
	if got := said(); !strings.HasPrefix(got, "no acknowledgement by fast: no first token after 30s") {
		t.Errorf("%q", got)
	}
	if got := s.handoffText(target.Last.Ack, probe.At(target.Last.TTFT), target.Model); !strings.HasPrefix(got, "fast did not acknowledge: no first token") {
		t.Errorf("%q", got)
	}
	if target.Handoff = ""; said() != "" {
		t.Errorf("a target without a handoff says %q", said())
	}

	r := probe.Result{Timeline: probe.Timeline{FirstToken: probe.At(100 * ms)}, Ack: &probe.Ack{At: probe.At(40 * ms)}, Flags: []probe.Flag{probe.FlagCached}}
	for want, change := range map[string]func(){
		"ack 40.0 cached":                        func() {},
		"ack 140 after the answer cached":        func() { r.Ack.At.At = 140 * ms },
		"no ack: HTTP 404: no such model cached": func() { r.Ack.Failure = &probe.Failure{Kind: probe.FailStatus, Status: 404, Message: "no such model"} },
	} {
		r.Ack = &probe.Ack{At: probe.At(40 * ms)}
		if change(); plainRemark(&r, s.sym) != want {
			t.Errorf("%q, want %q", plainRemark(&r, s.sym), want)
		}
	}
	h := tally.Handoff{Model: "fast", Probes: 10, Failed: 2, Late: 1}
	if got := plainHandoff(&h, s.sym); got != "  acknowledged by fast: TTFT p50 -, p95 - ms; the answer after it p50 -, p95 - ms; 20 % without, 1 after the answer" {
		t.Errorf("%q", got)
	}
}
