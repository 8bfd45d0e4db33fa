package baseline

import "time"

// After is the prefill of a prompt of n tokens whose first tokens are in a
// prefix cache, and its 95 % interval: b·u + c·(n² − cached²) − d for the
// u = n − cached others, since each of them attends to all before it. With
// nothing cached it is Prefill.
func (c Curve) After(n, cached int) (mid, lo, hi time.Duration) {
	k, m := thousands(n), min(thousands(cached), thousands(n))
	mid, lo, hi = c.estimate(k-m, func(b bent) float64 { return b.after(k, m) })
	return c.parted(mid, lo, hi, k-m)
}

func (b bent) after(k, cached float64) float64 {
	u := k - cached
	return max(0, max(0, b.b*u+b.c*(k*k-cached*cached)-b.d)+b.by.at(u))
}
