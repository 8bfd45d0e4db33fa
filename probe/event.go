package probe

import "time"

// Event is what the prober tells: one of the types below.
type Event interface{ event() }

// Started tells that a probe has begun.
type Started struct {
	Seq    int
	Target int
	Kind   Kind
	Epoch  int
	Pair   int       // number of the pair it belongs to, from 1; 0 for none
	Side   int       // of the pair: 0 for A, 1 for B
	At     time.Time // start of the request, with its monotonic reading
}

// Reached tells that a probe in flight has come to an instant.
type Reached struct {
	Seq    int
	Target int
	Step   Step
	At     time.Duration // offset from the start of the request
}

// Step is an instant that the screen follows live.
type Step string

// The steps, in order.
const (
	StepDNS     Step = "dns"     // resolved
	StepConnect Step = "connect" // connected
	StepTLS     Step = "tls"     // shaken hands
	StepSent    Step = "sent"    // request has left
	StepHeaders Step = "headers"
	StepToken   Step = "token" // first token
	StepAnswer  Step = "answer"
	StepAck     Step = "ack" // first token of the acknowledgement, at any place among the others
)

// Finished tells that a probe has ended, well or not.
type Finished struct {
	Result Result
	Fit    Fit // the baseline of the target as it stands now
}

// Fit is a baseline in two figures: not OK until it is fitted.
type Fit struct {
	Fixed Mark        // cost of an unloaded request beside its prompt
	Per1k Mark        // and per 1,000 uncached prompt tokens
	Line  []LinePoint // from the shortest to the longest prompt seen; empty where not OK

	FixedLo, FixedHi time.Duration // 95 % interval of Fixed
	Per1kLo, Per1kHi time.Duration // and of Per1k

	Busy  bool  // the endpoint was never seen idle: this is the best it has shown
	Curve Curve // the baseline itself; nil until it is fitted
}

// Firm reports which of the two figures may be taken for what they are: the
// endpoint was seen idle, and the interval is no wider than the figure.
func (f Fit) Firm() (fixed, per1k bool) {
	fixed, per1k = f.narrow()
	return fixed && !f.Busy, per1k && !f.Busy
}

// Says reports whether the fit says anything: the interval of one of its figures
// is no wider than the figure.
func (f Fit) Says() bool {
	fixed, per1k := f.narrow()
	return fixed || per1k
}

func (f Fit) narrow() (fixed, per1k bool) {
	narrow := func(m Mark, lo, hi time.Duration) bool { return m.OK && m.At > 0 && hi-lo <= m.At }
	return narrow(f.Fixed, f.FixedLo, f.FixedHi), narrow(f.Per1k, f.Per1kLo, f.Per1kHi)
}

// Curve is a baseline at any prompt length. It never changes; probe/baseline
// has it.
type Curve interface {
	// After is the prefill of a prompt of n tokens whose first tokens are in a
	// prefix cache, and its 95 % interval.
	After(n, cached int) (mid, lo, hi time.Duration)
	// Covers reports whether it says anything of n uncached tokens.
	Covers(n int) bool
	// Idle reports whether the server was seen without other work.
	Idle() bool
	// Contradicted reports whether the lengths it was fitted to contradict each
	// other.
	Contradicted() bool
}

// LinePoint is a point of a baseline: what an unloaded request of so many
// uncached prompt tokens costs, without network and first decode. A line of
// them goes from the shortest to the longest prompt that was seen.
type LinePoint struct {
	Tokens int
	Cost   time.Duration
}

// Changed tells that a knob was turned: a new epoch begins.
type Changed struct {
	Epoch    int
	At       time.Time
	Before   Settings
	Settings Settings
}

// Marked tells that a person has dropped a marker on the time axis.
type Marked struct {
	At   time.Time
	Note string // may be empty
}

// Cleared tells that the figures begin anew, with a new epoch at the same
// knobs.
type Cleared struct {
	Epoch    int
	At       time.Time
	Settings Settings
}

// Models tells which models an endpoint offers (/v1/models).
type Models struct {
	Target  int
	Names   []string
	Failure *Failure // why there is no list; nil where there is one
}

// Held tells that a target is not probed until a time: a rate limit asks for
// it, or errors made the prober back off.
type Held struct {
	Target int
	Until  time.Time // zero when it is free again
	Reason string
}

// Load tells the state of a target's load streams.
type Load struct {
	Target     int
	Asked      int
	InFlight   int
	Failed     int // since the streams were last set anew
	LastErr    string
	StreamTime time.Duration // how long the last stream took, 0 for unknown
}

// Calibrating tells how far the ladder of a target has come; Left is 0 when it
// is done.
type Calibrating struct {
	Target      int
	Left, Total int
}

// Spent tells the running count of tokens.
type Spent struct {
	Sent, Received int64 // prompt and output tokens, of probes and load streams alike
	Budget         int64 // 0 for none
	Exhausted      bool  // the budget is reached: probing has stopped
}

// Pace tells what the client has achieved of what it was asked for, added up
// from the beginning of the session on.
type Pace struct {
	Target    int
	At        time.Time
	Due, Sent int           // ordinary probes that were due, and of these those that were sent
	Asked     time.Duration // load streams asked for, each for as long as it was
	InFlight  time.Duration // load streams in flight, likewise
	Loaded    time.Duration // time in which any were asked for
}

// Late tells how late this program wakes up: a busy client colours what it
// measures.
type Late struct{ Lag time.Duration }

// Fence tells nothing itself: Passed is called once everything that was told
// before it has been taken.
type Fence struct{ Passed func() }

// Notice is a sentence for the person, said once.
type Notice struct {
	Target int // −1 for the whole session
	Text   string
	At     time.Time // when a session was told, zero before
	Lasts  bool      // it is about why the target is not probed, and holds until it is
}

func (Started) event()     {}
func (Reached) event()     {}
func (Finished) event()    {}
func (Changed) event()     {}
func (Marked) event()      {}
func (Cleared) event()     {}
func (Models) event()      {}
func (Held) event()        {}
func (Load) event()        {}
func (Calibrating) event() {}
func (Spent) event()       {}
func (Notice) event()      {}
func (Late) event()        {}
func (Pace) event()        {}
func (Fence) event()       {}
