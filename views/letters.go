package views

import "time"

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

// positive is d, or 0 for a duration that can't be.
func positive(d time.Duration) time.Duration { return max(d, 0) }
