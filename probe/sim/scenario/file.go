package scenario

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ttftop/probe/sim"
)

// file is a scenario as it is written.
type file struct {
	About     string      `toml:"about"`
	Dialect   sim.Dialect `toml:"dialect"`
	Endpoints []endpoint  `toml:"endpoints"`
}

type endpoint struct {
	Name     string   `toml:"name"`
	Region   string   `toml:"region"`
	Hardware hardware `toml:"hardware"`
	Models   []model  `toml:"models"`

	BlockTokens      *int     `toml:"block_tokens"`
	ContextTokens    *int     `toml:"context_tokens"`
	StepOverhead     duration `toml:"step_overhead"`
	TokenOverhead    duration `toml:"token_overhead"`
	Loading          duration `toml:"loading"`
	Handling         duration `toml:"handling"`
	HandlingPerToken duration `toml:"handling_per_token"`
	Seed             uint64   `toml:"seed"`
	Speed            *float64 `toml:"speed"`

	MaxBatch     *int          `toml:"max_batch"`
	TokenBudget  *int          `toml:"token_budget"`
	Policy       sim.Policy    `toml:"policy"`
	BatchWait    *duration     `toml:"batch_wait"`
	Order        sim.Order     `toml:"order"`
	CacheBlocks  int           `toml:"cache_blocks"`
	KVBlocks     int           `toml:"kv_blocks"`
	Quantization sim.Precision `toml:"quantization"`
	Replicas     *int          `toml:"replicas"`
	Routing      sim.Routing   `toml:"routing"`

	Speculation struct {
		Draft      int      `toml:"draft"`
		Acceptance *float64 `toml:"acceptance"`
		Cost       *float64 `toml:"cost"`
	} `toml:"speculation"`
	Link struct {
		RTT       duration `toml:"rtt"`
		Jitter    duration `toml:"jitter"`
		Bandwidth float64  `toml:"megabits"`
		Loss      float64  `toml:"loss"`
		TLS       bool     `toml:"tls"`
		Edge      duration `toml:"edge"`
	} `toml:"link"`
	Users   users   `toml:"users"`
	Tenants []users `toml:"tenants"`
	Faults  []fault `toml:"faults"`
}

type model struct {
	Name         string `toml:"name"`
	Shape        shape  `toml:"shape"`
	Accelerators *int   `toml:"accelerators"`
}

type users struct {
	Rate         float64  `toml:"rate"`
	PromptTokens int      `toml:"prompt_tokens"`
	OutputTokens int      `toml:"output_tokens"`
	PromptSpread float64  `toml:"prompt_spread"`
	OutputSpread float64  `toml:"output_spread"`
	SharedTokens int      `toml:"shared_tokens"`
	Day          duration `toml:"day"`
	Peak         float64  `toml:"peak"`
}

type fault struct {
	What        what    `toml:"what"`
	From        int     `toml:"from"`
	Count       int     `toml:"count"`
	Probability float64 `toml:"probability"`
}

// config is the endpoint as the simulator takes it.
func (e endpoint) config(d sim.Dialect) sim.Config {
	c := sim.Config{
		Name: cmp.Or(e.Name, "sim"), Region: e.Region, Hardware: sim.Hardware(e.Hardware),
		BlockTokens: value(e.BlockTokens), ContextTokens: value(e.ContextTokens),
		StepOverhead: time.Duration(e.StepOverhead), TokenOverhead: time.Duration(e.TokenOverhead),
		Loading: time.Duration(e.Loading), Handling: time.Duration(e.Handling), HandlingPerToken: time.Duration(e.HandlingPerToken),
		Seed: e.Seed, Speed: value(e.Speed), Dialect: d,
		Levers: sim.Levers{
			MaxBatch: value(e.MaxBatch), TokenBudget: value(e.TokenBudget), Policy: e.Policy, Order: e.Order,
			BatchWait:   time.Duration(or(e.BatchWait, duration(sim.UsualBatchWait))),
			CacheBlocks: e.CacheBlocks, KVBlocks: e.KVBlocks, Quantization: e.Quantization, Replicas: value(e.Replicas), Routing: e.Routing,
			Speculation: sim.Speculation{
				Draft: e.Speculation.Draft, Acceptance: or(e.Speculation.Acceptance, sim.UsualDrafts.Acceptance), Cost: or(e.Speculation.Cost, sim.UsualDrafts.Cost),
			},
			Link: sim.Link{
				RTT: time.Duration(e.Link.RTT), Jitter: time.Duration(e.Link.Jitter), Bandwidth: e.Link.Bandwidth * 1e6,
				Loss: e.Link.Loss, TLS: e.Link.TLS, Edge: time.Duration(e.Link.Edge),
			},
			Users: e.Users.config(),
		},
	}
	for _, m := range e.Models {
		s := sim.Model(m.Shape)
		c.Models = append(c.Models, s.As(cmp.Or(m.Name, s.Name), value(m.Accelerators)))
	}
	for _, t := range e.Tenants {
		c.Tenants = append(c.Tenants, t.config())
	}
	for _, f := range e.Faults {
		to := sim.Fault(f.What)
		to.From, to.Count, to.Probability = f.From, f.Count, f.Probability
		c.Faults = append(c.Faults, to)
	}
	return c
}

