package probe

import "time"

// Kind says why a probe was sent.
type Kind string

// The kinds of probe. Only Ordinary ones enter the figures.
const (
	Ordinary    Kind = "probe"
	Calibration Kind = "calibration" // a rung of the ladder that fits the baseline
	Sentinel    Kind = "sentinel"    // a tiny probe that keeps the baseline fresh
	Warmup      Kind = "warmup"      // the first request to a target
)

// Flag marks a result that is not what was asked for, or not what it seems.
type Flag string

// The flags, as records spell them.
const (
	FlagOtherModel      Flag = "other-model"      // the response names another model than the one asked for
	FlagPromptCut       Flag = "prompt-cut"       // prompt_tokens is far below what was sent
	FlagFromCache       Flag = "from-cache"       // the reply came from a cache, not from a model
	FlagCached          Flag = "cached"           // part of the prompt came from a prefix cache although unique prompts were asked for
	FlagSilentCache     Flag = "silent-cache"     // part of the prompt was cached, as its time shows, and the server does not say so
	FlagBuffered        Flag = "buffered"         // all tokens came in one read: something on the way holds them back
	FlagReportMismatch  Flag = "report-mismatch"  // the server's own figures don't fit into the server time
	FlagAbsurdReport    Flag = "absurd-report"    // a reported figure that can't be
	FlagHiddenReasoning Flag = "hidden-reasoning" // reasoning tokens were counted but never streamed
	FlagModelLoad       Flag = "model-load"       // the model was loaded first
	FlagClockStep       Flag = "clock-step"       // wall and monotonic clock disagreed during the probe, or this program stood still: kept out of every figure
	FlagLateRead        Flag = "late-read"        // this program read the first token late: the TTFT is an upper bound, kept out of every figure
	FlagConnClosed      Flag = "conn-closed"      // the server had closed the idle connection: a new one was made
	FlagApproximate     Flag = "approximate"      // no usage: token counts are the client's
	FlagProxyOnly       Flag = "network-to-proxy" // the round trip is that to a proxy or terminator, not to the endpoint
	FlagAtLeast         Flag = "at-least"         // the endpoint was never seen idle: the queue is at least this
	FlagAtMost          Flag = "at-most"          // the probe lies above the baseline as others did, or probes overlap for long: it waited, or the server takes longer, not told apart; the queue is at most this
	FlagTruncated       Flag = "truncated"        // the stream ended without a finish_reason or [DONE]
)

// Result is all that one probe found.
type Result struct {
	Seq    int // counts from 1 within a session
	At     time.Time
	Target int // index into the session's targets
	Kind   Kind
	Epoch  int
	Knobs  Knobs // as they were when the probe began
	Pair   int   // number of the pair it belongs to, from 1; 0 for none
	Side   int   // of the pair: 0 for A, 1 for B

	Body        []byte // the request's JSON, with chat.PromptPlace where its prompt stood; nil where none was sent
	PromptChars int    // characters of the prompt

	Address   string // IP and port probed, "" where no connection was made
	Reused    bool   // the connection was there already
	Fresh     bool   // and had been made ahead, and never used
	Clock     ClockKind
	Proxy     string   // host:port of the proxy the connection went through, "" for none
	Names     []string // addresses that the host's name resolved to, on a new connection
	Protocol  string   // HTTP/1.1 or HTTP/2.0, "" without a response
	TLS       string   // version of TLS, "" without
	Resumed   bool     // the TLS session went on from an earlier one
	Status    int
	RequestID string
	Model     string            // as the response names it, "" where it does not
	Server    string            // which program or service answers, such as vllm; "" where it is not known
	Headers   map[string]string // response headers of interest

	Timeline  Timeline
	Waterfall Waterfall // empty without a first token
	Basis     Basis     // of the waterfall
	Ack       *Ack      // of a handoff target, nil for none

	PromptTokens int  // as the endpoint counts them, or the client's guess
	PromptExact  bool // PromptTokens comes from usage
	CachedTokens int
	CachedTold   bool // the server says how many tokens were cached, if only that none was
	OutputTokens int  // 0 where nothing came
	OutputExact  bool // OutputTokens comes from usage or the server's own counts
	FirstTokens  int  // tokens in the first event, at least 1 once there was one
	Text         string
	FinishReason string

	RTT         Mark // tcpi_min_rtt, or the connect handshake
	Retransmits int
	Lag         time.Duration // start of the request − due time, without what was Lost
	Lost        time.Duration // spent on a kept connection that the server had closed, before the start of the request
	ReadDelay   time.Duration // worst delay from arrival to reading
	Contention  Mark          // part of queue by which a busy batch slowed prefill
	Coalesced   bool          // one read completed several token events

	Reported map[string]any // raw figures of the server, by name
	Dialect  string         // which adapter read them, "" for none
	Engine   *EngineState   // as the server's metrics page showed it, nil for none
	Flags    []Flag
	Failure  *Failure // nil for a success
}

