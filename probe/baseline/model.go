package baseline

import (
	"math"
	"time"
)

// model is one fitted baseline, B = a + max(0, b·k + c·k² − d), with k in
// thousands of tokens and the coefficients in nanoseconds.
type model struct{ a, b, c, d float64 }

func (m model) prefill(k float64) float64 { return max(0, m.b*k+m.c*k*k-m.d) }

func (m model) cost(k float64) float64 { return m.a + m.prefill(k) }

// row is one prompt length as the fit sees it.
type row struct {
	k      float64 // thousands of tokens
	cost   float64 // ns
	sd     float64 // how far the cost may be off, ns
	weight float64
	clear  bool    // it was seen idle
	loaded bool    // it was seen only under load of our own
	trust  float64 // 0…1: how far it is believed against the form
}

// hingeTries is about how many places are tried for the hinge.
const hingeTries = 36

// shape is which of the coefficients a model may use: a hinge at which prefill
// comes out from under the weights (0 for none, so d = 0), and curvature.
type shape struct {
	hinge float64
	curve bool
}

// problem holds what is the same for all costs that are fitted with one shape:
// the columns of the design and its normal equations.
type problem struct {
	shape shape
	x     [][3]float64 // weighted columns per row
	gram  [3][3]float64
	rows  []row
}

// prepare sets up the fit of a shape. With a hinge h the columns are (k − h)₊
// and (k² − h²)₊, so that d = b·h + c·h² needs no search of its own.
func (p *problem) prepare(rows []row, s shape) {
	*p = problem{shape: s, rows: rows, x: p.x[:0]}
	for _, r := range rows {
		x := [3]float64{1, max(0, r.k-s.hinge), max(0, r.k*r.k-s.hinge*s.hinge)}
		var weighted [3]float64
		for j := range x {
			weighted[j] = r.weight * x[j]
			for l := range x {
				p.gram[j][l] += weighted[j] * x[l]
			}
		}
		p.x = append(p.x, weighted)
	}
}

// fit finds the non-negative coefficients for the costs y, and their weighted
// sum of squared errors.
func (p *problem) fit(y []float64) (model, float64) {
	n := normal{gram: p.gram}
	for i, v := range y {
		for j := range n.v {
			n.v[j] += p.x[i][j] * v
		}
		n.yy += p.rows[i].weight * v * v
	}
	columns := 2
	if p.shape.curve {
		columns = 3
	}
	t, sse := n.solve(columns)
	h := p.shape.hinge
	return model{a: t[0], b: t[1], c: t[2], d: t[1]*h + t[2]*h*h}, sse
}

// shapes are the candidates for these rows, in ascending order of length: the
// straight line alone until four lengths identify more.
func shapes(rows []row, identified bool) []shape {
	all := []shape{{}}
	if !identified {
		return all
	}
	all = append(all, shape{curve: true})
	steps := 1 + hingeTries/len(rows)
	for i := 0; i+2 < len(rows); i++ { // at least two lengths beyond
		step := (rows[i+1].k - rows[i].k) / float64(steps)
		for j := range steps {
			h := rows[i].k + float64(j)*step
			all = append(all, shape{hinge: h}, shape{hinge: h, curve: true})
		}
	}
	return all
}

// neighbours are the shape, those with the hinge a little to its sides, and
// that without: where the hinge lies, and if there is one, is uncertain too.
func (s shape) neighbours() []shape {
	if s.hinge == 0 {
		return []shape{s}
	}
	return []shape{s, {hinge: 0.8 * s.hinge, curve: s.curve}, {hinge: 1.25 * s.hinge, curve: s.curve}, {curve: s.curve}}
}

// charge is what a coefficient more must take off the weighted error to be
// believed: two standard deviations' worth.
const charge = 4

// best picks the shape whose error, with its charges, is least.
func best(rows []row, candidates []shape) (model, shape) {
	y := costs(rows)
	var p problem
	var found model
	var chosen shape
	least := math.Inf(1)
	for _, s := range candidates {
		p.prepare(rows, s)
		m, sse := p.fit(y)
		if s.hinge > 0 {
			sse += charge
		}
		if s.curve {
			sse += charge
		}
		if sse < least {
			found, chosen, least = m, s, sse
		}
	}
	return found, chosen
}

func costs(rows []row) []float64 {
	y := make([]float64, len(rows))
	for i, r := range rows {
		y[i] = r.cost
	}
	return y
}

func thousands(n int) float64 { return float64(max(0, n)) / 1000 }

func duration(ns float64) time.Duration { return time.Duration(math.Round(ns)) }
