package views

import (
	"strconv"
	"strings"

	"ttftop/probe"
	"ttftop/themes"
)

// widestInspector is the most cells of text in the inspector.
const widestInspector = 104

// InspectorSize is how large the inspector's box wants to be within a screen. It
// stays so when another segment is chosen, or explained.
func InspectorSize(snap Snapshot, width, height int, th themes.Theme) (w, h int) {
	s := newSheet(0, 0, th)
	return boxSize(width, height, widestInspector, func(width, height int) int { return s.inspectorNeeds(snap, width, height) })
}

// Inspector shows the waterfalls of the selected target in full, in a box: every
// segment of the last probe and of the p50 with its share and its source, the
// marks, the tokens, the baseline, and on request what the chosen segment is.
func Inspector(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	s.boxed(s.inspectorTitle(snap), s.inspectorLines(snap, s.w-4, s.h-2))
	return s.String()
}

// inspected is the selected target; nil where there is none.
func inspected(snap Snapshot) *Target {
	if snap.Selected < 0 || snap.Selected >= len(snap.Targets) {
		return nil
	}
	return &snap.Targets[snap.Selected]
}

func (s *sheet) inspectorTitle(snap Snapshot) string {
	t := inspected(snap)
	if t == nil {
		return "waterfall"
	}
	parts := []string{"waterfall of " + letter(snap.Selected) + " " + head(t.Name, longest(s.w))}
	if t.Model != "" {
		parts = append(parts, head(t.Model, longest(s.w)))
	}
	if t.Last != nil {
		parts = append(parts, "last: "+probeName(t.Last.Kind, t.Last.Seq))
	}
	return strings.Join(parts, " "+s.sym.Dot+" ")
}

// noToken is what an inspector says that has nothing to inspect.
const noToken = "No probe of this target has had a first token yet."

// inspectorLines lays the inspector out on at most height lines of width
// cells: the table, then the explanation or the facts, or both where there is
// room.
func (s *sheet) inspectorLines(snap Snapshot, width, height int) [][]span {
	if width <= 0 || height <= 0 {
		return nil
	}
	in := snap.Inspect
	if in == nil {
		in = &Inspect{}
	}
	t := inspected(snap)
	if t == nil || len(InspectedSegments(t)) == 0 {
		return s.paragraph(noToken, width, themes.Text)
	}
	chosen := InspectedIndex(t, in.Segment)
	facts := s.facts(snap, t, width)
	body := facts
	if in.Explain {
		body = s.explanation(snap, t, InspectedSegments(t)[chosen], width)
		if inspectorTableLines(t)+1+len(body)+1+len(facts) <= height {
			body = append(append(body, nil), facts...)
		}
	}
	table := s.inspectorTable(snap, t, chosen, width, inspectorTableRoom(t, in.Explain, height, len(body)))
	if left := height - len(table) - 1; left > 0 {
		table = append(append(table, nil), shortened(body, left, s.sym)...)
	}
	return table
}

// inspectorTableRoom is the lines that the table has: what is left beside the facts,
// but half of all at least, and what is left beside an explanation where that is
// asked for.
func inspectorTableRoom(t *Target, explain bool, height, body int) int {
	const leastTable = 2 // the head and the chosen segment
	room := max(leastTable, height-body-1)
	if explain {
		return room
	}
	return max(room, min(inspectorTableLines(t), height/2))
}

// inspectorTableLines is how many lines the whole table takes: its head, the
// segments and their sum.
func inspectorTableLines(t *Target) int { return len(InspectedSegments(t)) + 2 }

// inspectorNeeds is as many lines as the inspector needs, whichever segment is
// chosen, explained or not.
func (s *sheet) inspectorNeeds(snap Snapshot, width, height int) int {
	t := inspected(snap)
	if t == nil || len(InspectedSegments(t)) == 0 {
		return len(s.inspectorLines(snap, width, height))
	}
	most := len(s.facts(snap, t, width))
	for _, name := range InspectedSegments(t) {
		most = max(most, len(s.explanation(snap, t, name, width)))
	}
	return inspectorTableLines(t) + 1 + most
}

// paragraph is a text in lines of one look.
func (s *sheet) paragraph(text string, width int, tok themes.Token) (list [][]span) {
	for _, l := range wrapped(text, width, s.sym) {
		list = append(list, []span{{l, tok}})
	}
	return list
}

