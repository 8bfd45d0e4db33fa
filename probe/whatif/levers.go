package whatif

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"ttftop/probe"
)

// levers plan each lever: those of the server in the order in which they cost
// least, and then what a client can do without it.
var levers = []func(Known) plan{smallerModel, caching, speculation, eightBits, twiceCapacity, halfPrompt, closerRegion}

// The sentences of what isn't known.
const (
	whyUncut       = "no cut yet: queue and prefill can't be told apart"
	whyCalibrating = "calibrating: queue and prefill aren't known well yet"
	whyAtLeast     = "the queue is a lower bound: prefill may hold some"
	whyAtMost      = "the queue is an upper bound: the server may be slower"
	whyNoCurve     = "no baseline yet that covers this prompt"
)

// stepShare is the most of a decode step that is taken to be no model's work:
// scheduling, launching, sampling. The simulator's demo has 22 % (3 of 13.6 ms).
const stepShare = 0.25

// smallerModel is a model of fewer parameters on the same hardware: the
// arithmetic of prefill is 2 per parameter and token (Kaplan et al., "Scaling
// Laws for Neural Language Models", 2020, section 2.1), and a decode step reads
// every parameter once (Pope et al., "Efficiently Scaling Transformer
// Inference", 2022), so both go with the parameters.
func smallerModel(k Known) plan {
	ratio, name := smaller(k.Knobs.Model, k.Models)
	does, rounded := "half the parameters", ""
	if name != "" {
		does = fmt.Sprintf("%s, %s as large", name, percent(ratio.mid))
		if low, high := percent(ratio.lo), percent(ratio.hi); low != high {
			rounded = " (names are rounded: it may be " + low + " to " + high + " as large)"
		}
	}
	return plan{
		lever: Model, does: does,
		assumes: "on the same hardware prefill and decode take time in proportion to the parameters" + rounded + ", and " + k.queueWords() + "; handling, network and up to a quarter of a step stay, and answers may be worse",
		times: func(w probe.Waterfall, q float64) (factors, string) {
			if why := k.unknown(w); why != "" {
				return nil, why
			}
			step := ratio
			step.hi += stepShare * (1 - step.hi)
			return k.work(w, q, ratio, step)
		},
	}
}

// caching is a shared prefix in a prefix cache.
func caching(k Known) plan {
	share := k.Knobs.CacheShare
	p := plan{lever: Caching, fitted: true, does: percent(share) + " of the prompt cached",
		assumes: "prompts share their first " + percent(share) + " and it is still in the cache; the rest attends to all of it; the queue stays, since others' prompts do"}
	if share <= 0 {
		p.why = "the share to be cached is 0"
	}
	if 2*k.Cached >= k.Prompt && k.Prompt > 0 {
		p.why = percent(float64(k.Cached)/float64(k.Prompt)) + " of the prompt is cached already"
	}
	p.times = func(w probe.Waterfall, _ float64) (factors, string) {
		by, why := k.prefill(w, k.Prompt, int(share*float64(k.Prompt)))
		return factors{probe.Prefill: by}, why
	}
	return p
}

// halfPrompt is a prompt of half the tokens. Load streams have prompts of the
// same length, so their service gets shorter too; what others send does not.
func halfPrompt(k Known) plan {
	does := "half of it"
	if k.Prompt > 0 {
		does = fmt.Sprintf("%s in place of %s tokens", count(k.Prompt/2), count(k.Prompt))
	}
	queue := "the queue that others cause stays"
	if k.Knobs.Pressure > 0 {
		queue = "load streams get shorter likewise"
	}
	return plan{
		lever: Prompt, does: does, beside: true, fitted: true,
		assumes: "prefill follows the fitted baseline, and as large a share of the prompt is cached; " + queue,
		times: func(w probe.Waterfall, q float64) (factors, string) {
			by, why := k.prefill(w, k.Prompt/2, k.Cached/2)
			if why != "" {
				return nil, why
			}
			if k.Knobs.Pressure > 0 {
				return k.work(w, q, by, exactly(1))
			}
			return factors{probe.Prefill: by}, ""
		},
	}
}

