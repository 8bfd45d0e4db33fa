package record

import (
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/quantile"
)

// Probe is the line of one probe. Pointers are null where a figure is unknown.
type Probe struct {
	Type        string            `json:"type"`
	Seq         int               `json:"seq"`
	At          string            `json:"at"`
	Target      string            `json:"target"`
	Model       string            `json:"model"`
	Epoch       int               `json:"epoch"`
	Kind        probe.Kind        `json:"kind"`
	Pair        *int              `json:"pair"`
	Side        string            `json:"side,omitempty"` // of the pair: "a" or "b"
	Address     string            `json:"address"`
	Proxy       string            `json:"proxy,omitempty"`
	Names       []string          `json:"resolved,omitempty"`
	Protocol    string            `json:"protocol,omitempty"`
	TLS         string            `json:"tls,omitempty"`
	Resumed     bool              `json:"resumed,omitempty"`
	Asked       int               `json:"prompt_tokens_asked"`
	MaxTokens   int               `json:"max_tokens"`
	Prompt      *int              `json:"prompt_tokens"`
	PromptChars int               `json:"prompt_chars,omitempty"`
	PromptFrom  string            `json:"prompt_tokens_source"`
	Cached      int               `json:"cached_tokens"`
	CachedFrom  string            `json:"cached_tokens_source,omitempty"` // "not told" where the server says nothing of caching: then 0 stands for the unknown
	Output      int               `json:"output_tokens"`
	OutputFrom  string            `json:"output_tokens_source"`
	Pressure    int               `json:"pressure"`
	Cache       probe.Cache       `json:"cache"`
	Conn        string            `json:"conn"`
	Clock       probe.ClockKind   `json:"clock"`
	Coalesced   bool              `json:"coalesced"`
	TTFT        *Millis           `json:"ttft_ms"`
	AnswerTTFT  *Millis           `json:"answer_ttft_ms"`
	Total       *Millis           `json:"total_ms"`
	TPOT        *Millis           `json:"tpot_ms"`
	ITL         *ITL              `json:"itl_ms"`
	Marks       Marks             `json:"marks"`
	Segments    []Segment         `json:"segments"`
	Ack         *Ack              `json:"ack,omitempty"`
	RTT         *Millis           `json:"rtt_ms"`
	Retransmits int               `json:"retransmits"`
	Lag         Millis            `json:"lag_ms"`
	Lost        Millis            `json:"lost_ms,omitempty"` // on a kept connection that the server had closed
	ReadDelay   Millis            `json:"read_delay_ms"`
	Contention  *Millis           `json:"contention_ms"`
	Status      int               `json:"status"`
	RequestID   string            `json:"request_id"`
	Dialect     string            `json:"dialect,omitempty"` // whose figures cut, of those reported
	Reported    map[string]any    `json:"reported"`
	Engine      *Engine           `json:"engine,omitempty"`
	Headers     map[string]string `json:"headers,omitempty"`
	Flags       []probe.Flag      `json:"flags"`
	Error       *Error            `json:"error"`
}

// ITL is the spread of the gaps between token arrivals as they came.
type ITL struct {
	P50 Millis `json:"p50"`
	P95 Millis `json:"p95"`
	Max Millis `json:"max"`
}

// How a probe came to its connection.
const (
	ConnNew    = "new"    // it made it
	ConnReady  = "ready"  // it was made ahead, and no request had gone over it
	ConnReused = "reused" // an earlier request had gone over it
)

// Marks are instants that are no segments' ends.
type Marks struct {
	Headers        *Millis `json:"headers_ms"`
	FirstEvent     *Millis `json:"first_event_ms"`
	FirstReasoning *Millis `json:"first_reasoning_ms"`
}

// Segment is one piece of the waterfall. Lo and Hi are there when it is
// estimated.
type Segment struct {
	Name   probe.SegmentName `json:"name"`
	MS     Millis            `json:"ms"`
	Source probe.Source      `json:"source"`
	Lo     *Millis           `json:"lo,omitempty"`
	Hi     *Millis           `json:"hi,omitempty"`
}

// Error is why a probe failed.
type Error struct {
	Kind       probe.FailureKind `json:"kind"`
	Phase      probe.Phase       `json:"phase,omitempty"`
	Message    string            `json:"message"`
	Status     int               `json:"status,omitempty"`
	RetryAfter int64             `json:"retry_after_ms,omitempty"`
}

