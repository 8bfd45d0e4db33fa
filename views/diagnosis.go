package views

import "ttftop/themes"

// DiagnosisPanel is a line about the selected target: what dominates its TTFT,
// and the cure. Where it is too narrow for the whole sentence the note goes
// first.
//
//	A queue is 71 % of p95 TTFT: add capacity or lower the batch; …
func DiagnosisPanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	if snap.Selected < 0 || snap.Selected >= len(snap.Targets) || s.h == 0 {
		return s.String()
	}
	if snap.Status.Behind != "" { // what can't be believed is not diagnosed
		s.notice(1, 0, s.w-2, snap.Status.Behind)
		return s.String()
	}
	d := snap.Targets[snap.Selected].Diagnosis
	x := s.text(1, 0, letter(snap.Selected), themes.Target(snap.Selected)) + 1
	what, cure := themes.Dim, themes.Dim
	if d.Part != "" {
		what, cure = themes.Strong, themes.Text
		x = s.text(x, 0, s.sym.Fill(d.Part), themes.Fill(d.Part)) + 1
	}
	for i, part := range []struct {
		text string
		tok  themes.Token
	}{{d.What, what}, {d.Cure, cure}, {d.Note, themes.Dim}} {
		if part.text == "" {
			continue
		}
		text := [...]string{"", ": ", "; "}[i] + part.text
		room := s.w - 1 - x
		if i == 2 && cells(clip(text, s.w+1, s.sym)) > room {
			break // half a note says nothing
		}
		x = s.text(x, 0, clip(text, room, s.sym), part.tok)
	}
	return s.String()
}
