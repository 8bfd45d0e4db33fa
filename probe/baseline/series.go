package baseline

import "time"

// Point is what one probe tells of the cost of a request.
type Point struct {
	At     time.Time
	Tokens int           // uncached prompt tokens
	Server time.Duration // S − first decode
	Loaded bool          // load streams of this program were in flight: the point may lower the baseline, but never raise it
}

const (
	seriesCap = 128              // points kept of one prompt length
	freshest  = 32               // of these, the newest ones are never thinned out
	horizon   = 30 * time.Minute // older points leave, where enough newer ones are there
	keepAged  = 8                // a series is never shortened below this for age alone
)

// series is a bounded history of points in order of arrival: the newest in
// full, the older ones thinned to be evenly spaced in time, whatever their
// value, so that half an hour of steady load doesn't push out the time before.
type series []Point

func (s series) add(p Point) series {
	s = append(s, p)
	if len(s) > seriesCap {
		s = s.thin()
	}
	return s.expire(p.At.Add(-horizon))
}

// thin removes the older point that stands closest to the one before it.
func (s series) thin() series {
	drop, least := 1, time.Duration(1<<63-1)
	for i := 1; i < len(s)-freshest; i++ {
		if gap := s[i].At.Sub(s[i-1].At); gap < least {
			drop, least = i, gap
		}
	}
	return append(s[:drop], s[drop+1:]...)
}

func (s series) expire(before time.Time) series {
	old := 0
	for old < len(s)-keepAged && s[old].At.Before(before) {
		old++
	}
	return s[old:]
}

// since drops what came before t.
func (s series) since(t time.Time) series {
	var kept series
	for _, p := range s {
		if !p.At.Before(t) {
			kept = append(kept, p)
		}
	}
	return kept
}

// values are the costs in nanoseconds, in order of arrival.
func (s series) values() []float64 {
	v := make([]float64, len(s))
	for i, p := range s {
		v[i] = float64(p.Server)
	}
	return v
}

func (s series) tokens() float64 {
	sum := 0.0
	for _, p := range s {
		sum += float64(p.Tokens)
	}
	return sum / float64(len(s))
}