// What drafts cost: the draft model's work as a share of the model's, and how
// many tokens it drafts for a step. The middle is a model of a twentieth and 4
// tokens; the least a draft that reads nothing, such as n-grams of the prompt;
// the most a model of a tenth and 8 tokens.
var (
	draftWork = span{0.05, 0, 0.1}
	drafted   = span{4, 4, 8}
)

// speculation is speculative decoding: the first token comes out of prefill,
// which checks no drafts (Leviathan, Kalman and Matias, "Fast Inference from
// Transformers via Speculative Decoding", 2023). But the draft model reads the
// prompt too, and drafts the next tokens before that step ends.
func speculation(k Known) plan {
	return plan{
		lever: Speculation, does: "fewer steps per token",
		assumes: "TTFT hardly moves, and not down: the first token comes out of prefill either way, and a draft model with a twentieth of the work reads the prompt too and drafts 4 tokens (at most a tenth and 8, at least nothing); the queue stays; what gets faster is every token after it",
		times: func(w probe.Waterfall, _ float64) (factors, string) {
			if why := k.unknown(w); why != "" {
				return nil, why
			}
			more := func(c, n float64) float64 { return 1 + c*n }
			return factors{
				probe.Prefill:     {more(draftWork.mid, 1), more(draftWork.lo, 1), more(draftWork.hi, 1)},
				probe.FirstDecode: {more(draftWork.mid, drafted.mid), more(draftWork.lo, drafted.lo), more(draftWork.hi, drafted.hi)},
			}, ""
		},
	}
}

// eightBits is weights in 8 bits in place of 16: a decode step reads half the
// bytes where it is bound by bandwidth; prefill is arithmetic, and takes half the
// time only where the hardware computes in 8 bits. A first decode that was cut
// may be bound by either.
func eightBits(k Known) plan {
	return plan{
		lever: Quantization, does: "half the bytes a step",
		assumes: "weights are in 16 bits now, and go to fp8 or int8, whichever the hardware computes in: decode takes half where reading weights bounds it, and prefill half (the low end); where it computes in neither, both may stay (the high end); " + k.queueWords(),
		times: func(w probe.Waterfall, q float64) (factors, string) {
			if why := k.unknown(w); why != "" {
				return nil, why
			}
			return k.work(w, q, span{1, 0.5, 1}, span{0.5, 0.5, 1})
		},
	}
}

// twiceCapacity is a second server of the same kind.
func twiceCapacity(k Known) plan {
	p := plan{lever: Capacity, does: "one more for each server", assumes: "the queue is an M/M/1's with prefill and first decode as its service, and becomes an M/M/2's (Erlang C), at worst half; what a busy batch adds to prefill, and a batching timer, stay"}
	if k.Knobs.Pressure > 0 {
		p.assumes = fmt.Sprintf("the %s alone make the queue: a closed loop, by mean value analysis of the machine-repair model; half of them go to each server", loadStreams(k.Knobs.Pressure))
	} else if k.timed() {
		p.assumes = k.queueWords()
	}
	p.times = func(w probe.Waterfall, q float64) (factors, string) {
		if why := k.unknown(w); why != "" {
			return nil, why
		}
		now := of(w, probe.Queue)
		if now == 0 || k.timed() {
			return factors{}, ""
		}
		next, why := k.doubled(w, q)
		by := exactly(next / now)
		if k.Knobs.Pressure == 0 {
			by.hi = max(by.hi, splitMost)
		}
		return factors{probe.Queue: by}, why
	}
	return p
}

// near is the round trip to a region that is close by.
const near = 10 * time.Millisecond

