package views

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/probe/tally"
	"ttftop/themes"
)

// What this program itself adds to the figures is said on the line of counts,
// where it could colour one, also on a narrow screen with large counts.
func TestStatusSaysWhatColoursAFigure(t *testing.T) {
	theme, err := themes.Pick("mono", true, true)
	if err != nil {
		t.Fatal(err)
	}
	quiet := Status{
		Probes: 12_345, Sent: 12_345_678, Received: 123_456, PerMinute: 249_600, Lag: 4 * time.Millisecond, ReadDelay: 4 * time.Millisecond,
		Rate: tally.Kept{Asked: 10, Achieved: 9.6}, Pressure: tally.Kept{Asked: 64, Achieved: 63.9},
	}
	for _, c := range []struct {
		says   string
		change func(*Status)
	}{
		{"", func(*Status) {}},
		{"12.3 ms", func(s *Status) { s.Lag = 12_300 * time.Microsecond }},
		{"rate 7.2 of 10/s", func(s *Status) { s.Rate.Achieved = 7.2 }},
		{"rate 0 of 10/s", func(s *Status) { s.Rate.Achieved = 0 }},
		{"load 61.5 of 64", func(s *Status) { s.Pressure.Achieved = 61.5 }},
		{"31.0 ms", func(s *Status) { s.ReadDelay = 31 * time.Millisecond }},
		{"1 frame dropped", func(s *Status) { s.Dropped = 1 }},
		{"12 frames dropped", func(s *Status) { s.Dropped = 12 }},
	} {
		st := quiet
		c.change(&st)
		line := ansi.Strip(StatusPanel(Snapshot{Status: st}, 80, 1, theme))
		if !strings.Contains(line, c.says) {
			t.Errorf("%q is not said: %s", c.says, line)
		}
		if c.says == "" && (len(troubles(&st, false, theme.Symbols)) > 0 || !strings.Contains(line, "sent")) {
			t.Errorf("something is said of a program that keeps up: %s", line)
		}
	}
}

// Clock and record are told on 80 columns, whatever there is to warn of.
func TestStatusKeepsClockAndRecord(t *testing.T) {
	theme, err := themes.Pick("mono", true, true)
	if err != nil {
		t.Fatal(err)
	}
	warned := Status{
		Probes: 12_345, Failed: 3, Sent: 12_345_678, Received: 123_456, PerMinute: 249_600, Record: "/home/somebody/records/session.jsonl",
		Rate: tally.Kept{Asked: 10, Achieved: 10}, Pressure: tally.Kept{Asked: 64, Achieved: 64},
	}
	for says, change := range map[string]func(*Status){
		"":                 func(*Status) {},
		"12.3 ms":          func(s *Status) { s.Lag = 12_300 * time.Microsecond },
		"can't keep up":    func(s *Status) { s.Behind = "this machine can't keep up with what it simulates" },
		"rate 7.2 of 10/s": func(s *Status) { s.Rate.Achieved = 7.2 },
		"load 61.5 of 64":  func(s *Status) { s.Pressure.Achieved = 61.5 },
		"31.0 ms":          func(s *Status) { s.ReadDelay = 31 * time.Millisecond },
		"12 frames":        func(s *Status) { s.Dropped = 12 },
		"123 ms":           func(s *Status) { s.Lag, s.Dropped, s.Rate.Achieved = 123*time.Millisecond, 12, 2 }, // the first of three
	} {
		st := warned
		change(&st)
		snap := Snapshot{Status: st, Targets: []Target{{Clock: probe.KernelClock}}}
		for width := 80; width < 180; width++ {
			line := ansi.Strip(StatusPanel(snap, width, 1, theme))
			for _, want := range []string{says, "3 failed", "tok", "kernel", "rec", "session.jsonl"} {
				if !strings.Contains(line, want) {
					t.Errorf("%q is not said in %d cells: %s", want, width, line)
				}
			}
		}
		wide := ansi.Strip(StatusPanel(snap, 240, 1, theme))
		for _, want := range []string{"kernel clock", "record ", "249,600/min", "12,345,678 sent"} {
			if !strings.Contains(wide, want) {
				t.Errorf("%q is not said where there is room: %s", want, wide)
			}
		}
	}
	warned.RecordError = "no space left on device"
	if line := ansi.Strip(StatusPanel(Snapshot{Status: warned, Targets: []Target{{Clock: probe.KernelClock}}}, 80, 1, theme)); !strings.Contains(line, "record: no space left") || !strings.Contains(line, "kernel") {
		t.Errorf("a record that can't be written: %s", line)
	}
}

func TestPlainKept(t *testing.T) {
	if lines := PlainKept(tally.Kept{Asked: 100, Achieved: 96}, tally.Kept{}); len(lines) != 0 {
		t.Errorf("%q", lines)
	}
	lines := PlainKept(tally.Kept{Asked: 100, Achieved: 60}, tally.Kept{Asked: 8, Achieved: 7.5})
	if len(lines) != 2 || !strings.Contains(lines[0], "60 of 100 due probes sent") || !strings.Contains(lines[1], "7.5 in flight on average, 8 asked for") {
		t.Errorf("%q", lines)
	}
}
