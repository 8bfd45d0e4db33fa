package tui

import (
	"fmt"
	"slices"
	"strings"

	"ttftop/probe"
	"ttftop/probe/typed"
	"ttftop/views"
)

// eachTarget says something of the target that was chosen, or of all of them, up
// to the first of which there is nothing but an error.
func (p *plain) eachTarget(text func(views.Snapshot) (string, error)) {
	m := p.m
	m.levers = &levers{}
	for i := range m.targets {
		if m.unlinked && i != p.m.target {
			continue
		}
		m.target = i
		said, err := text(m.snapshot())
		if err != nil {
			p.voice.say("%s", err)
			return
		}
		p.voice.say("%s", said)
	}
}

// explain says how the waterfall is cut, or of one segment what it is, how it is
// known and what makes it shorter.
func (p *plain) explain(name string) bool {
	p.eachTarget(func(s views.Snapshot) (string, error) {
		if name == "" {
			return views.PlainWaterfall(s, p.voice.theme), nil
		}
		return views.PlainExplain(s, name, p.voice.theme)
	})
	return false
}

// whatif says what each lever would do.
func (p *plain) whatif(string) bool {
	p.eachTarget(func(s views.Snapshot) (string, error) { return views.PlainWhatIf(s, p.voice.theme), nil })
	return false
}

// usualProbes is how many of the newest probes are listed where no number is
// given.
const usualProbes = 5

// list says the newest probes, oldest first, of those that a filter fits.
func (p *plain) list(rest string) bool {
	most := usualProbes
	if word, filter, _ := strings.Cut(rest, " "); word != "" {
		if n, err := typed.Number(word); err == nil {
			if n < 1 {
				p.voice.say("write how many probes to list, such as probes 20, or probes 20 failed")
				return false
			}
			most, rest = int(min(n, float64(len(p.m.state.recent)+1))), filter
		}
	}
	var found []*probe.Result
	match := matcher(strings.TrimSpace(rest), p.m.targets)
	for _, r := range slices.Backward(p.m.state.recent) {
		if len(found) < most && match(r) {
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		p.voice.say("no such probe is among the newest")
	}
	for _, r := range slices.Backward(found) {
		p.voice.say("%s", views.PlainProbe(r, p.m.targets[r.Target].Name, p.voice.theme))
	}
	return false
}

// probe tells one of the newest probes in full.
func (p *plain) probe(rest string) bool {
	r := p.numbered(rest)
	if r == nil {
		p.voice.say("%s", p.noProbe(rest))
		return false
	}
	p.voice.say("%s", views.PlainFull(p.m.snapshot(), r, everyFlagText(r.Flags), p.voice.theme))
	return false
}

// numbered is the probe of a number, or the newest where none is given; nil where
// it is not among the newest.
func (p *plain) numbered(text string) *probe.Result {
	all := p.m.state.recent
	if text == "" && len(all) > 0 {
		return all[len(all)-1]
	}
	n, err := typed.Number(text)
	at := slices.IndexFunc(all, func(r *probe.Result) bool { return err == nil && float64(r.Seq) == n })
	if at < 0 {
		return nil
	}
	return all[at]
}

func (p *plain) noProbe(text string) string {
	if len(p.m.state.recent) == 0 {
		return "no probe has ended yet"
	}
	newest := p.m.state.recent[len(p.m.state.recent)-1].Seq
	return fmt.Sprintf("no probe %q is among the newest: type its number, such as %d", text, newest)
}

// curl says a probe as a command for a shell.
func (p *plain) curl(rest string) bool {
	r := p.numbered(rest)
	if r == nil {
		p.voice.say("%s", p.noProbe(rest))
		return false
	}
	lines, _ := curlLines(p.m.targets[r.Target].Endpoint, r)
	p.voice.say("%s", strings.Join(lines, "\n"))
	return false
}
