package views

import (
	"path/filepath"

	"ttftop/probe"
	"ttftop/probe/tally"
	"ttftop/themes"
)

// statusItem is one of the counts of the status.
type statusItem struct {
	rank  int // 0 for the most important: what has no room is left out from the last on
	spans []span
}

// The ranks of the items: up to needed they are worded so that all fit.
const (
	rankCounts = iota
	rankTrouble
	rankRecord
	rankClock
	rankFurther // troubles
	rankStanding
	rankSpeed
	needed = rankClock
)

// statusWords is how long the words of the status are.
type statusWords struct {
	count  func(int64) string
	tokens func(*Status, func(int64) string) []span
	brief  bool // of troubles and record
	bare   bool // of the clock
}

// statusWordings are those from the longest to the shortest.
var statusWordings = []statusWords{
	{count: Count, tokens: tokensItem},
	{count: shortCount, tokens: tokensItem},
	{count: shortCount, tokens: shortTokensItem},
	{count: shortCount, tokens: briefTokensItem, brief: true},
	{count: shortCount, tokens: briefTokensItem, brief: true, bare: true},
}

// statusBits draws the counts in the longest words in which all fit, or else the
// most important of them, and drops what has no room.
func (s *sheet) statusBits(snap Snapshot, y int) {
	items := s.statusChoice(snap)
	for rank := rankSpeed; rank > rankCounts && widthOf(items) > s.w-2; rank-- {
		for i := len(items) - 1; i >= 0 && widthOf(items) > s.w-2; i-- {
			if items[i].rank == rank {
				items = append(items[:i:i], items[i+1:]...)
			}
		}
	}
	x := 1
	for _, item := range items {
		if x+spansWidth(item.spans) <= s.w-1 {
			x = s.spans(x, y, item.spans...) + gap
		}
	}
}

// statusChoice is the counts in the words that there is room for.
func (s *sheet) statusChoice(snap Snapshot) (items []statusItem) {
	for last := rankSpeed; last >= needed; last-- {
		for _, words := range statusWordings {
			items = s.statusItems(snap, words)
			var wanted []statusItem
			for _, item := range items {
				if item.rank <= last {
					wanted = append(wanted, item)
				}
			}
			if widthOf(wanted) <= s.w-2 {
				return items
			}
		}
	}
	return items
}

// The shares of what was asked for below which that is said.
const (
	rateKept     = 0.95
	pressureKept = 0.99
)

// troubles words what this program itself adds to the figures, or fails to do; in
// few words where it is to be brief.
func troubles(st *Status, brief bool, sym *themes.Symbols) []string {
	var list []string
	say := func(is bool, full, short string) {
		switch {
		case is && brief:
			list = append(list, short)
		case is:
			list = append(list, full)
		}
	}
	lag, late, frames := Duration(st.Lag, sym), Duration(st.ReadDelay, sym), plural(int64(st.Dropped), "frame")
	rate, load := "rate "+amount(st.Rate.Achieved)+" of "+amount(st.Rate.Asked)+"/s", "load "+amount(st.Pressure.Achieved)+" of "+amount(st.Pressure.Asked)
	say(st.Behind != "", "machine can't keep up", "can't keep up")
	say(st.Lag > tally.LateFrom, "this machine is busy: "+lag+" late", "busy +"+lag)
	say(st.Rate.Share() < rateKept, rate, rate)
	say(st.Pressure.Share() < pressureKept, load, load)
	say(st.ReadDelay > tally.LateFrom, "read "+late+" late", "read +"+late)
	say(st.Dropped > 0, frames+" dropped", frames+" lost")
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

func widthOf(items []statusItem) int {
	list := make([][]span, len(items))
	for i, item := range items {
		list[i] = item.spans
	}
	return itemsWidth(list)
}

// statusItems words the counts, in the order in which they stand.
func (s *sheet) statusItems(snap Snapshot, words statusWords) []statusItem {
	st := &snap.Status
	var items []statusItem
	add := func(rank int, spans ...span) { items = append(items, statusItem{rank, spans}) }
	add(rankCounts, span{words.count(int64(st.Probes)), themes.Text}, span{" probes", themes.Dim})
	failed := themes.Text
	if st.Failed > 0 {
		failed = themes.Bad
	}
	add(rankCounts, span{words.count(int64(st.Failed)), failed}, span{" failed", themes.Dim})
	add(rankCounts, words.tokens(st, words.count)...)
	rank := rankTrouble
	for _, text := range troubles(st, words.brief, s.sym) {
		add(rank, span{text, themes.Bad})
		rank = rankFurther
	}
	for _, of := range snap.Standings {
		add(rankStanding, s.standingItem(of)...)
	}
	if st.RecordError != "" {
		room := s.w - 2 - widthOf(items) - gap
		add(rankTrouble, span{clip("record: "+head(st.RecordError, longest(s.w)), max(min(room, s.w/3), 12), s.sym), themes.Bad})
	}
	add(rankSpeed, span{s.sym.AtMost, themes.Dim}, span{words.count(st.PerMinute), themes.Text}, span{"/min", themes.Dim}) // what the knobs may cost, not what was spent
	if c := clocks(snap.Targets); c != "" {
		add(rankClock, words.clockItem(c)...)
	}
	if st.Record != "" && st.RecordError == "" {
		add(rankRecord, s.recordItem(st.Record, words.brief)...)
	}
	return items
}

// clockItem is the clock that stamps arrivals.
func (w statusWords) clockItem(name string) []span {
	if w.bare {
		return []span{{name, themes.Text}}
	}
	return []span{{name, themes.Text}, {" clock", themes.Dim}}
}

// recordItem is the record's file, without its folder where that is too long.
func (s *sheet) recordItem(path string, brief bool) []span {
	room, word := max(s.w/4, 12), "record "
	if brief {
		room, word = max(s.w/5, 12), "rec "
	}
	name := path
	if cells(clip(name, room+1, s.sym)) > room { // the folder says less than the name
		name = filepath.Base(head(name, longest(s.w)))
	}
	return []span{{word, themes.Dim}, {clip(name, room, s.sym), themes.Text}}
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

// briefTokensItem is shortTokensItem where there is less.
func briefTokensItem(st *Status, count func(int64) string) []span {
	item := []span{{count(st.Sent + st.Received), themes.Text}, {" tok", themes.Dim}}
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
