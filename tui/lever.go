package tui

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"ttftop/probe"
	"ttftop/probe/typed"
	"ttftop/views"
)

// simLevers are the levers of simulated servers, and where a person is among
// them.
type simLevers struct {
	all    [][]probe.Lever // by target; nil where any endpoint is real
	settle func(target int, now probe.Levers, name, text string) (probe.Levers, error)
	open   bool // the panel
	at     int  // selected, index into all of a target's

	filter string
	typing bool // the filter
	input  textinput.Model
}

// noLevers is why there are none.
const noLevers = "levers are of simulated servers: a real one is turned where it runs (ttftop demo has them)"

// turnable are the levers of the selected target.
func (m *model) turnable() []probe.Lever {
	if m.target >= len(m.sim.all) {
		return nil
	}
	return m.sim.all[m.target]
}

// toggleLevers opens the panel of levers, or closes it.
func (m *model) toggleLevers() {
	if len(m.turnable()) == 0 {
		m.tell(noLevers)
		return
	}
	if m.narrow() {
		m.tell("levers need a window of 60x16")
		return
	}
	if m.sim.open = !m.sim.open; m.sim.open {
		m.zoom = ""
	}
	m.dropLeverFilter()
}

// turnsLevers reports whether the keys of the knobs turn levers: their panel is
// on the screen.
func (m *model) turnsLevers() bool {
	width, height := m.size()
	return m.sim.open && m.zoom == "" && width >= panelsWidth && height >= panelsHeight
}

// leverKey does what a key does to the levers; false where it is none of theirs.
// They take the keys of the knobs before the view does.
func (m *model) leverKey(msg tea.KeyPressMsg) bool {
	if !m.turnsLevers() {
		return false
	}
	if m.sim.typing {
		m.leverFilterKey(msg)
		return true
	}
	switch msg.String() {
	case "/":
		m.openLeverFilter()
		return true
	case "pgdown", "pgup":
		m.nextLeverGroup(msg.String() == "pgdown")
		return true
	}
	switch a := actionOf(explore, msg); a {
	case actRaise, actLower:
		if m.leverShown() {
			m.turnLever(m.sim.at, a == actRaise)
		}
	case actNextKnob, actPrevKnob:
		m.nextLever(a == actNextKnob)
	case actEnter:
		if m.leverShown() {
			m.openLever()
		}
	case actBack:
		if m.sim.filter == "" {
			m.sim.open = false
		}
		m.dropLeverFilter()
	default:
		return false
	}
	return true
}

// turnLever moves a lever one step.
func (m *model) turnLever(at int, up bool) {
	l := m.turnable()[at]
	next, err := m.withLever(l, stepOf(l, m.settings.Levers[m.target][l.Name], up), "x")
	if err != nil {
		m.tell(err.Error())
		return
	}
	m.ask(proposal{settings: next})
}

// withLever is the settings with a lever at a value: of every target alike, or
// unlinked of the selected one alone. Where one target refuses what another
// takes, the error says how one alone is turned: by the key or command alone.
func (m *model) withLever(l probe.Lever, text, alone string) (probe.Settings, error) {
	next := m.settings.Clone()
	var refused error
	taken := false
	for i := range next.Levers {
		if m.unlinked && i != m.target {
			continue
		}
		to, err := m.sim.settle(i, next.Levers[i], l.Name, text)
		switch {
		case err == nil:
			next.Levers[i], taken = to, true
		case refused == nil:
			refused = err
		}
	}
	if refused != nil && taken {
		refused = fmt.Errorf("%w; none turned (%s: one alone)", refused, alone)
	}
	return next, refused
}

// stepOf is the value a step above or below: of choices the next one, round and
// round, else the next of the ladder.
func stepOf(l probe.Lever, now string, up bool) string {
	if n := len(l.Choices); n > 0 {
		return l.Choices[cycle(max(0, slices.Index(l.Choices, now)), n, up)]
	}
	ladder := make([]float64, len(l.Steps))
	for i, s := range l.Steps {
		ladder[i] = magnitude(s)
	}
	if at := slices.Index(ladder, along(ladder, magnitude(now), up)); at >= 0 {
		return l.Steps[at]
	}
	return now
}

// magnitude is a lever's value as a number: a duration in seconds.
func magnitude(value string) float64 {
	if d, err := time.ParseDuration(value); err == nil {
		return d.Seconds()
	}
	v, err := typed.Number(value)
	if err != nil {
		return 0
	}
	return v
}

