package sim

import (
	"math"
	"time"
)

// load is the work of one forward pass.
type load struct {
	tokens  int     // tokens that pass through the weights
	pairs   float64 // (query, key) pairs that attention computes
	context int     // tokens whose keys and values are read, over all sequences
}

// add puts n new tokens of one sequence into the pass, behind before tokens
// whose keys and values are kept. Each new token attends to all before it and
// to itself: n·before + n(n+1)/2 pairs.
func (l *load) add(n, before int) {
	l.tokens += n
	l.pairs += float64(n)*float64(before) + float64(n)*float64(n+1)/2
	l.context += before + n
}

// flops is the arithmetic of a pass: 2 per active weight and token, a multiply
// and an add (Kaplan et al., "Scaling Laws for Neural Language Models", 2020,
// section 2.1), and for attention 4·width per layer and pair: 2·width for the
// score q·k and 2·width for the weighted sum of values.
func flops(m Model, l load) float64 {
	return 2*m.active()*float64(l.tokens) + 4*float64(m.Layers)*float64(m.AttentionWidth)*l.pairs
}

// traffic is the memory that a pass reads, in bytes: the weights once for the
// whole pass, and the keys and values of every sequence (Pope et al.,
// "Efficiently Scaling Transformer Inference", 2022, section 2).
func traffic(m Model, l load) float64 {
	return weightsRead(m, l.tokens)*m.BytesPerWeight + m.KVBytesPerToken*float64(l.context)
}

// weightsRead is how many weights a pass of so many tokens touches: all of a
// dense model, and of a mixture of experts those that at least one token picks,
// P·(1 − (1 − active/P)^tokens) where tokens pick independently.
func weightsRead(m Model, tokens int) float64 {
	if m.active() >= m.Params {
		return m.Params
	}
	return m.Params * (1 - math.Pow(1-m.active()/m.Params, float64(tokens)))
}

// roofline is how long a pass takes: its arithmetic or its memory traffic,
// whichever takes longer (Williams, Waterman and Patterson, "Roofline", 2009),
// at the achieved shares of the accelerators that work on it.
func roofline(m Model, h Hardware, l load) time.Duration {
	n := float64(h.Count)
	compute := flops(m, l) / (n * h.FLOPS * h.ComputeShare)
	memory := traffic(m, l) / (n * h.Bandwidth * h.BandwidthShare)
	return time.Duration(math.Round(max(compute, memory) * float64(time.Second)))
}

// costs is everything that decides how long a request takes on its own.
type costs struct {
	model    Model
	hardware Hardware
	overhead time.Duration // of every step, beside the forward pass
	budget   int           // tokens per step
}

// step is how long one step with this work takes.
func (c costs) step(l load) time.Duration {
	return roofline(c.model, c.hardware, l) + c.overhead
}

// decode is how long one decode step of a stream alone takes, for the last of
// so many tokens.
func (c costs) decode(tokens int) time.Duration {
	var l load
	l.add(1, max(0, tokens-1))
	return c.step(l)
}

// idle is how long a prompt takes on an idle server from its first step to its
// first token, in steps of at most budget tokens.
func (c costs) idle(prompt, cached int) time.Duration {
	var sum time.Duration
	for done := cached; done < prompt; {
		n := min(c.budget, prompt-done)
		var l load
		l.add(n, done)
		sum += c.step(l)
		done += n
	}
	return sum
}
