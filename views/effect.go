package views

import (
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/themes"
)

// EffectPanel tells what the last change of a knob did, target by target. On
// one line it is a sentence, with the newest notice beside it; on more it gives
// before, after and difference of p50, p95 and the parts.
func EffectPanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	switch {
	case s.h == 1:
		s.effectLine(snap)
	case snap.Effect == nil:
		s.text(2, 0, clip(noEffect, s.w-3, s.sym), themes.Dim)
	default:
		s.effectTable(snap)
	}
	return s.String()
}

const noEffect = "turn a knob, and what it did appears here"

// EffectTitle is the name of the panel, with the change that it is about.
func EffectTitle(snap Snapshot) (name, remark string) {
	if snap.Effect == nil {
		return "effect", ""
	}
	return "effect", snap.Effect.Text
}

// effectLine shares the line between the effect and the newest notice.
func (s *sheet) effectLine(snap Snapshot) {
	end := s.w - 1
	if n := len(snap.Status.Notices); n > 0 {
		room := s.w - 2
		if snap.Effect != nil {
			room = s.w / 2
		}
		text := clip("! "+head(snap.Status.Notices[n-1], longest(room)), room, s.sym)
		end = s.right(end, 0, text, themes.Warn) - 2
	}
	if snap.Effect == nil {
		if end == s.w-1 {
			s.text(1, 0, clip(noEffect, end-1, s.sym), themes.Dim)
		}
		return
	}
	s.spans(1, 0, s.effectSentence(snap, end-1)...)
}

// effectSentence words the effect in at most room cells: "prompt 256 → 1,024:
// A +66 ms (prefill +64)  B +80 ms (prefill +67)". Where that is too long the
// parts are left out, then the change, which the chart shows too, and then
// targets.
func (s *sheet) effectSentence(snap Snapshot, room int) []span {
	change := []span{{clip(snap.Effect.Text+":", room, s.sym), themes.Accent}}
	for _, try := range []struct{ change, parts bool }{{true, true}, {true, false}, {false, true}, {false, false}} {
		var list []span
		if try.change {
			list = append(list, change...)
		}
		for i := range snap.Effect.Targets {
			list = append(list, span{"  ", themes.Plain})
			list = append(list, s.effectItem(&snap.Effect.Targets[i], i, try.parts)...)
		}
		if spansWidth(list) <= room {
			return list
		}
	}
	list := change
	for i := range snap.Effect.Targets {
		item := append([]span{{"  ", themes.Plain}}, s.effectItem(&snap.Effect.Targets[i], i, false)...)
		if spansWidth(list)+spansWidth(item)+1+cells(s.sym.Ellipsis) > room {
			return append(list, span{clip(" "+s.sym.Ellipsis, room-spansWidth(list), s.sym), themes.Dim})
		}
		list = append(list, item...)
	}
	return list
}

// effectItem is one target in the sentence: "A +66 ms (prefill +64)".
func (s *sheet) effectItem(e *TargetEffect, i int, withPart bool) []span {
	name := span{letter(i) + " ", themes.Target(i)}
	d, ok := p50Change(e)
	if !ok {
		return []span{name, {"not yet", themes.Dim}}
	}
	item := []span{name, {signedMillis(d, s.sym) + " ms", changeToken(d)}}
	if parts := partChanges(e); withPart && len(parts) > 0 && parts[0].change.Abs() >= time.Microsecond {
		item = append(item, span{" (" + string(parts[0].part) + " " + signedMillis(parts[0].change, s.sym) + ")", themes.Dim})
	}
	return item
}

// enough is how many probes must have ended since a change before its effect
// is told: a p50 waterfall needs as many.
const enough = 5

// p50Change is by how much the p50 has moved; false as long as that can't be
// known.
func p50Change(e *TargetEffect) (time.Duration, bool) {
	b, a := e.Before.P50, e.After.P50
	if !b.OK || !a.OK || b.Censored || a.Censored || a.N < enough {
		return 0, false
	}
	return a.At - b.At, true
}

// notYet is why the effect on a target can't be told; "" where it can.
func notYet(e *TargetEffect, s *sheet) string {
	switch {
	case e.After.Probes == 0:
		return "not yet: no probe has ended since"
	case !e.After.P50.OK:
		return "not yet: no probe has succeeded since"
	case e.After.P50.N < enough:
		return "not yet: n " + Count(int64(e.After.P50.N)) + " of " + Count(enough) + ", p50 so far " + estimate(e.After.P50, s.sym)
	case e.Before.P50.OK && e.Before.P50.N < fewBefore:
		return "p50 " + estimate(e.After.P50, s.sym) + ", and only n " + Count(int64(e.Before.P50.N)) + " from before"
	case !e.Before.P50.OK:
		return "p50 " + estimate(e.After.P50, s.sym) + ", and nothing from before to compare"
	}
	return ""
}

// fewBefore is below what is compared with.
const fewBefore = 3

// partChange is how much longer a part of the p50 waterfall became.
type partChange struct {
	part   probe.Part
	change time.Duration
}

