package probe

import "time"

// Mark is an instant that may not have come: an offset from the start of the
// request on the monotonic clock.
type Mark struct {
	At time.Duration
	OK bool
}

// At makes a mark that has come.
func At(d time.Duration) Mark { return Mark{At: d, OK: true} }

// Sub returns m − n, or 0 where either has not come.
func (m Mark) Sub(n Mark) time.Duration {
	if !m.OK || !n.OK {
		return 0
	}
	return m.At - n.At
}

// ClockKind says which clock stamped the arrivals of a probe.
type ClockKind string

// The clocks.
const (
	KernelClock ClockKind = "kernel" // the kernel's stamp of the packet
	UserClock   ClockKind = "user"   // the clock after the read
)

// Timeline is every instant of one probe. On a reused connection the DNS,
// connect and TLS marks are not OK.
type Timeline struct {
	DNSStart, DNSDone         Mark
	ConnectStart, ConnectDone Mark
	TLSStart, TLSDone         Mark
	GotConn                   Mark // connection in hand, new or reused
	Written                   Mark // request handed to the kernel in full
	Sent                      Mark // last byte of the request left the host; equals Written where the kernel can't tell
	FirstByte                 Mark // first byte of the response
	Headers                   Mark // response headers complete
	FirstEvent                Mark // first event of the stream, token or not
	FirstToken                Mark // first event that carries generated text
	FirstReasoning            Mark // first reasoning token
	FirstAnswer               Mark // first token that is not reasoning
	LastToken                 Mark
	Done                      Mark // end of the response or of the attempt

	Tokens []Arrival // every event that carried generated text, in order
}

// Arrival is one event that carried generated text.
type Arrival struct {
	At   time.Duration // offset from the start of the request
	Read int           // number of the read that completed it: equal numbers came together
}
