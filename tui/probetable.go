package tui

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"ttftop/probe"
	"ttftop/views"
)

// probeTable is the state of the view of probes. The zero value shows the
// newest first.
type probeTable struct {
	sort      views.ProbeColumn
	ascending bool
	filter    string
	typing    bool
	input     textinput.Model
	seq       int // the selected probe; 0 for the first row, whichever it is
	at        int // its row
	open      *probe.Result
	scroll    int // of the open one

	rows  []*probe.Result // a new list each time: snapshots hold the old ones
	total int
	now   time.Duration // of the rows
}

// update takes the newest probes and puts them in order.
func (p *probeTable) update(st *state, targets []probe.Target) {
	p.total, p.now = len(st.recent), st.now
	p.rows = make([]*probe.Result, 0, p.total)
	match := matcher(p.filter, targets)
	for _, r := range st.recent {
		if match(r) {
			p.rows = append(p.rows, r)
		}
	}
	sortProbes(p.rows, p.sort, p.ascending)
	if p.seq == 0 {
		p.at = 0
		return
	}
	if i := slices.IndexFunc(p.rows, func(r *probe.Result) bool { return r.Seq == p.seq }); i >= 0 {
		p.at = i
		return
	}
	p.selectRow(p.at) // it was forgotten or filtered out: its neighbour
}

// selectRow selects a row, or the nearest that there is. The first row is
// followed, whichever probe comes there, where the newest stand first.
func (p *probeTable) selectRow(i int) {
	p.at = min(max(i, 0), max(len(p.rows)-1, 0))
	p.seq = 0
	if p.at > 0 || len(p.rows) > 0 && !p.newestFirst() {
		p.seq = p.rows[p.at].Seq
	}
}

func (p *probeTable) newestFirst() bool { return p.sort == views.ProbeSeq && !p.ascending }

// act does what a key does to the table, whose page has so many rows and
// whose open probe has so many lines more than fit.
func (p *probeTable) act(a action, page tablePage) bool {
	switch a {
	case actUp:
		p.move(-1, page)
	case actDown:
		p.move(1, page)
	case actPageUp:
		p.move(-page.rows, page)
	case actPageDown:
		p.move(page.rows, page)
	case actTop:
		p.move(-1<<30, page)
	case actBottom:
		p.move(1<<30, page)
	case actOpen:
		p.openSelected()
	case actSort:
		p.sort = (p.sort + 1) % views.NProbeColumns
		p.ascending = p.sort.Text()
		p.open = nil
	case actReverse:
		p.ascending = !p.ascending
		p.open = nil
	case actFilter:
		p.openFilter()
	default:
		return false
	}
	return true
}

// tablePage is how much of the view is seen at once.
type tablePage struct {
	rows  int // of the table, or lines of the open probe
	extra int // lines of the open probe beyond these
}

// move selects another row, or scrolls the open probe.
func (p *probeTable) move(by int, page tablePage) {
	if p.open != nil {
		p.scroll = min(max(min(p.scroll, page.extra)+by, 0), page.extra)
		return
	}
	p.selectRow(p.at + by)
}

func (p *probeTable) openSelected() {
	if p.open == nil && p.at < len(p.rows) {
		p.open, p.scroll = p.rows[p.at], 0
		p.seq = p.open.Seq
	}
}

// chosen is the open or the selected probe, nil where there is none.
func (p *probeTable) chosen() *probe.Result {
	switch {
	case p.open != nil:
		return p.open
	case p.at < len(p.rows):
		return p.rows[p.at]
	}
	return nil
}

func (p *probeTable) openFilter() {
	p.open, p.typing = nil, true
	p.input = textinput.New()
	p.input.Focus()
	p.input.SetValue(p.filter)
	p.input.CursorEnd()
}

// typed gives a key or a paste to the filter.
func (p *probeTable) typed(msg tea.Msg) {
	p.input, _ = p.input.Update(msg)
	p.filter = p.input.Value()
}

// back leaves what was opened last; false where nothing is.
func (p *probeTable) back() bool {
	switch {
	case p.open != nil:
		p.open = nil
	case p.filter != "":
		p.filter = ""
	default:
		return false
	}
	return true
}

// opened reports whether back leaves something.
func (p *probeTable) opened() bool { return p.open != nil || p.filter != "" }

// shown is the table as the views take it.
func (p *probeTable) shown() *views.ProbeList {
	list := &views.ProbeList{
		Now: p.now, Rows: p.rows, Total: p.total, Selected: p.at, Sort: p.sort, Ascending: p.ascending,
		Filter: p.filter, Typing: p.typing, Open: p.open, Scroll: p.scroll,
	}
	if p.open != nil {
		list.FlagText = everyFlagText(p.open.Flags)
	}
	return list
}

// filtering reports whether keys are typed into the filter.
func (m *model) filtering() bool { return m.mode == probes && m.table.typing }

// filterKey is a key pressed while the filter is typed.
func (m *model) filterKey(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "enter":
		m.table.typing = false
	case "esc":
		m.table.typing, m.table.filter = false, ""
	case "up", "down", "pgup", "pgdown":
		m.table.act(actionOf(probes, msg), m.tablePage())
	default:
		m.table.typed(msg)
	}
	m.updateTable()
}

// updateTable brings the table up to date, where it is shown.
func (m *model) updateTable() {
	if m.mode == probes && m.state != nil {
		m.table.update(m.state, m.targets)
	}
}

// tablePage measures the view of probes on the present screen.
func (m *model) tablePage() tablePage {
	if m.mode != probes {
		return tablePage{}
	}
	width, height := m.size()
	s := m.snapshot()
	for _, p := range arranged(s, m.zoom, width, height, m.theme) {
		if p.Panel != panelProbes {
			continue
		}
		h := p.H
		if p.Title {
			h--
		}
		if m.table.open == nil {
			return tablePage{rows: max(h-views.ProbeHeadLines(s), 1)}
		}
		return tablePage{rows: max(h, 1), extra: max(views.ProbeLines(s, p.W, m.theme)-h, 0)}
	}
	return tablePage{rows: 1}
}
