package views

import (
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/diagnose"
	"ttftop/probe/reported"
	"ttftop/probe/tally"
	"ttftop/probe/whatif"
)

// Snapshot is all that the screen shows at one instant: plain data that nobody
// changes once it is made. Times are offsets from the start of the session.
type Snapshot struct {
	View      View
	Now       time.Duration
	Start     time.Time // what times are offsets from
	Simulated bool      // every endpoint is the embedded simulator's
	Paused    bool
	Epoch     int
	Selected  int  // index of the selected target
	Unlinked  bool // the knobs turn for the selected target alone
	Targets   []Target
	Changes   []Change   // turned knobs and markers, oldest first
	Effect    *Effect    // of the last change; nil before the first
	Limits    []Limit    // SLOs of the TTFT
	Standings []Standing // how every SLO stands
	Knobs     []Knob
	Status    Status
	Dialog    *Dialog    // a question or an entry in front of everything; nil for none
	Probes    *ProbeList // where the view shows it
	Page      *Page      // a text in front of everything; nil for none
	Tour      *Tour      // the caption of a guided tour; nil for none

	Intervals      bool     // intervals of estimated figures are asked for
	Truth          bool     // the simulator's own books are laid under the cuts
	Versus         *Versus  // two targets that are compared; nil for none
	Inspect        *Inspect // the selected target's waterfalls in full, behind Dialog; nil for none
	IgnoreReported bool     // nothing is cut by what servers report
	WhatIf         *WhatIf  // projections for the selected target, behind Dialog; nil for none

	Levers *LeverList // of simulated servers, where the panel is open; nil for none
}

// Inspect is what the waterfall inspector shows.
type Inspect struct {
	Segment probe.SegmentName // the chosen one, "" for the longest
	Explain bool              // what it is, and how it is known
}

// WhatIf is what the what-if panel shows.
type WhatIf struct {
	Chosen   int // index into Levers
	Levers   []whatif.Projection
	P50, P95 probe.Mark // as they are now
}

// Target is one lane.
type Target struct {
	Name      string
	Region    string
	Model     string
	URL       string // without credentials
	Handoff   string // model that acknowledges each prompt, "" for none
	Insecure  bool   // certificates are not verified
	Live      *Live  // the probe in flight; nil where none is
	Last      *Settled
	P50       probe.Waterfall // p50 waterfall of the current epoch; nil before there is one
	P95       probe.Waterfall // the same of the p95; nil as long as that isn't known
	P50Probes int             // probes of this epoch that have a waterfall
	P50Least  bool            // the queue of P50 is at least what it says
	P50Most   bool            // the queue of P50 is at most what it says
	P50Truth  probe.Waterfall // what a simulator says of the probes that P50 is the mean of; nil where it says nothing
	Fit       probe.Fit       // the baseline
	Epoch     int             // its own: the session's when its knobs were last turned
	Figures   Figures         // of the current epoch
	Diagnosis Diagnosis       // of the current epoch
	Points    []Point         // oldest first, of the whole time window kept
	Costs     []Cost          // what prompts of every epoch cost, oldest first
	Ranked    []time.Duration // TTFT of the current epoch's successes, ascending
	Censored  int             // probes that rank after them
	Address   string          // how the last connection came about, and where to: "kept to 127.0.0.1:8000"
	Clock     probe.ClockKind
	LoadAsked int // load streams asked for
	Load      int // load streams in flight
	LoadError string
	Held      string             // why it is not probed now, e.g. a rate limit; "" when it is
	HeldFor   time.Duration      // how long yet
	Ladder    Progress           // calibration
	Failure   string             // sentence of the last probe's failure, "" after a success
	Flags     []probe.Flag       // of the last probe
	Engine    *probe.EngineState // as the server's metrics page last showed it; nil for none
	Dialect   string             // whose own figures the last probe was cut with, "" for none
	FlagText  []string           // a sentence for each flag that a person must know
	FlagBrief []string           // each of these in a few words; "" or none where the sentence is short
}

// Live is a probe in flight.
type Live struct {
	Seq       int
	Kind      probe.Kind
	Waterfall probe.Waterfall // so far; the last segment grows
	Elapsed   time.Duration   // since the start of the request
	TTFT      probe.Mark      // once the first token is there
	Ack       probe.Mark      // once the fast model of a handoff has acknowledged
}

// Settled is the last finished probe that had a first token.
type Settled struct {
	Seq           int
	Kind          probe.Kind
	Waterfall     probe.Waterfall
	TTFT          time.Duration
	AnswerTTFT    probe.Mark
	PromptTokens  int
	CachedTokens  int
	CachedTold    bool // the server says how many those are
	UncachedGuess bool // tokens that nobody speaks of may have been cached
	PromptExact   bool
	Marks         Marks
	Contention    probe.Mark      // the part of queue by which a busy batch slowed prefill
	Truth         probe.Waterfall // what a simulator says of it; nil where it says nothing
	Known         Known
	Ack           *probe.Ack // of a handoff, nil for none
}

