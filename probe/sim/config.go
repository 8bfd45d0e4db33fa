package sim

import (
	"cmp"
	"errors"
	"fmt"
	"log"
	"slices"
	"strings"
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

// Config is a simulated endpoint. Zero fields have the defaults said; Models
// and Hardware have none.
type Config struct {
	Name, Region string
	Models       []Model // each runs on Hardware of its own
	Hardware     Hardware

	BlockTokens   int           // tokens per block of keys and values; 16
	ContextTokens int           // prompt and output together; 131,072
	StepOverhead  time.Duration // of every step beside the forward pass: scheduling, launching, sampling
	TokenOverhead time.Duration // of every token that a step yields, beside that: sampling on a processor, text, sending
	Loading       time.Duration // after Start, in which models are loaded and requests are refused with 503

	Dialect          Dialect
	Unreported       bool          // DialectVLLM without its per-request metrics, as vLLM is by default: /metrics alone
	Handling         time.Duration // from the whole request to the queue: parsing, template
	HandlingPerToken time.Duration // what each token of the prompt adds to it
	Tenants          []Users       // further background users beside Users
	Faults           []Fault       // the first one that hits a request counts
	Seed             uint64        // of everything random
	Speed            float64       // how many times as fast this world runs, network and users included; 1

	Levers

	ErrorLog *log.Logger // where the HTTP server tells of its own errors; nil for nowhere
}

// Levers is the part of a Config that can be changed while the server runs.
// Engines take a change up with their next step, connections with their next request.
type Levers struct {
	MaxBatch     int           // requests that have a slot at once, per replica; 64
	MaxWaiting   int           // requests that wait at once, per replica; 4,096. Those beyond it are refused, and dropped where it is lowered
	TokenBudget  int           // tokens per step, of prompts and outputs together; 2,048 or MaxBatch if that is more
	Policy       Policy        // how batches are made
	BatchWait    time.Duration // how long Static waits for a full batch, from the first request on
	Order        Order         // who is let in first
	CacheBlocks  int           // blocks in the prefix cache, per replica; 0 for no cache
	KVBlocks     int           // blocks of memory for keys and values, per replica; 0 for all that fit beside the weights
	Speculation  Speculation
	Quantization Precision

	Replicas int     // of each model; 1, up to MaxReplicas
	Routing  Routing // among the replicas

	Link  Link  // of the connections that Server.Dial makes
	Users Users // background users, with prompts of 512 and outputs of 128 tokens unless said

	Fault      Fault   // beside Config.Faults, and after them; its Kind is 0 for none
	FaultShare float64 // of the requests that Fault hits; 0.1
}

// LeastSpeed bounds Config.Speed.
const LeastSpeed = 1e-3

// MaxReplicas bounds Levers.Replicas.
const MaxReplicas = 16

// filled is the configuration with its defaults.
func (c Config) filled() Config {
	c.MaxBatch = cmp.Or(c.MaxBatch, 64)
	c.MaxWaiting = cmp.Or(c.MaxWaiting, mostWaiting)
	c.TokenBudget = cmp.Or(c.TokenBudget, max(2048, c.MaxBatch))
	c.BlockTokens = cmp.Or(c.BlockTokens, 16)
	c.ContextTokens = cmp.Or(c.ContextTokens, 131_072)
	c.Replicas = cmp.Or(c.Replicas, 1)
	c.Users.PromptTokens = cmp.Or(c.Users.PromptTokens, 512)
	c.Users.OutputTokens = cmp.Or(c.Users.OutputTokens, 128)
	c.Users.Peak = c.Users.peak()
	c.FaultShare = cmp.Or(c.FaultShare, 0.1)
	c.Speed = cmp.Or(c.Speed, 1)
	return c
}

// faster is a filled configuration of a world that runs at Speed: every
// duration is as much shorter, every rate as much higher.
func (c Config) faster() Config {
	if c.Speed == 1 {
		return c
	}
	c.Hardware = c.Hardware.faster(c.Speed)
	for _, d := range []*time.Duration{&c.StepOverhead, &c.TokenOverhead, &c.Loading, &c.Handling, &c.HandlingPerToken, &c.BatchWait} {
		*d = shorter(*d, c.Speed)
	}
	c.Link = c.Link.faster(c.Speed)
	c.Users = c.Users.faster(c.Speed)
	tenants := make([]Users, len(c.Tenants))
	for i, u := range c.Tenants {
		tenants[i] = u.faster(c.Speed)
	}
	c.Tenants = tenants
	faults := make([]Fault, len(c.Faults))
	for i, f := range c.Faults {
		faults[i] = f.faster(c.Speed)
	}
	c.Faults = faults
	c.Fault = c.Fault.faster(c.Speed)
	return c
}

// settings are those of the engines of a model.
func (c Config) settings(m Model) *settings {
	s := settings{
		costs: costs{
			model: m, hardware: c.Hardware.under(m), precision: c.Quantization,
			draft: c.Speculation, overhead: c.StepOverhead, output: c.TokenOverhead, budget: c.TokenBudget,
		},
		maxBatch: c.MaxBatch, maxWaiting: c.MaxWaiting, policy: c.Policy, batchWait: c.BatchWait, order: c.Order,
		kvBlocks: c.blocksOf(m), cacheSize: c.CacheBlocks,
	}
	if c.Policy == Static {
		s.budget = noLimit // prompts are not cut
	}
	return &s
}

// check finds what can't be simulated in a filled configuration.
func (c Config) check() error {
	if err := errors.Join(c.misfits(false)...); err != nil {
		return fmt.Errorf("simulated endpoint %q: %w", c.Name, err)
	}
	return nil
}

// misfits are what can't be simulated in a filled configuration. They name the
// figures as levers, or as a scenario file has them.
func (c Config) misfits(inFile bool) []error {
	errs := append([]error{c.checkModels(inFile), misfit("hardware", c.Hardware.check()), c.checkFaults(), c.checkFault(), c.checkTenants(), c.checkChoices()}, c.checkBounds(inFile)...)
	if c.TokenBudget < c.MaxBatch {
		errs = append(errs, misfit("token_budget", fmt.Errorf("%s (%d) is below %s (%d): a step must have a token for every request in the batch",
			called("token-budget", inFile), c.TokenBudget, called("max-batch", inFile), c.MaxBatch)))
	}
	if c.Link.Edge < 0 || c.Link.Edge > c.Link.RTT {
		errs = append(errs, misfit("link.edge", fmt.Errorf("%s is %v: set it to 0s to %s, %v", named("edge", "link.edge", inFile), c.Link.Edge, called("rtt", inFile), c.Link.RTT)))
	}
	errs = append(errs, misfit("kv_blocks", c.checkBlocks(inFile)), misfit("users", c.Users.check("users", c.ContextTokens, inFile)))
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

// checkChoices finds choices that there are not.
func (c Config) checkChoices() error {
	switch {
	case c.Dialect < DialectNone || c.Dialect > DialectLlama:
		return fmt.Errorf("Dialect %d is none of DialectNone, DialectVLLM and DialectLlama", c.Dialect)
	case c.Policy < Continuous || c.Policy > Static:
		return fmt.Errorf("policy %d is neither Continuous nor Static", c.Policy)
	case c.Order < FirstCome || c.Order > ShortestPrompt:
		return fmt.Errorf("order %d is neither FirstCome nor ShortestPrompt", c.Order)
	case c.Routing < LeastLoaded || c.Routing > RoundRobin:
		return fmt.Errorf("routing %d is neither LeastLoaded nor RoundRobin", c.Routing)
	case c.Quantization < FP16 || c.Quantization > INT4:
		return fmt.Errorf("quantization %d is none of FP16, INT8, FP8 and INT4", c.Quantization)
	}
	return nil
}

// mostAccelerators bounds what a model is spread over: eight nodes of eight.
const mostAccelerators = 64

func (c Config) checkModels(inFile bool) error {
	if len(c.Models) == 0 {
		return misfit("models", fmt.Errorf("it has no model: name at least one in %s", named("Models", "models", inFile)))
	}
	seen := make(map[string]bool)
	for i, m := range c.Models {
		field := fmt.Sprintf("models.%d", i)
		if seen[m.Name] {
			return misfit(field, fmt.Errorf("two models are named %q: give each its own name", m.Name))
		}
		if err := cmp.Or(m.check(), c.checkMemory(m, inFile)); err != nil {
			return misfit(field, err)
		}
		seen[m.Name] = true
	}
	return nil
}

func (m Model) check() error {
	switch {
	case m.Name == "":
		return errors.New("a model has no name")
	case !(m.Params > 0 && m.BytesPerWeight > 0 && m.Layers > 0 && m.AttentionWidth > 0 && m.KVBytesPerToken > 0):
		return fmt.Errorf("model %q lacks a size: Params, BytesPerWeight, Layers, AttentionWidth and KVBytesPerToken must be above 0", m.Name)
	case m.Hidden < 0 || m.Vocabulary < 0 || m.body() <= 0:
		return fmt.Errorf("model %q has more embeddings than weights, or a size below 0", m.Name)
	case !(m.ActiveParams >= 0 && m.ActiveParams <= m.Params):
		return fmt.Errorf("model %q has more active than total parameters", m.Name)
	case m.ActiveParams > 0 && (m.ExpertsPerToken < 1 || m.Experts <= m.ExpertsPerToken || m.activeBody() <= 0):
		return fmt.Errorf("model %q has ActiveParams: it needs Experts and fewer ExpertsPerToken", m.Name)
	case m.Accelerators < 0 || m.Accelerators > mostAccelerators || m.Accelerators&(m.Accelerators-1) != 0:
		return fmt.Errorf("model %q has %d accelerators: set them to a power of two from 1 to %d, among which its attention heads can be shared out evenly", m.Name, m.Accelerators, mostAccelerators)
	case strings.Contains(m.Name, "+"):
		return fmt.Errorf("model %q has a + in its name: leave it out, since in a request a fault stands behind it, as in sim-8b+429", m.Name)
	}
	return nil
}

// Check says what is wrong with a configuration, as Start would.
func Check(c Config) error { return c.filled().check() }

// CheckFile is what is wrong with a configuration that a scenario file has, by the
// names that figures have there. Where one is of a field it is a Misfit.
func CheckFile(c Config) []error { return c.filled().misfits(true) }
