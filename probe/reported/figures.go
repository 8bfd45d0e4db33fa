package reported

import (
	"maps"
	"slices"
	"time"

	"ttftop/probe"
)

// Contains says whether a prefill figure contains the first decode step.
type Contains int

// The answers.
const (
	Unknown Contains = iota
	Yes
	No
)

// String implements fmt.Stringer.
func (c Contains) String() string {
	switch c {
	case Yes:
		return "yes"
	case No:
		return "no"
	}
	return "unknown"
}

// Count is a number of tokens that may not have been said.
type Count struct {
	N  int
	OK bool
}

// LoadThreshold is the load time above which a model was really loaded: a
// server whose model is in memory still reports a few milliseconds, or some
// hundred where the machine is busy.
const LoadThreshold = 500 * time.Millisecond

// Figures is what a server says about one request. Durations are differences
// on the server's own clock; marks that are not OK were not said.
type Figures struct {
	Dialect string // the adapter that read them, "" for none; the one whose figures cut, where several did

	Handling, Queue, Prefill probe.Mark
	FirstDecodeInPrefill     Contains
	QueueHasHandling         bool // the queue figure contains handling

	// When the headers of this server leave, where the response tells:
	// headers − wire − round trip is handling and queue together where they
	// leave when a slot starts (llama.cpp, mlx_lm), and handling alone where
	// they leave on acceptance (vLLM, TGI). Builds differ, so a cut has to see
	// that Prefill fits between headers and first token.
	QueueFromHeaders    bool
	HandlingFromHeaders bool

	WholeTTFT probe.Mark // the server's own TTFT: shown, not cut with
	ModelLoad probe.Mark // time to have the model ready; beside Queue where Loaded, within it otherwise

	CachedTokens, PromptTokens, OutputTokens Count // PromptTokens includes the cached ones

	Step probe.Mark // the server's own mean time per output token after the first

	Raw    map[string]any // every figure read, by its own name and in its own unit; values that JSON can hold
	Absurd []string       // names of figures that can't be: negative, not a number, beyond an hour; sorted

	lateHeaders bool // the build is known to send headers only after prefill
}

// Cuts reports whether a waterfall can be cut with the figures.
func (f Figures) Cuts() bool { return f.Handling.OK || f.Queue.OK || f.Prefill.OK }

// Loaded reports whether the server says that it loaded the model first.
func (f Figures) Loaded() bool { return f.ModelLoad.OK && f.ModelLoad.At > LoadThreshold }

// ServedBy sets QueueFromHeaders and HandlingFromHeaders for a server that is
// known from elsewhere, such as its list of models or the configuration.
func (f *Figures) ServedBy(s Server) {
	leave := s.HeadersLeave()
	f.QueueFromHeaders = leave == OnSlot && !f.lateHeaders
	f.HandlingFromHeaders = leave == OnAcceptance
}

// take adds what one adapter read. The figures to cut with come from one
// adapter only, the first that has any: those of a server and of a gateway
// before it would count the same time twice.
func (f *Figures) take(name string, g Figures) {
	switch {
	case g.Cuts() && !f.Cuts():
		f.Dialect = name
		f.Handling, f.Queue, f.Prefill = g.Handling, g.Queue, g.Prefill
		f.FirstDecodeInPrefill, f.QueueHasHandling = g.FirstDecodeInPrefill, g.QueueHasHandling
	case f.Dialect == "":
		f.Dialect = name
	}
	fillMark(&f.WholeTTFT, g.WholeTTFT)
	fillMark(&f.ModelLoad, g.ModelLoad)
	fillMark(&f.Step, g.Step)
	f.takeCounts(g)
	f.Absurd = append(f.Absurd, g.Absurd...)
	f.addRaw(g.Raw)
}

// Or adds what another source says of the same request: its figures cut where f
// has none that do, and what it read is kept.
func (f Figures) Or(g Figures) Figures {
	if f.Cuts() || !g.Cuts() {
		g = Figures{Raw: g.Raw}
	} else if !f.QueueFromHeaders && !f.HandlingFromHeaders {
		f.QueueFromHeaders, f.HandlingFromHeaders = g.QueueFromHeaders, g.HandlingFromHeaders
	}
	f.Raw = maps.Clone(f.Raw)
	f.take(g.Dialect, g)
	f.settle()
	return f
}

func (f *Figures) takeCounts(g Figures) {
	fillCount(&f.CachedTokens, g.CachedTokens)
	fillCount(&f.PromptTokens, g.PromptTokens)
	fillCount(&f.OutputTokens, g.OutputTokens)
}

func (f *Figures) addRaw(raw map[string]any) {
	if len(raw) == 0 {
		return
	}
	if f.Raw == nil {
		f.Raw = make(map[string]any, len(raw))
	}
	maps.Copy(f.Raw, raw)
}

// settle puts the list of absurd figures in order.
func (f *Figures) settle() {
	slices.Sort(f.Absurd)
	f.Absurd = slices.Compact(f.Absurd)
}

func fillMark(m *probe.Mark, from probe.Mark) {
	if !m.OK {
		*m = from
	}
}

func fillCount(c *Count, from Count) {
	if !c.OK {
		*c = from
	}
}
