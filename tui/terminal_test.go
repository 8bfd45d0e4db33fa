//go:build unix

package tui

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/term"
)

// patience is how long a condition may take to come true: long, since a busy
// machine fails no test.
const patience = 30 * time.Second

// built is the program, built once for all tests that need it.
var built struct {
	once sync.Once
	dir  string
	err  error
}

// program is the path of the built program.
func program(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "ttftop-test-"); built.err != nil {
			return
		}
		build := exec.Command("go", "build", "-race=false", "-o", filepath.Join(built.dir, "ttftop"), "ttftop")
		if out, err := build.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if built.err != nil {
		t.Fatalf("the program can't be built: %v", built.err)
	}
	return filepath.Join(built.dir, "ttftop")
}

// environ is an environment without a configuration, keys, or proxies, with
// more variables over it; one without a value is taken away.
func environ(t *testing.T, more ...string) []string {
	t.Helper()
	home := t.TempDir()
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home,
		"LANG=C.UTF-8", "TERM=xterm-256color", "COLORTERM=truecolor",
	}
	for _, m := range more {
		name, _, given := strings.Cut(m, "=")
		env = slices.DeleteFunc(env, func(e string) bool { return strings.HasPrefix(e, name+"=") })
		if given {
			env = append(env, m)
		}
	}
	return env
}

// terminal is a terminal with a program in it: a pty, with an emulator that
// draws what the program sends and answers what it asks.
type terminal struct {
	t        *testing.T
	keyboard *os.File // the far end of the pty
	tty      *os.File // held open, so that its modes can be read after the program
	before   term.State
	cmd      *exec.Cmd
	ended    chan struct{} // closed once the program has ended

	mu     sync.Mutex
	screen *vt.Emulator
	raw    bytes.Buffer // all that was sent
}

// start runs a command in a terminal of so many cells; 0×0 is a window whose
// size is not known.
func start(t *testing.T, width, height int, cmd *exec.Cmd) *terminal {
	t.Helper()
	keyboard, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	tm := &terminal{t: t, keyboard: keyboard, tty: tty, cmd: cmd, ended: make(chan struct{})}
	tm.before = tm.modes()
	tm.screen = vt.NewEmulator(emulated(width, height))
	tm.size(width, height)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	wait.Go(tm.draw)
	wait.Go(tm.reply)
	wait.Go(func() {
		cmd.Wait() // its status is in ProcessState
		close(tm.ended)
	})
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // the whole session; none is left as a rule
		<-tm.ended
		tty.Close()
		keyboard.Close()
		tm.screen.InputPipe().(io.Closer).Close()
		wait.Wait()
	})
	return tm
}

// run starts the built program.
func run(t *testing.T, width, height int, env []string, args ...string) *terminal {
	t.Helper()
	cmd := exec.Command(program(t), args...)
	cmd.Env = env
	return start(t, width, height, cmd)
}

// emulated is a size that an emulator can have.
func emulated(width, height int) (int, int) {
	if width <= 0 || height <= 0 {
		return 80, 24
	}
	return width, height
}

