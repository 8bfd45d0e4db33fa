package tui

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober"
	"ttftop/probe/record"
	"ttftop/probe/session"
	"ttftop/themes"
)

// lateDisk is a disk that takes its time.
type lateDisk struct{}

func (lateDisk) Write(b []byte) (int, error) {
	time.Sleep(20 * time.Millisecond)
	return len(b), nil
}

// A command finds what the one before it changed, however quickly it comes and
// however long that takes.
func TestCommandsWaitForEachOther(t *testing.T) {
	for _, c := range []struct{ lines, says string }{
		{"model b\nstatus", "A near b: TTFT"},
		{"model b\nundo\nstatus", "A near a: TTFT"},
		{"pairs on\npairs off\ncompare", "stopped: pairs on goes on"},
		{"pairs on\ncompare", "pairs back to back"},
	} {
		path := filepath.Join(t.TempDir(), "commands")
		if err := os.WriteFile(path, []byte(c.lines+"\nquit\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		targets := []probe.Target{targetAt(t, "near", atLoopback, "a", "b"), targetAt(t, "far", atLoopback, "a")}
		s := settingsFor(targets)
		s.Paused = true
		var said bytes.Buffer
		config := session.Config{
			Prober:  prober.Config{Targets: targets, Settings: s, Timeout: time.Second},
			Records: []*record.Writer{record.NewWriter(lateDisk{})},
		}
		if _, err := Plain(t.Context(), config, Options{Theme: themes.Mono(), Input: file, Output: &said}, false); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(said.String(), c.says) {
			t.Errorf("%q doesn't lead to %q:\n%s", c.lines, c.says, said.String())
		}
	}
}
