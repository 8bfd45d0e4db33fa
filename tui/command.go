package tui

import (
	"fmt"
	"math"
	"strings"
	"time"

	"ttftop/probe/typed"
	"ttftop/views"
)

// command is a word that a person types in a plain session, besides the names
// of knobs.
type command struct {
	words []string // the first is its name
	args  string
	does  string
	run   func(p *plain, rest string) (quit bool)
}

// commands are all but those of the knobs.
var commands []command

func init() { // help lists them
	commands = []command{
		{[]string{"target"}, "NAME", "turn the knobs for one target alone; target all for all", (*plain).choose},
		{[]string{"lever", "levers"}, "rtt 40ms", "lever of the simulated servers; lever alone lists them", (*plain).lever},
		{[]string{"pause"}, "", "pause probing", func(p *plain, _ string) bool { return p.pause(true) }},
		{[]string{"resume", "go"}, "", "go on", func(p *plain, _ string) bool { return p.pause(false) }},
		{[]string{"undo"}, "", "undo the last turn of a knob", (*plain).undo},
		{[]string{"status"}, "", "figures, diagnosis and knobs", (*plain).status},
		{[]string{"effect"}, "", "what the last turn of a knob did", (*plain).effect},
		{[]string{"explain", "why"}, "prefill", "what a segment is, how it is known and what makes it shorter; explain alone says the whole waterfall", (*plain).explain},
		{[]string{"whatif"}, "", "the TTFT projected under each lever, and what that assumes", (*plain).whatif},
		{[]string{"quiet"}, "", "no line for a probe that goes well, while typing or listening; notices, answers and failures go on", (*plain).quiet},
		{[]string{"every"}, "10s", "a line of each target once in that time", (*plain).every},
		{[]string{"loud"}, "", "a line for each probe again", (*plain).loud},
		{[]string{"probes"}, "20", "the newest probes; with a word behind it, such as probes 20 failed, those that it fits", (*plain).list},
		{[]string{"probe"}, "12", "one of the newest probes in full, by its number; probe alone has the last", (*plain).probe},
		{[]string{"curl"}, "12", "the same as a curl command, without its key", (*plain).curl},
		{[]string{"pairs"}, "on", "send pairs of probes to two targets; also off, together, back-to-back, or the two, such as pairs A B", (*plain).pairs},
		{[]string{"compare"}, "", "which of the two is faster, as far as that is known", (*plain).compare},
		{[]string{"mark"}, "NOTE", "drop a marker with a note into the record", (*plain).mark},
		{[]string{"clear"}, "", "begin the figures anew; the record goes on", (*plain).clear},
		{[]string{"wait"}, "30s", "take no command for a time, or with wait 20 probes until so many have ended at these knobs: for commands from a file", (*plain).wait},
		{[]string{"help", "?"}, "", "these commands", (*plain).help},
		{[]string{"quit", "q", "exit"}, "", "end", func(*plain, string) bool { return true }},
	}
}

// knobWords are what a person may call a knob besides its name.
var knobWords = map[string]int{"pressure": knobPressure, "connection": knobConn, "tokens": knobOutput}

// knobHelp is what the commands of the knobs take.
var knobHelp = []struct {
	knob       int
	name, args string
	does       string
}{
	{knobPrompt, "prompt", "8k", "prompt length in tokens"},
	{knobPressure, "pressure", "4", "batch pressure: load streams kept in flight"},
	{knobModel, "model", "NAME", "model to probe"},
	{knobCache, "cache", "warm", "warm for a shared prefix, bust for unique prompts"},
	{knobConn, "conn", "cold", "cold for a new connection for each probe, warm to keep them"},
	{knobOutput, "output", "32", "output tokens of a probe"},
	{knobRate, "rate", "2", "probes per second for each target"},
	{knobSLO, "slo", "p95=600ms", "limit to hold the figures to; off for none"},
}

// CommandHelp is every command of a plain session and what it does.
func CommandHelp() []views.KeyHelp {
	var all []views.KeyHelp
	for _, k := range knobHelp {
		all = append(all, views.KeyHelp{Key: k.name + " " + k.args, Does: k.does})
	}
	for _, c := range commands {
		all = append(all, views.KeyHelp{Key: strings.TrimSpace(c.words[0] + " " + c.args), Does: c.does})
	}
	return all
}

// obey does what a line says, and reports whether that is to end.
func (p *plain) obey(line string) (quit bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	word, rest = strings.ToLower(word), strings.TrimSpace(rest)
	if word == "" {
		p.asks()
		return false
	}
	if p.m.pending != nil && p.answered(word) {
		return false
	}
	for _, c := range commands {
		for _, w := range c.words {
			if w == word {
				return c.run(p, rest)
			}
		}
	}
	if knob, ok := knobNamed(word); ok {
		p.turn(knob, rest)
		return false
	}
	p.voice.say("%q is no command: type help for the list", word)
	return false
}

