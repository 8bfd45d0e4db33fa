package views

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ttftop/probe"
	"ttftop/themes"
)

// remarks are what a person should know of a target besides its figures, the
// most important first.
func (s *sheet) remarks(t *Target) []span {
	var list []span
	if t.Insecure {
		list = append(list, span{"TLS not verified", themes.Warn})
	}
	for _, f := range t.FlagText {
		list = append(list, span{f, themes.Warn})
	}
	list = append(list, s.handoffRemarks(t)...)
	if t.LoadError != "" {
		list = append(list, span{"load: " + t.LoadError, themes.Warn})
	}
	if t.Ladder.Total > 0 && t.Ladder.Done < t.Ladder.Total {
		list = append(list, span{"calibrating " + strconv.Itoa(t.Ladder.Done) + "/" + strconv.Itoa(t.Ladder.Total), themes.Accent})
	}
	if t.LoadAsked > 0 || t.Load > 0 {
		list = append(list, span{"load " + Count(int64(t.Load)) + "/" + Count(int64(t.LoadAsked)), themes.Dim})
	}
	list = append(list, span{engineRemark(t.Engine), themes.Dim})
	if t.Dialect != "" {
		list = append(list, span{"reported: " + t.Dialect, themes.Dim})
	}
	if s.w >= 120 && t.Address != "" {
		list = append(list, span{t.Address, themes.Dim})
	}
	for i := range list {
		list[i].text = clip(list[i].text, s.w, s.sym)
	}
	return slices.DeleteFunc(list, func(r span) bool { return r.text == "" })
}

// engineRemark is what the server's metrics page shows: "server: 3 running, 5
// waiting, KV 82 %".
func engineRemark(e *probe.EngineState) string {
	if e == nil {
		return ""
	}
	var parts []string
	if e.Running >= 0 {
		parts = append(parts, Count(int64(e.Running))+" running")
	}
	if e.Waiting >= 0 {
		parts = append(parts, Count(int64(e.Waiting))+" waiting")
	}
	if e.CacheUse >= 0 {
		parts = append(parts, fmt.Sprintf("KV %.0f %%", 100*e.CacheUse))
	}
	if len(parts) == 0 {
		return ""
	}
	return "server: " + strings.Join(parts, ", ")
}

// joined is as many of the remarks as fit in room cells, with dots between
// them; the last one may be cut.
func (s *sheet) joined(remarks []span, room int) []span {
	const least = 6 // cells in which a cut remark still says something
	dot := span{" " + s.sym.Dot + " ", themes.Border}
	var list []span
	for _, r := range remarks {
		if len(list) > 0 {
			room -= cells(dot.text)
		}
		text := clip(r.text, room, s.sym)
		if text == "" || text != r.text && cells(text) < least {
			break
		}
		if len(list) > 0 {
			list = append(list, dot)
		}
		list = append(list, span{text, r.tok})
		room -= cells(text)
	}
	return list
}

// problem is why a target has no fresh figures; false where all is well.
func (s *sheet) problem(t *Target) (span, bool) {
	switch {
	case t.Held != "":
		text := s.sym.Pause + " held"
		if t.HeldFor > 0 {
			text += " " + wait(t.HeldFor)
		}
		why := t.Held
		if t.Failure != "" {
			why = t.Failure // the reason says more than that the prober backs off
		}
		return span{text + ": " + head(why, longest(s.w)), themes.Warn}, true
	case t.Failure != "":
		return span{s.sym.Failed + " " + head(t.Failure, longest(s.w)), themes.Bad}, true
	}
	return span{}, false
}

// p50Remark is the p50 for lanes that have no line for it.
func p50Remark(t *Target, s *sheet) string {
	if len(t.P50) == 0 {
		return "p50 " + s.sym.Unknown
	}
	return "p50 " + millis(length(t.P50), s.sym)
}

// promptRemark is the length of the prompt that a probe sent.
func promptRemark(l *Settled, s *sheet) string {
	if l.PromptTokens <= 0 {
		return ""
	}
	return approximate(shortCount(int64(l.PromptTokens)), l.PromptExact, s.sym) + " tok"
}

// probeName is what kind of probe it is and, for the ordinary, its number.
func probeName(k probe.Kind, seq int) string {
	switch k {
	case probe.Calibration:
		return "calibrate"
	case probe.Sentinel, probe.Warmup:
		return string(k)
	}
	return strings.TrimSpace("probe " + shortCount(int64(seq)))
}
