package tui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
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
			tm.send("p")
			tm.waitFor(`prompt +512`)
			tm.waitFor(`prompt 256 → 512`)
			tm.waitUntil("the mark on the axis, the effect, and both waterfalls", func(s string) bool {
				return strings.Contains(s, "┊") && len(regexp.MustCompile(waterfall).FindAllString(s, -1)) == 2 && !strings.Contains(s, "not yet")
			})
			tm.send("b")
			tm.waitFor(`(?s)batch +1\b`)
			tm.waitFor(`batch 0 → 1`)
			tm.send("8k\r") // so many load streams can't be
			tm.waitFor(`type a whole number from 0 to 512`)
			tm.send("\x1b")
			tm.waitUntil("the entry gone", func(s string) bool { return !strings.Contains(s, "whole number") })
			tm.send("m")
			tm.waitFor(`model +sim-70b`)
			tm.send("?")
			tm.waitFor(`(?s)Keys.*any key`)
			tm.send("\x1b")
			tm.waitUntil("the help gone", func(s string) bool { return !strings.Contains(s, "any key") })

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

// mortal is a server of the chat API that can die and come back on the same
// port.
type mortal struct {
	t       *testing.T
	address string
	server  *http.Server
	served  chan struct{}
}

func (e *mortal) listen() {
	e.t.Helper()
	address := e.address
	if address == "" {
		address = "127.0.0.1:0"
	}
	var l net.Listener
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		var err error
		if l, err = net.Listen("tcp", address); err == nil {
			break
		}
		if time.Now().After(deadline) {
			e.t.Fatal(err)
		}
	}
	e.address = l.Addr().String()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"tiny","object":"model"}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", answer)
	server, served := &http.Server{Handler: mux}, make(chan struct{})
	e.server, e.served = server, served
	go func() {
		defer close(served)
		server.Serve(l)
	}()
	e.t.Cleanup(e.die)
}

func (e *mortal) die() {
	e.server.Close()
	<-e.served
}

// answer streams the tokens that a request asks for.
func answer(w http.ResponseWriter, r *http.Request) {
	var body bytes.Buffer
	if _, err := body.ReadFrom(r.Body); err != nil {
		return
	}
	var ask struct {
		MaxTokens int `json:"max_tokens"`
	}
	if err := json.Unmarshal(body.Bytes(), &ask); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	say := func(format string, args ...any) {
		fmt.Fprintf(w, "data: "+format+"\n\n", args...)
		w.(http.Flusher).Flush()
	}
	for range max(1, ask.MaxTokens) {
		time.Sleep(2 * time.Millisecond)
		say(`{"id":"1","object":"chat.completion.chunk","model":"tiny","choices":[{"index":0,"delta":{"content":"so "}}]}`)
	}
	say(`{"id":"1","object":"chat.completion.chunk","model":"tiny","choices":[{"index":0,"delta":{},"finish_reason":"length"}]}`)
	say(`{"id":"1","object":"chat.completion.chunk","model":"tiny","choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`,
		body.Len()/4, ask.MaxTokens)
	say("[DONE]")
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
			tm.send([]string{"p", "P", "tab", "?", "x", "m", "t"}[(round+i)%7][:1])
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

func TestNoColour(t *testing.T) {
	t.Parallel()
	tm := run(t, 80, 24, environ(t, "NO_COLOR=1"), "demo")
	tm.waitFor(waterfall)
	for range 3 { // through all themes
		tm.send("t")
		tm.waitFor(`SIMULATED`)
	}
	tm.send("p")
	tm.waitFor(`prompt 256 → 512`)
	tm.send("q")
	tm.leaves(0)
	sent := tm.sent()
	if coloured(sent) {
		t.Errorf("NO_COLOR is set, and colours are sent: %q", colours(sent))
	}
	if !strings.Contains(sent, "\x1b[1m") && !strings.Contains(sent, "\x1b[7m") {
		t.Error("without colours nothing stands out")
	}
}

var sgr = regexp.MustCompile(`\x1b\[([0-9;:]*)m`)

func coloured(sent string) bool { return len(colours(sent)) > 0 }

// colours are the sequences that set a colour.
func colours(sent string) []string {
	var found []string
	for _, m := range sgr.FindAllStringSubmatch(sent, -1) {
		for _, p := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ';' || r == ':' }) {
			n, err := strconv.Atoi(p)
			if err == nil && (n >= 30 && n <= 38 || n >= 40 && n <= 48 || n >= 90 && n <= 107) {
				found = append(found, m[0])
				break
			}
		}
	}
	return found
}

// Where there is no terminal, or one that takes no control sequences, the
// program says what to write instead, and sends nothing else.
func TestNoTerminal(t *testing.T) {
	for _, c := range []struct {
		name          string
		ttyIn, ttyOut bool
		env           string
		args          []string
	}{
		{"neither", false, false, "LANG=C.UTF-8", []string{"http://127.0.0.1:1/v1"}},
		{"stdout is a pipe", true, false, "LANG=C.UTF-8", []string{"http://127.0.0.1:1/v1", "-m", "x"}},
		{"stdin is a pipe", false, true, "LANG=C.UTF-8", []string{"http://127.0.0.1:1/v1"}},
		{"demo", false, false, "LANG=C.UTF-8", []string{"demo"}},
		{"no arguments", false, false, "LANG=C.UTF-8", nil},
		{"dumb", true, true, "TERM=dumb", []string{"http://127.0.0.1:1/v1"}},
		{"no TERM", true, true, "TERM", []string{"demo"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command(program(t), c.args...)
			cmd.Env = environ(t, c.env)
			status, said := without(t, cmd, c.ttyIn, c.ttyOut)
			if status != 2 {
				t.Errorf("exit status %d, want 2", status)
			}
			if !strings.Contains(said, "ttftop run") || strings.Count(said, "\n") != 1 {
				t.Errorf("it does not say in a line to use run: %q", said)
			}
			if strings.Contains(said, "\x1b") {
				t.Errorf("control sequences are sent: %q", said)
			}
		})
	}
}

// without runs a command with its input and output at a terminal or not, and
// returns its exit status and all that it has said.
func without(t *testing.T, cmd *exec.Cmd, ttyIn, ttyOut bool) (status int, said string) {
	t.Helper()
	keyboard, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer keyboard.Close()
	defer tty.Close()
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(""), &out, &out
	if ttyIn {
		cmd.Stdin = tty
	}
	if ttyOut {
		cmd.Stdout = tty // a few bytes at most: they stay in the pty
	}
	err = cmd.Run()
	if ended := (*exec.ExitError)(nil); err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	if ttyOut { // what was sent there, up to a mark
		if _, err := tty.WriteString("\x04"); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 4096)
		n, err := keyboard.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(strings.TrimSuffix(string(buf[:n]), "\x04"))
	}
	return cmd.ProcessState.ExitCode(), out.String()
}