// Marks are instants of a probe that are no segments.
type Marks struct{ Headers, FirstEvent, FirstReasoning, FirstAnswer, Ack probe.Mark }

// Known is what the cut of a probe rests on.
type Known struct {
	Server  string // which program or service answers, "" where it is not known
	Dialect string // in which the server reported its times, "" where it did not
	Leave   reported.Leave
	Clock   probe.ClockKind // of the arrivals
	RTT     bool            // a round trip of the connection is known
	Reused  bool            // the connection was kept
	Proxy   string          // that the connection went through, "" for none
	Link    string          // where the connection went, and how it came about; "" where it is not known
	Basis   probe.Basis
	Flags   []probe.Flag
}

// Has reports whether the probe carries a flag.
func (k *Known) Has(f probe.Flag) bool { return slices.Contains(k.Flags, f) }

// Progress counts steps; Total 0 means there is nothing to count.
type Progress struct{ Done, Total int }

// Figures are the numbers of one target over one epoch.
type Figures = tally.Figures

// Diagnosis is what dominates the TTFT of one target, and the cure.
type Diagnosis = diagnose.Finding

// Point is one probe on the time axis.
type Point = tally.Point

// Cost is one probe on the axis of prompt tokens.
type Cost = tally.Cost

// Change is a mark on the time axis.
type Change struct {
	At    time.Duration
	Epoch int
	Text  string // "prompt 256 → 1,024", or the note of a marker
	Note  bool   // a marker that a person has dropped
}

// Limit is an SLO of the TTFT, and how many probes of this epoch are within
// it, by target; none where that isn't known yet.
type Limit struct {
	SLO    probe.SLO
	Shares []Share
}

// Share is so many of so many.
type Share struct{ N, Of int }

// Effect tells what the last change did, target by target.
type Effect struct {
	Text    string // "prompt 256 → 1,024"
	Turned  int    // knobs that Text tells of
	Last    string // the one of several that was turned last, "batch 0 → 4"; "" where that isn't known
	Targets []TargetEffect
}

// TargetEffect is one target's figures before and after the last change.
type TargetEffect struct {
	Target        string
	Still         bool    // none of its knobs was turned
	Before, After Figures // Before without a probe where there is nothing to compare with
	Shift         tally.Shift
}

// Knob is one thing to turn.
type Knob struct {
	Key      string // the letter that reaches it
	Turns    string // the keys that turn it: "p/P"
	Name     string
	Value    string
	Others   string // how it stands for the targets for which it stands otherwise: "(B 1,024)"; "" for none
	Selected bool
	Note     string // e.g. "asked 1,024, endpoint counts 1,023"
}

// Status is the line at the bottom, and the notices above it.
type Status struct {
	Probes, Failed int
	Sent, Received int64         // tokens
	Budget         int64         // 0 for none
	PerMinute      int64         // tokens per minute at the present knobs
	Lag            time.Duration // how late this program wakes up
	ReadDelay      time.Duration // how late the last probe was read, at worst
	Rate, Pressure tally.Kept    // of the target that misses most: probes a second, load streams
	Behind         string        // that this machine can't keep up with what it simulates, "" where it can
	Dropped        int           // frames of the last seconds that the terminal did not take in time
	Record         string
	RecordError    string
	Notices        []string // newest last
	Fresh          string   // the newest of them as long as the footer has it, because no line of the screen shows it whole; "" for none
	Keys           []KeyHelp
}

// KeyHelp is one key and what it does.
type KeyHelp struct{ Key, Does string }

// ProbeList is the table of the newest probes, or one of them in full.
type ProbeList struct {
	Now       time.Duration   // that ages are counted to
	Rows      []*probe.Result // that pass the filter, in their order
	Total     int             // probes that are kept
	Selected  int             // index into Rows
	Sort      ProbeColumn
	Ascending bool
	Filter    string
	Typing    bool          // the filter is being typed
	Open      *probe.Result // shown in full; nil for the table
	FlagText  []string      // a sentence for each of its flags
	Scroll    int           // first line of it that is shown
}

// Page is a text to be read or copied by hand: its lines begin at the left
// edge, and nothing stands beside them.
type Page struct {
	Title string
	Lines []string
	From  int // first row that is shown, of PageRows
	Keys  []KeyHelp
}

// Dialog is a question with keys, or an entry with a text under the cursor and
// choices to pick from.
type Dialog struct {
	Title   string
	Lines   []string
	From    int // lines of these, as they are wrapped, that are scrolled past
	Width   int // cells of text that it has at least, where there is room
	Entry   bool
	Text    string
	Choices []string
	Chosen  int // index into Choices, −1 for none
	Error   string
	Keys    []KeyHelp

	bare bool // it has the whole screen, without a box
}
