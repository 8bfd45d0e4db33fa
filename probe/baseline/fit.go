package baseline

import (
	"math"
	"slices"
	"time"
)

const (
	halfLife   = 10 * time.Minute // a length that old counts half
	leastAge   = 1.0 / 16
	misfit     = 0.03 // the form is not believed beyond this share of a cost
	guess      = 0.05 // spread of single costs where nothing shows it
	outlierSDs = 3    // a length this far above the curve is taken to be queued
	rounds     = 4    // of reweighting
)

// fit fits the model to the levels of the lengths, in ascending order of
// tokens.
func fit(lengths []*length, now time.Time) Curve {
	rows := rowsOf(lengths, now)
	distinct := clearlyDifferent(rows)
	candidates := shapes(rows, distinct >= 4)
	base := weights(rows)
	m, s := best(rows, candidates)
	for i := 0; i < rounds && lighten(rows, base, m); i++ {
		m, s = best(rows, candidates)
	}
	c := Curve{
		fit:     bend(m, rows, costs(rows)),
		misfit:  misfitsOf(m, rows),
		unfit:   unfitOf(m, rows),
		lengths: distinct,
		short:   rows[0].k,
		long:    rows[len(rows)-1].k,
		quarrel: quarrel(lengths, rows, m),
		falls:   falls(lengths, rows),
	}
	c.under, c.over = noiseOf(lengths)
	c.busy = c.quarrel && !slices.ContainsFunc(lengths, (*length).idle) || neverIdle(lengths)
	c.draws = replicate(lengths, rows, m, s)
	return c
}

func rowsOf(lengths []*length, now time.Time) []row {
	noise := typicalSpread(lengths)
	rows := make([]row, len(lengths))
	for i, l := range lengths {
		v := &l.level
		sd := math.Hypot(v.single(noise)/math.Sqrt(float64(v.in)), math.Hypot(misfit*v.mid, clockFloor))
		age := math.Exp2(-float64(now.Sub(l.newest)) / float64(halfLife))
		rows[i] = row{k: v.tokens / 1000, cost: v.mid, sd: sd, weight: max(leastAge, min(1, age)) / (sd * sd), clear: v.idle(), loaded: v.loaded}
		if rows[i].clear {
			rows[i].trust = trust(v, noise)
		}
	}
	return rows
}

// trust is how far a length's cost is believed against the form: by the share
// of their variances, that of the form's misfit and that of the cluster's
// middle (the weight of two independent estimates of one value).
func trust(v *level, noise float64) float64 {
	form := math.Hypot(misfit*v.mid, clockFloor)
	middle := v.single(noise) / math.Sqrt(float64(v.in))
	return form * form / (form*form + middle*middle)
}

// typicalSpread is the relative spread of single costs on the lengths that
// were seen idle, in enough points to show it: their median, or a guess.
func typicalSpread(lengths []*length) float64 {
	var all []float64
	for _, l := range lengths {
		if l.level.points >= fewPoints && l.level.mid > 0 && l.level.clear() && !l.level.loaded {
			all = append(all, l.level.spread/l.level.mid)
		}
	}
	if len(all) == 0 {
		return guess
	}
	slices.Sort(all)
	return all[(len(all)-1)/2]
}

// single is the standard deviation of one cost of this length.
func (v *level) single(typical float64) float64 {
	if v.points >= fewPoints {
		return v.spread
	}
	return max(v.spread, typical*v.mid)
}

func weights(rows []row) []float64 {
	w := make([]float64, len(rows))
	for i, r := range rows {
		w[i] = r.weight
	}
	return w
}

// lighten takes weight from the rows that lie far above the model and don't
// look idle (Cauchy's weights, on one side): all that was seen of such a length
// was queued. It reports whether any weight changed.
func lighten(rows []row, base []float64, m model) bool {
	changed := false
	for i, r := range rows {
		weight := base[i]
		if over := r.over(m); over > 1 && !r.clear {
			weight /= 1 + over*over
		}
		changed = changed || weight != r.weight
		rows[i].weight = weight
	}
	return changed
}

