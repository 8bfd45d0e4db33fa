// Package race tells tests whether the race detector is on. It makes a long
// computation in one goroutine some ten times slower and can find nothing there:
// such a test takes a sample under it, and everything without.
//
// Start with Fewer.
package race

// Fewer is a fifth of n under the race detector, at least 1, and n without.
func Fewer(n int) int {
	if Enabled {
		return max(1, n/5)
	}
	return n
}

// Wider is three times a step under the race detector, and the step without.
func Wider(step int) int {
	if Enabled {
		return 3 * step
	}
	return step
}
