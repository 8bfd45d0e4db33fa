package prober

import (
	"math"

	"ttftop/probe"
	"ttftop/probe/baseline"
)

// fit is the baseline of a model in a cache mode, in two figures.
func (c *cutter) fit(k probe.Knobs) probe.Fit {
	k = c.now(k)
	if c.curve(c.baselines, k, true) == nil {
		return probe.Fit{}
	}
	uncached := k.PromptTokens
	if k.Cache == probe.Warm {
		uncached = int(float64(uncached) * (1 - k.CacheShare))
	}
	curve := c.expected(k, uncached, true)
	var f probe.Fit
	f.Fixed.OK, f.Per1k.OK = true, true
	f.Fixed.At, f.FixedLo, f.FixedHi = curve.Fixed()
	f.Per1k.At, f.Per1kLo, f.Per1kHi = curve.Slope()
	f.Line = line(*curve)
	f.Busy, f.Curve = !curve.Idle(), curve
	return f
}

// linePoints is how many points a baseline is told in: it bends little between
// them.
const linePoints = 17

// line is points of a curve at equal ratios of their lengths.
func line(curve baseline.Curve) []probe.LinePoint {
	short, long := curve.Span()
	short = max(short, 1)
	list := make([]probe.LinePoint, 0, linePoints)
	for i := range linePoints {
		n := int(math.Round(float64(short) * math.Pow(float64(long)/float64(short), float64(i)/(linePoints-1))))
		if len(list) == 0 || n > list[len(list)-1].Tokens {
			list = append(list, probe.LinePoint{Tokens: n, Cost: curve.Cost(n)})
		}
	}
	return list
}
