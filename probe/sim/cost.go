package sim

import (
	"math"
	"time"
)

// load is the work of one forward pass.
type load struct {
	tokens  int     // tokens that pass through the layers
	pairs   float64 // (query, key) pairs that attention computes
	context int     // tokens whose keys and values are read, over all sequences
	outputs int     // tokens that pass through the output head
}

// add puts n new tokens of one sequence into the pass, behind before tokens
// whose keys and values are kept. Each new token attends to all before it and
// to itself: n·before + n(n+1)/2 pairs. The last outputs of them pass through
// the output head.
func (l *load) add(n, before, outputs int) {
	l.tokens += n
	l.pairs += float64(n)*float64(before) + float64(n)*float64(n+1)/2
	l.context += before + n
	l.outputs += outputs
}

// attention is the arithmetic of attention: 4·width per layer and pair, 2·width
// for the score q·k and 2·width for the weighted sum of values. It is what makes
// prefill grow with the square of the prompt.
func attention(m Model, l load) float64 {
	return 4 * float64(m.Layers) * float64(m.AttentionWidth) * l.pairs
}

// compute is how long the arithmetic of a pass takes, in seconds: 2 operations
// per active weight and token, a multiply and an add (Kaplan et al., "Scaling
// Laws for Neural Language Models", 2020, section 2.1). Layers are computed at
// the precision of their weights; attention and head in 16 bits.
func compute(m Model, h Hardware, p Precision, l load) float64 {
	layers := 2 * m.activeBody() * float64(l.tokens) / h.rate(p)
	rest := (2*m.head()*float64(l.outputs) + attention(m, l)) / h.FLOPS
	return (layers + rest) / (float64(h.Count) * h.ComputeShare)
}

// traffic is the memory that a pass reads, in bytes: the weights once for the
// whole pass, and the keys and values of every sequence (Pope et al.,
// "Efficiently Scaling Transformer Inference", 2022, section 2).
func traffic(m Model, p Precision, l load) float64 {
	bytes := bodyRead(m, l.tokens)*m.weightBytes(p) + m.KVBytesPerToken*float64(l.context)
	if l.outputs > 0 {
		bytes += m.head() * m.BytesPerWeight
	}
	return bytes
}

// weightBytes is the size of one weight of the layers.
func (m Model) weightBytes(p Precision) float64 {
	if p == FP16 {
		return m.BytesPerWeight
	}
	return precisions[p].bytes
}

// bodyRead is how many weights of the layers a pass of so many tokens touches:
// all of a dense model; of a mixture of experts those that every token needs,
// and of each expert as much as the chance that at least one token picks it,
// 1 − (1 − k/E)^tokens where tokens pick k of E independently.
func bodyRead(m Model, tokens int) float64 {
	if m.ActiveParams == 0 {
		return m.body()
	}
	e, k := float64(m.Experts), float64(m.ExpertsPerToken)
	expert := (m.body() - m.activeBody()) / (e - k)
	common := m.activeBody() - k*expert
	return common + e*expert*(1-math.Pow(1-k/e, float64(tokens)))
}

// linkShare is the share of its interconnect that an all-reduce achieves: an
// assumption, of the size that NCCL's own tests show for large messages.
const linkShare = 0.75

// communication is how long the accelerators that share a model talk in a
// pass, in seconds: two all-reduces per layer (Shoeybi et al., "Megatron-LM",
// 2019, section 3) of the tokens' states in 16 bits, each of which sends
// 2(n−1)/n times its size (a ring).
func communication(m Model, h Hardware, l load) float64 {
	if h.Count < 2 || h.Interconnect == 0 {
		return 0
	}
	n := float64(h.Count)
	bytes := float64(l.tokens) * m.width() * 2
	one := h.AllReduce.Seconds() + 2*(n-1)/n*bytes/(h.Interconnect*linkShare)
	return 2 * float64(m.Layers) * one
}

// roofline is how long a pass takes: its arithmetic or its memory traffic,
// whichever takes longer (Williams, Waterman and Patterson, "Roofline", 2009),
// at the achieved shares of the accelerators that work on it, and then their
// communication.
func roofline(m Model, h Hardware, p Precision, l load) time.Duration {
	memory := traffic(m, p, l) / (float64(h.Count) * h.Bandwidth * h.BandwidthShare)
	seconds := max(compute(m, h, p, l), memory) + communication(m, h, l)
	return time.Duration(math.Round(seconds * float64(time.Second)))
}

// work is what one step does: a forward pass, and what a draft model does
// beside it where there is one.
type work struct {
	load
	first load // of the draft model's first pass: prompts, and one token for each stream
	later load // of each pass after it: one token for each stream that has a token by this step
}

// costs is everything that decides how long a request takes on its own.
type costs struct {
	model     Model
	hardware  Hardware
	precision Precision
	draft     Speculation
	overhead  time.Duration // of every step, beside the forward pass
	output    time.Duration // of every token that a step yields or checks, beside the forward pass
	budget    int           // tokens per step
}

func (c costs) pass(l load) time.Duration { return roofline(c.model, c.hardware, c.precision, l) }

// step is how long one step with this work takes.
func (c costs) step(w work) time.Duration {
	return c.pass(w.load) + c.drafting(w) + c.overhead + time.Duration(w.outputs)*c.output
}

// decode is how long one decode step of a stream alone takes, for the last of
// so many tokens, with the drafts for the next one.
func (c costs) decode(tokens int) time.Duration {
	var w work
	w.chunk(1, max(0, tokens-1))
	return c.step(w)
}

// idle is how long a prompt takes on an idle server from its first step to its
// first token, in steps of at most budget tokens.
func (c costs) idle(prompt, cached int) time.Duration {
	var sum time.Duration
	for done := cached; done < prompt; {
		n := min(c.budget, prompt-done)
		var w work
		w.prompt(n, done, done+n == prompt)
		sum += c.step(w)
		done += n
	}
	return sum
}

// prompt puts n tokens of a prompt into the step, behind before; last says
// whether they are its last ones, which yield a token.
func (w *work) prompt(n, before int, last bool) {
	outputs := 0
	if last {
		outputs = 1
	}
	w.add(n, before, outputs)
	w.first.add(n, before, outputs)
	if last {
		w.later.add(1, before+n, 1)
	}
}