// closerRegion is a region near by: everything that is round trips shrinks with
// them.
func closerRegion(k Known) plan {
	p := plan{lever: Region, does: "a round trip of " + inMS(near), beside: true,
		assumes: "the same server stands there: the round trip of the request, and those of a new connection, shrink in proportion"}
	if k.ProxyOnly {
		p.why = "the round trip is that to a proxy: how far the endpoint is isn't known"
	}
	p.times = func(w probe.Waterfall, _ float64) (factors, string) {
		rtt := of(w, probe.RTT)
		if rtt <= float64(near) {
			return nil, "it is as close already"
		}
		by := exactly(float64(near) / rtt)
		return factors{probe.RTT: by, probe.Connect: by, probe.TLS: by}, ""
	}
	return p
}

// unknown is why a lever of the server can't be projected from a waterfall; ""
// where it can.
func (k Known) unknown(w probe.Waterfall) string {
	queue := estimated(w, probe.Queue)
	switch {
	case slices.ContainsFunc(w, func(s probe.Segment) bool { return s.Name == probe.Server }):
		return whyUncut
	case k.Calibrating && (queue || estimated(w, probe.Prefill)):
		return whyCalibrating
	case k.AtLeast && queue:
		return whyAtLeast
	case k.AtMost && queue:
		return whyAtMost
	}
	return ""
}

// prefill is the factor of prefill for a prompt of so many tokens, part of them
// cached: that of the fitted baseline.
func (k Known) prefill(w probe.Waterfall, n, cached int) (span, string) {
	if why := k.unknown(w); why != "" {
		return span{}, why
	}
	if k.Calibrating {
		return span{}, whyCalibrating
	}
	if k.Curve == nil || k.Prompt <= 0 || !k.Curve.Covers(k.Prompt-k.Cached) {
		return span{}, whyNoCurve
	}
	now, _, _ := k.Curve.After(k.Prompt, k.Cached)
	if now <= 0 {
		return exactly(1), "" // the prompt costs nothing beside the weights
	}
	next, lo, hi := k.Curve.After(n, cached)
	ratio := func(d time.Duration) float64 { return min(1, float64(d)/float64(now)) }
	if k.doubt() != "" {
		return span{ratio(next), 0, 1}, ""
	}
	return span{ratio(next), ratio(lo), ratio(hi)}, ""
}

// work is what becomes of a TTFT when prefill and decode take other times, of
// this request and of those before it.
func (k Known) work(w probe.Waterfall, q float64, prefill, decode span) (factors, string) {
	f := factors{probe.Prefill: prefill, probe.FirstDecode: decode}
	if of(w, probe.Queue) == 0 || k.timed() {
		return f, ""
	}
	var queue span
	var why string
	for _, c := range []struct {
		to              *float64
		prefill, decode float64
	}{{&queue.mid, prefill.mid, decode.mid}, {&queue.lo, prefill.lo, decode.lo}, {&queue.hi, prefill.hi, decode.hi}} {
		if *c.to, why = k.queueFactor(w, q, c.prefill, c.decode); why != "" {
			return nil, why
		}
	}
	if k.Knobs.Pressure == 0 {
		queue.hi = max(queue.hi, shorter(w, prefill.hi, decode.hi))
	}
	f[probe.Queue] = queue
	return f, ""
}

// estimated reports whether a segment is there and estimated.
func estimated(w probe.Waterfall, name probe.SegmentName) bool {
	return slices.ContainsFunc(w, func(s probe.Segment) bool { return s.Name == name && s.Source == probe.Estimated })
}

// of is the length of a segment, in nanoseconds.
func of(w probe.Waterfall, name probe.SegmentName) float64 {
	for _, s := range w {
		if s.Name == name {
			return float64(s.Duration)
		}
	}
	return 0
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func inMS(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', -1, 64) + " ms"
}

func loadStreams(n int) string {
	if n == 1 {
		return "load stream"
	}
	return count(n) + " load streams"
}

// count is a number with its thousands apart.
func count(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return count(n/1000) + fmt.Sprintf(",%03d", n%1000)
}
