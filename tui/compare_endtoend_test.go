//go:build unix

package tui

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
)

// A person opens the comparison on the demo: pairs count up to a verdict, which
// is seen in other views too and can be copied; the sides can be chosen, and pairs
// ended.
func TestCompareTheDemo(t *testing.T) {
	t.Parallel()
	tm := run(t, 80, 24, environ(t), "demo", "--rate", "8")
	tm.waitFor(waterfall)
	tm.send("5")
	tm.waitFor(`(?s)▸5 compare.*A/B · \d+ pairs? together, margin ±5 %, at 95 %`)
	tm.waitFor(`A/B · ([2-9]|1\d) pairs together`)
	screen := tm.waitFor(`(?s)A/B sim-near faster.*sim-near is faster than sim-far: TTFT median −.*why: closer.*A sim-near.*B sim-far.*A faster.*ms at pair 1`)
	for _, want := range []string{"0│─", "p50", "≥", "failed", "0 of", "network +", "B − A"} {
		if !strings.Contains(screen, want) {
			t.Errorf("80×24 does not show %q:\n%s", want, screen)
		}
	}
	tm.send("y")
	tm.waitFor(`(?s)the verdict.*sim-near is faster than sim-far.*any key`)
	copied := regexp.MustCompile("\x1b]52;c;([A-Za-z0-9+/=]+)").FindStringSubmatch(tm.sent())
	if copied == nil {
		t.Fatal("nothing is copied to the clipboard")
	}
	if text, err := base64.StdEncoding.DecodeString(copied[1]); err != nil || !strings.HasPrefix(string(text), "sim-near is faster than sim-far") {
		t.Errorf("copied %q: %v", text, err)
	}
	tm.send(" 1")
	tm.waitFor(`▸1 explore.*A/B sim-near faster`)
	tm.send("5p")
	tm.waitFor(`anew since prompt`)

	tm.send("a")
	tm.waitFor(`(?s)A/B · \d+ pairs back to back.*sim-far \(A\).*sim-far \(B\)`)
	tm.waitFor(`A/B · ([2-9]|\d\d+) pairs back to back`)
	tm.send("z")
	tm.waitUntil("the comparison alone", func(s string) bool { return strings.Contains(s, "sim-far (A)") && !strings.Contains(s, "prompt 512") })
	tm.send("ze")
	tm.waitFor(`stopped: e goes on`)
	if header, _, _ := strings.Cut(tm.text(), "\n"); strings.Contains(header, "A/B") {
		t.Errorf("pairs are still said to be sent: %s", header)
	}
	tm.send("q")
	tm.leaves(0, "sim-near", "sim-far")
}

// Two models of one endpoint are two targets, and are compared from the start.
func TestCompareTwoModels(t *testing.T) {
	t.Parallel()
	e := &mortal{t: t}
	e.listen()
	tm := run(t, 100, 30, environ(t), "--ab-models", "tiny", "large", "http://"+e.address+"/v1", "--rate", "5", "--margin", "10", "--confidence", "90")
	tm.waitFor(`(?s)▸5 compare.*A/B · ([2-9]|\d\d+) pairs back to back, margin ±10 %, at 90 %.*A tiny.*B large`)
	if strings.Contains(tm.text(), "the models differ") {
		t.Errorf("it is warned of what was asked for:\n%s", tm.text())
	}
	tm.send("\x03")
	tm.leaves(0, "tiny tiny: TTFT p50", "large large: TTFT p50")
}
