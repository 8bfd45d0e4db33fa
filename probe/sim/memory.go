package sim

import (
	"fmt"
	"math"
)

// memoryShare is the part of an accelerator's memory that an engine takes for
// weights, keys and values: vLLM's default gpu_memory_utilization.
const memoryShare = 0.9

// noLimit is the number of blocks where memory has no limit.
const noLimit = math.MaxInt32

// weightSize is the size of all weights in bytes: layers at the precision,
// embeddings and head as published.
func weightSize(m Model, p Precision) float64 {
	return m.body()*m.weightBytes(p) + m.tables()*m.BytesPerWeight
}

// memoryFor is what is left for keys and values beside the weights, in bytes.
func (c Config) memoryFor(m Model) float64 {
	h := c.Hardware.under(m)
	return float64(h.Count)*h.Memory*memoryShare - weightSize(m, c.Quantization)
}

// blocksFor is how many blocks of keys and values fit beside the weights.
func (c Config) blocksFor(m Model) int {
	if c.Hardware.Memory == 0 {
		return noLimit
	}
	return int(min(noLimit, c.memoryFor(m)/(m.KVBytesPerToken*float64(c.BlockTokens))))
}

// blocksOf is how many blocks of keys and values each replica of a model has.
func (c Config) blocksOf(m Model) int {
	if c.KVBlocks > 0 {
		return c.KVBlocks
	}
	return c.blocksFor(m)
}

// contextOf is the longest request of a model, in tokens: the context, or what
// the memory holds where KVBlocks leaves less.
func (c Config) contextOf(m Model) int {
	return min(c.ContextTokens, c.blocksOf(m)*c.BlockTokens)
}

// checkMemory refuses a model that doesn't fit, or that has no room for the
// longest request.
func (c Config) checkMemory(m Model, inFile bool) error {
	h := c.Hardware.under(m)
	if h.Memory == 0 {
		return nil
	}
	where := fmt.Sprintf("%d × %s", h.Count, h.Name)
	left := c.memoryFor(m)
	if left <= 0 {
		return fmt.Errorf("model %q doesn't fit: its weights take %s in %v, and %s give %s (%.0f %% of %s each): spread it over more accelerators or quantize it",
			m.Name, gigabytes(weightSize(m, c.Quantization)), c.Quantization, where,
			gigabytes(float64(h.Count)*h.Memory*memoryShare), 100*memoryShare, gigabytes(h.Memory))
	}
	if need := m.KVBytesPerToken * float64(c.ContextTokens); need > left {
		return fmt.Errorf("model %q has no room for its context: keys and values of %d tokens take %s, and beside weights of %s in %v %s have %s left: "+
			"set %s to at most %d, spread it over more accelerators or quantize it",
			m.Name, c.ContextTokens, gigabytes(need), gigabytes(weightSize(m, c.Quantization)), c.Quantization, where, gigabytes(left), named("ContextTokens", "context_tokens", inFile), int(left/m.KVBytesPerToken))
	}
	return nil
}

// checkBlocks refuses more blocks than there is memory for.
func (c Config) checkBlocks(inFile bool) error {
	for _, m := range c.Models {
		if most := c.blocksFor(m); most > 0 && c.KVBlocks > most {
			name := called("kv-blocks", inFile)
			return fmt.Errorf("%s is %d: beside the weights of %q in %v there is memory for %d: set %s to at most that, or to 0 for all",
				name, c.KVBlocks, m.Name, c.Quantization, most, name)
		}
	}
	return nil
}

func gigabytes(bytes float64) string { return fmt.Sprintf("%.1f GB", bytes/1e9) }