// FromResult is the record of a result of the named target.
func FromResult(r *probe.Result, target string) Probe {
	t := r.Timeline
	p := Probe{
		Type: "probe", Seq: r.Seq, At: stamp(r.At), Target: target, Model: r.Knobs.Model, Epoch: r.Epoch, Kind: r.Kind,
		Address: r.Address, Proxy: r.Proxy, Names: r.Names, Protocol: r.Protocol, TLS: r.TLS, Resumed: r.Resumed,
		Asked: r.Knobs.PromptTokens, MaxTokens: r.Knobs.MaxTokens,
		PromptChars: r.PromptChars, PromptFrom: from(r.PromptExact), Cached: r.CachedTokens, CachedFrom: told(r.CachedTold), Output: r.OutputTokens, OutputFrom: from(r.OutputExact),
		Pressure: r.Knobs.Pressure, Cache: r.Knobs.Cache, Conn: ConnNew, Clock: r.Clock, Coalesced: r.Coalesced,
		TTFT: mark(r.TTFT()), AnswerTTFT: mark(r.AnswerTTFT()), Total: mark(r.TotalTime()), TPOT: mark(r.TPOT()), ITL: itl(r.ITL()),
		Marks:    Marks{Headers: mark(t.Headers), FirstEvent: mark(t.FirstEvent), FirstReasoning: mark(t.FirstReasoning)},
		Segments: segments(r.Waterfall), Ack: fromAck(r), RTT: mark(r.RTT), Retransmits: r.Retransmits,
		Lag: millis(r.Lag), Lost: millis(r.Lost), ReadDelay: millis(r.ReadDelay), Contention: mark(r.Contention),
		Status: r.Status, RequestID: r.RequestID, Dialect: r.Dialect, Reported: r.Reported, Engine: engine(r.Engine), Headers: r.Headers, Flags: r.Flags, Error: fromFailure(r.Failure),
	}
	switch {
	case r.Fresh:
		p.Conn = ConnReady
	case r.Reused:
		p.Conn = ConnReused
	}
	if r.Pair > 0 {
		p.Pair, p.Side = &r.Pair, [...]string{"a", "b"}[r.Side]
	}
	if r.PromptTokens > 0 {
		p.Prompt = &r.PromptTokens
	}
	if p.Flags == nil {
		p.Flags = []probe.Flag{}
	}
	if p.Reported == nil {
		p.Reported = map[string]any{}
	}
	return p
}

// Engine is the state of the server as its metrics page showed it, at an offset
// from the start of the probe: negative before it.
type Engine struct {
	At       Millis   `json:"at_ms"`
	Running  *int     `json:"running"`
	Waiting  *int     `json:"waiting"`
	CacheUse *float64 `json:"kv_cache_usage"` // 0…1
}

func engine(s *probe.EngineState) *Engine {
	if s == nil {
		return nil
	}
	e := &Engine{At: millis(s.At)}
	if s.Running >= 0 {
		e.Running = &s.Running
	}
	if s.Waiting >= 0 {
		e.Waiting = &s.Waiting
	}
	if s.CacheUse >= 0 {
		e.CacheUse = &s.CacheUse
	}
	return e
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func from(exact bool) string {
	if exact {
		return "usage"
	}
	return "approximate"
}

// CachedNotTold is the source of cached tokens that nobody speaks of.
const CachedNotTold = "not told"

func told(yes bool) string {
	if yes {
		return "reported"
	}
	return CachedNotTold
}

func itl(gaps []time.Duration) *ITL {
	if len(gaps) == 0 {
		return nil
	}
	slices.Sort(gaps)
	at := func(q float64) Millis { return millis(quantile.Of(q, gaps, 0, 0).At) }
	return &ITL{P50: at(0.5), P95: at(0.95), Max: millis(gaps[len(gaps)-1])}
}

// segments rounds the ends of the segments, not their lengths, so that the
// written lengths add up to the written TTFT.
func segments(w probe.Waterfall) []Segment {
	out := make([]Segment, 0, len(w))
	var end time.Duration
	for _, s := range w {
		start := end
		end += s.Duration
		seg := Segment{Name: s.Name, MS: millis(end.Round(time.Microsecond) - start.Round(time.Microsecond)), Source: s.Source}
		if s.Source == probe.Estimated {
			lo, hi := min(millis(s.Lo), seg.MS), max(millis(s.Hi), seg.MS) // rounded apart from it
			seg.Lo, seg.Hi = &lo, &hi
		}
		out = append(out, seg)
	}
	return out
}

func fromFailure(f *probe.Failure) *Error {
	if f == nil {
		return nil
	}
	return &Error{Kind: f.Kind, Phase: f.Phase, Message: f.Message, Status: f.Status, RetryAfter: f.RetryAfter.Milliseconds()}
}
