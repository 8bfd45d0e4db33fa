// Package nearest finds the names that a person may have meant by one that does
// not exist.
package nearest

import (
	"cmp"
	"slices"
	"strings"
)

// distance is the Levenshtein distance between two texts: the fewest
// insertions, deletions and replacements of bytes that turn one into the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// enough is the least distance that is too far for a text to have been meant:
// more than a third of its letters differ.
func enough(text string) int { return max(len(text)/3, 1) + 1 }

// Of is the candidate closest to a text, "" when none is close enough to have
// been meant.
func Of(text string, candidates []string) string {
	best, found := enough(text), ""
	for _, c := range candidates {
		if d := distance(text, c); d < best {
			best, found = d, c
		}
	}
	return found
}

// Few are at most so many candidates that a text may stand for, in any case: the
// closest first, then those that hold it.
func Few(text string, candidates []string, most int) []string {
	type near struct {
		name string
		far  int
	}
	var found []near
	text = strings.ToLower(text)
	limit := enough(text)
	for _, c := range candidates {
		lower := strings.ToLower(c)
		if d := distance(text, lower); d < limit {
			found = append(found, near{c, d})
		} else if text != "" && strings.Contains(lower, text) {
			found = append(found, near{c, limit})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.far, b.far) })
	var names []string
	for _, n := range found[:min(most, len(found))] {
		names = append(names, n.name)
	}
	return names
}
