//go:build unix

package tui

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// waterfall is the line of a p50 waterfall: bars, and the figures after them.
const waterfall = `p50 +[█▉▊▋▌▍▎▏▚─].*\d`

// A person starts the program, turns a knob, and quits.
func TestDemo(t *testing.T) {
	for _, c := range []struct {
		width, height int
		args          []string
		quit          string
	}{
		{80, 24, nil, "q"}, // without arguments, and without a configuration, it is the demo
		{160, 45, []string{"demo"}, "\x03"},
	} {
		t.Run(fmt.Sprintf("%dx%d", c.width, c.height), func(t *testing.T) {
			t.Parallel()
			tm := run(t, c.width, c.height, environ(t), c.args...)
			tm.waitFor(`SIMULATED`)
			screen := tm.waitUntil("a waterfall of both targets", func(s string) bool {
				return len(regexp.MustCompile(waterfall).FindAllString(s, -1)) == 2
			})
			for _, want := range []string{"sim-near", "sim-far", "sim-8b", "q quit"} {
				if !strings.Contains(screen, want) {
					t.Errorf("the screen does not show %q:\n%s", want, screen)
				}
			}
			if !regexp.MustCompile(`prompt +256`).MatchString(screen) {
				t.Errorf("the prompt is not 256:\n%s", screen)
			}
			tm.waitUntil("enough to compare with", func(s string) bool {
				return len(regexp.MustCompile(`n +([6-9]|\d\d)\b`).FindAllString(s, -1)) >= 2
			})
			tm.send("p")
			tm.waitFor(`prompt +512`)
			tm.waitFor(`prompt 256 → 512`)
			tm.waitUntil("the mark on the axis, the effect, and both waterfalls", func(s string) bool {
				return strings.Contains(s, "┊") && len(regexp.MustCompile(waterfall).FindAllString(s, -1)) == 2 && strings.Count(s, "±") >= 2
			})
			tm.send("b")
			tm.waitFor(`(?s)batch +1\b`)
			tm.waitFor(`batch 0 → 1`)
			tm.send("\r8k\r") // so many load streams can't be
			tm.waitFor(`type a whole number from 0 to`)
			tm.send("\x1b")
			tm.waitUntil("the entry gone", func(s string) bool { return !strings.Contains(s, "whole number") })
			tm.send("m")
			tm.waitFor(`model +sim-70b`)
			tm.send("?")
			tm.waitFor(`(?s)Keys.*keys? +back`)
			tm.send("\x1b")
			tm.waitUntil("the help gone", func(s string) bool { return !strings.Contains(s, "Keys of") })

			if !coloured(tm.sent()) {
				t.Error("a terminal with colours is sent none")
			}
			tm.send(c.quit)
			tm.leaves(0, "sim-near sim-70b: TTFT p50", "sim-far sim-70b: TTFT p50")
		})
	}
}

// leaves checks how the program ends: its status, the terminal as it was, and
// one line for each target.
func (tm *terminal) leaves(status int, lines ...string) {
	tm.t.Helper()
	got, left := tm.end()
	if got != status {
		tm.t.Errorf("exit status %d, want %d", got, status)
	}
	if err := tm.restored(); err != nil {
		tm.t.Error(err)
	}
	for _, want := range lines {
		if strings.Count(left, want) != 1 {
			tm.t.Errorf("not exactly one line %q is left:\n%s", want, left)
		}
	}
	if strings.Contains(left, "SIMULATED") {
		tm.t.Errorf("the program's screen is left:\n%s", left)
	}
}

func TestSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			tm := run(t, 80, 24, environ(t), "demo")
			tm.waitFor(waterfall)
			if err := tm.cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			tm.leaves(0, "sim-near sim-8b: TTFT p50", "sim-far sim-8b: TTFT p50")
		})
	}
}

// The endpoint dies under the program, which says so, goes on, and recovers.
func TestEndpointDies(t *testing.T) {
	t.Parallel()
	e := &mortal{t: t}
	e.listen()
	tm := run(t, 120, 40, environ(t), "http://"+e.address+"/v1", "-m", "tiny", "--name", "here", "--rate", "5")
	tm.waitFor(waterfall)
	if strings.Contains(tm.text(), "SIMULATED") {
		t.Error("a real endpoint is called simulated")
	}
	e.die()
	tm.waitFor(`refused`)
	tm.send("p")
	tm.waitFor(`prompt +512`)
	tm.waitFor(`backing off|held`)
	e.listen()
	tm.waitUntil("a waterfall of 512 tokens, and no failure", func(s string) bool {
		return !strings.Contains(s, "refused") && !strings.Contains(s, "backing off") && regexp.MustCompile(`last .* ~?51\d tok`).MatchString(s)
	})
	tm.send("q")
	tm.leaves(0, "here tiny: TTFT p50")
}

// Quitting cancels every request, of probes and of load streams alike, though
// none of them is answered.
func TestQuitWhileWaiting(t *testing.T) {
	t.Parallel()
	var open atomic.Int64
	e := &mortal{t: t, answer: func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		open.Add(1)
		defer open.Add(-1)
		<-r.Context().Done()
	}}
	e.listen()
	tm := run(t, 80, 24, environ(t), "http://"+e.address+"/v1", "-m", "tiny", "--name", "here", "--pressure", "8")
	tm.waitUntil("a live probe and eight load streams in flight", func(s string) bool {
		return open.Load() >= 9 && regexp.MustCompile(`live .*▒`).MatchString(s) && strings.Contains(s, "load 8/8")
	})
	tm.send("q")
	tm.leaves(0, "here tiny: TTFT p50")
	for deadline := time.Now().Add(patience); open.Load() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d requests are still open", open.Load())
		}
	}
}