// partChanges compares the p50 waterfalls part by part, the largest change
// first. Where one of them isn't cut, all but the network is compared as one
// server part. It is empty as long as there aren't both.
func partChanges(e *TargetEffect) []partChange {
	if len(e.BeforeCut) == 0 || len(e.AfterCut) == 0 {
		return nil
	}
	var list []partChange
	add := func(p probe.Part, d time.Duration) { list = append(list, partChange{p, d}) }
	if partOf(e.BeforeCut, probe.ServerPart) > 0 || partOf(e.AfterCut, probe.ServerPart) > 0 {
		add(probe.NetworkPart, partOf(e.AfterCut, probe.NetworkPart)-partOf(e.BeforeCut, probe.NetworkPart))
		add(probe.ServerPart, serverTime(e.AfterCut)-serverTime(e.BeforeCut))
	} else {
		for _, p := range probe.Parts[:len(probe.Parts)-1] {
			add(p, partOf(e.AfterCut, p)-partOf(e.BeforeCut, p))
		}
	}
	slices.SortStableFunc(list, func(a, b partChange) int {
		return int(min(max(b.change.Abs()-a.change.Abs(), -1), 1))
	})
	return list
}

// serverTime is all of a waterfall but the network.
func serverTime(w probe.Waterfall) time.Duration {
	return length(w) - partOf(w, probe.NetworkPart)
}

// changeToken is the look of a change of a duration: shorter is good.
func changeToken(d time.Duration) themes.Token {
	switch {
	case d > 0:
		return themes.Warn
	case d < 0:
		return themes.Good
	}
	return themes.Text
}

// effectTable gives each target an equal share of the lines.
func (s *sheet) effectTable(snap Snapshot) {
	targets := snap.Effect.Targets
	if len(targets) == 0 {
		return
	}
	lines := min(max(s.h/len(targets), 1), 6) // the sixth is blank, between targets
	from, to := visibleRange(len(targets), snap.Selected, s.h/lines)
	for i := from; i < to; i++ {
		s.effectBlock(&targets[i], i, (i-from)*lines, min(lines, 5))
	}
}

// effectBlock draws one target on so many lines: p50, p95, and the parts.
func (s *sheet) effectBlock(e *TargetEffect, i, y, lines int) {
	x := s.text(1, y, letter(i), themes.Target(i)) + 1
	name := min(max(s.w/5, 8), 20)
	s.text(x, y, clip(e.Target, name, s.sym), themes.Strong)
	x += name + 1
	if why := notYet(e, s); why != "" {
		if lines > 1 && cells(why) > s.w-x-1 {
			x, y = 3, y+1
		}
		s.text(x, y, clip(why, s.w-x-1, s.sym), themes.Dim)
		return
	}
	b, a := e.Before, e.After
	s.shift(x, y, "p50", estimate(b.P50, s.sym), estimate(a.P50, s.sym), a.P50.At-b.P50.At, b.P50.Censored || a.P50.Censored)
	if lines < 2 {
		return
	}
	s.text(3, y+1, clip("n "+Count(int64(a.P50.N)), name, s.sym), themes.Dim)
	s.shift(x, y+1, "p95", estimate(b.P95, s.sym), estimate(a.P95, s.sym), a.P95.At-b.P95.At, unlike(e))
	s.partRows(e, y+2, lines-2)
}

// unlike reports whether the p95 of before and after can't be subtracted:
// unknown, beyond a limit, or the maximum of too small a sample.
func unlike(e *TargetEffect) bool {
	b, a := e.Before.P95, e.After.P95
	return !b.OK || !a.OK || b.Censored || a.Censored || b.Max || a.Max
}

// shift draws "p50  42.2 → 108  +66.0" in columns; where the two can't be
// subtracted, without the difference.
func (s *sheet) shift(x, y int, what, before, after string, change time.Duration, apart bool) {
	number := min(max((s.w-x-6)/3, 6), 9)
	s.text(x, y, what, themes.Dim)
	x = s.text(x+3+max(1, number-cells(before)), y, before, themes.Text)
	x = s.text(x, y, " "+s.sym.Arrow, themes.Dim)
	x = s.text(x+max(1, number-cells(after)), y, after, themes.Strong)
	if !apart {
		diff := signedMillis(change, s.sym)
		s.text(x+max(1, number-cells(diff)), y, diff, changeToken(change))
	}
}

// partRows draws the changes of the parts on so many lines.
func (s *sheet) partRows(e *TargetEffect, y, lines int) {
	x := 3
	for _, p := range partChanges(e) {
		item := []span{
			{s.sym.Fill(p.part), themes.Fill(p.part)},
			{" " + string(p.part) + " ", themes.Dim},
			{signedMillis(p.change, s.sym), changeToken(p.change)},
		}
		if x > 3 && x+spansWidth(item) > s.w-1 {
			x, y, lines = 3, y+1, lines-1
		}
		if lines <= 0 {
			return
		}
		x = s.spans(x, y, item...) + gap
	}
}
