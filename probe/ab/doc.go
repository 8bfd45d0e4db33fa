// Package ab compares two targets from pairs of probes: which is faster, by how
// much, and whether it may be believed yet.
//
// Everything it says holds at every moment, however often somebody looks: the
// median of the paired differences B − A, and the quantiles of each side, have
// confidence sequences of package anytime. The verdict is read off them: A or B
// is faster when the interval of the median difference lies on one side of
// zero, the same when the interval of the median ratio lies within the margin,
// which is looked at first, unless one side certainly fails more. Each interval holds by itself at the confidence
// asked for; that of the difference of p95 is made of one for each side, at half
// the error each (a union bound).
//
// What is assumed: pairs that are alike in the sense that each has the same
// chance as the others to fall on either side of the median difference, whatever
// came before. Drift that hits both sides of a pair does no harm. Pairs of two
// recordings, where a drift hits one side alone, are only as good as both runs
// were steady.
//
// A failure that ranks slower than every success decides its pair; two of them
// in one pair are a tie, which speaks for neither side. A pair in which a side
// was rate limited or refused, or met a clock step, is counted beside, and one
// that could not be sent is skipped.
//
// Parts of the waterfall that are estimated share the error of their baseline in
// every probe: each probe's own interval is added to that of the median, which
// holds as far as the baseline's does.
//
// Start with New, give the pairs to Add, or every event to Began and Take, which
// counts pairs in the order they were sent, and read Verdict.
package ab
