package views

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"ttftop/probe/quantile"
	"ttftop/probe/tally"
	"ttftop/themes"
)

// EffectPanel tells what the last change of a knob did to each target that was
// turned. On one line it is a sentence, with the newest notice beside it; on
// more it gives before, after and difference of p50, p95 and the parts, with the
// half width of the interval in which each difference lies.
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
func EffectTitle(snap Snapshot, width int, th themes.Theme) (name, remark string) {
	const panel = "effect"
	if snap.Effect == nil {
		return panel, ""
	}
	s := newSheet(width, 0, th)
	room := s.w - len(panel) - titleMargin
	for _, remark = range captions(snap.Effect) {
		if who := snap.Effect.turnedAt(); who != "" && cells(clip(remark+who, s.w, s.sym)) <= room {
			return panel, remark + who
		}
		if cells(clip(remark, s.w, s.sym)) <= room {
			break
		}
	}
	return panel, remark
}

// captions tell what was turned, the fullest first: all of it, and for several
// knobs how many, with the last of them.
func captions(e *Effect) []string {
	list := []string{e.Text}
	if e.Turned < 2 {
		return list
	}
	count := Count(int64(e.Turned)) + " knobs"
	if e.Last != "" {
		list = append(list, count+", last "+e.Last)
	}
	return append(list, count)
}

