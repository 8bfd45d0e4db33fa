package views

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ttftop/probe"
	"ttftop/themes"
)

// remark is something to know of a target, in one or more wordings, the fullest
// first. One that doesn't matter much is whole or not there.
type remark struct {
	texts []string
	tok   themes.Token
}

// remarks are what a person should know of a target besides its figures, the
// most important first.
func (s *sheet) remarks(t *Target) []remark {
	var list []remark
	add := func(tok themes.Token, texts ...string) { list = append(list, remark{texts, tok}) }
	if t.Insecure {
		add(themes.Warn, "TLS not verified")
	}
	for i, f := range t.FlagText {
		if i < len(t.FlagBrief) && t.FlagBrief[i] != "" {
			add(themes.Warn, f, t.FlagBrief[i])
		} else {
			add(themes.Warn, f)
		}
	}
	for _, r := range s.handoffRemarks(t) {
		add(r.tok, r.text)
	}
	if t.LoadError != "" {
		add(themes.Warn, "load: "+t.LoadError)
	}
	if t.Ladder.Total > 0 && t.Ladder.Done < t.Ladder.Total {
		add(themes.Accent, "calibrating "+strconv.Itoa(t.Ladder.Done)+"/"+strconv.Itoa(t.Ladder.Total))
	}
	if t.LoadAsked > 0 || t.Load > 0 {
		add(themes.Dim, "load "+Count(int64(t.Load))+"/"+Count(int64(t.LoadAsked)))
	}
	add(themes.Dim, engineRemark(t.Engine))
	if t.Dialect != "" {
		add(themes.Dim, "reported: "+t.Dialect)
	}
	if s.w >= 120 && t.Address != "" {
		add(themes.Dim, "connection "+t.Address)
	}
	return s.cleaned(list)
}

// cleaned is remarks fit to be drawn, without those that say nothing.
func (s *sheet) cleaned(list []remark) []remark {
	for i := range list {
		for j := range list[i].texts {
			list[i].texts[j] = clip(list[i].texts[j], s.w, s.sym)
		}
	}
	return slices.DeleteFunc(list, func(r remark) bool { return r.texts[0] == "" })
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

// joined is the remarks in at most room cells, with dots between them. What
// doesn't fit is worded more briefly, or left out; a warning is cut rather than
// left out.
func (s *sheet) joined(remarks []remark, room int) []span {
	const least = 6 // cells in which a cut warning still says something
	dot := span{" " + s.sym.Dot + " ", themes.Border}
	var list []span
	for _, r := range remarks {
		left := room
		if len(list) > 0 {
			left -= cells(dot.text)
		}
		text := ""
		for _, wording := range r.texts {
			if cells(wording) <= left {
				text = wording
				break
			}
		}
		if text == "" && r.tok == themes.Warn && left >= least {
			text = clip(r.texts[len(r.texts)-1], left, s.sym)
		}
		if text == "" {
			continue
		}
		if len(list) > 0 {
			list = append(list, dot)
		}
		list = append(list, span{text, r.tok})
		room = left - cells(text)
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
	text := "p50 " + millis(length(t.P50), s.sym)
	if cells(text) > remarkRoom {
		text = "p50 " + shortCount(length(t.P50).Milliseconds())
	}
	return text
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

// probeRemark is probeName in the room beside a bar: from the thousandth on the
// number has no word.
func probeRemark(k probe.Kind, seq int) string {
	if name := probeName(k, seq); cells(name) <= remarkRoom {
		return name
	}
	return "#" + Count(int64(seq))
}
