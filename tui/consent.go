package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"ttftop/probe"
	"ttftop/probe/prober"
	"ttftop/probe/spend"
	"ttftop/views"
)

// consent remembers what spending a person has agreed to.
type consent struct {
	perMinute int64 // the most agreed to
	pressure  bool  // load streams agreed to
}

// cost is what settings cost, as far as anybody pays for it.
type cost struct {
	perMinute int64 // at endpoints that cost money
	all       int64 // at every endpoint
	pressure  bool  // load streams at an endpoint that costs money
}

// costOf adds up the targets. stream is how long a load stream of each takes,
// calibration the tokens of calibration that each is still to send, and most the
// pairs a second that there can be, 0 where that is not known.
func costOf(targets []probe.Target, s probe.Settings, stream func(int) time.Duration, calibration func(int) int, most float64) cost {
	var c cost
	if s.Paused {
		return c
	}
	for i, t := range targets {
		k := s.Of(i)
		k.Rate = s.RateOf(i)
		if rate := s.Of(i).Rate; most > 0 && rate > most && s.Pairs.Has(i) {
			k.Rate *= most / rate
		}
		n := spend.PerMinute(t, k, stream(i), calibration(i))
		c.all += n
		if spend.Free(t.Endpoint) {
			continue
		}
		c.perMinute += n
		c.pressure = c.pressure || s.Knobs[i].Pressure > 0
	}
	return c
}

// asks reports whether a change of cost needs to be agreed to. One that makes
// it cheaper never does, even where it was never agreed to: load streams that
// turn out to be quick cost more than was foreseen.
func (c consent) asks(now, next cost) bool {
	return next.pressure && !c.pressure || next.perMinute > max(spend.Consent, c.perMinute, now.perMinute)
}

// give agrees to a cost.
func (c *consent) give(to cost) {
	c.perMinute = max(c.perMinute, to.perMinute)
	c.pressure = c.pressure || to.pressure
}

// question is the dialog that asks.
func question(change string, next cost) *views.Dialog {
	d := &views.Dialog{Title: "This costs tokens", Chosen: -1, Keys: []views.KeyHelp{{Key: "y", Does: "go on"}, {Key: "n", Does: "leave it"}}}
	if change != "" {
		d.Lines = append(d.Lines, change)
	}
	d.Lines = append(d.Lines, fmt.Sprintf("About %s tokens a minute, calibration included.", views.Count(next.perMinute)))
	if next.pressure {
		d.Lines = append(d.Lines, "Load streams keep a real endpoint busy: others who use it will wait too.")
	}
	return d
}

// proposal is a change of the knobs that may have to be agreed to.
type proposal struct {
	settings probe.Settings
	undo     bool  // it takes the last turn back
	turned   bool  // the selected knob was turned by a step
	instead  bool  // of the last turn: both are one change
	cost     cost  // as the question told it
	limit    error // of the system, that made it less than was asked for; nil for none
}

// ask sets the knobs, after a question where they would cost much.
func (m *model) ask(p proposal) {
	p.settings, p.limit = m.engine.allowed(p.settings)
	text := described(m.settings, p.settings)
	if !differ(m.settings, p.settings) && p.settings.Paused == m.settings.Paused && p.settings.Pairs == m.settings.Pairs {
		m.tellLimit(p)
		return
	}
	if text == "" && p.settings.Pairs.On {
		text = "Pairs of probes: " + m.sides(p.settings.Pairs) + "."
	}
	p.cost = m.cost(p.settings)
	if m.consent.asks(m.cost(m.settings), p.cost) {
		m.pending = &p
		m.dialog = question(text, p.cost)
		if p.turned && m.typable() {
			m.dialog.Keys = append(m.dialog.Keys, views.KeyHelp{Key: "enter", Does: "type a value"})
		}
		return
	}
	m.commit(p)
}

// answer takes the answer to the question: y goes on, n and esc leave things as
// they are, enter after a knob's own key types its value instead, and the arrows
// scroll a question that is too long for the window.
// Another key is no answer, such as a digit typed too late.
func (m model) answer(msg tea.KeyPressMsg) model {
	switch msg.String() {
	case "y", "Y":
		return m.decide(true)
	case "n", "N", "esc":
		return m.decide(false)
	case "enter":
		if m.pending.turned && m.typable() {
			m = m.decide(false)
			m.open()
		}
	case "down", "j", "up", "k":
		m.scroll(msg.String() == "down" || msg.String() == "j")
	}
	return m
}

// scroll moves the text of the question by a line, up to its last.
func (m *model) scroll(down bool) {
	d := *m.dialog
	width, height := m.size()
	switch {
	case down && views.DialogIsCut(d, width, height, m.theme):
		d.From++
	case !down && d.From > 0:
		d.From--
	}
	m.dialog = &d
}

// decide answers the question.
func (m model) decide(agreed bool) model {
	p := *m.pending
	m.pending, m.dialog = nil, nil
	if agreed {
		m.consent.give(p.cost)
		m.commit(p)
		return m
	}
	if m.settings.Paused {
		m.stand("nothing is probed: turn the knobs down, then press space to start")
	}
	return m
}

// cost is what settings would cost from now on.
func (m *model) cost(s probe.Settings) cost {
	return costOf(m.targets, s, m.streamTime, func(i int) int { return m.calibration(i, s.Knobs[i]) }, m.mostPairs(s))
}

// mostPairs is how many pairs a second there can be: back to back, one takes as long
// as both of its probes. 0 is for unknown, and for no bound.
func (m *model) mostPairs(s probe.Settings) float64 {
	p := s.Pairs
	if !p.On || p.Order != probe.BackToBack || m.state == nil || max(p.A, p.B) >= len(m.state.targets) {
		return 0
	}
	a, b := m.state.targets[p.A].Figures.Total, m.state.targets[p.B].Figures.Total
	if !a.OK || !b.OK || a.At+b.At <= 0 {
		return 0
	}
	return float64(time.Second) / float64(a.At+b.At)
}

// streamTime is how long a load stream of a target takes, 0 for unknown.
func (m *model) streamTime(i int) time.Duration {
	if m.state == nil {
		return 0
	}
	return m.state.streams[i]
}

// calibration is the tokens of calibration that a target would still have to
// send at the knobs: all of them with another model than the present one, and
// with another prompt length those of that length.
func (m *model) calibration(i int, k probe.Knobs) int {
	now := m.settings.Knobs[i]
	switch {
	case m.ladder == 0:
		return 0
	case m.state == nil || k.Model != now.Model:
		return m.ladder + prober.LengthTokens(k.PromptTokens)
	}
	tokens := int(float64(m.ladder) * m.state.ladders[i])
	if k.PromptTokens != now.PromptTokens {
		tokens += prober.LengthTokens(k.PromptTokens)
	}
	return tokens
}
