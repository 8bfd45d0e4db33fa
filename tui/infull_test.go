package tui

import (
	"strings"
	"testing"

	"ttftop/probe/diagnose"
)

// The help gives each sentence once: what the diagnosis says already, the lane's
// failure doesn't say again.
func TestHelpSaysNothingTwice(t *testing.T) {
	const refused = "HTTP 400: the model is too large for this table"
	p := sit(t, targetAt(t, "near", atSimulator, "a"))
	p.engineDoes(func(st *state) {
		st.targets[0].Diagnosis = diagnose.Finding{What: "100 % of the probes fail", Note: refused, Cure: "mend that before any latency"}
		st.targets[0].Failure = refused
		st.targets[0].FlagText = []string{"another remark"}
	})
	said := strings.Join(strings.Fields(strings.Join(p.m.toldOf(p.m.snapshot()), " ")), " ")
	if strings.Count(said, refused) != 1 || !strings.Contains(said, "another remark") {
		t.Errorf("%q", said)
	}
}
