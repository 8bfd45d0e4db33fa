package views

import (
	"strings"

	"ttftop/probe/ab"
	"ttftop/themes"
)

// PlainVersus is a comparison that goes on: how far it has come, and the verdict as
// it stands.
func PlainVersus(v *Versus, th themes.Theme) string {
	return Clean(v.how("pairs on goes on"), th.Symbols.ASCII) + "\n" + PlainVerdict(v.Verdict, th)
}

// PlainVerdict is the verdict of a comparison without control sequences: the
// figures as a table, what makes them doubtful, and last the sentence with its
// reason.
func PlainVerdict(v ab.Verdict, th themes.Theme) string {
	ascii := th.Symbols.ASCII
	lines := plainTable(v.Table(), ascii)
	for _, w := range v.Warnings {
		lines = append(lines, Clean("! "+w, ascii))
	}
	lines = append(lines, "", Clean(v.Sentence(), ascii))
	if why := v.Why(); why != "" {
		lines = append(lines, Clean(why, ascii))
	}
	return strings.Join(lines, "\n")
}

// plainTable sets rows in columns as wide as they need, the first to the left
// and the others to the right.
func plainTable(rows [][]string, ascii bool) (lines []string) {
	var widths []int
	for _, row := range rows {
		for i := range row {
			row[i] = Clean(row[i], ascii)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], cells(row[i]))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, text := range row {
			pad := strings.Repeat(" ", widths[i]-cells(text))
			if i == 0 {
				b.WriteString(text + pad)
			} else {
				b.WriteString("  " + pad + text)
			}
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}