// value is what a field says; 0, for the default, where it isn't there.
func value[T any](field *T) (v T) { return or(field, v) }

// or is what a field says, or what is usual where it isn't there.
func or[T any](field *T, usual T) T {
	if field == nil {
		return usual
	}
	return *field
}

// zeros finds fields that are 0 where that is no value: it isn't the default
// that a field has when it isn't there.
func (e endpoint) zeros() error {
	for _, f := range []struct {
		name  string
		field *int
	}{
		{"block_tokens", e.BlockTokens}, {"context_tokens", e.ContextTokens}, {"max_batch", e.MaxBatch},
		{"token_budget", e.TokenBudget}, {"replicas", e.Replicas},
	} {
		if f.field != nil && *f.field == 0 {
			return fmt.Errorf("%s is 0: set it to 1 or more, or leave it out", f.name)
		}
	}
	if e.Speed != nil && *e.Speed == 0 {
		return fmt.Errorf("speed is 0: set it to %v or more, or leave it out", sim.LeastSpeed)
	}
	for _, m := range e.Models {
		if m.Accelerators != nil && *m.Accelerators == 0 {
			return fmt.Errorf("model %q has accelerators = 0: set it to 1 or more, or leave it out", cmp.Or(m.Name, m.Shape.Name))
		}
	}
	return nil
}

func (u users) config() sim.Users {
	return sim.Users{
		Rate: u.Rate, PromptTokens: u.PromptTokens, OutputTokens: u.OutputTokens, PromptSpread: u.PromptSpread,
		OutputSpread: u.OutputSpread, SharedTokens: u.SharedTokens, Day: time.Duration(u.Day), Peak: u.Peak,
	}
}

// Values that are written as text. An error of UnmarshalText comes with its line.

type duration time.Duration

// UnmarshalText reads a duration such as 80ms.
func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is no duration: write 80ms, 1.5s or 2m", text)
	}
	*d = duration(v)
	return nil
}

type hardware sim.Hardware

// UnmarshalText reads the name of an accelerator.
func (h *hardware) UnmarshalText(text []byte) error {
	v, ok := sim.Accelerators[strings.ToLower(string(text))]
	if !ok {
		return fmt.Errorf("%q is not known: write one of %s", text, strings.Join(slices.Sorted(maps.Keys(sim.Accelerators)), ", "))
	}
	*h = hardware(v)
	return nil
}

type shape sim.Model

// UnmarshalText reads the name of a model's shape.
func (s *shape) UnmarshalText(text []byte) error {
	var names []string
	for _, m := range sim.Models {
		if m.Name == string(text) {
			*s = shape(m)
			return nil
		}
		names = append(names, m.Name)
	}
	return fmt.Errorf("%q is not known: write one of %s", text, strings.Join(names, ", "))
}

type what sim.Fault

// UnmarshalText reads a fault as a request asks for it.
func (w *what) UnmarshalText(text []byte) error {
	f, err := sim.ParseFault(string(text))
	*w = what(f)
	return err
}
