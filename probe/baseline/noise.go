package baseline

import (
	"math"
	"slices"

	"ttftop/probe/quantile"
)

const (
	clip       = 3      // farther than so many deviations from the middle, a point is no noise but a wait
	fewRepeats = 2      // what two or three repeats show of a spread reaches so much less far than what many show, about as Student's t has it
	ofPair     = 0.9539 // median distance of two draws from one normal distribution, in standard deviations: √2·0.6745
	leastNoise = 0.01   // share of a cost that single ones vary by at least where few were seen
)

// around is how far the values, in ascending order, lie below and above a
// middle. It begins with a half width of what is surely noise.
func around(sorted []float64, mid, half float64) (under, over float64) {
	var low, high []float64
	for _, v := range sorted {
		if v >= mid {
			high = append(high, v-mid)
		}
	}
	for _, v := range slices.Backward(sorted) {
		if v <= mid {
			low = append(low, mid-v)
		}
	}
	return clipped(low, half), clipped(high, half)
}

// clipped is the root mean square of distances in ascending order, without
// those beyond clip times itself: of normal noise its standard deviation, of an
// exponential tail a quarter more than its mean; waits that are longer than
// the noise hardly move it.
func clipped(distances []float64, start float64) float64 {
	rms := start
	for range 20 {
		sum, n := 0.0, 0
		for _, d := range distances {
			if d > clip*rms {
				break
			}
			sum += d * d
			n++
		}
		next := math.Sqrt(sum / float64(max(n, 1)))
		if math.Abs(next-rms) < 0.01*rms {
			break
		}
		rms = next
	}
	return rms
}

// noiseOf is how far single costs lie below and above what their length costs,
// as shares: as its points show, where there are enough of them, else as the
// repeats of such lengths do.
func noiseOf(lengths []*length) (under, over path) {
	fixed, share := repeats(lengths)
	for _, l := range lengths {
		v := &l.level
		k := v.tokens / 1000
		switch {
		case v.loaded || v.mid <= 0:
		case v.points < fewPoints:
			noise := math.Hypot(fixed/v.mid, share)
			under, over = append(under, knot{k, noise}), append(over, knot{k, noise})
		case v.idle():
			under, over = append(under, knot{k, v.under / v.mid}), append(over, knot{k, v.over / v.mid})
		}
	}
	return under, over
}

// repeats is how far single costs lie apart at lengths with too few points to
// show it each by itself: by so many ns, as the cheaper half of them shows, and
// by such a share of the cost, as the dearer half does. It is a guess where
// hardly any length was repeated.
func repeats(lengths []*length) (fixed, share float64) {
	var apart, mids []float64
	for _, l := range lengths {
		values := l.quiet.values()
		if v := &l.level; len(values) >= 2 && v.points < fewPoints && !v.loaded && v.mid > 0 {
			slices.Sort(values)
			apart, mids = append(apart, values[1]-values[0]), append(mids, v.mid)
		}
	}
	if len(apart) < 2 {
		return 0, guess
	}
	var shares []float64
	for i := len(apart) / 2; i < len(apart); i++ {
		shares = append(shares, apart[i]/mids[i])
	}
	deviation := func(apart []float64) float64 {
		slices.Sort(apart)
		return fewRepeats * apart[quantile.Rank(0.5, len(apart))] / ofPair
	}
	return deviation(apart[:(len(apart)+1)/2]), max(deviation(shares), leastNoise)
}
