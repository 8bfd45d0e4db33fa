//go:build unix

package tui

import (
	"testing"
)

// A person turns every knob of the demo: up and down by its letter, by the arrows,
// and typed; takes a turn back; turns one for a single target; drops a marker,
// clears, pauses and goes on. What is typed at once after a turn is one change with
// it, so another key comes between.
func TestWalkThroughTheKnobs(t *testing.T) {
	t.Parallel()
	tm := run(t, 120, 36, environ(t), "demo", "--rate", "5")
	tm.waitFor(waterfall)
	for _, k := range []struct{ send, shows string }{
		{"p", `▸ p  prompt  512\b`}, {"P", `▸ p  prompt  256\b`},
		{"jk\r300\r", `prompt  300\b`}, {"u", `prompt  256\b`},
		{"b", `▸ b  batch   1\b`}, {"B", `▸ b  batch   0\b`}, {"jk\r3\r", `batch   3 +.*[0-3]/3 in flight`}, {"u", `batch   0\b`},
		{"m", `▸ m  model   sim-70b`}, {"M", `▸ m  model   sim-8b`}, {"jk\r1b\r", `model   sim-1b`}, {"u", `model   sim-8b`},
		{"c", `▸ c  cache   warm`}, {"c", `▸ c  cache   bust`},
		{"n", `▸ n  conn    cold`}, {"n", `▸ n  conn    warm`},
		{"o", `▸ o  output  32\b`}, {"O", `▸ o  output  16\b`}, {"jk\r8\r", `output  8\b`}, {"u", `output  16\b`},
		{"r", `▸ r  rate    10/s`}, {"R", `▸ r  rate    5/s`}, {"jk\r2.5\r", `rate    2.5/s`}, {"u", `rate    5/s`},
		{"s", `▸ s  slo     p95=`}, {"\rp99=1s\r", `p99 ≤ 1.00 s`}, {"\roff\r", `slo     off`},
		{"\x1b[A\x1b[D", `▸ r  rate    4/s`}, {"l", `▸ r  rate    5/s`}, {"jjj", `▸ b  batch`},
		{"]", `▸B sim-far`}, {"xp", `for sim-far alone`}, {"x[", `(?s)▸ p  prompt  256\b.*▸A sim-near`},
		{"]u[", `(?s)▸ p  prompt  256\b.*▸A sim-near`},
		{"Nlunch\r", `lunch`}, {" ", `PAUSED`}, {"C", `cleared: figures and chart begin anew`},
	} {
		tm.send(k.send)
		tm.waitFor(k.shows)
	}
	tm.send(" ")
	tm.waitFor(`(?s)▸A sim-near.*p50 .*n [1-9]`)
	tm.send("q")
	tm.leaves(0, "sim-near", "sim-far")
}
