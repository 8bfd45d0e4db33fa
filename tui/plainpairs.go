package tui

import (
	"cmp"
	"strings"

	"ttftop/probe"
	"ttftop/probe/ab"
	"ttftop/views"
)

// pairs sends pairs of probes or ends them, says how they are sent, or chooses
// the two targets.
func (p *plain) pairs(rest string) bool {
	next := p.m.settings.Clone()
	q := &next.Pairs
	switch rest = strings.ToLower(rest); rest {
	case "":
		p.voice.say("%s", p.paired())
		return false
	case "on", "off":
		q.On = rest == "on"
	case string(probe.Together), string(probe.BackToBack):
		p.m.order = probe.Order(rest)
	default:
		a, b, _ := strings.Cut(rest, " ")
		one, other := p.named(a), p.named(strings.TrimSpace(b))
		if one < 0 || other < 0 {
			p.voice.say("write pairs on, pairs off, pairs together, pairs back-to-back, or two targets: %s", p.letters())
			return false
		}
		q.A, q.B = one, other
	}
	p.m.begun = true
	q.Order = p.m.orderOf(*q)
	p.m.ask(proposal{settings: next})
	if p.m.pending != nil {
		p.asks()
		return false
	}
	p.voice.say("%s", p.paired())
	return false
}

// paired says what pairs are sent.
func (p *plain) paired() string {
	q := p.m.settings.Pairs
	if !q.On {
		return "no pairs are sent: pairs on sends those of " + p.m.sides(probe.Pairs{A: q.A, B: q.B, Order: p.m.orderOf(q)})
	}
	return "pairs of " + p.m.sides(q)
}

// letters are the targets with their letters: "A near, B far".
func (p *plain) letters() string {
	var all []string
	for i, t := range p.m.targets {
		all = append(all, views.Letter(i)+" "+t.Name)
	}
	return strings.Join(all, ", ")
}

// named is the target of a name or a letter, −1 for none.
func (p *plain) named(name string) int {
	for i, t := range p.m.targets {
		if strings.EqualFold(t.Name, name) || strings.EqualFold(views.Letter(i), name) {
			return i
		}
	}
	return -1
}

// compare says which of two targets is faster, as far as that is known.
func (p *plain) compare(string) bool {
	if p.m.state.versus == nil {
		p.voice.say("no pairs were sent, so there is nothing to compare: type pairs on")
		return false
	}
	p.voice.say("%s", views.PlainVersus(p.m.state.versus, p.voice.theme))
	return false
}

// tellVerdict says a verdict once, when it is there, and again when it changes.
func (p *plain) tellVerdict() {
	v := p.m.state.versus
	if v == nil {
		return
	}
	now := v.Verdict.Outcome
	if now != cmp.Or(p.outcome, ab.Undecided) {
		p.voice.say("%s", v.Verdict.Sentence())
	}
	p.outcome = now
}
