// Package spend says what probing costs in tokens: how many a minute at given
// knobs, how many have gone, and when the budget is reached.
package spend

import (
	"math"
	"net"
	"sync/atomic"
	"time"

	"ttftop/probe"
)

// Consent is the spending, in tokens a minute, above which a person is asked.
const Consent = 100_000

// assumedStream is how long a load stream takes before one was seen.
const assumedStream = 4 * time.Second

// PerMinute estimates the tokens a minute that one target costs at the knobs:
// its probes, its load streams at the time one takes (0 for unknown), and the
// calibration tokens still to come, which fall into the next minute.
func PerMinute(k probe.Knobs, stream time.Duration, calibration int) int64 {
	if stream <= 0 {
		stream = assumedStream
	}
	perProbe := float64(k.PromptTokens + k.MaxTokens)
	probes := 60 * k.Rate * perProbe
	perLoad := float64(k.PromptTokens + probe.LoadOutputCap)
	load := float64(k.Pressure) * perLoad * float64(time.Minute) / float64(stream)
	return int64(math.Ceil(probes + load + float64(calibration)))
}

// Free reports whether an endpoint costs nothing: it is simulated or on this
// machine.
func Free(e *probe.Endpoint) bool {
	if e.Simulated {
		return true
	}
	host := e.Base.Hostname()
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	return host == "localhost"
}

// Meter is a running count of tokens. It is safe for concurrent use.
type Meter struct {
	sent, received atomic.Int64
	budget         int64
}

// NewMeter makes a meter with a budget of tokens sent and received, 0 for none.
func NewMeter(budget int64) *Meter { return &Meter{budget: budget} }

// Add counts the tokens of one request.
func (m *Meter) Add(sent, received int) {
	m.sent.Add(int64(sent))
	m.received.Add(int64(received))
}

// Spent is the count as an event.
func (m *Meter) Spent() probe.Spent {
	s := probe.Spent{Sent: m.sent.Load(), Received: m.received.Load(), Budget: m.budget}
	s.Exhausted = m.budget > 0 && s.Sent+s.Received >= m.budget
	return s
}

// Exhausted reports whether the budget is reached.
func (m *Meter) Exhausted() bool { return m.Spent().Exhausted }
