package whatif

import (
	"fmt"
	"slices"
	"time"

	"ttftop/probe"
)

// failing is the share of failures from which they are why a quantile is not
// known.
const failing = 0.1

// few is why a quantile is not known.
func (k Known) few() string {
	if k.Failed > 0 && float64(k.Failed) >= failing*float64(k.Probes) {
		return fmt.Sprintf("%d of %d probes fail: mend that first", k.Failed, k.Probes)
	}
	return "too few probes yet"
}

// doubt is why the fitted baseline may be far off; "" where it stands.
func (k Known) doubt() string {
	switch {
	case k.Curve == nil:
		return ""
	case k.Curve.Contradicted():
		return "the lengths that it is fitted to contradict each other"
	case !k.Curve.Idle():
		return "no idle server was seen"
	}
	return ""
}

// opened is a waterfall in which each part that was cut by the baseline may be
// anything up to their sum.
func opened(w probe.Waterfall) probe.Waterfall {
	w = slices.Clone(w)
	cutByIt := func(s probe.Segment) bool { return s.Source == probe.Estimated && s.Name != probe.FirstDecode }
	var sum time.Duration
	for _, s := range w {
		if cutByIt(s) {
			sum += s.Duration
		}
	}
	for i, s := range w {
		if cutByIt(s) {
			w[i].Lo, w[i].Hi = 0, sum
		}
	}
	return w
}
