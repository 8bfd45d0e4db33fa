package baseline

import "sort"

// mostBend bounds how far the curve leaves the form for what a length was seen
// to cost, as a share of the form's cost.
const mostBend = 0.25

// bent is a model bent towards the lengths that are known well: no engine
// follows the form exactly, and at the length that is being probed the cost is
// known better than through any form. Between lengths the bend goes over
// linearly, beyond the outermost ones it stays.
type bent struct {
	model
	by path // ns
}

// bend bends the model towards the costs y of the rows, as far as each is
// trusted.
func bend(m model, rows []row, y []float64) bent {
	b := bent{model: m, by: make(path, len(rows))}
	for i, r := range rows {
		b.by[i] = knot{r.k, m.bendTo(y[i], r)}
	}
	return b
}

// bendTo is by how much the model is bent at a row towards its cost.
func (m model) bendTo(cost float64, r row) float64 {
	form := m.cost(r.k)
	return min(max(r.trust*(cost-form), -mostBend*form), mostBend*form)
}

func (b bent) prefill(k float64) float64 { return max(0, b.model.prefill(k)+b.by.at(k)) }

func (b bent) cost(k float64) float64 { return b.a + b.prefill(k) }

// path is a line of straight pieces; beyond its ends it is level.
type path []knot

type knot struct{ k, v float64 } // at k thousand tokens, in ascending order

func (p path) at(k float64) float64 {
	i := sort.Search(len(p), func(i int) bool { return p[i].k >= k })
	switch {
	case len(p) == 0:
		return 0
	case i == 0:
		return p[0].v
	case i == len(p):
		return p[i-1].v
	}
	l, r := p[i-1], p[i]
	return l.v + (r.v-l.v)*(k-l.k)/(r.k-l.k)
}
