package probe

// Basis is what the figures of one waterfall rest on, beyond what a source says;
// what is zero is not known.
type Basis struct {
	Queue   QueueBasis
	Prefill PrefillBasis
	Step    StepBasis
}

// QueueBasis is where a queue that is reported comes from.
type QueueBasis int

// The bases of a queue.
const (
	QueueTold QueueBasis = iota + 1 // a figure of the server
	QueueLeft                       // what the server's prefill leaves beside handling
)

// PrefillBasis is what a prefill that is not the baseline's is made of.
type PrefillBasis int

// The bases of a prefill.
const (
	PrefillWhole    PrefillBasis = iota + 1 // the figure as it is
	PrefillLess                             // less one decode step, which it holds
	PrefillPresumed                         // less one decode step, which it is taken to hold: nobody says so
	PrefillBetween                          // the time from the headers to the first token, less one decode step
)

// StepBasis is where a decode step comes from.
type StepBasis int

// The bases of a step.
const (
	StepOwn     StepBasis = iota + 1 // the median gap of the stream
	StepEarlier                      // the usual one of earlier probes
	StepTold                         // a figure of the server
)