// draw feeds the emulator with what the program sends.
func (tm *terminal) draw() {
	buf := make([]byte, 32<<10)
	for {
		n, err := tm.keyboard.Read(buf)
		tm.mu.Lock()
		tm.raw.Write(buf[:n])
		tm.screen.Write(buf[:n])
		tm.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// reply brings the emulator's answers to the program.
func (tm *terminal) reply() {
	buf := make([]byte, 1024)
	for {
		n, err := tm.screen.Read(buf)
		if err != nil {
			return
		}
		// The emulator says that it is in good order as no terminal does.
		answer := bytes.ReplaceAll(buf[:n], []byte("\x1b[?0n"), []byte(statusAnswer))
		tm.keyboard.Write(answer) // fails once the program has ended
	}
}

// size changes the size of the window.
func (tm *terminal) size(width, height int) {
	tm.t.Helper()
	tm.mu.Lock()
	tm.screen.Resize(emulated(width, height))
	tm.mu.Unlock()
	if err := pty.Setsize(tm.keyboard, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		tm.t.Fatal(err)
	}
}

// modes are the modes of the terminal: echo, lines, signals.
func (tm *terminal) modes() term.State {
	tm.t.Helper()
	s, err := term.GetState(int(tm.tty.Fd()))
	if err != nil {
		tm.t.Fatal(err)
	}
	return *s
}

// send types.
func (tm *terminal) send(keys string) {
	tm.t.Helper()
	if _, err := tm.keyboard.WriteString(keys); err != nil {
		tm.t.Fatal(err)
	}
}

// text is what the screen shows.
func (tm *terminal) text() string {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return tm.screen.String()
}

// sent is all that the program has sent to the terminal.
func (tm *terminal) sent() string {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return tm.raw.String()
}

// waitFor waits until the screen matches a pattern, and returns it.
func (tm *terminal) waitFor(pattern string) string {
	tm.t.Helper()
	re := regexp.MustCompile(pattern)
	return tm.waitUntil(pattern, re.MatchString)
}

// waitUntil waits until the screen is as it should be, and returns it.
func (tm *terminal) waitUntil(what string, ok func(screen string) bool) string {
	tm.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		screen := tm.text()
		if ok(screen) {
			return screen
		}
		select {
		case <-tm.ended:
			tm.t.Fatalf("the program has ended (%v) before: %s\n%s", tm.cmd.ProcessState, what, screen)
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			tm.t.Fatalf("this does not come: %s\n%s", what, screen)
		}
	}
}

// end waits until the program has ended, and returns its exit status and what
// it leaves on the screen.
func (tm *terminal) end() (status int, left string) {
	tm.t.Helper()
	select {
	case <-tm.ended:
	case <-time.After(patience):
		tm.t.Fatalf("the program does not end:\n%s", tm.text())
	}
	tm.settle()
	return tm.cmd.ProcessState.ExitCode(), tm.text()
}

// settle waits until all that the program has sent is drawn: a mark is sent
// behind it.
func (tm *terminal) settle() {
	tm.t.Helper()
	const mark = "\x1b]9;all is drawn\x07"
	if _, err := tm.tty.WriteString(mark); err != nil {
		tm.t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); !strings.HasSuffix(tm.sent(), mark); {
		if time.Now().After(deadline) {
			tm.t.Fatal("what the program has sent does not arrive")
		}
		time.Sleep(time.Millisecond)
	}
}

// restored checks that the terminal is as it was before the program.
func (tm *terminal) restored() error {
	var errs []error
	if now := tm.modes(); now != tm.before {
		errs = append(errs, fmt.Errorf("the modes of the terminal are %+v, and were %+v", now, tm.before))
	}
	sent := tm.sent()
	for _, mode := range []struct{ name, on, off string }{
		{"the screen of its own", "\x1b[?1049h", "\x1b[?1049l"},
		{"the hidden cursor", "\x1b[?25l", "\x1b[?25h"},
		{"bracketed paste", "\x1b[?2004h", "\x1b[?2004l"},
	} {
		on, off := strings.LastIndex(sent, mode.on), strings.LastIndex(sent, mode.off)
		switch {
		case on < 0:
			errs = append(errs, fmt.Errorf("%s was never set: is this the screen?", mode.name))
		case off < on:
			errs = append(errs, fmt.Errorf("%s stays", mode.name))
		}
	}
	for _, mouse := range []string{"\x1b[?1000h", "\x1b[?1002h", "\x1b[?1003h"} {
		if strings.Contains(sent, mouse) {
			errs = append(errs, errors.New("the mouse is captured: text can't be copied"))
		}
	}
	tm.mu.Lock()
	defer tm.mu.Unlock()
	if tm.screen.IsAltScreen() || tm.screen.CursorHidden() {
		errs = append(errs, errors.New("the emulator shows the screen of the program's own, or no cursor"))
	}
	return errors.Join(errs...)
}
