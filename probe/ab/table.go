package ab

import (
	"fmt"
	"strings"
	"unicode"

	"ttftop/probe"
)

// Table is the figures behind the verdict, in milliseconds: a head and a row for
// each quantile and each part, with the columns A, B and B − A. A difference is the
// median of those of the pairs, but for the p95, where it is that of both p95. Parts
// are marked m, r or e for measured, reported and estimated.
func (v Verdict) Table() [][]string {
	a, b := v.Sides[0], v.Sides[1]
	rows := [][]string{
		{"ms", "A " + v.A, "B " + v.B, "B − A, median of pairs"},
		{"TTFT p50", a.P50.Level(""), b.P50.Level(""), v.Diff.Difference("")},
		{"TTFT p95", a.P95.Level(""), b.P95.Level(""), v.ofP95()},
		{"TTFT p99", a.P99.Level(""), b.P99.Level(""), unknown},
	}
	for _, p := range v.Parts {
		rows = append(rows, []string{string(p.Part) + " p50", a.part(p.Part), b.part(p.Part), p.Difference()})
	}
	rows = append(rows, []string{"failed", a.Failures(), b.Failures(), ""})
	if a.Refused+b.Refused > 0 {
		rows = append(rows, []string{"refused", a.Refusals(), b.Refusals(), ""})
	}
	return rows
}

// ofP95 is the difference of the p95, which is none of pairs.
func (v Verdict) ofP95() string {
	text := v.P95.Difference("")
	if text != unknown {
		text = "of p95: " + text
	}
	return text
}

// ShortTable is the figures of the TTFT alone, a row for each side: for where there
// is no room for Table. Names are those of the sides' rows.
func (v Verdict) ShortTable(names [2]string) [][]string {
	rows := [][]string{{"ms", "p50", "p95", "p99", "failed"}}
	for i, s := range v.Sides {
		rows = append(rows, []string{names[i], s.P50.Level(""), s.P95.Level(""), s.P99.Level(""), s.Failures()})
	}
	return append(rows, []string{"B − A", v.Diff.Difference(""), v.P95.Difference(""), unknown, ""})
}

func (s SideFigures) part(of probe.Part) string {
	for _, p := range s.Parts {
		if p.Part == of {
			return p.Level()
		}
	}
	return unknown
}

// Markdown is the verdict for a pull request.
func (v Verdict) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n", escape(v.Sentence()))
	for i, row := range v.Table() {
		for _, cell := range row {
			b.WriteString("| " + escape(cell) + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString("| --- |" + strings.Repeat(" ---: |", len(row)-1) + "\n")
		}
	}
	b.WriteString("\n")
	if why := v.Why(); why != "" {
		b.WriteString(escape(why) + "\n\n")
	}
	for _, w := range v.Warnings {
		b.WriteString("- " + escape(w) + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// escape keeps names from ending a cell, turning into markup or reaching a
// terminal as control characters.
func escape(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	return strings.NewReplacer("\\", "\\\\", "|", "\\|", "*", "\\*", "_", "\\_", "`", "\\`", "<", "&lt;", "[", "\\[", "]", "\\]", "~", "\\~").Replace(s)
}
