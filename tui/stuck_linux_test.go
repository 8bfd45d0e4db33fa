package tui

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The program ends by any signal and by q in a terminal that takes nothing any
// more, with the terminal's modes as they were and its record written.
func TestEndOnATerminalThatTakesNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(tm *terminal) error
	}{
		{"q", func(tm *terminal) error { _, err := tm.keyboard.WriteString("q"); return err }},
		{"TERM", func(tm *terminal) error { return tm.cmd.Process.Signal(syscall.SIGTERM) }},
		{"INT", func(tm *terminal) error { return tm.cmd.Process.Signal(syscall.SIGINT) }},
		{"HUP", func(tm *terminal) error { return tm.cmd.Process.Signal(syscall.SIGHUP) }},
		{"QUIT", func(tm *terminal) error { return tm.cmd.Process.Signal(syscall.SIGQUIT) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			record := filepath.Join(t.TempDir(), "record.jsonl")
			tm := run(t, 160, 45, environ(t), "demo", "--record", record)
			tm.waitFor(`[1-9] probes`)
			held := tm.hold()
			time.Sleep(3 * restEvery) // it has something to draw meanwhile, and waits to write it
			if err := c.end(tm); err != nil {
				t.Fatal(err)
			}
			select {
			case <-tm.ended:
			case <-time.After(patience):
				t.Error("the program does not end")
			}
			held()
			if status := tm.cmd.ProcessState.ExitCode(); status != 0 {
				t.Errorf("status %d", status)
			}
			if tm.modes() != tm.before {
				t.Error("the terminal's modes are not as they were")
			}
			if text, err := os.ReadFile(record); err != nil || !bytes.HasSuffix(text, []byte("}\n")) {
				t.Errorf("record of %d bytes, %v", len(text), err)
			}
			tm.settle()
			if sent := tm.sent(); !strings.Contains(sent, "\x1b[?1049l") {
				t.Errorf("the program's screen stays: …%q", sent[max(0, len(sent)-100):])
			}
		})
	}
}

// hold has nothing read any more from the terminal and fills it; the function that
// it returns ends that.
func (tm *terminal) hold() func() {
	tm.t.Helper()
	tm.mu.Lock()
	o := openOutflow(tm.tty)
	defer o.close()
	for {
		n, _, err := o.send(bytes.Repeat([]byte{0}, 1<<20), 0)
		if err != nil {
			tm.mu.Unlock()
			tm.t.Fatal(err)
		}
		if n == 0 {
			return tm.mu.Unlock
		}
		time.Sleep(20 * time.Millisecond) // what is on its way to the reader goes there
	}
}

// A terminal that takes nothing gets what was written to it later, in order and
// whole; of what is too much a piece is left out, which is known.
func TestOutflowOfAStuckTerminal(t *testing.T) {
	var ends [2]int // of a pipe: unlike a terminal, it takes no more once it is full
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	if err := unix.SetNonblock(ends[1], true); err != nil {
		t.Fatal(err)
	}
	far := os.NewFile(uintptr(ends[0]), "far")
	defer far.Close()
	o := &outflow{fd: ends[1]}
	defer o.close()
	o.wait = func(fd int, _ time.Duration) (bool, error) { return writable(fd, 0) }
	want := strings.Repeat("0123456789", 100_000)
	if n, full, err := o.write([]byte(want)); n != len(want) || !full || err != nil || !o.stuck() {
		t.Fatalf("%d written, full %v, %v", n, full, err)
	}
	small, large := []byte("small"), make([]byte, mostRest)
	o.rest = o.rest[:100] // as if most of it had got away
	for _, b := range [][]byte{small, large, small} {
		if n, _, err := o.write(b); n != len(b) || err != nil {
			t.Fatalf("%d written, %v", n, err)
		}
	}
	if o.missed() {
		t.Error("it has caught up before anything was read")
	}
	kept := string(o.rest)
	if len(kept) != 105 || !strings.HasSuffix(kept, "small") {
		t.Fatalf("%d bytes are kept: %q", len(kept), kept)
	}
	got := make(chan string)
	go func() {
		var all bytes.Buffer
		buf := make([]byte, 1<<16)
		for !bytes.HasSuffix(all.Bytes(), small) {
			n, err := far.Read(buf)
			all.Write(buf[:n])
			if err != nil {
				break
			}
		}
		got <- all.String()
	}()
	for {
		all, err := o.relieve(patience)
		if err != nil {
			t.Fatal(err)
		}
		if all {
			break
		}
	}
	if all := <-got; !strings.HasSuffix(all, kept) {
		t.Errorf("%q at the end", all[max(0, len(all)-200):])
	}
	if !o.missed() || o.missed() || o.stuck() {
		t.Error("what was left out is not told once")
	}
}

// A wait ends with its limit where a terminal takes nothing.
func TestWritableEnds(t *testing.T) {
	var ends [2]int
	if err := unix.Pipe(ends[:]); err != nil {
		t.Fatal(err)
	}
	defer unix.Close(ends[0])
	defer unix.Close(ends[1])
	if ready, err := writable(ends[1], patience); !ready || err != nil {
		t.Errorf("an empty pipe: %v, %v", ready, err)
	}
	if err := unix.SetNonblock(ends[1], true); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := unix.Write(ends[1], make([]byte, 1<<12)); err != nil {
			break
		}
	}
	if ready, err := writable(ends[1], time.Millisecond); ready || err != nil {
		t.Errorf("a full pipe: %v, %v", ready, err)
	}
}