// typedFor is a lever's value as it was typed: numbers as the knobs take them,
// and milliseconds where a time has no unit.
func typedFor(l probe.Lever, text string) string {
	text = strings.TrimSpace(text)
	if len(l.Choices) > 0 {
		return strings.ToLower(text)
	}
	v, err := typed.Number(text)
	if err != nil || math.Abs(v) > math.MaxInt32 {
		return text // what is too much is refused as it was typed
	}
	text = strconv.FormatFloat(v, 'f', -1, 64)
	if _, err := time.ParseDuration(l.Steps[len(l.Steps)-1]); err == nil {
		text += "ms"
	}
	return text
}

// leverValue is a lever's value as a person reads it.
func leverValue(value string) string {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return views.Count(n)
	}
	return value
}

// leversDescribed are the changes of levers in a person's words.
func leversDescribed(before, after []probe.Levers) []string {
	var names []string
	of := map[string]*saying{}
	for i := range min(len(before), len(after)) {
		for _, name := range sortedNames(after[i]) {
			if of[name] == nil {
				of[name] = &saying{}
				names = append(names, name)
			}
			if from, to := before[i][name], after[i][name]; from != to {
				of[name].add(i, leverValue(from), leverValue(to))
			}
		}
	}
	var said []string
	for _, name := range names {
		if text := of[name].of(name); text != "" {
			said = append(said, text)
		}
	}
	return said
}

func sortedNames(levers probe.Levers) []string {
	names := make([]string, 0, len(levers))
	for name := range levers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// leverList is the panel of levers; nil where it is not on the screen.
func (m *model) leverList() *views.LeverList {
	if !m.turnsLevers() {
		return nil
	}
	shown := m.shownLevers()
	list := m.listed(shown)
	list.Filter, list.Typing, list.Total = m.sim.filter, m.sim.typing, len(m.turnable())
	list.Selected = slices.Index(shown, m.sim.at)
	return list
}

// everyLever is the levers of the selected target as they stand.
func (m *model) everyLever() *views.LeverList {
	all := make([]int, len(m.turnable()))
	for i := range all {
		all[i] = i
	}
	return m.listed(all)
}

// listed is those levers of the selected target as they stand.
func (m *model) listed(which []int) *views.LeverList {
	list := &views.LeverList{Of: m.leversOf()}
	now := m.settings.Levers[m.target]
	for _, i := range which {
		l := m.turnable()[i]
		v := views.Lever{Group: l.Group, Name: l.Name, Value: leverValue(now[l.Name]), About: l.About}
		for _, s := range l.Steps {
			v.Steps = append(v.Steps, leverValue(s))
		}
		list.Levers = append(list.Levers, v)
	}
	return list
}

// leversOf is whom a turn of a lever is for.
func (m *model) leversOf() string {
	name := m.targets[m.target].Name
	switch n := len(m.targets); {
	case n == 1:
		return name
	case m.unlinked:
		return name + " alone"
	case n == 2:
		return m.targets[0].Name + " and " + m.targets[1].Name
	default:
		return fmt.Sprintf("%s and %d more", name, n-1)
	}
}

// openLever starts the entry of the selected lever's value, or the choice of it.
func (m *model) openLever() {
	l := m.turnable()[m.sim.at]
	m.startInput(ofLever)
	m.dialog = &views.Dialog{
		Title: l.Name, Entry: true, Chosen: -1,
		Lines: []string{"Now " + leverValue(m.settings.Levers[m.target][l.Name]) + ": " + l.About + "."},
		Keys:  entryKeys(len(l.Choices) > 0),
	}
	m.list()
}

// enterLever sets the selected lever to what was typed or chosen.
func (m *model) enterLever(text string) {
	l := m.turnable()[m.sim.at]
	next, err := m.withLever(l, typedFor(l, text), "x")
	if err != nil {
		m.fail(err)
		return
	}
	m.dialog = nil
	m.ask(proposal{settings: next})
}

// leverChoices are the choices of a lever that hold the typed text, in any case.
func leverChoices(l probe.Lever, typed string) []string {
	var found []string
	for _, c := range l.Choices {
		if strings.Contains(c, strings.ToLower(strings.TrimSpace(typed))) {
			found = append(found, c)
		}
	}
	return found
}
