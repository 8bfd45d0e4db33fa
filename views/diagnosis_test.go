package views

import (
	"strings"
	"testing"

	"ttftop/probe"
)

func TestDiagnosisFits(t *testing.T) {
	sym, _ := symbols(t)
	s := &sheet{w: 200, sym: sym}
	d := Diagnosis{Part: probe.QueuePart, What: "queue is 71 % of p95 TTFT", Cure: "spread the load, lower the batch or add capacity, then a smaller model",
		Note: "a batching timer makes such a queue too", BriefWhat: "queue 71 % of p95 TTFT", BriefCure: "spread load or add capacity, then smaller model"}
	for _, c := range []struct {
		room int
		want string
	}{
		{140, d.Sentence()},
		{100, d.What + ": " + d.Cure},
		{74, "queue 71 % of p95 TTFT: spread load or add capacity, then smaller model"},
		{54, "queue 71 % of p95 TTFT: spread load or add capacity…"},
		{10, "queue 71…"},
		{0, ""},
	} {
		if got := said(s.diagnosisIn(d, c.room)); got != c.want {
			t.Errorf("in %d cells: %q, want %q", c.room, got, c.want)
		}
	}
	d.BriefWhat, d.BriefCure = "", ""
	if got, want := said(s.diagnosisIn(d, 40)), "queue is 71 % of p95 TTFT: spread the l…"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d.Cure = strings.Repeat("long ", 200)
	if got := said(s.diagnosisIn(d, 74)); cells(got) > 74 {
		t.Errorf("%q", got)
	}
}
