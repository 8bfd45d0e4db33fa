package views

import (
	"slices"
	"strings"

	"ttftop/probe"
	"ttftop/probe/quantile"
	"ttftop/themes"
)

// FiguresPanel shows the epoch's figures, a line for each target, in
// milliseconds where the head doesn't say otherwise. Where it is too narrow,
// columns are left out in the order of their rank; where it is too low, the
// targets around the selected one are shown, and the head says which these are.
func FiguresPanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	from, to := visibleRange(len(snap.Targets), snap.Selected, s.h-1)
	cols := s.fit(columnsFor(snap.Targets, s))
	x := s.w - 1
	for i := len(cols) - 1; i >= 0; i-- {
		c := &cols[i]
		s.right(x, 0, c.head, themes.Dim)
		for row := from; row < to; row++ {
			s.right(x, 1+row-from, c.cells[row], c.token(c.cells[row], s))
		}
		x -= c.width + c.gap
	}
	at := s.text(2, 0, "ms", themes.Dim) + 1
	s.text(at, 0, hidden(from, to, len(snap.Targets), s.headRoom(cols, x)-at, s.sym), themes.Warn)
	for row := from; row < to; row++ {
		at := s.laneLetter(snap, row, 1+row-from)
		t := &snap.Targets[row]
		at = s.text(at, 1+row-from, clipName(t.Name, x-at, s.sym), themes.Text)
		if x-at > 8 {
			s.text(at+2, 1+row-from, clip(t.Model, x-at-2, s.sym), themes.Dim)
		}
	}
	return s.String()
}

// headRoom is where the first head begins, of columns from x on.
func (s *sheet) headRoom(cols []tableColumn, x int) int {
	if len(cols) == 0 {
		return s.w
	}
	return x + cols[0].width - cells(cols[0].head)
}

// tableColumn is a column of the table with its cells filled in.
type tableColumn struct {
	head  string
	rank  int // the higher, the earlier it is left out
	tok   themes.Token
	least int
	width int
	gap   int // blanks before it
	cells []string
	tight []string // shorter cells, for a narrow table; nil for the same
}

// token is the look of a cell: what is unknown is dim.
func (c *tableColumn) token(cell string, s *sheet) themes.Token {
	if cell == s.sym.Unknown {
		return themes.Dim
	}
	if c.head == "fail" && !strings.HasPrefix(cell, "0 ") {
		return themes.Bad
	}
	return c.tok
}

// columnPlan is a column before its cells are filled in.
type columnPlan struct {
	head  string
	rank  int
	least int
	tok   themes.Token
	cell  func(f *Figures) string
	tight func(f *Figures) string // for a narrow table; nil for the same
}

// columnsFor fills every column for every target. least is the width that a
// column has at least, so that the table stands still while figures change.
func columnsFor(targets []Target, s *sheet) []tableColumn {
	sym := s.sym
	est := func(e quantile.Estimate) string { return estimate(e, sym) }
	all := []columnPlan{
		{"prompt", 11, 6, themes.Text, func(f *Figures) string { return promptCell(f, sym) }, nil},
		{"n", 2, 4, themes.Text, func(f *Figures) string { return shortCount(int64(f.Probes)) }, nil},
		{"p50", 0, 5, themes.Strong, func(f *Figures) string { return est(f.P50) }, nil},
		{"p95", 0, 7, themes.Text, func(f *Figures) string { return est(f.P95) }, nil},
		{"p99", 3, 7, themes.Text, func(f *Figures) string { return est(f.P99) }, nil},
		{"max", 9, 5, themes.Text, func(f *Figures) string { return mark(f.Max, sym) }, nil},
		{"answer", 10, 6, themes.Text, func(f *Figures) string { return mark(f.Answer, sym) }, nil},
		{"per 1k", 5, 6, themes.Text, func(f *Figures) string {
			return approximate(mark(f.Per1k, sym), f.PromptExact, sym)
		}, nil},
		{"fit", 4, 14, themes.Text, func(f *Figures) string { return fitCell(f, " + ", sym) },
			func(f *Figures) string { return fitCell(f, "+", sym) }},
		{"ITL", 6, 5, themes.Text, func(f *Figures) string { return mark(f.ITL, sym) }, nil},
		{"tok/s", 7, 5, themes.Text, func(f *Figures) string {
			return approximate(rate(f.TokensPerSec, sym), f.TokensExact, sym)
		}, nil},
		{"total", leastNeeded, 5, themes.Text, func(f *Figures) string { return mark(f.Total, sym) }, nil},
		{"beside", 12, 6, themes.Text, func(f *Figures) string { return shortCount(int64(f.Beside)) }, nil},
		{"fail", 1, 5, themes.Text, func(f *Figures) string { return failedShare(f, sym) }, nil},
	}
	if fast := handoffColumns(targets, sym); fast != nil {
		all = slices.Insert(all, slices.IndexFunc(all, func(c columnPlan) bool { return c.head == "max" }), fast...)
	}
	cols := make([]tableColumn, len(all))
	for i, a := range all {
		cols[i] = a.fill(targets)
	}
	return cols
}

