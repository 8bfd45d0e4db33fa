package views

import (
	"time"

	"ttftop/themes"
)

// letter is the letter by which a target is known on the chart and in the
// lanes: A … Z, then a … z.
func letter(i int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	if i < 0 || i >= len(letters) {
		return "*"
	}
	return letters[i : i+1]
}

// Letter is the letter of a target by its index, for words outside of a view.
func Letter(i int) string { return letter(i) }

// visibleRange is the stretch of n things that is shown on rows lines so that
// the selected one is among them.
func visibleRange(n, selected, rows int) (from, to int) {
	rows = max(rows, 0)
	if n <= rows {
		return 0, n
	}
	selected = min(max(selected, 0), n-1)
	from = min(max(0, selected-rows/2), n-rows)
	return from, from + rows
}

// hidden says which of n things a list shows, in at most room cells: "3–6 of
// 12", or where that is too long "+8 more" or "+8"; "" where it shows all.
func hidden(from, to, n, room int, sym *themes.Symbols) string {
	if to-from >= n {
		return ""
	}
	left := "+" + Count(int64(n-(to-from)))
	texts := []string{left + " more", left}
	switch {
	case to-from > 1:
		texts = append([]string{Count(int64(from+1)) + sym.To + Count(int64(to)) + " of " + Count(int64(n))}, texts...)
	case to-from == 1:
		texts = append([]string{Count(int64(to)) + " of " + Count(int64(n))}, texts...)
	}
	for _, text := range texts {
		if cells(text) <= room {
			return text
		}
	}
	return ""
}

// positive is d, or 0 for a duration that can't be.
func positive(d time.Duration) time.Duration { return max(d, 0) }
