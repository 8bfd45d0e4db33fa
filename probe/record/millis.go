package record

import (
	"math"
	"strconv"
	"time"

	"ttftop/probe"
)

// Millis is a duration as records write it: milliseconds with at most three
// decimals.
type Millis float64

// MarshalJSON implements json.Marshaler. It never writes an exponent.
func (m Millis) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, math.Round(float64(m)*1000)/1000, 'f', -1, 64), nil
}

// millis rounds a duration to the microsecond.
func millis(d time.Duration) Millis {
	return Millis(float64(d.Round(time.Microsecond)/time.Microsecond) / 1000)
}

// mark is nil for a mark that has not come.
func mark(m probe.Mark) *Millis {
	if !m.OK {
		return nil
	}
	ms := millis(m.At)
	return &ms
}
