package baseline

import (
	"math"
	"testing"
	"time"
)

// exact gives noiseless points of the lengths.
func exact(sv server, repeats int, lengths ...int) *Fitter {
	f := &Fitter{}
	at := epoch
	for range repeats {
		for _, n := range lengths {
			at = at.Add(time.Second)
			f.Add(Point{At: at, Tokens: n, Server: time.Duration(sv.truth(n) * 1e6)})
		}
	}
	return f
}

func curveOf(t *testing.T, f *Fitter) Curve {
	t.Helper()
	c, ok := f.Curve()
	if !ok {
		t.Fatal("no curve")
	}
	return c
}

func TestExactServers(t *testing.T) {
	tests := []struct {
		name      string
		sv        server
		fixed     float64 // ms
		tolerance float64
	}{
		{"straight", server{fixed: 84, perK: 41}, 84, 1e-4},
		{"nothing but fixed", server{fixed: 84}, 84, 1e-4},
		{"no fixed part", server{perK: 41}, 0, 1e-4},
		{"attention", server{fixed: 20, perK: 30, perKK: 4}, 20, 1e-3},
		{"short prompts hide under the weights", server{fixed: 12, perK: 80, perKK: 2, weights: 15}, 12, .02},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := curveOf(t, exact(tt.sv, 3, 16, 64, 256, 1024, 4096, 8192))
			fixed, lo, hi := c.Fixed()
			if got := float64(fixed) / 1e6; math.Abs(got-tt.fixed) > .02*tt.fixed+.05 {
				t.Errorf("fixed %v (%v…%v), want %v ms", fixed, lo, hi, tt.fixed)
			}
			for _, n := range []int{16, 64, 256, 1024, 3000, 8192, 12000} {
				mid, lo, hi := c.At(n)
				want := tt.sv.truth(n)
				if got := float64(mid) / 1e6; math.Abs(got-want) > tt.tolerance*want+.05 {
					t.Errorf("at %d: %v (%v…%v), want %.3f ms", n, mid, lo, hi, want)
				}
				if pre, _, _ := c.Prefill(n); abs(int(fixed+pre-mid)) > 1 {
					t.Errorf("at %d: fixed %v and prefill %v are not %v", n, fixed, pre, mid)
				}
			}
		})
	}
}

func TestFewLengths(t *testing.T) {
	f := exact(server{fixed: 20, perK: 40}, 9, 256)
	if c, ok := f.Curve(); ok {
		t.Errorf("one length gives a curve: %v", c)
	}
	f.Add(Point{At: epoch.Add(time.Minute), Tokens: 270, Server: 31 * time.Millisecond})
	if c, ok := f.Curve(); ok {
		t.Errorf("two lengths that hardly differ give a curve: %v", c)
	}
	f.Add(Point{At: epoch.Add(time.Minute), Tokens: 1256, Server: 70 * time.Millisecond})
	c := curveOf(t, f)
	if c.Lengths() != 2 {
		t.Errorf("%d lengths, want 2", c.Lengths())
	}
	// Curvature and the hinge wait for a fourth length.
	steep := server{fixed: 20, perK: 10, perKK: 20, weights: 5}
	for _, lengths := range [][]int{{16, 1024}, {16, 1024, 4096}} {
		c := curveOf(t, exact(steep, 2, lengths...))
		if c.fit.c != 0 || c.fit.d != 0 {
			t.Errorf("%d lengths give c = %v, d = %v", len(lengths), c.fit.c, c.fit.d)
		}
	}
	if c := curveOf(t, exact(steep, 2, 16, 1024, 4096, 8192)); c.fit.c <= 0 {
		t.Errorf("four lengths give c = %v", c.fit.c)
	}
}

func TestCurveInWords(t *testing.T) {
	for want, sv := range map[string]server{
		"84 ms + 41 ms per 1k":     {fixed: 84, perK: 41},
		"4.2 ms + 0.80 ms per 1k":  {fixed: 4.2, perK: .8},
		"1.0 ms + 1250 ms per 1k":  {fixed: 1, perK: 1250},
		"0.00 ms + 10 ms per 1k":   {perK: 10},
		"9.9 ms + 9.9 ms per 1k":   {fixed: 9.9, perK: 9.9},
		"300 ms + 0.00 ms per 1k":  {fixed: 300},
		"0.25 ms + 0.99 ms per 1k": {fixed: .25, perK: .99},
	} {
		if got := curveOf(t, exact(sv, 2, 16, 256, 4096)).String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The slope is that of the server, within its interval.
func TestSlope(t *testing.T) {
	c := curveOf(t, exact(server{fixed: 84, perK: 41}, 3, 16, 256, 4096))
	mid, lo, hi := c.Slope()
	if got := float64(mid) / 1e6; math.Abs(got-41) > .01 || mid < lo || mid > hi || mid != c.Per1k() {
		t.Errorf("%v (%v…%v), and %v", mid, lo, hi, c.Per1k())
	}
	if mid, lo, hi := (Curve{}).Slope(); mid != 0 || lo != 0 || hi != 0 {
		t.Errorf("the zero curve has the slope %v (%v…%v)", mid, lo, hi)
	}
}

func TestCovers(t *testing.T) {
	c := curveOf(t, exact(server{fixed: 20, perK: 40}, 2, 16, 1000))
	if !c.Covers(0) || !c.Covers(2000) || c.Covers(2001) {
		t.Error("the curve of 16 and 1,000 tokens reaches to 2,000")
	}
}

func TestZeroCurve(t *testing.T) {
	var c Curve
	if mid, lo, hi := c.At(1000); mid != 0 || lo != 0 || hi != 0 {
		t.Errorf("the zero curve costs %v (%v…%v)", mid, lo, hi)
	}
	if c.Per1k() != 0 || c.Lengths() != 0 {
		t.Error("the zero curve knows something")
	}
}