// over is how far the row lies above the model, in multiples of what makes it
// an outlier.
func (r row) over(m model) float64 { return (r.cost - m.cost(r.k)) / (outlierSDs * r.sd) }

// left is what the model leaves of the row after its bend.
func (r row) left(m model) float64 {
	if over := r.over(m); !r.clear && (over > 1 || r.loaded && over > 0) {
		return 0 // queued: the curve is not about it
	}
	return r.cost - m.cost(r.k) - m.bendTo(r.cost, r)
}

// misfitsOf is what the model leaves of each row, as a share of what it has for
// it, and no less than the root mean square of them all.
func misfitsOf(m model, rows []row) path {
	p := make(path, len(rows))
	for i, r := range rows {
		left := r.left(m)
		share := math.Abs(left) / max(r.cost-left, clockFloor)
		p[i] = knot{r.k, share}
	}
	return levelled(p)
}

// unfitOf is the root mean square of what the form leaves of the rows before
// its bend, as a share of their costs and beyond what it leaves of any engine;
// at a row that it leaves more of, that.
func unfitOf(m model, rows []row) path {
	p := make(path, len(rows))
	for i, r := range rows {
		share := 0.0
		if r.left(m) != 0 {
			share = max(0, math.Abs(r.cost-m.cost(r.k))/max(r.cost, clockFloor)-misfit)
		}
		p[i] = knot{r.k, share}
	}
	return levelled(p)
}

// levelled raises what is below the root mean square of all shares to that.
func levelled(p path) path {
	sum := 0.0
	for _, k := range p {
		sum += k.v * k.v
	}
	all := math.Sqrt(sum / float64(len(p)))
	for i := range p {
		p[i].v = max(p[i].v, all)
	}
	return p
}

// replicate fits the bootstrap replicates: each length's level moved as in its
// resamples, or by a normal error where it has too few points for these, and
// by what the model leaves of it (the wild bootstrap).
func replicate(lengths []*length, rows []row, m model, s shape) []bent {
	noise := typicalSpread(lengths)
	near := s.neighbours()
	problems := make([]problem, len(near))
	for i := range near {
		problems[i].prepare(rows, near[i])
	}
	y := make([]float64, len(rows))
	out := make([]bent, draws)
	for d := range out {
		for i, l := range lengths {
			v, off := &l.level, rows[i].left(m)
			if v.points < fewPoints {
				off = math.Hypot(off, v.single(noise)/math.Sqrt(float64(v.in)))
			}
			y[i] = max(0, v.mid+v.moved[d]+off*v.normal[d])
		}
		out[d] = bend(cheapest(problems, y), rows, y)
	}
	return out
}

// cheapest is the fit of least error among the problems.
func cheapest(problems []problem, y []float64) model {
	var found model
	least := math.Inf(1)
	for i := range problems {
		if m, sse := problems[i].fit(y); sse < least {
			found, least = m, sse
		}
	}
	return found
}

// clearlyDifferent counts the prompt lengths that are at least a quarter and
// eight tokens apart.
func clearlyDifferent(rows []row) int {
	count, last := 0, 0.0
	for _, r := range rows {
		if count == 0 || r.k >= 1.25*last && r.k >= last+0.008 {
			count, last = count+1, r.k
		}
	}
	return count
}

// neverIdle reports whether the lengths that have enough points show no idle
// server: neither a cluster that stands out of them, nor delays that are all small.
func neverIdle(lengths []*length) bool {
	var all cluster
	for _, l := range lengths {
		v := l.level
		if v.points < fewPoints || v.loaded {
			continue
		}
		if v.calm() {
			return false
		}
		all.in += v.in
		all.above += v.above
	}
	return all.in > 0 && !all.shown()
}
