package views

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ttftop/probe"
	"ttftop/themes"
)

// line is one line of an open probe.
type line struct {
	spans []span
	cut   probe.Waterfall // drawn as a bar after the spans
}

// probeInFull draws the lines of the open probe from the one scrolled to.
func (s *sheet) probeInFull(snap Snapshot) {
	lines := s.probeLines(snap)
	from := min(max(snap.Probes.Scroll, 0), max(len(lines)-s.h, 0))
	for y, l := range lines[from:] {
		if y >= s.h {
			break
		}
		x := s.spans(1, y, l.spans...)
		if len(l.cut) > 0 {
			s.bar(x, y, s.w-x-1, l.cut, niceAxis(length(l.cut), 4))
		}
	}
}

// ProbeLines is how many lines the open probe has at a width; 0 where none is
// open.
func ProbeLines(snap Snapshot, width int, th themes.Theme) int {
	if snap.Probes == nil || snap.Probes.Open == nil {
		return 0
	}
	return len(newSheet(width, 0, th).probeLines(snap))
}

// scrolled says how far an open probe is scrolled.
func scrolled(snap Snapshot, width int, th themes.Theme) string {
	n := ProbeLines(snap, width, th)
	return "from line " + Count(int64(min(max(snap.Probes.Scroll, 0), max(n-1, 0))+1)) + " of " + Count(int64(n)) + ", esc goes back"
}

// fullText gathers the lines of an open probe.
type fullText struct {
	s     *sheet
	lines []line
	names int // cells for the names of pairs, where they are longer than usual
}

func (t *fullText) add(spans ...span) { t.lines = append(t.lines, line{spans: spans}) }

// section begins a part with a name.
func (t *fullText) section(name string) {
	t.names = 0
	t.add()
	t.add(span{name, themes.Accent})
}

// room gives the names that follow as much of the line as they need.
func (t *fullText) room(names []string) {
	for _, n := range names {
		t.names = max(t.names, cells(clip(n, t.s.w/2, t.s.sym)))
	}
}

// pair is a name and a value that may need several lines.
func (t *fullText) pair(name, value string, tok themes.Token) {
	width := max(min(16, t.s.w/3), t.names)
	room := t.s.w - 2 - width - 1
	name = pad(clip(name, width, t.s.sym), width)
	for i, part := range t.s.wrappedText(value, room) {
		if i > 0 {
			name = pad("", width)
		}
		t.add(span{name + " ", themes.Dim}, span{part, tok})
	}
}

// longestText bounds a text of an open probe, in cells.
const longestText = 20_000

// wrappedText is a text from outside in lines of at most room cells.
func (s *sheet) wrappedText(text string, room int) []string {
	if room <= 0 {
		return nil
	}
	var list []string
	text = cutCells(Clean(head(text, longest(longestText)), s.sym.ASCII), longestText)
	for text != "" {
		piece := cutCells(text, room)
		if piece == "" {
			break
		}
		if i := strings.LastIndexByte(piece, ' '); i > room/2 && len(piece) < len(text) {
			piece = piece[:i]
		}
		list = append(list, piece)
		text = strings.TrimLeft(text[len(piece):], " ")
	}
	if list == nil {
		list = []string{""}
	}
	return list
}

// probeLines is all of the open probe.
func (s *sheet) probeLines(snap Snapshot) []line {
	r := snap.Probes.Open
	t := &fullText{s: s}
	t.summary(snap, r)
	t.segments(r)
	t.timeline(r)
	t.asked(r)
	t.way(r)
	t.reports(r)
	t.section("text received")
	if r.Text == "" {
		t.add(span{"none", themes.Dim})
	}
	for _, part := range s.wrappedText(r.Text, s.w-2) {
		t.add(span{part, themes.Text})
	}
	return t.lines
}