// turned are the indices of the targets whose knobs were turned; all where that
// isn't known.
func (e *Effect) turned() []int {
	var all, list []int
	for i := range e.Targets {
		all = append(all, i)
		if !e.Targets[i].Still {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return all
	}
	return list
}

// turnedAt names the targets that were turned where others were not: " at A, C".
func (e *Effect) turnedAt() string {
	list := e.turned()
	if len(list) == len(e.Targets) {
		return ""
	}
	names := make([]string, len(list))
	for n, i := range list {
		names[n] = letter(i)
	}
	return " at " + strings.Join(names, ", ")
}

// leastNotice is the cells in which the beginning of a notice says something.
const leastNotice = 24

// effectLine is the effect, and the newest notice in what the shortest wording of
// the effect with its figures leaves. A notice that has no room there, or is told by
// the footer, is left out.
func (s *sheet) effectLine(snap Snapshot) {
	end := s.w - 1
	told := unsaid(snap)
	if n := len(told); n > 0 {
		room := s.w - 2
		if snap.Effect != nil {
			room -= gap + s.leastEffect(snap.Effect)
		}
		if snap.Effect == nil || room >= leastNotice {
			end = s.right(end, 0, noticeIn(told[n-1], room, s.sym), themes.Warn) - 2
		}
	}
	if snap.Effect == nil {
		if end == s.w-1 {
			s.text(1, 0, clip(noEffect, end-1, s.sym), themes.Dim)
		}
		return
	}
	s.spans(1, 0, s.effectSentence(snap, end-1)...)
}

// unsaid are the notices that the footer doesn't tell.
func unsaid(snap Snapshot) []string {
	return slices.DeleteFunc(slices.Clone(snap.Status.Notices), func(text string) bool { return text == snap.Status.Fresh })
}

// leastEffect is the cells of the shortest wording of an effect with all its figures.
func (s *sheet) leastEffect(e *Effect) int {
	n := spansWidth(s.effectItems(e, nil, wording{}))
	if said := captions(e); len(said) > 1 { // how many knobs is always told
		n += cells(said[len(said)-1] + ":")
	}
	return n
}

// effectSentence words the effect in at most room cells: "prompt 256 → 1,024:
// TTFT p50 A +66 ms ±2 (prefill +64, queue +2)  B +80 ms ±5 (prefill +67)".
// Where that is too long the parts are left out, then the change is told
// briefly, or not at all where it is the one that the chart shows too, and then
// targets are left out. Targets that were not turned are not told of.
func (s *sheet) effectSentence(snap Snapshot, room int) []span {
	e := snap.Effect
	said := captions(e)
	change := func(text string) []span { return []span{{clip(text+":", room, s.sym), themes.Accent}} }
	fits := func(list []span) bool { return spansWidth(list) <= room }
	for i, text := range said {
		tries := []wording{{1, true}, {0, true}, {0, false}}
		if i == 0 {
			tries = append([]wording{{2, true}}, tries...)
			what := append(change(text), span{" TTFT p50", themes.Dim})
			if list := s.effectItems(e, what, tries[0]); fits(list) {
				return list
			}
		}
		for _, how := range tries {
			if list := s.effectItems(e, change(text), how); fits(list) {
				return list
			}
		}
	}
	for _, how := range []wording{{1, true}, {0, true}, {0, false}} {
		if list := s.effectItems(e, nil, how); len(said) == 1 && fits(list) {
			return list
		}
	}
	return s.effectStart(e, change(said[len(said)-1]), room)
}

// effectItems is a beginning with every turned target after it.
func (s *sheet) effectItems(e *Effect, list []span, how wording) []span {
	for _, i := range e.turned() {
		list = append(list, span{"  ", themes.Plain})
		list = append(list, s.effectItem(&e.Targets[i], i, how)...)
	}
	return list
}

// effectStart is a beginning with as many targets after it as fit.
func (s *sheet) effectStart(e *Effect, list []span, room int) []span {
	for _, i := range e.turned() {
		item := append([]span{{"  ", themes.Plain}}, s.effectItem(&e.Targets[i], i, wording{})...)
		if spansWidth(list)+spansWidth(item)+1+cells(s.sym.Ellipsis) > room {
			return append(list, span{clip(" "+s.sym.Ellipsis, room-spansWidth(list), s.sym), themes.Dim})
		}
		list = append(list, item...)
	}
	return list
}

// wording is how much is told of a target in the sentence: so many parts, and
// the interval.
type wording struct {
	parts    int
	interval bool
}

// effectItem is one target in the sentence: "A +66 ms ±2 (prefill +64)". A
// change that could be none says so.
func (s *sheet) effectItem(e *TargetEffect, i int, how wording) []span {
	name := span{letter(i) + " ", themes.Target(i)}
	c := e.Shift.P50
	if !c.OK {
		why := "not yet"
		switch {
		case e.failing():
			why = "no success yet"
		case e.Before.P50.N < tally.Enough:
			why = "too few before"
		}
		return []span{name, {why, themes.Dim}}
	}
	item := []span{name, {signedMillis(c.At, s.sym) + " ms", s.changeToken(c)}}
	if how.interval {
		item = append(item, span{" " + s.plusMinus(c), themes.Dim})
	}
	if !c.Clear() {
		return append(item, span{unclear, themes.Dim})
	}
	var said []string
	for _, p := range largestFirst(e.Shift.Parts) {
		if len(said) < how.parts && p.Clear() {
			said = append(said, string(p.Part)+" "+signedMillis(p.At, s.sym))
		}
	}
	if len(said) > 0 {
		item = append(item, span{" (" + strings.Join(said, ", ") + ")", themes.Dim})
	}
	return item
}

// plusMinus is the interval of a change as the larger of its two sides: "±2.1".
func (s *sheet) plusMinus(c tally.Change) string {
	return clip("±"+rounded(max(c.Hi-c.At, c.At-c.Lo)), s.w, s.sym)
}

// rounded is the milliseconds of a duration with two significant digits, as
// befits the width of an interval.
func rounded(d time.Duration) string {
	v := float64(max(d, 0)) / 1e6
	if v > 0 {
		unit := math.Pow(10, math.Floor(math.Log10(v))-1)
		v = math.Round(v/unit) * unit
	}
	return short(v)
}

// failing reports whether no probe has succeeded since the change.
func (e *TargetEffect) failing() bool {
	return e.After.Probes > 0 && e.After.Succeeded() <= 0
}

// notYet is why the effect on a target can't be told; "" where it can. What ended
// before the change is as much as there will ever be.
func notYet(e *TargetEffect, s *sheet) string {
	enough, before := tally.Enough, ""
	switch {
	case !e.Before.P50.OK:
		before = "nothing from before to compare"
	case e.Before.P50.N < enough:
		before = "only n " + Count(int64(e.Before.P50.N)) + " from before"
	}
	switch {
	case before != "" && e.After.P50.OK && !e.failing():
		return "p50 " + estimate(e.After.P50, s.sym) + ", and " + before
	case before != "":
		return before
	case e.After.Probes == 0:
		return "not yet: no probe has ended since"
	case !e.After.P50.OK, e.failing():
		return "not yet: no probe has succeeded since"
	case e.After.P50.N < enough:
		return "not yet: n " + Count(int64(e.After.P50.N)) + " of " + Count(int64(enough)) + ", p50 so far " + estimate(e.After.P50, s.sym)
	}
	return ""
}

// largestFirst is the changes of the parts, the largest first, and those that could
// be none after the others.
func largestFirst(list []tally.PartChange) []tally.PartChange {
	weight := func(p tally.PartChange) time.Duration {
		if p.Clear() {
			return p.At.Abs()
		}
		return p.At.Abs() - math.MaxInt64
	}
	return slices.SortedStableFunc(slices.Values(list), func(a, b tally.PartChange) int { return cmp.Compare(weight(b), weight(a)) })
}

// changeToken is the look of a change: shorter is good, and what could be none
// is neither.
func (s *sheet) changeToken(c tally.Change) themes.Token {
	switch {
	case !c.Clear():
		return themes.Text
	case c.At > 0:
		return themes.Warn
	}
	return themes.Good
}

// effectTable gives each target an equal share of the lines.
func (s *sheet) effectTable(snap Snapshot) {
	turned := snap.Effect.turned()
	if len(turned) == 0 {
		return
	}
	lines := min(max(s.h/len(turned), 1), 6) // the sixth is blank, between targets
	from, to := visibleRange(len(turned), slices.Index(turned, snap.Selected), s.h/lines)
	for n, i := range turned[from:to] {
		s.effectBlock(&snap.Effect.Targets[i], i, n*lines, min(lines, 5))
	}
}

// effectBlock draws one target on so many lines: p50, p95, and the parts.
func (s *sheet) effectBlock(e *TargetEffect, i, y, lines int) {
	x := s.text(1, y, letter(i), themes.Target(i)) + 1
	name := min(max(s.w-35, 5), max(s.w/5, 5), 20) // the figures need 35
	s.text(x, y, clipName(e.Target, name, s.sym), themes.Strong)
	x += name + 1
	if why := notYet(e, s); why != "" {
		if lines > 1 && cells(why) > s.w-x-1 {
			x, y = 3, y+1
		}
		s.text(x, y, clip(why, s.w-x-1, s.sym), themes.Dim)
		return
	}
	beside, end := lines == 2 && s.w >= besideFrom+leastBeside, s.w-1
	if beside {
		end = besideFrom - 1
	}
	s.shift(x, y, end, "p50", e.Before.P50, e.After.P50, e.Shift.P50, tally.Enough)
	if lines < 2 {
		return
	}
	s.text(3, y+1, clip("n "+Count(int64(e.After.P50.N)), name, s.sym), themes.Dim)
	s.shift(x, y+1, end, "p95", e.Before.P95, e.After.P95, e.Shift.P95, tally.EnoughP95)
	if beside {
		s.partRows(e, besideFrom, y, lines)
		return
	}
	s.partRows(e, 3, y+2, lines-2)
}

// Where the parts stand beside p50 and p95, when there is no line for them below.
const besideFrom, leastBeside = 72, 24

// shift draws "p50  42.2 → 108  +66.0 ±2.1" in columns; where the change can't
// be known yet it says how many probes that needs. It ends before the column end.
func (s *sheet) shift(x, y, end int, what string, before, after quantile.Estimate, c tally.Change, needs int) {
	number := min(max((end-x-11)/3, 6), 9)
	from, to := estimate(before, s.sym), estimate(after, s.sym)
	s.text(x, y, what, themes.Dim)
	x = s.text(x+3+max(1, number-cells(from)), y, from, themes.Text)
	x = s.text(x, y, " "+s.sym.Arrow, themes.Dim)
	x = s.text(x+max(1, number-cells(to)), y, to, themes.Strong)
	if !c.OK {
		s.text(x+1, y, widest(end-x-1, whyUnknown(before.N, after.N, needs, s.sym)...), themes.Dim)
		return
	}
	s.change(x, y, end, number, c)
}

// whyUnknown words why a change can't be known, the longest first; none where the
// probes are enough. What ended before the change is as much as there will ever be.
func whyUnknown(before, after, needs int, sym *themes.Symbols) []string {
	of := func(n int) string { return "n " + Count(int64(n)) + " of " + Count(int64(needs)) }
	switch {
	case before < needs:
		return []string{"never: " + of(before) + " before", "never: n " + Count(int64(before)) + " before", "never", sym.Unknown}
	case after < needs:
		return []string{"not yet: " + of(after), "not yet", sym.Unknown}
	}
	return nil
}

// change draws a difference in number cells and its interval behind it: "+66.0
// ±2.1". One that could be none says so, whatever else there is no room for.
func (s *sheet) change(x, y, end, number int, c tally.Change) {
	diff, interval := signedMillis(c.At, s.sym), " "+s.plusMinus(c)
	diff = strings.Repeat(" ", max(1, number-cells(diff))) + diff
	tries := []string{interval, ""} // a number is whole or not there
	if !c.Clear() {
		tries = []string{interval + unclear, unclear}
	}
	for _, behind := range tries {
		if cells(diff)+cells(behind) <= end-x {
			s.spans(x, y, span{diff, s.changeToken(c)}, span{behind, themes.Dim})
			return
		}
	}
	if c.Clear() {
		s.text(x, y, diff, s.changeToken(c))
		return
	}
	s.text(x, y, widest(end-x, unclear+interval, unclear), themes.Dim)
}

// unclear stands behind a change that could be none: its interval holds 0.
const unclear = " unclear"

// widest is the first of the texts that fits in room cells, "" for none.
func widest(room int, texts ...string) string {
	for _, text := range texts {
		if cells(text) <= room {
			return text
		}
	}
	return ""
}

// partRows draws the changes of the parts on so many lines from a column on. Before
// those that could be none, and again where a line begins with one, it says so.
func (s *sheet) partRows(e *TargetEffect, from, y, lines int) {
	x, told := from, false
	for _, p := range largestFirst(e.Shift.Parts) {
		item := s.partItem(p)
		if !p.Clear() && !told {
			item = append(doubtful(), item...)
		}
		if x > from && x+spansWidth(item) > s.w-1 {
			x, y, lines = from, y+1, lines-1
			if !p.Clear() && told {
				item = append(doubtful(), item...)
			}
		}
		if lines <= 0 {
			return
		}
		x, told = s.spans(x, y, item...)+gap, !p.Clear()
	}
}

// doubtful stands before changes that could be none.
func doubtful() []span { return []span{{strings.TrimSpace(unclear) + ": ", themes.Dim}} }

// partItem words the change of a part: "█ prefill +63.8 ±2.1".
func (s *sheet) partItem(p tally.PartChange) []span {
	return []span{
		{s.sym.Fill(p.Part), themes.Fill(p.Part)},
		{" " + clip(string(p.Part), 16, s.sym) + " ", themes.Dim},
		{signedMillis(p.At, s.sym), s.changeToken(p.Change)},
		{" " + s.plusMinus(p.Change), themes.Dim},
	}
}
