package record

import (
	"errors"
	"math"
	"strconv"
	"time"

	"ttftop/probe"
)

// Millis is a duration as records write it: milliseconds with at most three
// decimals.
type Millis float64

// ErrAbsurd is a duration that nothing measured here takes.
var ErrAbsurd = errors.New("a figure in it is longer than a year: no ttftop wrote that, so mend the line or leave it away")

const longest = Millis(365 * 24 * 3600 * 1000)

// UnmarshalJSON implements json.Unmarshaler.
func (m *Millis) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	v, err := strconv.ParseFloat(string(text), 64)
	if errors.Is(err, strconv.ErrRange) || err == nil && math.Abs(v) > float64(longest) {
		return ErrAbsurd
	}
	*m = Millis(v)
	return err
}

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
