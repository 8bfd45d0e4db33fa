package views

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ttftop/probe"
	"ttftop/probe/tally"
	"ttftop/themes"
)

// StatusPanel is the line of counts: probes, failures, tokens spent, the clock
// and the record; with the newest notices above it where there are lines, or how
// the SLOs stand.
func StatusPanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	notices := notices(&snap.Status)
	for y, i := s.h-2, len(notices)-1; y >= 0 && i >= 0; y, i = y-1, i-1 {
		s.notice(1, y, s.w-2, notices[i])
	}
	if s.w < standingsFrom {
		snap.Standings = nil
	}
	if s.h > 1 && len(notices) == 0 {
		s.standings(snap.Standings, s.h-2)
		snap.Standings = nil
	}
	s.statusBits(snap, s.h-1)
	return s.String()
}

// statusBits draws as many of the counts as fit, the most important first. The
// counts are written in full where all fit, and else shortened; the first
// three, up to the tokens, are worded so that they fit in any case, and shorter
// still where all fits then, or where they would take the place of what is
// wrong.
func (s *sheet) statusBits(snap Snapshot, y int) {
	const always = 3
	items := statusItems(snap, Count, tokensItem, s)
	if itemsWidth(items) > s.w-2 {
		items = statusItems(snap, shortCount, tokensItem, s)
	}
	if itemsWidth(items) > s.w-2 {
		shorter := statusItems(snap, shortCount, shortTokensItem, s)
		if itemsWidth(shorter) <= s.w-2 || itemsWidth(items[:always+len(troubles(&snap.Status, s.sym))]) > s.w-2 {
			items = shorter
		}
	}
	x := 1
	for _, item := range items {
		if x+spansWidth(item) <= s.w-1 {
			x = s.spans(x, y, item...) + gap
		}
	}
}

// The shares of what was asked for below which that is said.
const (
	rateKept     = 0.95
	pressureKept = 0.99
)

// troubles words what this program itself adds to the figures, or fails to do.
func troubles(st *Status, sym *themes.Symbols) []string {
	var list []string
	if st.Behind != "" {
		list = append(list, "machine can't keep up")
	}
	if st.Lag > tally.LateFrom {
		list = append(list, "this machine is busy: "+Duration(st.Lag, sym)+" late")
	}
	if st.Rate.Share() < rateKept {
		list = append(list, "rate "+amount(st.Rate.Achieved)+" of "+amount(st.Rate.Asked)+"/s")
	}
	if st.Pressure.Share() < pressureKept {
		list = append(list, "load "+amount(st.Pressure.Achieved)+" of "+amount(st.Pressure.Asked))
	}
	if st.ReadDelay > tally.LateFrom {
		list = append(list, "read "+Duration(st.ReadDelay, sym)+" late")
	}
	if st.Dropped > 0 {
		list = append(list, plural(int64(st.Dropped), "frame")+" dropped")
	}
	return list
}

// gap is the blanks between the counts.
const gap = 2

func itemsWidth(items [][]span) int {
	n := -gap
	for _, item := range items {
		n += spansWidth(item) + gap
	}
	return n
}

// statusItems words the counts, the most important first.
func statusItems(snap Snapshot, count func(int64) string, tokens func(*Status, func(int64) string) []span, s *sheet) [][]span {
	st := &snap.Status
	var items [][]span
	add := func(spans ...span) { items = append(items, spans) }
	add(span{count(int64(st.Probes)), themes.Text}, span{" probes", themes.Dim})
	failed := themes.Text
	if st.Failed > 0 {
		failed = themes.Bad
	}
	add(span{count(int64(st.Failed)), failed}, span{" failed", themes.Dim})
	add(tokens(st, count)...)
	for _, text := range troubles(st, s.sym) {
		add(span{text, themes.Bad})
	}
	for _, of := range snap.Standings {
		add(s.standingItem(of)...)
	}
	if st.RecordError != "" {
		room := s.w - 2 - itemsWidth(items) - gap
		add(span{clip("record: "+head(st.RecordError, longest(s.w)), max(min(room, s.w/3), 12), s.sym), themes.Bad})
	}
	add(span{count(st.PerMinute), themes.Text}, span{"/min", themes.Dim})
	if c := clocks(snap.Targets); c != "" {
		add(span{c, themes.Text}, span{" clock", themes.Dim})
	}
	if st.Record != "" && st.RecordError == "" {
		room, name := max(s.w/4, 12), st.Record
		if cells(clip(name, room+1, s.sym)) > room { // the folder says less than the name
			name = filepath.Base(head(name, longest(s.w)))
		}
		add(span{"record ", themes.Dim}, span{clip(name, room, s.sym), themes.Text})
	}
	return items
}

