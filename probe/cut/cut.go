package cut

import (
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/baseline"
	"ttftop/probe/reported"
)

// HeadersRule says when this server's headers leave.
type HeadersRule = reported.Leave

// The rules.
const (
	HeadersUnknown = reported.LeaveUnknown
	OnAcceptance   = reported.OnAcceptance   // handling ends there
	OnSlot         = reported.OnSlot         // handling and queue end there
	WithFirstToken = reported.WithFirstToken // they tell nothing
)

// Input is all that the cut of one probe depends on.
type Input struct {
	Timeline       probe.Timeline
	RTT            probe.Mark       // one round trip of this connection; without it the connect handshake stands in
	Figures        reported.Figures // zero for none
	IgnoreReported bool
	Uncached       int               // uncached prompt tokens
	OutputTokens   int               // of the answer; 0 where only its events are known
	Step           probe.Mark        // one decode step: this stream's, or the target's last known; without it the server's figure
	StepBasis      probe.StepBasis   // of Step
	Baseline       *baseline.Curve   // nil until it exists
	OwnPrefill     *OwnPrefill       // nil where the server has reported none
	Rest           *Rest             // nil where no such probe was seen
	DecodeInReport reported.Contains // whether prefill as the server reports it holds the first decode, by earlier probes where it does not say
	Headers        HeadersRule
	BeforeHeaders  *Usual        // what lies before the headers of such a prompt on an idle server; nil where that was not seen
	Alone          bool          // nothing else of this program was in flight until the first token
	Above          time.Duration // by so much more than the baseline such a request may cost an idle server of two costs; 0 for none
	Doubt          Doubt         // whether the baseline is still that of the server
	CacheUnsaid    bool          // the prompt shares a prefix with others, and no cache is spoken of: how much of it was prefilled is not known
	Flags          []probe.Flag  // of the probe so far
}

// OwnPrefill is what the server itself reports of the prefill of such a prompt
// when idle (Output.OwnPrefill), and the 95 % interval of a single one's.
type OwnPrefill struct {
	Usual, Lo, Hi time.Duration
	Idle          bool // the server was seen idle
}

// Output is a cut.
type Output struct {
	Waterfall      probe.Waterfall   // empty without a first token
	Contention     probe.Mark        // the part of queue by which a busy batch slowed prefill; not OK where it isn't known
	Flags          []probe.Flag      // what the cut found, to be added to the probe's
	Basis          probe.Basis       // of the waterfall
	AtLeast        bool              // the server was never seen idle: the queue is at least this
	Rest           probe.Mark        // what the reports leave of S for handling, where they do
	DecodeInReport reported.Contains // whether the reported prefill holds the first decode, as far as this probe shows it where the server does not say
	OwnPrefill     probe.Mark        // prefill as the server reports it, without the first decode but with contention; also where S stays whole for want of a baseline
}

// undivided are the flags of time that is no segment: S stays whole.
var undivided = []probe.Flag{probe.FlagModelLoad, probe.FlagHiddenReasoning, probe.FlagBuffered, probe.FlagLateRead, probe.FlagFromCache, probe.FlagSilentCache}

// Probe cuts the TTFT of one probe.
func Probe(in Input) Output {
	if !hasToken(in.Timeline) {
		return Output{}
	}
	if in.IgnoreReported {
		in.Figures = reported.Figures{}
	}
	network, s := networkOf(in.Timeline, in.RTT)
	c := cutter{in: in, s: s}
	c.look()
	segments, ok := c.cut()
	if !ok {
		segments = probe.Waterfall{{Name: probe.Server, Duration: s, Source: probe.Measured}}
		c.out.AtLeast, c.out.Contention, c.out.Basis = false, probe.Mark{}, probe.Basis{}
	}
	c.out.Waterfall = append(network, segments...)
	return c.out
}

// Server is the server time S of a probe: first token − request on the wire −
// round trip; 0 without a first token.
func Server(in Input) time.Duration {
	if !hasToken(in.Timeline) {
		return 0
	}
	_, s := networkOf(in.Timeline, in.RTT)
	return s
}

// HeadersOf is the instant of the headers of a probe on the server: how much of
// its server time S was over when they left. It means nothing without either.
func HeadersOf(in Input) time.Duration {
	s := Server(in)
	return s - afterHeaders(in.Timeline, s)
}

// afterHeaders is the part of the server time behind the headers.
func afterHeaders(t probe.Timeline, s time.Duration) time.Duration {
	return clamp(t.FirstToken.At-t.Headers.At, 0, s)
}

// hasToken reports whether there is a TTFT to cut. One before the start of the
// request is a clock's mistake.
func hasToken(t probe.Timeline) bool { return t.FirstToken.OK && t.FirstToken.At >= 0 }

// whole reports whether S holds time that is no segment.
func (c *cutter) whole() bool {
	return slices.ContainsFunc(undivided, func(f probe.Flag) bool {
		return slices.Contains(c.in.Flags, f) || slices.Contains(c.out.Flags, f)
	})
}