// summary is which probe it is, how it went, and what is remarkable.
func (t *fullText) summary(snap Snapshot, r *probe.Result) {
	t.pair("target", letter(r.Target)+" "+targetName(snap, r)+", "+r.Knobs.Model, themes.Strong)
	t.pair("kind", string(r.Kind)+", epoch "+strconv.Itoa(r.Epoch)+", begun "+clock(r.At.Sub(snap.Start))+" after the start ("+r.At.UTC().Format("2006-01-02 15:04:05.000")+" UTC)", themes.Text)
	if r.Ack != nil {
		t.pair("handed off", t.s.handoffText(r.Ack, r.TTFT(), r.Knobs.Model), themes.Text)
	}
	if f := r.Failure; f != nil {
		text := f.Error()
		if f.Phase != "" {
			text += " (waiting for " + strings.ReplaceAll(string(f.Phase), "_", " ") + ")"
		}
		t.pair("failed", string(f.Kind)+": "+text, themes.Bad)
	}
	if r.TTFT().OK {
		t.pair("TTFT", t.times(r), themes.Strong)
	}
	for _, text := range snap.Probes.FlagText {
		t.pair("flag", text, themes.Warn)
	}
}

// times are TTFT and the figures that stand beside it.
func (t *fullText) times(r *probe.Result) string {
	text := Duration(r.TTFT().At, t.s.sym)
	for _, m := range []struct {
		name string
		at   probe.Mark
	}{{"answer TTFT", r.AnswerTTFT()}, {"TPOT", r.TPOT()}, {"total", r.TotalTime()}} {
		if m.at.OK && m.at != r.TTFT() {
			text += ", " + m.name + " " + Duration(m.at.At, t.s.sym)
		}
	}
	return text
}

// segments is the waterfall as a bar and in figures, with intervals.
func (t *fullText) segments(r *probe.Result) {
	sym := t.s.sym
	t.section("waterfall")
	if len(r.Waterfall) == 0 {
		t.add(span{"none: no first token came", themes.Dim})
		return
	}
	t.lines = append(t.lines, line{cut: r.Waterfall})
	for _, seg := range r.Waterfall {
		text := Duration(seg.Duration, sym)
		text = pad(boundOfProbe(r).signOf(seg.Name.Part(), sym)+text, 10) + string(seg.Source)
		if seg.Source == probe.Estimated {
			if lo, hi := Duration(seg.Lo, sym), Duration(seg.Hi, sym); lo != hi {
				text += ", between " + lo + " and " + hi
			} else {
				text += ", to the digits shown"
			}
		}
		t.pair(sym.Fill(seg.Name.Part())+" "+strings.ReplaceAll(string(seg.Name), "_", " "), text, themes.Text)
	}
	if c := r.Contention; c.OK && c.At > 0 {
		t.pair("contention", Duration(c.At, sym)+" of the queue: a busy batch slowed prefill", themes.Text)
	}
}

// timeline is every instant that has come, and the arrivals of tokens.
func (t *fullText) timeline(r *probe.Result) {
	l := &r.Timeline
	t.section("timeline, from the start of the request")
	for _, m := range []struct {
		name string
		at   probe.Mark
	}{
		{"DNS begins", l.DNSStart}, {"DNS done", l.DNSDone}, {"connect begins", l.ConnectStart}, {"connected", l.ConnectDone},
		{"TLS begins", l.TLSStart}, {"TLS done", l.TLSDone}, {"connection", l.GotConn}, {"written", l.Written}, {"sent", l.Sent},
		{"first byte", l.FirstByte}, {"headers", l.Headers}, {"first event", l.FirstEvent}, {"first token", l.FirstToken},
		{"first reasoning", l.FirstReasoning}, {"first answer", l.FirstAnswer}, {"last token", l.LastToken}, {"done", l.Done},
	} {
		if m.at.OK {
			tok := themes.Text
			if m.at == l.FirstToken {
				tok = themes.Strong
			}
			t.pair(m.name, fmt.Sprintf("%.3f ms", float64(m.at.At)/1e6), tok)
		}
	}
	if len(l.Tokens) > 0 {
		t.pair("arrivals", arrivals(r), themes.Text)
	}
}

