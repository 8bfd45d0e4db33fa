package baseline

import (
	"testing"
	"time"
)

// A moved curve costs what it was moved to, has the same prefill, and leaves the
// one that it came from alone.
func TestThrough(t *testing.T) {
	const ms = time.Millisecond
	c := curveOf(t, exact(server{fixed: 84, perK: 41}, 8, 16, 64, 256, 1024))
	fixed, lo, hi := c.Fixed()
	prefill, _, _ := c.Prefill(512)
	moved := c.Through(100, c.Cost(100)+20*ms)
	if got, gotLo, gotHi := moved.Fixed(); got != fixed+20*ms || (gotHi-gotLo-(hi-lo)).Abs() > ms {
		t.Errorf("the fixed part is %v (%v to %v), of %v (%v to %v)", got, gotLo, gotHi, fixed, lo, hi)
	}
	if got, _, _ := moved.Prefill(512); got != prefill {
		t.Errorf("prefill is %v, was %v", got, prefill)
	}
	if got, gotLo, gotHi := c.Fixed(); got != fixed || gotLo != lo || gotHi != hi {
		t.Errorf("the curve itself is moved to %v", got)
	}
	if got, _, _ := c.Through(1000, 2*ms).Fixed(); got != 0 {
		t.Errorf("a fixed part of %v, below none", got)
	}
}
