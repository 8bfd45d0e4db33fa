package viewtest

import (
	"ttftop/probe"
	"ttftop/probe/quantile"
	"ttftop/probe/tally"
	"ttftop/views"
)

// HandedOff is a target whose prompts a fast model acknowledges, beside one
// whose fast model does not answer.
func HandedOff() views.Snapshot {
	s := Demo()
	for i, at := range []float64{31.2, 171} {
		t := &s.Targets[i]
		t.Handoff = "sim-1b"
		last := *t.Last
		last.Ack = &probe.Ack{Model: "sim-1b", At: probe.At(ms(at)), TTFT: probe.At(ms(at)), PromptTokens: 1023, PromptExact: true, OutputTokens: 16, OutputExact: true, Status: 200}
		last.Marks.Ack = last.Ack.At
		t.Last = &last
		t.Figures.Handoff = tally.Handoff{Model: "sim-1b", Probes: 23, P50: exactly(at, 23), P95: exactly(at+4, 23), GapP50: exactly(t.Figures.P50.At.Seconds()*1000-at, 23), GapP95: exactly(60, 23)}
	}
	far := &s.Targets[1]
	far.Last.Ack = &probe.Ack{Model: "sim-1b", Status: 404, Failure: &probe.Failure{Kind: probe.FailStatus, Status: 404, Message: "The model `sim-1b` does not exist."}}
	far.Last.Marks.Ack = probe.Mark{}
	far.Figures.Handoff = tally.Handoff{Model: "sim-1b", Probes: 23, Failed: 23, P50: quantile.Estimate{}}
	return s
}

// handOff makes a target one that is handed off.
func (g gen) handOff(t *views.Target) {
	t.Handoff = g.text()
	t.Figures.Handoff = tally.Handoff{Model: g.text(), Probes: g.r.IntN(9), Failed: g.r.IntN(9), Late: g.r.IntN(9),
		P50: g.estimate(), P95: g.estimate(), GapP50: g.estimate(), GapP95: g.estimate()}
	if t.Live != nil {
		t.Live.Ack = g.mark()
	}
	if t.Last == nil {
		return
	}
	t.Last.Ack = &probe.Ack{Model: g.text(), At: g.mark(), PromptTokens: g.r.IntN(1<<20) - 9, OutputTokens: g.r.IntN(99) - 9, PromptExact: g.coin()}
	if g.coin() {
		t.Last.Ack.Failure = &probe.Failure{Kind: probe.FailStream, Message: g.text()}
	}
}