// arrivals lists when tokens came, in milliseconds: those of one read together.
func arrivals(r *probe.Result) string {
	var b strings.Builder
	for i, a := range r.Timeline.Tokens {
		switch {
		case i == 0:
		case a.Read == r.Timeline.Tokens[i-1].Read:
			b.WriteByte('+')
			continue
		default:
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%.1f", float64(a.At)/1e6)
	}
	b.WriteString(" ms (each + came in the same read)")
	return b.String()
}

// asked is what was asked for and what was counted.
func (t *fullText) asked(r *probe.Result) {
	sym := t.s.sym
	t.section("request and answer")
	k := r.Knobs
	t.pair("asked", Count(int64(k.PromptTokens))+" prompt tokens, "+Count(int64(k.MaxTokens))+" output tokens, cache "+string(k.Cache)+
		", batch "+Count(int64(k.Pressure)), themes.Text)
	t.pair("prompt", approximate(Count(int64(r.PromptTokens)), r.PromptExact, sym)+" tokens, "+cachedText(r)+", "+
		Count(int64(r.PromptChars))+" characters", themes.Text)
	answer := approximate(Count(int64(r.OutputTokens)), r.OutputExact, sym) + " tokens"
	if r.FinishReason != "" {
		answer += ", finish reason " + r.FinishReason
	}
	if r.Model != "" {
		answer += ", model " + r.Model
	}
	t.pair("answer", answer, themes.Text)
}

// cachedText is how many tokens of the prompt were cached, as far as it is told.
func cachedText(r *probe.Result) string {
	if !r.CachedTold {
		return "cached: not told"
	}
	return Count(int64(r.CachedTokens)) + " of them cached"
}

// way is how the request went over the network, and by which clock.
func (t *fullText) way(r *probe.Result) {
	sym := t.s.sym
	t.section("connection")
	add := func(name, value string) {
		if value != "" {
			t.pair(name, value, themes.Text)
		}
	}
	how := "new"
	switch {
	case r.Fresh:
		how = "made ahead"
	case r.Reused:
		how = "kept from before"
	}
	if r.Resumed {
		how += ", TLS session resumed"
	}
	if r.Address != "" {
		add("address", r.Address+", "+how)
	}
	add("resolved to", strings.Join(r.Names, " "))
	add("proxy", r.Proxy)
	add("protocol", strings.TrimSpace(r.Protocol+" "+r.TLS))
	add("clock", string(r.Clock))
	if r.RTT.OK {
		add("round trip", Duration(r.RTT.At, sym)+", "+Count(int64(r.Retransmits))+" retransmits")
	}
	if r.Lost > 0 {
		add("lost", Duration(r.Lost, sym)+" on a kept connection that the server had closed, before the start")
	}
	add("late", Duration(r.Lag, sym)+" to start, "+Duration(r.ReadDelay, sym)+" to read at worst")
	if r.Status != 0 {
		add("status", strconv.Itoa(r.Status))
	}
	add("request id", r.RequestID)
	headers := slices.Sorted(maps.Keys(r.Headers))
	t.room(headers)
	for _, name := range headers {
		add(name, r.Headers[name])
	}
}

// reports is what the server said of itself, as it said it.
func (t *fullText) reports(r *probe.Result) {
	if len(r.Reported) == 0 {
		return
	}
	name := "reported by the server"
	if r.Dialect != "" {
		name += ", read as " + Clean(r.Dialect, t.s.sym.ASCII)
	}
	t.section(name)
	names := slices.Sorted(maps.Keys(r.Reported))
	t.room(names)
	for _, name := range names {
		t.pair(name, fmt.Sprint(r.Reported[name]), themes.Text)
	}
}
