// Package spend says what probing costs in tokens: how many a minute at given
// knobs, how many have gone, and when the budget is reached.
package spend

import (
	"math"
	"net"
	"sync"
	"time"

	"ttftop/probe"
)

// Consent is the spending, in tokens a minute, above which a person is asked.
const Consent = 100_000

// assumedStream is how long a load stream takes before one was seen.
const assumedStream = 4 * time.Second

// PerMinute estimates the tokens a minute that one target costs at the knobs:
// its probes, each of two requests where they are handed off, its load streams at the time one takes (0 for unknown), and the
// calibration tokens still to come, which fall into the next minute.
func PerMinute(t probe.Target, k probe.Knobs, stream time.Duration, calibration int) int64 {
	if stream <= 0 {
		stream = assumedStream
	}
	perProbe := float64(t.Requests() * (k.PromptTokens + k.MaxTokens))
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
	budget int64

	mu             sync.Mutex
	sent, received int64
	reserved       int64 // what requests in flight may come to
	reached        bool  // a request was refused for want of budget
}

// NewMeter makes a meter with a budget of tokens sent and received, 0 for none.
func NewMeter(budget int64) *Meter { return &Meter{budget: budget} }

// Reserve puts aside what a request may come to, in tokens. It returns false
// where that would pass the budget: then the request must not be sent, and the
// budget is exhausted.
func (m *Meter) Reserve(tokens int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.reached || m.budget > 0 && m.sent+m.received+m.reserved+int64(tokens) > m.budget {
		m.reached = true
		return false
	}
	m.reserved += int64(tokens)
	return true
}

// Settle counts what a request came to, in place of what was reserved for it.
func (m *Meter) Settle(reserved, sent, received int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved -= int64(reserved)
	m.sent += int64(sent)
	m.received += int64(received)
}

// Spent is the count as an event.
func (m *Meter) Spent() probe.Spent {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := probe.Spent{Sent: m.sent, Received: m.received, Budget: m.budget}
	s.Exhausted = m.reached || m.budget > 0 && s.Sent+s.Received >= m.budget
	return s
}

// Exhausted reports whether the budget is reached, or what is left of it does
// for no further request.
func (m *Meter) Exhausted() bool { return m.Spent().Exhausted }