// facts are what is known of the last probe besides its segments, and the
// baseline in words.
func (s *sheet) facts(snap Snapshot, t *Target, width int) (list [][]span) {
	add := func(label, text string) {
		const indent = 10
		for i, l := range wrapped(text, max(width-indent, 1), s.sym) {
			if i > 0 {
				label = ""
			}
			list = append(list, []span{{pad(label, indent), themes.Dim}, {l, themes.Text}})
		}
	}
	if l := t.Last; l != nil {
		add("marks, ms", s.marksText(l))
		add("prompt", s.promptText(l))
		if l.Ack != nil {
			add("handoff", s.handoffText(l.Ack, probe.At(l.TTFT), t.Model))
		}
		add("known by", s.groundsText(l, snap.IgnoreReported))
		if l.Known.Link != "" {
			add("address", head(l.Known.Link, 512))
		}
	}
	add("baseline", s.baselineText(t))
	return list
}

// marksText is the marks with their letters and times.
func (s *sheet) marksText(l *Settled) string {
	var parts []string
	for _, m := range markLetters {
		if at := m.at(&l.Marks); at.OK {
			parts = append(parts, m.letter+" "+m.name+" "+mark(at, s.sym))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, "  ")
}

// promptText is the prompt's tokens, and how much of the queue is contention.
func (s *sheet) promptText(l *Settled) string {
	n, cached := max(l.PromptTokens, 0), max(l.CachedTokens, 0)
	text := approximate(Count(int64(n)), l.PromptExact, s.sym) + " tokens: "
	switch {
	case l.CachedTold:
		text += Count(int64(max(n-cached, 0))) + " uncached, " + Count(int64(cached)) + " cached"
	case l.UncachedGuess:
		text += "how many of them were cached is not told"
	default:
		text += "unique, cached: not told"
	}
	if l.Contention.OK {
		return text + "; contention " + Duration(positive(l.Contention.At), s.sym) + " of the queue"
	}
	return text + "; contention not known"
}

// groundsText is who reported, and which clock stamped.
func (s *sheet) groundsText(l *Settled, ignored bool) string {
	var parts []string
	switch k := &l.Known; {
	case k.Dialect != "" && ignored:
		parts = append(parts, "reports of "+head(k.Dialect, 128)+" are left aside")
	case k.Dialect != "":
		parts = append(parts, "reports of "+head(k.Dialect, 128))
	case k.Server != "":
		parts = append(parts, "no report of "+head(k.Server, 128))
	default:
		parts = append(parts, "no report of the server")
	}
	switch l.Known.Clock {
	case probe.KernelClock:
		parts = append(parts, "the kernel's clock for arrivals")
	case probe.UserClock:
		parts = append(parts, "the clock after the read for arrivals")
	}
	switch {
	case l.Known.Proxy != "":
		parts = append(parts, "network to the proxy alone")
	case l.Known.Has(probe.FlagProxyOnly):
		parts = append(parts, proxyOnly)
	}
	return strings.Join(parts, "; ")
}

// proxyOnly is what to know of a round trip that ends before the endpoint.
const proxyOnly = "network: to proxy only, the endpoint is farther away"

// baselineText is the fitted cost of an unloaded request: "84.0 ms + 41.0 ms
// per 1,000 uncached input tokens".
func (s *sheet) baselineText(t *Target) string {
	f := t.Fit
	if !f.Fixed.OK || !f.Per1k.OK {
		if t.Ladder.Total > 0 && t.Ladder.Done < t.Ladder.Total {
			return "none yet: calibration is at " + strconv.Itoa(t.Ladder.Done) + " of " + strconv.Itoa(t.Ladder.Total)
		}
		return "none yet: it needs two prompt lengths on a quiet endpoint"
	}
	return Duration(positive(f.Fixed.At), s.sym) + " + " + Duration(positive(f.Per1k.At), s.sym) + " per 1,000 uncached input tokens, idle, without the first decode (95 %: " +
		interval(f.FixedLo, f.FixedHi, s.sym) + " + " + interval(f.Per1kLo, f.Per1kHi, s.sym) + " ms)" + notFirm(f)
}

// notFirm warns of a baseline that is no more than the best that is known.
func notFirm(f probe.Fit) string {
	switch {
	case f.Busy:
		return "; never seen idle: the best it has shown"
	case !f.Says():
		return "; too uncertain yet"
	}
	return ""
}
