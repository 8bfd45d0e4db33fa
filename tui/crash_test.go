//go:build unix

package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober"
	"ttftop/probe/record"
	"ttftop/probe/session"
	"ttftop/probe/tally"
	"ttftop/probe/transport"
	"ttftop/themes"
	"ttftop/views"
)

// crashVariable says how this binary, started as a program, is to crash.
const crashVariable = "TTFTOP_TEST_CRASH"

// broken is what every crash says.
const broken = "this part is broken"

// crashes are the ways to crash, and the function that does it.
var crashes = map[string]struct {
	arrange func(*session.Config)
	culprit string
}{
	"in a request": {func(c *session.Config) {
		c.Prober.Dial = func(probe.Target) transport.DialFunc { return brokenDial }
	}, "brokenDial"},
	"in a record": {func(c *session.Config) {
		c.Records = []*record.Writer{record.NewWriter(brokenWriter{})}
	}, "brokenWriter"},
	"in the fold": {func(c *session.Config) { c.On = brokenFold }, "brokenFold"},
	"in the picture": {func(*session.Config) {
		drawers[panelHeader] = brokenDrawer
	}, "brokenDrawer"},
}

// begun is the start of the program. Nothing breaks before the screen is there.
var begun = time.Now()

func shown() bool { return time.Since(begun) > 700*ms }

func brokenDial(context.Context, string, string) (net.Conn, error) {
	// The question for the models is asked in a goroutine of net/http.
	if shown() && bytes.Contains(debug.Stack(), []byte("ttftop/probe/attempt.")) {
		panic(broken)
	}
	return nil, errors.New("refused")
}

type brokenWriter struct{}

func (brokenWriter) Write(line []byte) (int, error) {
	if shown() {
		panic(errors.New(broken))
	}
	return len(line), nil
}

// brokenFold breaks when the screen waits for the tally that is being folded.
func brokenFold(probe.Event, *tally.Tally) {
	if shown() {
		time.Sleep(restEvery + 500*ms)
		panic(broken)
	}
}

func brokenDrawer(s views.Snapshot, width, height int, th themes.Theme) string {
	if shown() {
		panic(broken)
	}
	return views.Header(s, width, height, th)
}

// crash is a program whose screen comes to crash. Its exit status is 1 where
// the crash is told as such.
func crash(how string) int {
	e := &probe.Endpoint{Name: "near", Base: &url.URL{Scheme: "http", Host: "127.0.0.1:1", Path: "/v1"}}
	targets := []probe.Target{{Name: "near", Endpoint: e, Models: []string{"m"}}}
	k := probe.DefaultKnobs
	k.Model = "m"
	c := session.Config{Prober: prober.Config{Targets: targets, Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: time.Second}}
	crashes[how].arrange(&c)
	theme, err := themes.Pick("mono", true, false)
	if err != nil {
		panic(err)
	}
	_, err = Run(context.Background(), c, Options{Theme: theme, Fixed: true})
	fmt.Fprintln(os.Stderr, "ended with:", err)
	if errors.Is(err, ErrPanic) {
		return 1
	}
	return 0
}

// After a panic, wherever it was, the terminal is as before, and the report
// says what happened and where.
func TestCrash(t *testing.T) {
	for how, c := range crashes {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(self)
			races := filepath.Join(t.TempDir(), "races")
			cmd.Env = environ(t, crashVariable+"="+how, "GORACE=log_path="+races)
			tm := start(t, 100, 30, cmd)
			status, left := tm.end()
			if status != 1 {
				t.Errorf("exit status %d", status)
			}
			if err := tm.restored(); err != nil {
				t.Error(err)
			}
			if !strings.Contains(left, "ended with: "+ErrPanic.Error()) {
				t.Errorf("the last line does not tell of the crash:\n%s", left)
			}
			sent := tm.sent()
			report := sent[strings.LastIndex(sent, "\x1b[?1049l")+1:]
			for _, want := range []string{broken, "tui." + c.culprit} {
				if !strings.Contains(report, want) {
					t.Errorf("the report does not hold %q:\n%s", want, report)
				}
			}
			for line := range strings.Lines(report) {
				if strings.HasSuffix(line, "\n") && !strings.HasSuffix(line, "\r\n") {
					t.Errorf("the report runs down the screen in steps: %q in\n%s", line, report)
					break
				}
			}
			racing(t, races)
		})
	}
}

// racing fails for data races in the logs that begin with a path, but for one
// that is known: after a panic bubbletea closes the reader of the keys while
// it may still be read.
func racing(t *testing.T, path string) {
	t.Helper()
	logs, err := filepath.Glob(path + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, log := range logs {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		for _, race := range strings.Split(string(text), "WARNING: DATA RACE")[1:] {
			if !strings.Contains(race, "cancelreader") {
				t.Errorf("a data race: %s", race)
			}
		}
	}
}
