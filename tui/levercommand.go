package tui

import (
	"strings"

	"ttftop/probe"
	"ttftop/views"
)

// lever turns a lever to what was typed: its name and a value, + or −, or
// nothing to hear how it stands; without a name it lists them all.
func (p *plain) lever(rest string) bool {
	if len(p.m.turnable()) == 0 {
		p.voice.say("%s", strings.Replace(noLevers, "levers are", "there are no levers: they are", 1))
		return false
	}
	name, text, _ := strings.Cut(rest, " ")
	if name == "" {
		p.voice.say("%s", views.PlainLevers(p.m.everyLever()))
		return false
	}
	for at, l := range p.m.turnable() {
		if strings.EqualFold(l.Name, name) {
			p.turnLever(at, l, strings.TrimSpace(text))
			return false
		}
	}
	p.voice.say("no lever is called %q: type lever for the list", name)
	return false
}

// turnLever does to one lever what was typed after its name.
func (p *plain) turnLever(at int, l probe.Lever, text string) {
	stands := func() string { return l.Name + " is " + leverValue(p.m.settings.Levers[p.m.target][l.Name]) }
	before := p.m.settings.Clone()
	p.m.hush()
	switch text {
	case "":
		p.voice.say("%s: %s; %s", stands(), l.About, strings.Join(l.Steps, ", "))
		return
	case "+", "-":
		p.m.turnLever(at, text == "+")
	default:
		next, err := p.m.withLever(l, typedFor(l, text), "target NAME")
		if err != nil {
			p.voice.say("%s", err)
			return
		}
		p.m.ask(proposal{settings: next})
	}
	if p.m.notice != "" {
		p.voice.say("%s", p.m.notice)
		return
	}
	p.say(described(before, p.m.settings), stands())
}
