//go:build unix

package tui

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// Commands can be piped; nothing but lines comes out.
func TestPlainPiped(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(program(t), "demo", "--plain", "--rate", "5", "--slo", "p95=600ms")
	cmd.Env = environ(t)
	cmd.Stdin = strings.NewReader("wait 6 probes\nprompt 1k\nwait 7 probes\neffect\nstatus\nfly\nquit\n")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Fatalf("%v: %s", err, errs.String())
	}
	for _, want := range []string{
		"SIMULATED", "A sim-near: ", "prompt 256 → 1,024", "TTFT p50 A +", "SLO p95 ≤ 600 ms: p95", `"fly" is no command`, "slo p95=600ms", "sim-far sim-8b: TTFT p50",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
	if !plainLine.MatchString(out.String()) {
		t.Errorf("no line of a probe:\n%s", out.String())
	}
	if strings.ContainsRune(out.String(), 0x1b) {
		t.Error("control sequences are sent")
	}
}

// What the screen shows of a probe, of a waterfall and of two targets can be
// asked for in lines, and the verdict is said when it is there.
func TestPlainLooksCloser(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(program(t), "demo", "--plain", "--ab", "--rate", "8")
	cmd.Env = environ(t)
	cmd.Stdin = strings.NewReader("wait 2 probes\nmodel sim-8\nwait 1 probes\nmodel sim-8b\nwait 20 probes\nexplain\nexplain prefill\nexplain network\nexplain moon\nwhatif\nprobes 3\nprobe\ncurl\ncompare\npairs off\ncompare\nquit\n")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Fatalf("%v: %s", err, errs.String())
	}
	for _, want := range []string{
		`sim-near: the endpoint lists no model "sim-8": did you mean sim-8b`,
		"the waterfall of A sim-near, last: probe", "the waterfall of B sim-far", "queue: last ", "known by ", "baseline ",
		"prefill is what the uncached tokens of the prompt add", "Cure: a shorter prompt, a smaller model, a shared prefix that is cached",
		"rtt of A sim-near, last: probe", `"moon" is no segment of sim-near`, "smaller model, sim-1b, 12 % as large: p50 ", "assumes: ", "timeline, from the start of the request",
		"curl -sN", "pairs together, margin", "sim-near is faster than sim-far: TTFT median", "TTFT p50 ", "stopped: pairs on goes on",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
	if strings.ContainsRune(out.String(), 0x1b) {
		t.Error("control sequences are sent")
	}
}

// A terminal that takes no control sequences gets lines by itself, and its
// person types commands there or interrupts.
func TestPlainInADumbTerminal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ environ, end string }{{"TERM=dumb", "quit\r"}, {"TERM", "\x03"}, {"TERM=dumb", "\x04"}} {
		tm := run(t, 100, 40, environ(t, c.environ), "demo")
		tm.waitFor(`type help for the commands`)
		tm.waitFor(plainLine.String())
		tm.send("prompt 512\r")
		tm.waitFor(`prompt 256 → 512`)
		tm.send(c.end)
		status, left := tm.end()
		if status != 0 || !strings.Contains(left, "sim-far sim-8b: TTFT p50") || strings.ContainsRune(strings.ReplaceAll(tm.sent(), "\x1b]9;all is drawn\x07", ""), 0x1b) {
			t.Errorf("%s, %q: exit status %d:\n%s", c.environ, c.end, status, left)
		}
	}
}
