package baseline

import "math"

// normal is a weighted least-squares problem with three unknowns in the form
// of its normal equations: gram·θ = v.
type normal struct {
	gram [3][3]float64
	v    [3]float64
	yy   float64 // weighted sum of y²
}

// subsets are the columns that may be above zero together, the first column
// (the fixed cost) being free to be zero too.
var subsets = [...][]int{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}}

// solve finds the θ ≥ 0 of least error, with only the first columns of the
// problem in use. With three unknowns the optimum is the best feasible one of
// the seven least-squares solutions with some of them held at zero, so it is
// found by trying all (the active sets that Lawson and Hanson's NNLS walks).
func (p *normal) solve(columns int) (theta [3]float64, sse float64) {
	sse = p.yy
	for _, set := range subsets {
		if set[len(set)-1] >= columns {
			continue
		}
		t, ok := p.on(set)
		if !ok {
			continue
		}
		if e := p.yy - t[0]*p.v[0] - t[1]*p.v[1] - t[2]*p.v[2]; e < sse {
			theta, sse = t, e
		}
	}
	return theta, max(0, sse)
}

// on solves with only the columns of set, by Cholesky; it is not ok where they
// are dependent or a coefficient comes out negative.
func (p *normal) on(set []int) (theta [3]float64, ok bool) {
	var l [3][3]float64
	var z [3]float64
	for i, ci := range set {
		for j := 0; j <= i; j++ {
			sum := p.gram[ci][set[j]]
			for k := range j {
				sum -= l[i][k] * l[j][k]
			}
			if i != j {
				l[i][j] = sum / l[j][j]
				continue
			}
			if sum <= 1e-10*p.gram[ci][ci] {
				return theta, false
			}
			l[i][i] = math.Sqrt(sum)
		}
		z[i] = p.v[ci]
		for k := range i {
			z[i] -= l[i][k] * z[k]
		}
		z[i] /= l[i][i]
	}
	for i := len(set) - 1; i >= 0; i-- {
		for k := i + 1; k < len(set); k++ {
			z[i] -= l[k][i] * z[k]
		}
		z[i] /= l[i][i]
		if z[i] < 0 {
			return [3]float64{}, false
		}
		theta[set[i]] = z[i]
	}
	return theta, true
}
