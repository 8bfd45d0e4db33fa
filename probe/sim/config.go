package sim

import (
	"errors"
	"fmt"
	"log"
	"time"
)

// Dialect says which server's way of reporting is spoken.
type Dialect int

// The dialects. They differ in what is reported and in when response headers leave.
const (
	DialectNone  Dialect = iota // nothing is reported; headers leave with the first token
	DialectVLLM                 // a metrics object beside the usage; headers leave when the request is accepted; /metrics
	DialectLlama                // timings with the tokens and at the end, as llama.cpp; headers leave when a slot starts
)

// Users are background users: requests that nobody reads, which arrive at
// random (a Poisson process) at each model.
type Users struct {
	Rate         float64 // requests per second and model; 0 for none
	PromptTokens int
	OutputTokens int
}

// Config is a simulated endpoint. Zero fields have the defaults said; Models
// and Hardware have none.
type Config struct {
	Name, Region string
	Models       []Model // each runs on Hardware of its own
	Hardware     Hardware

	MaxBatch      int           // requests that have a slot at once, per model; 64
	TokenBudget   int           // tokens per step, of prompts and outputs together; 2,048 or MaxBatch if that is more
	StepOverhead  time.Duration // of every step beside the forward pass: scheduling, launching, sampling
	CacheBlocks   int           // blocks in the prefix cache, per model; 0 for no cache
	BlockTokens   int           // tokens per block; 16
	ContextTokens int           // prompt and output together; 131,072

	Dialect          Dialect
	Unreported       bool          // DialectVLLM without its per-request metrics, as vLLM is by default: /metrics alone
	Handling         time.Duration // from the whole request to the queue: parsing, template
	HandlingPerToken time.Duration // what each token of the prompt adds to it
	Link             Link          // of the connections that Server.Dial makes
	Users            Users
	Faults           []Fault // the first one that hits a request counts
	Seed             uint64  // of everything random

	ErrorLog *log.Logger // where the HTTP server tells of its own errors; nil for nowhere
}

// filled is the configuration with its defaults.
func (c Config) filled() Config {
	if c.MaxBatch == 0 {
		c.MaxBatch = 64
	}
	if c.TokenBudget == 0 {
		c.TokenBudget = max(2048, c.MaxBatch)
	}
	if c.BlockTokens == 0 {
		c.BlockTokens = 16
	}
	if c.ContextTokens == 0 {
		c.ContextTokens = 131_072
	}
	return c
}

// check finds what can't be simulated in a filled configuration.
func (c Config) check() error {
	errs := []error{c.checkModels(), c.Hardware.check(), c.checkFaults()}
	for _, f := range []struct {
		name  string
		value float64
		least float64
	}{
		{"MaxBatch", float64(c.MaxBatch), 1}, {"BlockTokens", float64(c.BlockTokens), 1},
		{"ContextTokens", float64(c.ContextTokens), 2}, {"CacheBlocks", float64(c.CacheBlocks), 0},
		{"StepOverhead", float64(c.StepOverhead), 0}, {"Handling", float64(c.Handling), 0},
		{"HandlingPerToken", float64(c.HandlingPerToken), 0}, {"Link.RTT", float64(c.Link.RTT), 0},
		{"Link.Jitter", float64(c.Link.Jitter), 0}, {"Link.Bandwidth", c.Link.Bandwidth, 0}, {"Users.Rate", c.Users.Rate, 0},
	} {
		if !(f.value >= f.least) {
			errs = append(errs, fmt.Errorf("%s is %v: set it to %v or more", f.name, f.value, f.least))
		}
	}
	if c.TokenBudget < c.MaxBatch {
		errs = append(errs, fmt.Errorf("TokenBudget (%d) is below MaxBatch (%d): a step must have a token for every request in the batch", c.TokenBudget, c.MaxBatch))
	}
	if u := c.Users; u.Rate > 0 && (u.PromptTokens < 1 || u.OutputTokens < 1 || u.PromptTokens+u.OutputTokens > c.ContextTokens) {
		errs = append(errs, fmt.Errorf("Users have prompts of %d and outputs of %d tokens: each must be at least 1, and together at most %d", u.PromptTokens, u.OutputTokens, c.ContextTokens))
	}
	if c.Dialect < DialectNone || c.Dialect > DialectLlama {
		errs = append(errs, fmt.Errorf("Dialect %d is none of DialectNone, DialectVLLM and DialectLlama", c.Dialect))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("simulated endpoint %q: %w", c.Name, err)
	}
	return nil
}

func (c Config) checkModels() error {
	if len(c.Models) == 0 {
		return errors.New("it has no model: name at least one in Models")
	}
	seen := make(map[string]bool)
	for _, m := range c.Models {
		switch {
		case m.Name == "":
			return errors.New("a model has no name")
		case seen[m.Name]:
			return fmt.Errorf("two models are named %q: give each its own name", m.Name)
		case !(m.Params > 0 && m.BytesPerWeight > 0 && m.Layers > 0 && m.AttentionWidth > 0 && m.KVBytesPerToken > 0):
			return fmt.Errorf("model %q lacks a size: Params, BytesPerWeight, Layers, AttentionWidth and KVBytesPerToken must be above 0", m.Name)
		case !(m.ActiveParams >= 0 && m.ActiveParams <= m.Params):
			return fmt.Errorf("model %q has more active than total parameters", m.Name)
		case m.Accelerators < 0:
			return fmt.Errorf("model %q has fewer than 0 accelerators", m.Name)
		}
		seen[m.Name] = true
	}
	return nil
}

func (h Hardware) check() error {
	share := func(x float64) bool { return x > 0 && x <= 1 }
	switch {
	case !(h.FLOPS > 0 && h.Bandwidth > 0):
		return fmt.Errorf("hardware %q needs FLOPS and Bandwidth above 0", h.Name)
	case !share(h.ComputeShare) || !share(h.BandwidthShare):
		return fmt.Errorf("hardware %q needs ComputeShare and BandwidthShare above 0 and up to 1", h.Name)
	case h.Count < 0:
		return fmt.Errorf("hardware %q has fewer than 0 accelerators", h.Name)
	}
	return nil
}
