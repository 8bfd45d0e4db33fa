package views

import (
	"strconv"

	"ttftop/probe"
	"ttftop/probe/tally"
	"ttftop/themes"
)

// Tour is where a guided tour stands.
type Tour struct {
	Step, Steps int // from 1 on
	Name        string
	Remark      string     // what is waited for
	Text        string     // the caption
	Told        bool       // the step is measured: what came out stands above the caption
	Part        probe.Part // that the step is about; "" where there is nothing to measure
	Share       bool       // it is about the part's share of the TTFT, and not about a change
}

// Shows reports whether the figures show what the step is about: at one target
// at least half of the TTFT is the part, or half of the change, to the side
// that is expected (1 for longer, −1 for shorter) and beyond its interval.
func (t Tour) Shows(snap Snapshot, side int) bool {
	if t.Share {
		for i := range snap.Targets {
			w := snap.Targets[i].P50
			if whole := w.Total(); whole > 0 && w.Of(t.Part) >= whole/2 {
				return true
			}
		}
		return false
	}
	if snap.Effect == nil {
		return false
	}
	for i := range snap.Effect.Targets {
		shift := &snap.Effect.Targets[i].Shift
		part, whole := changeOf(shift, t.Part), shift.P50
		if part.Clear() && whole.Clear() && (part.At > 0) == (side > 0) && part.At.Abs() >= whole.At.Abs()/2 {
			return true
		}
	}
	return false
}

// changeOf is the change of one part; not OK where it is not known.
func changeOf(s *tally.Shift, part probe.Part) tally.Change {
	for _, p := range s.Parts {
		if p.Part == part {
			return p.Change
		}
	}
	return tally.Change{}
}

// TourPanel is the caption of a guided tour below its rule, and once the step is
// measured what came out, in the figures of the effect panel:
//
//	── tour 2 of 6: a long prompt · 5 s left ──────────────────────────────────
//	prompt 256 → 2,048: TTFT p50 A +133 ms ±0.7, prefill +129 of it  B +57.2 …
//	Prefill is the time to read the prompt, and it grows with it.
func TourPanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	t := snap.Tour
	if t == nil || s.h == 0 {
		return s.String()
	}
	s.title("tour "+strconv.Itoa(t.Step)+" of "+strconv.Itoa(t.Steps)+": "+t.Name, t.Remark)
	y := 1
	if t.Told && t.Part != "" {
		s.spans(1, y, s.tourSentence(snap, s.w-2)...)
		y++
	}
	for _, line := range wrapped(t.Text, s.w-2, s.sym) {
		s.text(1, y, line, themes.Strong)
		y++
	}
	return s.String()
}

// tourSentence words what a step has shown in at most room cells. Where that is
// too long the intervals are left out, then that it is the p50, then the change,
// and then targets.
func (s *sheet) tourSentence(snap Snapshot, room int) []span {
	for _, how := range []tourWording{{true, true, true}, {true, true, false}, {true, false, false}, {false, false, false}} {
		if list := s.tourSpans(snap, how, len(snap.Targets), room); spansWidth(list) <= room {
			return list
		}
	}
	for n := len(snap.Targets) - 1; n > 0; n-- {
		list := append(s.tourSpans(snap, tourWording{}, n, room), span{" " + s.sym.Ellipsis, themes.Dim})
		if spansWidth(list) <= room {
			return list
		}
	}
	return nil
}

// tourWording is how much is told of a step besides its figures.
type tourWording struct{ change, what, interval bool }

// tourSpans are the figures of the first n targets.
func (s *sheet) tourSpans(snap Snapshot, how tourWording, n, room int) []span {
	var list []span
	if how.change && snap.Effect != nil && !snap.Tour.Share {
		list = append(list, span{clip(snap.Effect.Text+":", room, s.sym) + " ", themes.Accent})
	}
	if how.what {
		list = append(list, span{"TTFT p50 ", themes.Dim})
	}
	for i := range min(n, len(snap.Targets)) {
		if i > 0 {
			list = append(list, span{"  ", themes.Plain})
		}
		list = append(list, span{letter(i) + " ", themes.Target(i)})
		if snap.Tour.Share {
			list = append(list, s.tourShare(&snap.Targets[i], snap.Tour.Part)...)
		} else {
			list = append(list, s.tourChange(snap, i, how.interval)...)
		}
	}
	return list
}

// tourShare words a part of a p50: "161 ms, network 141 of it".
func (s *sheet) tourShare(t *Target, part probe.Part) []span {
	if len(t.P50) == 0 {
		return []span{{"not yet", themes.Dim}}
	}
	return []span{
		{millis(t.P50.Total(), s.sym) + " ms", themes.Strong}, {", " + string(part) + " ", themes.Dim},
		{boundOf(t.P50Least, t.P50Most).signOf(part, s.sym) + millis(t.P50.Of(part), s.sym), themes.Strong}, {" of it", themes.Dim},
	}
}

// tourChange words the change of a p50 and of a part: "+133 ms ±0.7, prefill
// +129 of it". A change that could be none says so.
func (s *sheet) tourChange(snap Snapshot, i int, interval bool) []span {
	if snap.Effect == nil || i >= len(snap.Effect.Targets) || !snap.Effect.Targets[i].Shift.P50.OK {
		return []span{{"not yet", themes.Dim}}
	}
	shift := &snap.Effect.Targets[i].Shift
	list := []span{{signedMillis(shift.P50.At, s.sym) + " ms", s.changeToken(shift.P50)}}
	if interval {
		list = append(list, span{" " + s.plusMinus(shift.P50), themes.Dim})
	}
	if !shift.P50.Clear() {
		return append(list, span{unclear, themes.Dim})
	}
	part := changeOf(shift, snap.Tour.Part)
	if !part.OK {
		return list
	}
	list = append(list, span{", " + string(snap.Tour.Part) + " ", themes.Dim}, span{signedMillis(part.At, s.sym), s.changeToken(part)})
	if i > 0 { // said once
		return list
	}
	return append(list, span{" of it", themes.Dim})
}
