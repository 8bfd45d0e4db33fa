package views

import "ttftop/themes"

// DiagnosisPanel is a line about the selected target: what dominates its TTFT,
// and the cure. Where it is too narrow for the whole sentence the note goes
// first, and then it is worded more briefly.
//
//	A queue is 71 % of p95 TTFT: add capacity or lower the batch; …
func DiagnosisPanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	if snap.Selected < 0 || snap.Selected >= len(snap.Targets) || s.h == 0 {
		return s.String()
	}
	d := snap.Targets[snap.Selected].Diagnosis
	x := s.text(1, 0, letter(snap.Selected), themes.Target(snap.Selected)) + 1
	if d.Part != "" {
		x = s.text(x, 0, s.sym.Fill(d.Part), themes.Fill(d.Part)) + 1
	}
	s.spans(x, 0, s.diagnosisIn(d, s.w-1-x)...)
	return s.String()
}

// diagnosisIn words a diagnosis in at most room cells: with its note, without
// it, and briefly. Of what fits in no wording the last steps are left out.
func (s *sheet) diagnosisIn(d Diagnosis, room int) []span {
	what, cure := themes.Dim, themes.Dim
	if d.Part != "" {
		what, cure = themes.Strong, themes.Text
	}
	wordings := [][]span{
		{{d.What, what}, {d.Cure, cure}, {d.Note, themes.Dim}},
		{{d.What, what}, {d.Cure, cure}},
		{{d.BriefWhat, what}, {d.BriefCure, cure}},
	}
	if d.BriefWhat == "" {
		wordings = wordings[:2]
	}
	var list []span
	for _, w := range wordings {
		if list = s.sentence(w, longestSentence); spansWidth(list) <= room {
			return list
		}
	}
	return s.sentence(wordings[len(wordings)-1], room)
}

// leastClause is the cells in which the beginning of a clause says something.
const leastClause = 8

// sentence joins what, cure and note to a sentence of at most room cells.
func (s *sheet) sentence(parts []span, room int) []span {
	var list []span
	for i, p := range parts {
		if p.text == "" || i > 0 && room < leastClause {
			continue
		}
		p.text = clausesIn([...]string{"", ": ", "; "}[i]+p.text, room, s.sym)
		room -= cells(p.text)
		list = append(list, p)
	}
	return list
}
