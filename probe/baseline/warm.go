package baseline

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// warmed finds a server that warmed up, or was freed, little by little during
// the first probes: the length that is probed since shows what it costs now, and
// others were seen before alone, too dear. It returns the instant since which
// costs are those of now.
func (f *Fitter) warmed() (since time.Time, sentence string, ok bool) {
	if f.warm {
		return time.Time{}, "", false
	}
	for _, l := range f.lengths {
		since, at, ok := l.settledSince()
		outdated := func(o *length) bool { return o.newest.Before(since) && !o.level.loaded }
		if ok && !l.quiet[0].At.After(f.opening.newest) && slices.ContainsFunc(f.lengths, outdated) {
			f.warm = true
			return since, fmt.Sprintf("The server has warmed up, or was busy before: a prompt of %d uncached tokens took %s at first and now takes %s; its baseline starts anew.",
				l.around, inMS(l.quiet[0].Server), inMS(duration(at))), true
		}
	}
	return time.Time{}, "", false
}

// settledSince is the instant since which the length costs what it costs now,
// and that, in ns; not ok where its first points weren't much dearer, or it
// hasn't settled.
func (l *length) settledSince() (since time.Time, cost float64, ok bool) {
	cost = l.level.mid
	if len(l.quiet) < coldest+2*settled || !l.idle() {
		return since, cost, false
	}
	values := l.quiet.values()
	first := slices.IndexFunc(values, func(v float64) bool { return v <= cold*cost })
	agree, latest := 0, values[len(values)-2*settled:]
	for _, v := range latest {
		if math.Abs(v-cost) <= within*cost {
			agree++
		}
	}
	if first < coldest || 4*agree < 3*len(latest) {
		return since, cost, false
	}
	often := 1.0 // points that are as dear without that the server is cold
	for _, v := range values[first:] {
		if v > cold*cost {
			often++
		}
	}
	if math.Pow(often/float64(len(values)-first+1), float64(first)) > seldom {
		return since, cost, false
	}
	at := slices.IndexFunc(values, func(v float64) bool { return v <= (1+within)*cost })
	return l.quiet[at].At, cost, true
}