// fill is the column with a cell for each target.
func (a columnPlan) fill(targets []Target) tableColumn {
	c := tableColumn{head: a.head, rank: a.rank, tok: a.tok, least: a.least, width: max(a.least, len(a.head)), gap: 2}
	for j := range targets {
		text := a.cell(&targets[j].Figures)
		c.cells = append(c.cells, text)
		c.width = max(c.width, cells(text))
		if a.tight != nil {
			c.tight = append(c.tight, a.tight(&targets[j].Figures))
		}
	}
	return c
}

// narrow is the column with its shorter cells, and as narrow as may be.
func (c tableColumn) narrow() tableColumn {
	c.gap = 1
	if c.tight != nil {
		c.cells, c.least = c.tight, leastTight
	}
	c.width = max(len(c.head), c.least-1)
	for _, text := range c.cells {
		c.width = max(c.width, cells(text))
	}
	return c
}

// What a target's name keeps in the table, with its letter, and in a narrow one;
// and the least width of shorter cells.
const nameWidth, narrowName, leastTight = 14, 11, 12

// leastNeeded is the rank of the last column for whose sake a table is made
// narrow; those beyond are left out first.
const leastNeeded = 8

// fit leaves out columns until the rest fits beside the names. Before a needed
// column goes, gaps shrink to one blank, long cells to short ones, and the names.
func (s *sheet) fit(cols []tableColumn) []tableColumn {
	names := nameWidth
	for {
		width := 0
		for i := range cols {
			width += cols[i].width + cols[i].gap
		}
		if width+names+1 <= s.w || len(cols) == 0 {
			return cols
		}
		worst := 0
		for i := range cols {
			if cols[i].rank > cols[worst].rank {
				worst = i
			}
		}
		if cols[worst].rank <= leastNeeded && names == nameWidth {
			names = narrowName
			for i := range cols {
				cols[i] = cols[i].narrow()
			}
			continue
		}
		cols = append(cols[:worst], cols[worst+1:]...)
	}
}

// promptCell is the prompt length of the last probe as the endpoint counts it.
func promptCell(f *Figures, sym *themes.Symbols) string {
	if f.PromptTokens <= 0 {
		return sym.Unknown
	}
	return approximate(shortCount(int64(f.PromptTokens)), f.PromptExact, sym)
}

// fitCell is the fitted cost, a fixed part and a part per 1,000 uncached
// tokens: "84.0 + 41.0/1k"; what is not firm is marked: "~0.4 + 41.0/1k".
func fitCell(f *Figures, plus string, sym *themes.Symbols) string {
	if f.Fixed == (probe.Mark{}) && f.Slope == (probe.Mark{}) {
		return sym.Unknown
	}
	return approximate(mark(f.Fixed, sym), !f.FixedLoose, sym) + plus + approximate(mark(f.Slope, sym), !f.SlopeLoose, sym) + "/1k"
}
