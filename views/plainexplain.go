package views

import (
	"fmt"
	"regexp"
	"strings"

	"ttftop/probe"
	"ttftop/themes"
)

// PlainWaterfall is the selected target's waterfall in lines: each segment of
// the last probe and of the p50, with its share and how it is known, and below
// them what else is known of the last probe, and the baseline.
func PlainWaterfall(snap Snapshot, th themes.Theme) string {
	s, t := newSheet(longestLine, 0, th), inspected(snap)
	lines := []string{s.plainOf(snap, "the waterfall")}
	if t == nil || len(InspectedSegments(t)) == 0 {
		return lines[0] + ": no probe has had a first token yet"
	}
	for _, name := range InspectedSegments(t) {
		lines = append(lines, "  "+segmentLabel(name)+": "+s.plainSegment(t, name))
	}
	for _, fact := range s.facts(snap, t, longestLine) {
		lines = append(lines, "  "+plainSpans(fact))
	}
	return strings.Join(lines, "\n")
}

// plainOf names what is told of the selected target: "the waterfall of A near".
func (s *sheet) plainOf(snap Snapshot, what string) string {
	t := inspected(snap)
	if t == nil {
		return what
	}
	text := what + " of " + letter(snap.Selected) + " " + head(t.Name, longest(s.w))
	if t.Last != nil {
		text += ", last: " + probeName(t.Last.Kind, t.Last.Seq)
	}
	return text
}

// plainSegment is one segment: "last 80.0 ms, 80 %; p50 79.1 ms, 79 %; reported by
// vllm".
func (s *sheet) plainSegment(t *Target, name probe.SegmentName) string {
	var parts []string
	for _, of := range []struct {
		name  string
		w     probe.Waterfall
		queue bound
	}{{"last", lastCut(t), boundOfLast(t)}, {"p50", t.P50, boundOf(t.P50Least, t.P50Most)}} {
		if seg, ok := segmentOf(of.w, name); ok {
			parts = append(parts, of.name+" "+of.queue.signOf(name.Part(), s.sym)+millis(positive(seg.Duration), s.sym)+" ms, "+shareCell(of.w, name, s))
		}
	}
	return strings.Join(append(parts, s.knownBy(t, name)), "; ")
}

// plainSpans is a line without its looks, with one blank where there are more.
func plainSpans(line []span) string {
	var b strings.Builder
	for _, sp := range line {
		b.WriteString(sp.text)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// PlainExplain says what a segment of the selected target is, how it is known
// there, and what makes it shorter. A name that is none of its segments' is an
// error.
func PlainExplain(snap Snapshot, name string, th themes.Theme) (string, error) {
	s, t := newSheet(longestLine, 0, th), inspected(snap)
	if t == nil || len(InspectedSegments(t)) == 0 {
		return s.plainOf(snap, "the waterfall") + ": no probe has had a first token yet", nil
	}
	var labels []string
	for _, known := range InspectedSegments(t) {
		if strings.EqualFold(name, string(known)) || strings.EqualFold(name, segmentLabel(known)) {
			text := s.plainOf(snap, segmentLabel(known)) + ": " + s.plainSegment(t, known) + "\n"
			return text + strings.Join([]string{stories[known].what, s.here(snap, t, known), "Cure: " + keyless(cureOf(t, known))}, "\n"), nil
		}
		labels = append(labels, segmentLabel(known))
	}
	if strings.EqualFold(name, string(probe.NetworkPart)) {
		return s.explainNetwork(snap, t, th)
	}
	return "", fmt.Errorf("%q is no segment of %s: type explain and one of %s", name, t.Name, strings.Join(labels, ", "))
}

// explainNetwork explains each segment of the network that took any time.
func (s *sheet) explainNetwork(snap Snapshot, t *Target, th themes.Theme) (string, error) {
	var all []string
	for _, known := range InspectedSegments(t) {
		last, _ := segmentOf(lastCut(t), known)
		p50, _ := segmentOf(t.P50, known)
		if known.Part() != probe.NetworkPart || last.Duration <= 0 && p50.Duration <= 0 {
			continue
		}
		text, err := PlainExplain(snap, string(known), th)
		if err != nil {
			return "", err
		}
		all = append(all, text)
	}
	if all == nil {
		return s.plainOf(snap, string(probe.NetworkPart)) + ": it took no time", nil
	}
	return strings.Join(all, "\n"), nil
}

// keyless is a text without the keys of the screen that it names.
func keyless(text string) string { return namedKeys.ReplaceAllString(text, "") }

var namedKeys = regexp.MustCompile(` \([A-Za-z](, [A-Za-z])*\)`)
