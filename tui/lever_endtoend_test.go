//go:build unix

package tui

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A person opens the levers of the demo, turns one, types another, takes it
// back, and finds them in the record.
func TestLeversOfTheDemo(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	tm := run(t, 120, 36, environ(t), "demo", "--rate", "10", "--record", path)
	tm.waitFor(waterfall)
	tm.waitFor(`L levers`)
	tm.waitUntil("enough to compare with", func(s string) bool {
		return len(regexp.MustCompile(`n +([6-9]|\d\d)\b`).FindAllString(s, -1)) >= 2
	})
	tm.send("L")
	tm.waitFor(`(?s)levers · sim-near and sim-far.*▸cache-blocks +16,384.*\[16,384\]`)
	tm.send("jjjjj\x1b[C") // quantization, one step on
	tm.waitFor(`▸quantization +int8`)
	tm.waitFor(`(?s)effect · quantization fp16 → int8`)
	tm.waitUntil("what the lever did to both", func(s string) bool { return strings.Count(s, "±") >= 2 })
	tm.send("kkkkk" + strings.Repeat("\x1b[A", 3) + "\r0.5\r") // round past the faults to the users' peak, which must be above 1
	tm.waitFor(`user-peak is 0`)
	tm.send("\x1b[A") // nothing to choose from
	tm.send("\x7f\x7f\x7f4\r")
	tm.waitFor(`▸user-peak +4`)
	tm.send("u")
	tm.waitFor(`▸user-peak +3`)
	tm.size(80, 24)
	tm.waitFor(`(?s)A sim-near.*▸user-peak +3.*L close`)
	tm.send("L")
	tm.waitFor(`(?s)▸.*prompt 256.*L levers`)
	tm.send("q")
	tm.leaves(0, "sim-near sim-8b: TTFT p50", "sim-far sim-8b: TTFT p50")

	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	turned := 0
	for line := range strings.Lines(string(text)) {
		var l struct {
			Type    string
			Changed map[string][2]any
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Type == "setting" && l.Changed["lever:quantization"] == [2]any{"fp16", "int8"} {
			turned++
		}
	}
	if turned != 1 {
		t.Errorf("%d setting lines of the quantization", turned)
	}
}
