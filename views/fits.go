package views

import (
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/quantile"
	"ttftop/themes"
)

// Fits says in a sentence for each target what a prompt costs on an unloaded
// server: "84 ms + 41 ms per 1k uncached input tokens"; or why that isn't known
// yet.
func Fits(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	from, to := visibleRange(len(snap.Targets), snap.Selected, s.h)
	name := min(max(s.w/5, 10), 30)
	for i := from; i < to; i++ {
		t := &snap.Targets[i]
		x := s.laneLetter(snap, i, i-from)
		s.text(x, i-from, clipName(t.Name, name, s.sym), themes.Strong)
		end := s.w - 1
		if i == to-1 {
			end = s.moreBelow(from, to, len(snap.Targets), i-from)
		}
		s.fitSentence(t, x+name+1, i-from, end)
	}
	return s.String()
}

// moreBelow writes at the end of a list's last line which of n things it shows, and
// returns where that begins.
func (s *sheet) moreBelow(from, to, n, y int) int {
	text := hidden(from, to, n, s.w/4, s.sym)
	if text == "" {
		return s.w - 1
	}
	return s.right(s.w-1, y, text, themes.Warn) - 1
}

// fitSentence draws the sentence of a target up to a column, and as much of what
// belongs to it as fits.
func (s *sheet) fitSentence(t *Target, x, y, end int) {
	f := &t.Figures
	if !f.Fixed.OK || !f.Slope.OK {
		s.text(x, y, clip(notFitted(t, s), end-x, s.sym), themes.Dim)
		return
	}
	room := end - x
	list := []span{{s.clipped(s.fitText(f, &t.Fit), room), themes.Text}}
	for _, more := range s.fitRemarks(t) {
		item := span{" " + s.sym.Dot + " " + more, themes.Dim}
		if spansWidth(list)+cells(item.text) > room {
			break
		}
		list = append(list, item)
	}
	s.spans(x, y, list...)
}

// fitText is a fit in words; what is not firm has its interval: "~0.4 ms (0 to
// 2.1 ms) + 41 ms per 1k uncached input tokens".
func (s *sheet) fitText(f *Figures, fit *probe.Fit) string {
	of := func(m probe.Mark, loose bool, lo, hi time.Duration) string {
		text := approximate(Duration(positive(m.At), s.sym), !loose, s.sym)
		if loose {
			text += " (" + stretched(lo, hi, s.sym) + ")"
		}
		return text
	}
	return of(f.Fixed, f.FixedLoose, fit.FixedLo, fit.FixedHi) + " + " + of(f.Slope, f.SlopeLoose, fit.Per1kLo, fit.Per1kHi) + " per 1k uncached input tokens"
}

// stretched is an interval in words.
func stretched(lo, hi time.Duration, sym *themes.Symbols) string {
	return Duration(positive(lo), sym) + " to " + Duration(positive(hi), sym)
}

func (s *sheet) clipped(text string, room int) string { return clip(text, room, s.sym) }

// fitRemarks are what a person may want to know besides, the most important
// first: where the line is measured, what of TTFT it leaves out, and what the
// present prompts cost altogether.
func (s *sheet) fitRemarks(t *Target) []string {
	var list []string
	if t.Fit.Busy {
		list = append(list, "never seen idle: the best it has shown")
	}
	if n := len(t.Fit.Line); n > 0 {
		list = append(list, "seen "+Count(int64(t.Fit.Line[0].Tokens))+" to "+Count(int64(t.Fit.Line[n-1].Tokens))+" tokens")
	}
	if o, ok := usualOutside(t); ok {
		list = append(list, "beside network and first decode, "+Duration(o, s.sym))
	} else {
		list = append(list, "no line yet: no probe is cut")
	}
	if t.Figures.Per1k.OK {
		list = append(list, "all in all now "+approximate(Duration(t.Figures.Per1k.At, s.sym), t.Figures.PromptExact, s.sym)+" per 1k")
	}
	return list
}

// notFitted is why a target has no fit.
func notFitted(t *Target, s *sheet) string {
	lengths := lengthsSeen(t.Costs)
	switch {
	case t.Ladder.Total > 0 && t.Ladder.Done < t.Ladder.Total:
		return "not fitted yet: calibrating " + Count(int64(t.Ladder.Done)) + "/" + Count(int64(t.Ladder.Total))
	case t.Fit.Fixed.OK && t.Fit.Busy:
		return "not known: never seen idle " + s.sym.Dot + " at best " + stretched(t.Fit.FixedLo, t.Fit.FixedHi, s.sym) + ", and " + stretched(t.Fit.Per1kLo, t.Fit.Per1kHi, s.sym) + " per 1k"
	case t.Fit.Fixed.OK:
		return "not known yet: " + stretched(t.Fit.FixedLo, t.Fit.FixedHi, s.sym) + ", and " + stretched(t.Fit.Per1kLo, t.Fit.Per1kHi, s.sym) + " per 1k"
	case lengths == 0:
		return "not fitted yet: no probe has told its prompt length"
	case lengths == 1:
		return "not fitted yet: one prompt length seen, and it takes two " + s.sym.Dot + " turn p"
	}
	return "not fitted yet: the probes seen don't tell the prompt's cost from the rest"
}

// lengthsSeen counts prompt lengths, up to two: lengths within a tenth of each
// other are one.
func lengthsSeen(costs []Cost) int {
	if len(costs) == 0 {
		return 0
	}
	by := func(a, b Cost) int { return a.Tokens - b.Tokens }
	if slices.MaxFunc(costs, by).Tokens*10 > slices.MinFunc(costs, by).Tokens*11 {
		return 2
	}
	return 1
}

// medianOf is the median of durations, as every quantile is taken.
func medianOf(list []time.Duration) time.Duration {
	slices.Sort(list)
	return quantile.Of(0.5, list, 0, 0).At
}
