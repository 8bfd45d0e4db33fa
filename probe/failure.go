package probe

import (
	"fmt"
	"time"
)

// FailureKind names what went wrong.
type FailureKind string

// The kinds, as records spell them.
const (
	FailDNS       FailureKind = "dns"
	FailConnect   FailureKind = "connect"
	FailTLS       FailureKind = "tls"
	FailTimeout   FailureKind = "timeout"
	FailStatus    FailureKind = "status"
	FailRateLimit FailureKind = "rate_limit"
	FailStream    FailureKind = "stream"   // cut off, reset, or an error inside the stream
	FailProtocol  FailureKind = "protocol" // an answer that is no chat stream
	FailClient    FailureKind = "client"   // the fault is on this side
	FailSkipped   FailureKind = "skipped"  // too many in flight
	FailCanceled  FailureKind = "canceled"
)

// Phase names the wait in which a timeout struck.
type Phase string

// The phases.
const (
	PhaseSend       Phase = "send" // the request was still being sent
	PhaseHeaders    Phase = "headers"
	PhaseFirstToken Phase = "first_token"
	PhaseStall      Phase = "stall"
)

// CodeNotSent is the code of a probe that was due and never sent, since this
// program was late.
const CodeNotSent = "not_sent"

// CodeTooLong is the code of a prompt that is too long for the model, in every
// server's case.
const CodeTooLong = "context_length_exceeded"

// Failure is why a probe has no TTFT or no complete answer. Message is one
// clear line without control characters or secrets.
type Failure struct {
	Kind       FailureKind
	Phase      Phase // of a timeout, else ""
	Message    string
	Status     int           // HTTP status, 0 where there was none
	Code       string        // the server's own code, such as context_length_exceeded; may be empty
	RetryAfter time.Duration // what the server asked for; 0 where it did not
}

// Error implements error.
func (f *Failure) Error() string {
	if f.Status != 0 && f.Kind != FailStream {
		return fmt.Sprintf("HTTP %d: %s", f.Status, f.Message)
	}
	return f.Message
}

// Censored reports whether the probe ranks slower than every success in the
// percentiles: it timed out, was cut off, was answered 5xx or was skipped.
// Rate limits, client faults, refusals (4xx) and cancellations are counted
// beside, not ranked.
func (f *Failure) Censored() bool {
	if f == nil {
		return false
	}
	switch f.Kind {
	case FailTimeout, FailStream, FailSkipped, FailConnect, FailDNS, FailTLS, FailProtocol:
		return true
	case FailStatus:
		return f.Status >= 500
	}
	return false
}

// ByEndpoint reports whether the probe counts among those that the endpoint
// failed. A fault on this side says nothing of it, and what was skipped or
// cancelled was never put to it: a share of failures leaves them out of both
// counts.
func (f *Failure) ByEndpoint() bool {
	if f == nil {
		return false
	}
	switch f.Kind {
	case FailClient, FailSkipped, FailCanceled:
		return false
	}
	return true
}

// Waited reports whether a time-out ended the probe: its limit was waited for.
func (f *Failure) Waited() bool { return f != nil && f.Kind == FailTimeout }
