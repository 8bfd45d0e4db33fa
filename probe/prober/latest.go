package prober

// latest is the last n of a list, or all where they are fewer.
func latest[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// count is of how many of a list it holds.
func count[T any](list []T, holds func(T) bool) int {
	n := 0
	for _, s := range list {
		if holds(s) {
			n++
		}
	}
	return n
}