// answered takes the answer to a question; any other word but quit asks again.
func (p *plain) answered(word string) bool {
	switch word {
	case "y", "yes", "n", "no":
		p.decide(word[0] == 'y')
	case "quit", "q", "exit":
		return false
	default:
		p.asks()
	}
	return true
}

// decide answers the question and says what came of it.
func (p *plain) decide(agreed bool) {
	before := p.m.settings.Clone()
	p.m.hush()
	p.m = p.m.decide(agreed)
	text := "the knobs stay as they are"
	switch {
	case before.Paused && !p.m.settings.Paused:
		text = "probing"
	case before.Pairs != p.m.settings.Pairs:
		text = p.paired()
	}
	p.say(described(before, p.m.settings), text)
	switch {
	case p.m.settings.Paused:
		p.voice.say("nothing is probed: turn the knobs down, then type resume")
	case p.m.notice != "":
		p.voice.say("%s", p.m.notice)
	}
}

// knobNamed is the knob that a word names: by its name, its key or another word
// for it.
func knobNamed(word string) (int, bool) {
	for i, kn := range knobs {
		if kn.name == word || kn.key == word {
			return i, true
		}
	}
	knob, ok := knobWords[word]
	return knob, ok
}

// turn sets a knob to what was typed: a value, + or −, or nothing to hear how
// it stands.
func (p *plain) turn(knob int, text string) {
	before := p.m.settings.Clone()
	p.m.notice = ""
	switch text {
	case "":
		p.voice.say("%s is %s", knobs[knob].name, p.m.reads(knob))
		return
	case "+", "-":
		p.m.turn(knob, text == "+")
	default:
		next, err := p.m.withTyped(knob, text)
		if err != nil {
			p.voice.say("%s", err)
			return
		}
		p.m.ask(proposal{settings: next})
	}
	if p.m.pending != nil {
		p.asks()
		return
	}
	stands := knobs[knob].name + " is " + p.m.reads(knob)
	if knob == knobSLO {
		stands = sloTold(before.SLO, p.m.settings.SLO)
	}
	p.say(described(before, p.m.settings), stands)
	if p.m.notice != "" {
		p.voice.say("%s", p.m.notice)
	}
}

// say says the first of two texts that is one.
func (p *plain) say(first, second string) {
	if first == "" {
		first = second
	}
	p.voice.say("%s", first)
}

func (p *plain) pause(paused bool) bool {
	next := p.m.settings.Clone()
	next.Paused = paused
	p.m.ask(proposal{settings: next})
	switch {
	case p.m.pending != nil:
		p.asks()
	case paused:
		p.voice.say("paused")
	default:
		p.voice.say("probing")
	}
	return false
}

func (p *plain) undo(string) bool {
	before := p.m.settings.Clone()
	p.m.undoTurn()
	if p.m.pending != nil {
		p.asks()
		return false
	}
	text := described(before, p.m.settings)
	if text == "" && differ(before, p.m.settings) {
		text = "slo is " + p.m.value(knobSLO)
	}
	p.say(text, "nothing to undo")
	return false
}

// choose links the knobs to one target or to all.
func (p *plain) choose(name string) bool {
	if name == "" || strings.EqualFold(name, "all") {
		p.m.unlinked = false
		p.voice.say("knobs turn for all targets")
		return false
	}
	i := p.named(name)
	if i < 0 {
		p.voice.say("no target is called %q, but %s", name, p.letters())
		return false
	}
	p.m.target, p.m.unlinked = i, true
	p.voice.say("knobs turn for %s alone", p.m.targets[i].Name)
	return false
}

func (p *plain) status(string) bool {
	p.voice.say("%s", views.PlainStatus(p.m.snapshot(), p.voice.theme))
	return false
}

func (p *plain) effect(string) bool {
	p.voice.say("%s", views.PlainEffect(p.m.snapshot(), p.voice.theme))
	return false
}

func (p *plain) mark(note string) bool {
	if r := []rune(note); len(r) > longestNote {
		note = string(r[:longestNote])
	}
	p.m.engine.mark(note)
	p.voice.say("marked")
	return false
}

func (p *plain) clear(string) bool {
	p.m.clear()
	p.voice.say("%s", p.m.notice)
	return false
}

func (p *plain) wait(text string) bool {
	if count, found := strings.CutSuffix(text, "probes"); found {
		if n, err := typed.Number(count); err == nil && n >= 1 && n < math.MaxInt32 {
			p.until = int(n)
			return false
		}
	}
	d, ok := typedTime(text)
	if !ok {
		p.voice.say("write how long to wait, such as wait 30s or wait 20 probes")
		return false
	}
	p.holding = time.After(d)
	return false
}

func (p *plain) help(string) bool {
	for _, c := range CommandHelp() {
		p.voice.say("%s", fmt.Sprintf("%-16s %s", c.Key, c.Does))
	}
	p.voice.say("A knob and a lever take + and - too, and tell how they stand without a value.")
	return false
}
