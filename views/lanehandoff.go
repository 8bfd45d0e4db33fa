package views

import (
	"time"

	"ttftop/probe"
	"ttftop/probe/quantile"
	"ttftop/themes"
)

// The two marks of a handoff: the first token of the fast model, and that of
// the one that answers. They are never drawn as one answer.
const (
	ackLetter    = "K"
	answerLetter = "A"
)

// twoMarks puts the marks of a handoff on its waterfall: the acknowledgement
// where it came, over the bar, and the answer behind its end. Where both come to
// one cell the later one moves on.
func (s *sheet) twoMarks(y int, p plan, ack, answer probe.Mark) {
	end := p.barX + p.barW
	place := func(at time.Duration) int { return p.barX + p.axis.at(at, p.barW*eighths)/eighths }
	k := -1
	if ack.OK && ack.At <= p.axis.Top {
		k = place(ack.At)
	}
	if answer.OK && answer.At <= p.axis.Top {
		a := p.barX + (p.axis.at(answer.At, p.barW*eighths)+eighths-1)/eighths
		switch {
		case a == k && ack.At > answer.At:
			k++
		case a == k:
			a++
		}
		if a < end {
			s.put(a, y, answerLetter, themes.Strong)
		}
	}
	if k >= 0 && k < end {
		s.put(k, y, ackLetter, themes.Selected)
	}
}

// lastMarks are twoMarks of the last probe.
func (s *sheet) lastMarks(t *Target, y int, p plan) {
	if t.Handoff != "" && t.Last.Ack != nil {
		s.twoMarks(y, p, t.Last.Marks.Ack, t.Last.Marks.FirstAnswer)
	}
}

// liveMarks are twoMarks of the probe in flight.
func (s *sheet) liveMarks(t *Target, y int, p plan) {
	if t.Handoff != "" {
		s.twoMarks(y, p, t.Live.Ack, t.Live.TTFT)
	}
}

// p50Marks are twoMarks of the p50.
func (s *sheet) p50Marks(t *Target, y int, p plan) {
	if t.Handoff == "" || len(t.P50) == 0 {
		return
	}
	answer := t.Figures.Answer
	if !answer.OK {
		answer = probe.At(length(t.P50))
	}
	h := &t.Figures.Handoff
	s.twoMarks(y, p, instant(h.P50), answer)
}

// instant is a quantile as an instant, where it is one.
func instant(e quantile.Estimate) probe.Mark { return probe.Mark{At: e.At, OK: e.OK && !e.Censored} }

// handoffRemarks are what a lane tells of its handoff: what went wrong with the
// last one, then the medians of the acknowledgement and of the answer after it, and
// what the acknowledgement costs.
func (s *sheet) handoffRemarks(t *Target) (list []span) {
	if t.Handoff == "" {
		return nil
	}
	fast, medians := head(t.Handoff, longest(s.w)), ""
	if t.Last != nil && t.Last.Ack != nil {
		switch a := t.Last.Ack; {
		case a.Failure != nil:
			list = append(list, span{"no acknowledgement by " + fast + ": " + head(a.Failure.Error(), longest(s.w)), themes.Warn})
		case answeredFirst(t.Last):
			list = append(list, span{"the last was answered before it was acknowledged", themes.Warn})
			medians = "p50: " // else they seem to contradict it
		}
	}
	h := &t.Figures.Handoff
	list = append(list, span{medians + ackLetter + " " + fast + " " + estimate(h.P50, s.sym) + " ms", themes.Text})
	if h.GapP50.OK {
		list = append(list, span{answerLetter + " " + signedMillis(h.GapP50.At, s.sym) + " ms", themes.Text})
	}
	if t.Last != nil && t.Last.Ack != nil && t.Last.Ack.PromptTokens > 0 {
		list = append(list, span{ackLetter + " costs " + ackTokens(t.Last.Ack, s.sym), themes.Dim})
	}
	return list
}

// answeredFirst reports whether the answer came before its acknowledgement.
func answeredFirst(l *Settled) bool { return l.Ack.At.OK && l.TTFT < l.Ack.At.At }

// ackTokens is what an acknowledgement has cost, both ways.
func ackTokens(a *probe.Ack, sym *themes.Symbols) string {
	n := max(a.PromptTokens, 0) + max(a.OutputTokens, 0)
	return approximate(shortCount(int64(n)), a.PromptExact && a.OutputExact, sym) + " tok"
}

// handoffText is a handoff in words: what became of its two requests.
func (s *sheet) handoffText(ack *probe.Ack, answered probe.Mark, model string) string {
	if f := ack.Failure; f != nil {
		return head(ack.Model, 128) + " did not acknowledge: " + head(f.Error(), 256) + "; the answer counts as ever"
	}
	if !ack.At.OK {
		return head(ack.Model, 128) + " ended without a token: nothing was acknowledged"
	}
	text := "acknowledged by " + head(ack.Model, 128) + " after " + Duration(positive(ack.At.At), s.sym) + " (" + ackLetter + "), "
	if answered.OK {
		text += "answered by " + head(model, 128) + " after " + Duration(positive(answered.At), s.sym) + " (" + answerLetter + "): two answers to one prompt"
	} else {
		text += "and not answered by " + head(model, 128)
	}
	if answered.OK && answered.At < ack.At.At {
		text += ", and the answer came first"
	}
	return text + "; the acknowledgement costs " + Count(int64(ack.PromptTokens)) + " + " + Count(int64(ack.OutputTokens)) + " tokens"
}

// handoffColumns are the figures of acknowledgements, where any target is
// handed off.
func handoffColumns(targets []Target, sym *themes.Symbols) []columnPlan {
	for i := range targets {
		if targets[i].Handoff == "" {
			continue
		}
		return []columnPlan{
			{"ack", 1, 5, themes.Strong, func(f *Figures) string { return estimate(f.Handoff.P50, sym) }, nil},
			{"ack p95", 2, 7, themes.Text, func(f *Figures) string { return estimate(f.Handoff.P95, sym) }, nil},
			{"gap", 1, 5, themes.Strong, func(f *Figures) string { return gapCell(f.Handoff.GapP50, sym) }, nil},
			{"gap p95", 4, 7, themes.Text, func(f *Figures) string { return gapCell(f.Handoff.GapP95, sym) }, nil},
			{"no ack", 3, 6, themes.Text, func(f *Figures) string { return percent(f.Handoff.Failed, f.Handoff.Probes, sym) }, nil},
		}
	}
	return nil
}

// gapCell is the time from the acknowledgement to the answer, below 0 where the
// answer came first.
func gapCell(e quantile.Estimate, sym *themes.Symbols) string {
	switch {
	case !e.OK:
		return sym.Unknown
	case e.Max:
		return "max " + millis(e.At, sym)
	}
	return millis(e.At, sym)
}
