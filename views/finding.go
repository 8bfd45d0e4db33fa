package views

import "ttftop/themes"

// FindingPanel is one line for the effect of the last change and the diagnosis of the
// selected target, where there is none for each: what the effect's figures leave has
// what dominates, in few words.
//
//	prompt 256 → 1,024:  A +66.0 ms ±2.1     A █ prefill 79 % of p95
func FindingPanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	switch {
	case s.h == 0:
	case len(unsaid(snap)) > 0:
		s.effectLine(snap)
	case snap.Effect == nil:
		return DiagnosisPanel(snap, width, height, th)
	default:
		end := s.w - 1
		if brief := briefDiagnosis(snap, s); len(brief) > 0 && s.leastEffect(snap.Effect)+gap+spansWidth(brief) <= s.w-2 {
			end -= spansWidth(brief)
			s.spans(end, 0, brief...)
			end -= gap
		}
		s.spans(1, 0, s.effectSentence(snap, end-1)...)
	}
	return s.String()
}

// briefDiagnosis is what dominates at the selected target; nil where nothing does.
func briefDiagnosis(snap Snapshot, s *sheet) []span {
	if snap.Selected < 0 || snap.Selected >= len(snap.Targets) {
		return nil
	}
	d := snap.Targets[snap.Selected].Diagnosis
	if d.Part == "" || d.BriefWhat == "" {
		return nil
	}
	what := clip(d.BriefWhat, s.w, s.sym)
	return []span{{letter(snap.Selected) + " ", themes.Target(snap.Selected)}, {s.sym.Fill(d.Part), themes.Fill(d.Part)}, {" " + what, themes.Strong}}
}
