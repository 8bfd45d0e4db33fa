package cut

import "time"

// Rest is what the reports of recent probes, none with a longer prompt, have
// left of the server time for handling: the least, and the median. What the path
// took above its round trip is in each of them.
type Rest struct{ Least, Usual time.Duration }

// least is what handling takes at least: the median lies above the least by the
// jitter of the path, and the least above handling itself by hardly more. Where
// nothing was seen that is 0.
func (r *Rest) least() time.Duration {
	if r == nil {
		return 0
	}
	return max(0, r.Least-(r.Usual-r.Least))
}
