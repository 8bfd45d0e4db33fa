package baseline

import (
	"testing"
	"time"
)

// At 4,000 tokens with 3,000 of them cached: 20·1 + 2·(16 − 9) − 5 = 29 ms.
func TestAfter(t *testing.T) {
	const ms = float64(time.Millisecond)
	c := Curve{fit: bent{model: model{a: 3 * ms, b: 20 * ms, c: 2 * ms, d: 5 * ms}}}
	for _, tt := range []struct {
		n, cached int
		want      time.Duration
	}{
		{4000, 3000, 29 * time.Millisecond}, {4000, 0, 107 * time.Millisecond}, {4000, 4000, 0}, {4000, 5000, 0}, {100, 0, 0},
	} {
		if got, lo, hi := c.After(tt.n, tt.cached); got != tt.want || lo != got || hi != got {
			t.Errorf("After(%d, %d) = %v (%v to %v), want %v", tt.n, tt.cached, got, lo, hi, tt.want)
		}
	}
	for _, n := range []int{0, 64, 1000, 4000} {
		whole, _, _ := c.Prefill(n)
		if got, _, _ := c.After(n, 0); got != whole {
			t.Errorf("After(%d, 0) = %v, but Prefill is %v", n, got, whole)
		}
	}
}
