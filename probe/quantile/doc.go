// Package quantile takes quantiles of latencies, the one place that does.
//
// The rule is nearest rank: the quantile q of n values is the smallest value
// that at least q·n of them do not exceed; nothing is interpolated. Probes
// that failed in a way that ranks slower than every success are censored: they
// count as infinitely slow, and a quantile that falls on one of them is only
// known to exceed a limit.
//
// Start with Of for one quantile, Summarize for the usual three.
package quantile