// A prompt that is too long for the model is taken back; that of a calibration
// takes nothing back.
func TestRefusedPrompt(t *testing.T) {
	t.Parallel()
	const limit = 700 // tokens: less than the longest of a calibration
	var refused atomic.Int64
	e := &mortal{t: t, answer: func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if len(body)/4 > limit {
			refused.Add(1)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"error":{"message":"This model's maximum context length is %d tokens.","code":"context_length_exceeded"}}`, limit)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		tokens(w, r)
	}}
	e.listen()
	tm := run(t, 160, 45, environ(t), "http://"+e.address+"/v1", "-m", "tiny", "--name", "here", "--rate", "5")
	tm.waitFor(waterfall)
	tm.send("p")
	tm.waitFor(`prompt 256 → 512`)
	tm.waitUntil("a refused calibration, and a prompt that stays", func(s string) bool {
		return refused.Load() > 0 && regexp.MustCompile(`prompt +512`).MatchString(s) && regexp.MustCompile(waterfall).MatchString(s)
	})
	tm.send("jk\r4k\r") // another key between: not one change with the turn before
	tm.waitFor(`here refused that length: prompt 4,096 → 512`)
	tm.waitUntil("probes of the length before", func(s string) bool {
		return regexp.MustCompile(`prompt +512`).MatchString(s) && regexp.MustCompile(waterfall).MatchString(s)
	})
	tm.send("q")
	tm.leaves(0, "here tiny: TTFT p50")
}

// What costs much from the start on is asked about before it is sent.
func TestQuestionAtStart(t *testing.T) {
	t.Parallel()
	tm := run(t, 80, 24, environ(t), "https://llm.invalid/v1", "-m", "tiny", "--name", "there", "--pressure", "4")
	tm.waitFor(`(?s)PAUSED.*This costs tokens.*About [\d,]+ tokens a minute.*y go on`)
	tm.send("n")
	tm.waitUntil("no question, and a pause", func(s string) bool {
		return !strings.Contains(s, "This costs tokens") && strings.Contains(s, "PAUSED")
	})
	tm.send(" ")
	tm.waitFor(`This costs tokens`)
	tm.send("y")
	tm.waitUntil("probes", func(s string) bool { return !strings.Contains(s, "PAUSED") && !strings.Contains(s, " 0 probes") })
	tm.send("q")
	tm.leaves(0, "there tiny: TTFT p50")
}

// A window without a size, tiny ones, and one that does not keep still.
func TestResizing(t *testing.T) {
	t.Parallel()
	tm := run(t, 0, 0, environ(t), "demo")
	tm.waitFor(`(?s)SIMULATED.*q quit`)
	sizes := [][2]int{{1, 1}, {2, 1}, {1, 24}, {80, 1}, {19, 4}, {20, 5}, {59, 15}, {60, 16}, {0, 0}, {61, 16}, {119, 30}, {120, 30}, {80, 24}, {300, 90}, {7, 50}}
	for round := range 8 {
		for i, s := range sizes {
			tm.size(s[0], s[1])
			tm.send([]string{"p", "P", "\t", "?", "x", "m", "t", "4", "z", "]"}[(round+i)%10])
			time.Sleep(time.Duration(i%4) * 3 * time.Millisecond) // some are drawn, some are overtaken
		}
	}
	for _, s := range [][2]int{{19, 4}, {40, 10}, {80, 24}, {160, 45}} {
		tm.size(s[0], s[1])
		tm.waitUntil(fmt.Sprintf("a screen of %d×%d", s[0], s[1]), func(screen string) bool {
			lines := strings.Split(screen, "\n")
			if s[0] < leastWidth {
				return strings.Contains(screen, "ttftop") || strings.TrimSpace(screen) != ""
			}
			return strings.Contains(lines[0], "ttftop") && len(lines) <= s[1]
		})
	}
	tm.waitFor(`(?s)SIMULATED.*\d+ probes.*q quit`)
	tm.send("\x03")
	tm.leaves(0, "sim-near", "sim-far")
}

// Suspended, the program gives the terminal back; in front again, it goes on.
func TestSuspend(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Fatalf("a shell with jobs is needed to suspend the program in: %v", err)
	}
	cmd := exec.Command(shell, "--norc", "--noprofile", "--noediting", "-i")
	cmd.Env = environ(t, "PS1=ready> ")
	tm := start(t, 80, 24, cmd)
	tm.waitFor(`ready>`)
	atPrompt := tm.modes()
	tm.send(program(t) + " demo\n")
	tm.waitFor(waterfall)
	tm.send("\x1a")
	tm.waitFor(`(?s)Stopped.*ready>`)
	if now := tm.modes(); now != atPrompt {
		t.Errorf("suspended, the modes are %+v, and were %+v", now, atPrompt)
	}
	tm.send("echo $((6*7))\n")
	tm.waitFor(`42`)
	tm.send("fg\n")
	tm.waitFor(`(?s)SIMULATED.*q quit`)
	tm.send("p")
	tm.waitFor(`prompt 256 → 512`)
	tm.send("q")
	tm.waitFor(`sim-far sim-8b: TTFT p50`)
	tm.send("echo status $?\n")
	tm.waitFor(`status 0`)
	if now := tm.modes(); now != atPrompt {
		t.Errorf("after its end, the modes are %+v, and were %+v", now, atPrompt)
	}
	if err := tm.restored(); err != nil {
		t.Error(err)
	}
	tm.send("exit\n")
	if status, _ := tm.end(); status != 0 {
		t.Errorf("the shell ends with %d", status)
	}
}