// tokensItem words the tokens that were spent, and the budget if there is one.
func tokensItem(st *Status, count func(int64) string) []span {
	item := []span{
		{"tokens ", themes.Dim}, {count(st.Sent), themes.Text}, {" sent ", themes.Dim},
		{count(st.Received), themes.Text}, {" received", themes.Dim},
	}
	return append(item, budgetSpans(st, count)...)
}

// shortTokensItem is tokensItem where there is little room.
func shortTokensItem(st *Status, count func(int64) string) []span {
	item := []span{{count(st.Sent + st.Received), themes.Text}, {" tokens", themes.Dim}}
	return append(item, budgetSpans(st, count)...)
}

// budgetSpans is the budget, which stands out once it is reached.
func budgetSpans(st *Status, count func(int64) string) []span {
	if st.Budget <= 0 {
		return nil
	}
	tok := themes.Text
	if st.Sent+st.Received >= st.Budget {
		tok = themes.Bad
	}
	return []span{{" of ", themes.Dim}, {count(st.Budget), tok}}
}

// clocks names the clocks that stamp the arrivals; "" before the first probe.
func clocks(targets []Target) string {
	kernel, user := false, false
	for i := range targets {
		kernel = kernel || targets[i].Clock == probe.KernelClock
		user = user || targets[i].Clock == probe.UserClock
	}
	switch {
	case kernel && user:
		return "kernel+user"
	case kernel:
		return "kernel"
	case user:
		return "user"
	}
	return ""
}

// Footer is the line of the keys that matter most. Where not all fit, those
// before the last two are left out, from the end: the last two, as a rule help
// and quit, are what a person can't do without.
func Footer(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	items := make([][]span, len(snap.Status.Keys))
	for i, k := range snap.Status.Keys {
		items[i] = keyItem(k, s.sym)
	}
	for len(items) > 1 && itemsWidth(items) > s.w-2 {
		i := max(len(items)-3, 0)
		items = append(items[:i], items[i+1:]...)
	}
	x := 1
	for _, item := range items {
		x = s.spans(x, s.h-1, item...) + gap
	}
	return s.String()
}

// keyItem is a key and what it does.
func keyItem(k KeyHelp, sym *themes.Symbols) []span {
	return []span{{clip(keyName(k.Key, sym), 12, sym), themes.Accent}, {" " + clip(k.Does, 40, sym), themes.Dim}}
}

// keyName is a key as it can be shown.
func keyName(key string, sym *themes.Symbols) string {
	if sym.ASCII {
		return asciiKeys.Replace(key)
	}
	return key
}

// asciiKeys spells the names of keys.
var asciiKeys = strings.NewReplacer("←→", "left/right", "↑↓", "up/down", "←", "left", "→", "right", "↑", "up", "↓", "down")

// amount formats a rate or a mean of streams: "9.6", "0".
func amount(v float64) string {
	if !(v > 0) || math.IsInf(v, 0) {
		return "0"
	}
	return short(v)
}

// PlainKept says in lines what was not achieved of what was asked for over a
// session: probes that were due and sent, and load streams on average. There
// are none where all was.
func PlainKept(probes, pressure tally.Kept) []string {
	var lines []string
	if probes.Share() < rateKept {
		lines = append(lines, "  "+Count(int64(probes.Achieved))+" of "+plural(int64(probes.Asked), "due probe")+" sent: the others were skipped, or this machine was late")
	}
	if pressure.Share() < pressureKept {
		lines = append(lines, "  load streams: "+amount(pressure.Achieved)+" in flight on average, "+amount(pressure.Asked)+" asked for")
	}
	return lines
}

// PlainBeside says in lines which probes of a session say nothing of the
// endpoint, and why; none where all do.
func PlainBeside(b tally.Beside) []string {
	var lines []string
	add := func(n int, of, why string) {
		if n > 0 {
			lines = append(lines, "  "+plural(int64(n), of)+" "+why)
		}
	}
	add(b.Unsent, "due probe", "never sent: this program was late")
	add(b.LateReads, "probe", "kept out of the figures: this program read the first token late")
	add(b.Steps, "probe", "kept out of the figures: the clock was set, or this program stood still")
	return lines
}

// PlainProxyOnly says that the network of a summary is that to a proxy alone,
// where the flags of the last probe do; else it is "".
func PlainProxyOnly(flags []probe.Flag) string {
	if !slices.Contains(flags, probe.FlagProxyOnly) {
		return ""
	}
	return "  " + proxyOnly
}

// PlainBusy says in which share of the session this program was late enough to
// colour a figure, and the worst of it.
func PlainBusy(share float64, worst time.Duration, th themes.Theme) string {
	return "this machine was busy for " + percent(int(math.Ceil(share*100)), 100, th.Symbols) + " of the time, up to " + Duration(worst, th.Symbols) + " late: measured figures may be too high"
}
