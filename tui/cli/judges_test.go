package cli

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// A run with SLOs ends with what became of them.
func TestARunWithSLOs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"-n 40 --slo p50=10s", 0, "; kept: between "},
		{"-n 12 --slo p50=10s --slo p99=10s", exitUndecided, "it takes 305 to prove it kept"},
		{"-n 40 --slo p50=1ms --slo p99=10s", exitBroken, "the SLO p50=1ms is broken at sim-"},
		{"-n 12 --slo p50=10s --confidence 99.9", exitUndecided, "it takes"},
		{"--ab --max-pairs 40 --slo p50=1ms", exitBroken, "; broken: "},
		{"-n 12 --slo p50=10s --confidence 5", exitUsage, "write per cent from 50"},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			_, errs, code := ttftop(t, append(strings.Fields("run --demo --rate 20"), strings.Fields(c.args)...)...)
			if code != c.code || !strings.Contains(errs, c.says) {
				t.Errorf("status %d, want %d and %q:\n%s", code, c.code, c.says, errs)
			}
		})
	}
}

// The records of the SLOs come before the verdict, which is the last.
func TestRecordsOfSLOs(t *testing.T) {
	t.Parallel()
	out, errs, code := ttftop(t, strings.Fields("run --demo --rate 20 --ab --max-pairs 40 --json --slo p50=10s")...)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) < 4 {
		t.Fatalf("status %d: %s", code, errs)
	}
	for i, want := range []string{"slo", "slo", "verdict"} {
		var line struct{ Type, Target, State, SLO string }
		if err := json.Unmarshal([]byte(lines[len(lines)-3+i]), &line); err != nil {
			t.Fatal(err)
		}
		if line.Type != want || want == "slo" && (line.State != "kept" || line.SLO != "p50=10s" || line.Target == "") {
			t.Errorf("%+v, want a %s", line, want)
		}
	}
}

func TestWorse(t *testing.T) {
	undecided, broken, lost := status{exitUndecided, "u"}, status{exitBroken, "b"}, errors.New("lost")
	for _, c := range []struct{ a, b, want error }{
		{nil, nil, nil}, {nil, undecided, undecided}, {undecided, nil, undecided}, {broken, nil, broken},
		{undecided, broken, broken}, {broken, undecided, broken}, {undecided, lost, lost}, {lost, broken, lost},
	} {
		if got := worse(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