// EngineState is what a server's metrics page shows of its engines at one
// instant; a negative number is one that it does not show.
type EngineState struct {
	At               time.Duration // when the page was read, from the start of the probe: negative before it
	Running, Waiting int           // requests
	CacheUse         float64       // share of the KV cache in use, 0…1
}

// Unshared reports whether a queue is there though nobody else seems to be, as
// where a timer fills batches: the page, where one was read, shows no request,
// and every second probe or more waits for half of its TTFT, where other
// people's bursts would let most of them pass.
func (e *EngineState) Unshared(p50 Waterfall) bool {
	return e != nil && e.Running == 0 && e.Waiting == 0 && len(p50) > 0 && 2*p50.Of(QueuePart) >= p50.Total()
}

// Has reports whether the result carries the flag.
func (r *Result) Has(f Flag) bool {
	for _, g := range r.Flags {
		if g == f {
			return true
		}
	}
	return false
}

// Flagged adds a flag once.
func (r *Result) Flagged(f Flag) {
	if !r.Has(f) {
		r.Flags = append(r.Flags, f)
	}
}

// KeptOut reports whether the times of the probe say nothing of the endpoint:
// it has no part in any figure.
func (r *Result) KeptOut() bool { return r.Has(FlagClockStep) || r.Has(FlagLateRead) }

// TTFT is the time from the start of the request to the arrival of the first
// generated token, of any channel.
func (r *Result) TTFT() Mark { return r.Timeline.FirstToken }

// AnswerTTFT is the time to the first token that is not reasoning.
func (r *Result) AnswerTTFT() Mark { return r.Timeline.FirstAnswer }

// TotalTime is the time to the end of the response.
func (r *Result) TotalTime() Mark { return r.Timeline.Done }

// UncachedTokens is the part of the prompt that had to be prefilled.
func (r *Result) UncachedTokens() int { return max(0, r.PromptTokens-r.CachedTokens) }

// UncachedKnown reports whether UncachedTokens is more than a guess: the server
// says how many tokens were cached, or the prompt shares nothing with others.
func (r *Result) UncachedKnown() bool {
	return !r.Has(FlagSilentCache) && (r.CachedTold || r.Knobs.Cache != Warm)
}

// TPOT is the time per output token:
// (last token event − TTFT) / (output tokens − tokens in the first event).
// It is not OK with one token, when all came in one read, or when the stream
// did not end well.
func (r *Result) TPOT() Mark {
	t := r.Timeline
	n := r.OutputTokens - r.FirstTokens
	if r.Failure != nil || !t.FirstToken.OK || !t.LastToken.OK || n <= 0 || r.OneRead() || t.LastToken.At <= t.FirstToken.At {
		return Mark{}
	}
	return At((t.LastToken.At - t.FirstToken.At) / time.Duration(n))
}

// OneRead reports whether every token event arrived in one read.
func (r *Result) OneRead() bool {
	k := r.Timeline.Tokens
	return len(k) == 0 || k[0].Read == k[len(k)-1].Read
}

// ITL returns the gaps between consecutive token arrivals as they came;
// events of one read have no gap between them.
func (r *Result) ITL() []time.Duration {
	k := r.Timeline.Tokens
	var gaps []time.Duration
	for i := 1; i < len(k); i++ {
		if k[i].Read != k[i-1].Read {
			gaps = append(gaps, k[i].At-k[i-1].At)
		}
	}
	return gaps
}

// TokensPerSecond is 1 / TPOT, or 0, false where TPOT is undefined.
func (r *Result) TokensPerSecond() (float64, bool) {
	t := r.TPOT()
	if !t.OK {
		return 0, false
	}
	return float64(time.Second) / float64(t.At), true
}
