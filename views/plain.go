package views

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ttftop/probe"
	"ttftop/themes"
)

// namesWidth stands for the width that the names of the targets need.
const namesWidth = math.MinInt

// plainColumns are the columns of the table that a command without a screen
// prints, one row a probe. A width below 0 means that the column is set to the
// left.
var plainColumns = []struct {
	head  string
	width int
	of    func(r *probe.Result, target string, sym *themes.Symbols) string
}{
	{"#", 5, func(r *probe.Result, _ string, _ *themes.Symbols) string { return strconv.Itoa(r.Seq) }},
	{"target", namesWidth, func(_ *probe.Result, target string, sym *themes.Symbols) string { return clip(target, widestName, sym) }},
	{"kind", -11, func(r *probe.Result, _ string, _ *themes.Symbols) string { return string(r.Kind) }},
	{"prompt", 8, func(r *probe.Result, _ string, sym *themes.Symbols) string {
		return approximate(Count(int64(r.PromptTokens)), r.PromptExact, sym)
	}},
	{"TTFT ms", 9, func(r *probe.Result, _ string, sym *themes.Symbols) string { return mark(r.TTFT(), sym) }},
	{"network", 8, plainPart(probe.NetworkPart)},
	{"handling", 8, plainPart(probe.HandlingPart)},
	{"queue", 8, plainPart(probe.QueuePart)},
	{"prefill", 8, plainPart(probe.PrefillPart)},
	{"decode", 8, plainPart(probe.FirstDecodePart)},
	{"server", 8, plainPart(probe.ServerPart)},
	{"TPOT", 7, func(r *probe.Result, _ string, sym *themes.Symbols) string {
		return approximate(mark(r.TPOT(), sym), r.OutputExact, sym)
	}},
	{"total", 9, func(r *probe.Result, _ string, sym *themes.Symbols) string { return mark(r.TotalTime(), sym) }},
	{"", -1, func(r *probe.Result, _ string, sym *themes.Symbols) string { return plainRemark(r, sym) }},
}

func plainPart(p probe.Part) func(*probe.Result, string, *themes.Symbols) string {
	return func(r *probe.Result, _ string, sym *themes.Symbols) string {
		source, ok := sourceOf(r.Waterfall, p)
		if !ok {
			return sym.Unknown
		}
		return boundOfProbe(r).signOf(p, sym) + millis(r.Waterfall.Of(p), sym) + source
	}
}

// plainRemark is why a probe failed, or what its flags say.
func plainRemark(r *probe.Result, sym *themes.Symbols) string {
	if r.Failure != nil {
		return Clean(r.Failure.Error(), sym.ASCII)
	}
	remarks := plainAck(r, sym)
	for _, f := range r.Flags {
		remarks = append(remarks, string(f))
	}
	return strings.Join(remarks, " ")
}

// PlainTable is that table, with room for the names of its targets.
type PlainTable struct {
	names int // cells of the column of names
	theme themes.Theme
}

// The widths that the column of names may have.
const leastName, widestName = 6, 32

// NewPlainTable makes a table for probes of targets with these names.
func NewPlainTable(names []string, th themes.Theme) PlainTable {
	t := PlainTable{leastName, th}
	for _, name := range names {
		t.names = max(t.names, cells(clip(name, widestName, th.Symbols)))
	}
	return t
}

// Head is the head of the table.
func (t PlainTable) Head() string {
	cells := make([]string, len(plainColumns))
	for i, c := range plainColumns {
		cells[i] = c.head
	}
	return t.line(cells)
}

// Row is one probe of a target as a row of the table.
func (t PlainTable) Row(r *probe.Result, target string) string {
	cells := make([]string, len(plainColumns))
	for i, c := range plainColumns {
		cells[i] = c.of(r, target, t.theme.Symbols)
	}
	return t.line(cells)
}

func (t PlainTable) line(columns []string) string {
	var b strings.Builder
	for i, text := range columns {
		if i > 0 {
			b.WriteByte(' ')
		}
		width := plainColumns[i].width
		if width == namesWidth {
			width = -t.names
		}
		pad := strings.Repeat(" ", max(0, max(width, -width)-cells(text)))
		if width < 0 {
			b.WriteString(text + pad)
		} else {
			b.WriteString(pad + text)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// PlainLine is one target's figures in one line without control sequences, for
// the end of a session.
func PlainLine(name, model string, f Figures, th themes.Theme) string {
	sym := th.Symbols
	line := fmt.Sprintf("%s %s: TTFT p50 %s, p95 %s, p99 %s ms", Clean(name, sym.ASCII), Clean(model, sym.ASCII),
		estimate(f.P50, sym), estimate(f.P95, sym), estimate(f.P99, sym))
	if f.PromptTokens > 0 {
		line += " at " + approximate(Count(int64(f.PromptTokens)), f.PromptExact, sym) + " prompt tokens"
	}
	line += fmt.Sprintf(", %s, %s failed", plural(int64(f.Probes), "probe"), failedShare(&f, sym))
	if refused := f.Beside - f.Ours; refused > 0 {
		line += fmt.Sprintf(" (%d refused or limited)", refused)
	}
	return line
}

// PlainDiagnosis is a line below PlainSummary: what dominates, and the cure.
func PlainDiagnosis(d Diagnosis, th themes.Theme) string {
	return "  " + Clean(d.Sentence(), th.Symbols.ASCII)
}

// PlainSummary is PlainLine with the figures that stand beside the TTFT below
// it. near are the probes that the p50 waterfall is the mean of: it is as bound as
// they are.
func PlainSummary(name, model string, f Figures, p50 probe.Waterfall, near []*probe.Result, th themes.Theme) string {
	sym := th.Symbols
	lines := []string{PlainLine(name, model, f, th)}
	per1k := "  per 1k uncached input tokens " + sym.Unknown
	if f.Per1k.OK {
		per1k = "  per 1k uncached input tokens " + mark(f.Per1k, sym) + " ms"
	}
	if f.Fixed.OK && f.Slope.OK {
		per1k += fmt.Sprintf(" (fitted: %s ms + %s ms per 1k)", approximate(mark(f.Fixed, sym), !f.FixedLoose, sym), approximate(mark(f.Slope, sym), !f.SlopeLoose, sym))
	}
	lines = append(lines, per1k)
	if f.Answer.OK {
		lines = append(lines, "  answer TTFT p50 "+mark(f.Answer, sym)+" ms: the first token that is not reasoning")
	}
	lines = append(lines, fmt.Sprintf("  ITL %s ms, TPOT %s ms, %s tokens/s, total %s ms",
		mark(f.ITL, sym), approximate(mark(f.TPOT, sym), f.TokensExact, sym), rate(f.TokensPerSec, sym), mark(f.Total, sym)))
	var parts []string
	mean := &probe.Result{Waterfall: p50}
	for _, r := range near {
		mean.Flags = append(mean.Flags, r.Flags...)
	}
	for _, part := range probe.Parts {
		if cell := plainPart(part)(mean, "", sym); cell != sym.Unknown {
			parts = append(parts, string(part)+" "+strings.TrimSpace(cell))
		}
	}
	if h := &f.Handoff; h.Probes > 0 {
		lines = append(lines, plainHandoff(h, sym))
	}
	if len(parts) > 0 {
		lines = append(lines, "  p50 waterfall: "+strings.Join(parts, ", ")+" (ms; m measured, r reported, e estimated)")
	}
	return strings.Join(lines, "\n")
}
