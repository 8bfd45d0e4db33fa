// Package anytime gives confidence intervals for quantiles that hold however
// often somebody looks: confidence sequences, from an e-process on signs.
//
// The p-quantile of a row of values is tested at every candidate θ at once.
// If θ is the p-quantile, each value lies below θ with a chance of at most p,
// whatever came before; then the Beta mixture of the binomial likelihood ratio
// of the count of values below θ against that chance is a supermartingale that
// starts at 1 or less, and by Ville's inequality the chance that it ever
// reaches 1/α is at most α. The θ that are not rejected are the interval.
//
// What is assumed: that, given all values before, the next one has the same
// p-quantile θ (values that are independent and alike have). Nothing is assumed
// of the form of the distribution: not symmetry, not moments, not continuity.
// Values that are equal to θ, or of which it is not known on which side they
// lie, count against rejecting it on either side.
//
// Nothing better can be had for a median without assuming more: a bet on one
// value that stays fair for every distribution with that median can depend on
// the value's sign alone. (A bet that is fair for all ½δ(x)+½δ(−y), x and y
// above 0, pays f(x)+f(−y) ≤ 2, so that at best one constant on each side.) A
// test that weighs how large differences are, such as Wilcoxon's or a
// self-normalised bet, settles sooner, and tests symmetry about zero instead:
// where the median difference is zero but the tail on one side is longer, it
// ends up calling one of the two faster.
//
// Sources: D. A. Darling and H. Robbins, Confidence sequences for mean,
// variance, and median, PNAS 58 (1967), and H. Robbins, Statistical methods
// related to the law of the iterated logarithm, Ann. Math. Stat. 41 (1970),
// for the mixture; S. R. Howard and A. Ramdas, Sequential estimation of
// quantiles with applications to A/B testing and best-arm identification,
// Bernoulli 28 (2022), for its inversion to quantiles and the beta-binomial
// mixture; I. Waudby-Smith and A. Ramdas, Estimating means of bounded random
// variables by betting, JRSS B 86 (2024), for the mixture read as a bet.
//
// Start with New for a Mixture and give the values to a Sample.
package anytime
