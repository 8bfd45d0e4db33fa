package baseline

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The optimum of a non-negative least-squares problem is where the gradient is
// 0 for every coefficient above 0, and doesn't point down for the others
// (Karush, Kuhn and Tucker).
func TestSolveIsOptimal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	atZero := 0
	for range 5000 {
		rows := make([]row, 3+r.IntN(6))
		y := make([]float64, len(rows))
		for i := range rows {
			rows[i] = row{k: r.Float64() * 8, weight: 0.1 + r.Float64()}
			y[i] = 50 * r.NormFloat64()
		}
		var p problem
		p.prepare(rows, shape{curve: true})
		m, sse := p.fit(y)
		theta := [3]float64{m.a, m.b, m.c}
		left, gradient, scale := 0.0, [3]float64{}, 0.0
		for i, row := range rows {
			e := m.cost(row.k) - y[i]
			left += row.weight * e * e
			scale += row.weight * y[i] * y[i]
			for j := range gradient {
				gradient[j] += p.x[i][j] * e
			}
		}
		if math.Abs(left-sse) > 1e-6*scale {
			t.Fatalf("error %v, counted %v", sse, left)
		}
		for j, g := range gradient {
			tolerance := 1e-6 * math.Sqrt(scale*p.gram[j][j])
			if theta[j] < 0 || g < -tolerance || theta[j] > 0 && g > tolerance {
				t.Fatalf("coefficient %d = %v with gradient %v (tolerance %v)", j, theta[j], g, tolerance)
			}
			if theta[j] == 0 {
				atZero++
			}
		}
	}
	if atZero == 0 {
		t.Error("no bound was ever active: the test shows nothing")
	}
}

func TestSolveWithOneLength(t *testing.T) {
	var p problem
	p.prepare([]row{{k: 1, weight: 1}}, shape{})
	if m, _ := p.fit([]float64{7}); math.Abs(m.cost(1)-7) > 1e-9 {
		t.Errorf("cost %v, want 7", m.cost(1))
	}
}
