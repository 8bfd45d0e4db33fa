package views

import (
	"strings"
	"testing"

	"ttftop/themes"
)

// A sentence that is too long ends with a clause, and says where the rest is.
func TestNoticeEndsWithAClause(t *testing.T) {
	sym, ascii := symbols(t)
	behind := "this machine can't keep up with sim-near: times are its own, not the simulated server's (steps 12.3 ms late, writes 41.0 ms at p95)"
	for _, c := range []struct {
		text string
		room int
		want string
	}{
		{behind, 200, "! " + behind},
		{behind, 110, "! this machine can't keep up with sim-near: times are its own, not the simulated server's (more: ?)"},
		{behind, 78, "! this machine can't keep up with sim-near: times are its own (more: ?)"},
		{behind, 60, "! this machine can't keep up with sim-near (more: ?)"},
		{behind, 44, "! this machine can't keep up with sim-near…"},
		{behind, 30, "! this machine can't keep up…"},
		{"near: " + strings.Repeat("x", 90), 40, "! near: " + strings.Repeat("x", 31) + "…"}, // a name alone says nothing
		{"the endpoint asked to wait (HTTP 429: Rate limit reached for requests)", 60, "! the endpoint asked to wait (more: ?)"},
		{"", 10, "!"},
		{"anything", 0, ""},
	} {
		if got := noticeIn(c.text, c.room, sym); got != c.want {
			t.Errorf("in %d cells: %q, want %q", c.room, got, c.want)
		}
		if got := noticeIn(c.text, c.room, ascii); cells(got) > max(c.room, 0) {
			t.Errorf("in %d cells: %q", c.room, got)
		}
	}
}

// That this machine can't keep up is told beside the diagnosis, not in its place.
func TestBehindAndDiagnosis(t *testing.T) {
	theme, err := themes.Pick("mono", true, true)
	if err != nil {
		t.Fatal(err)
	}
	snap := Snapshot{Targets: []Target{{Diagnosis: Diagnosis{What: "queue is 71 % of p95 TTFT", Cure: "add capacity"}}}}
	snap.Status = Status{Behind: "this machine can't keep up with sim-near: times are its own", Probes: 12_345, Sent: 12_345_678}
	if line := DiagnosisPanel(snap, 80, 1, theme); !strings.Contains(line, "queue is 71 % of p95 TTFT") || !strings.Contains(line, "add capacity") {
		t.Errorf("%q", line)
	}
	if line := StatusPanel(snap, 80, 1, theme); !strings.Contains(line, "machine can't keep up") {
		t.Errorf("%q", line)
	}
	lines := strings.Split(StatusPanel(snap, 120, 2, theme), "\n")
	if !strings.Contains(lines[0], snap.Status.Behind) {
		t.Errorf("%q", lines)
	}
	snap.Status.Notices = []string{"newer"}
	if lines = strings.Split(StatusPanel(snap, 120, 2, theme), "\n"); !strings.Contains(lines[0], "! newer") {
		t.Errorf("%q", lines)
	}
}
