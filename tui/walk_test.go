//go:build unix

package tui

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
)

// A person walks through every view of the demo and through all that can be
// opened in them.
func TestWalkThroughTheViews(t *testing.T) {
	t.Parallel()
	tm := run(t, 100, 30, environ(t), "demo", "--rate", "10")
	tm.waitFor(waterfall)
	tm.waitFor(`▸1 explore`)

	tm.send("\t")
	tm.waitFor(`▸2 distribution`)
	tm.waitFor(`(?s)distribution of TTFT · epoch 0, since the start.*A sim-near.*n \d+  0 failed  p50.*▲50.*100 %│`)
	tm.send("z")
	tm.waitUntil("the histogram alone", func(s string) bool { return strings.Contains(s, "▲50") && !strings.Contains(s, "100 %│") })
	tm.send("z")
	tm.waitFor(`(?s)ECDF: share of probes.*100 %│.*A.*B`)
	tm.send("z")
	tm.waitFor(`(?s)▲50.*100 %│`)
	tm.send("p")
	tm.waitFor(`since prompt 256 → 512`)

	tm.send("3")
	tm.waitFor(`(?s)▸3 scaling.*TTFT against uncached prompt tokens.*tokens`)
	tm.waitUntil("both fits", func(s string) bool { return strings.Count(s, " per 1k") >= 2 }) // one of an endpoint that is never idle is not firm

	tm.send("4")
	tm.waitFor(`(?s)▸4 probes.*newest first.*seq ▼.*TTFT.*flags`)
	tm.send("/sim-far calib\r")
	tm.waitUntil("calibrations of sim-far alone", func(s string) bool {
		return regexp.MustCompile(`B sim-far +calibration`).MatchString(s) && !strings.Contains(s, "A sim-near")
	})
	tm.send("sss") // by target, kind, prompt
	tm.waitFor(`(?s)longest prompt first.*calibration +1,02\d`)
	tm.send("\r")
	tm.waitFor(`(?s)probe \d+ · from line 1 of.*calibration.*waterfall.*prefill.*timeline`)
	tm.send("G")
	tm.waitFor(`(?s)text received`)
	tm.send("y")
	screen := tm.waitFor(`(?s)as a command.*curl -sN.*"max_tokens": 4.*any key`)
	if strings.Contains(screen, "Authorization") {
		t.Errorf("an endpoint without a key is sent one:\n%s", screen)
	}
	copied := regexp.MustCompile("\x1b]52;c;([A-Za-z0-9+/=]+)").FindStringSubmatch(tm.sent())
	if copied == nil {
		t.Fatal("nothing is copied to the clipboard")
	}
	if text, err := base64.StdEncoding.DecodeString(copied[1]); err != nil || !strings.HasPrefix(string(text), "curl -sN") {
		t.Errorf("copied %q: %v", text, err)
	}
	tm.send(" ")
	tm.waitFor(`text received`)
	tm.send("\x1b")
	tm.waitFor(`longest prompt first`)
	tm.send("\x1b")
	tm.waitUntil("no filter", func(s string) bool { return !strings.Contains(s, "filter: sim-far") })

	tm.send("?")
	tm.waitFor(`(?s)Keys of the view probes.*sort by the next column`)
	tm.send("\x1b")
	tm.waitUntil("the help gone", func(s string) bool { return !strings.Contains(s, "Keys of the view") })
	tm.send("\t")
	tm.waitFor(`▸5 compare`)
	tm.send("\t")
	tm.waitFor(`(?s)▸1 explore.*where TTFT goes|▸1 explore.*network`)
	tm.send("q")
	tm.leaves(0, "sim-near", "sim-far")
}
