package config

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

// nearest is the candidate closest to a text, "" when none is close enough to
// have been meant: more than a third of the letters differ.
func nearest(text string, candidates []string) string {
	best, found := max(len(text)/3, 1)+1, ""
	for _, c := range candidates {
		if d := distance(text, c); d < best {
			best, found = d, c
		}
	}
	return found
}
