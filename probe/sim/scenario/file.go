package scenario

import (
	"cmp"
	"fmt"

	"ttftop/probe/sim"
)

// file is a scenario as it is written.
type file struct {
	About     string     `toml:"about"`
	Dialect   *choice    `toml:"dialect"`
	Endpoints []endpoint `toml:"endpoints"`
}

type endpoint struct {
	Name     string    `toml:"name"`
	Region   string    `toml:"region"`
	Hardware *hardware `toml:"hardware"`
	Models   []model   `toml:"models"`

	BlockTokens      *int      `toml:"block_tokens"`
	ContextTokens    *int      `toml:"context_tokens"`
	StepOverhead     *duration `toml:"step_overhead"`
	TokenOverhead    *duration `toml:"token_overhead"`
	Loading          *duration `toml:"loading"`
	Handling         *duration `toml:"handling"`
	HandlingPerToken *duration `toml:"handling_per_token"`
	Seed             uint64    `toml:"seed"`
	Speed            *float64  `toml:"speed"`

	MaxBatch     *int      `toml:"max_batch"`
	MaxWaiting   *int      `toml:"max_waiting"`
	TokenBudget  *int      `toml:"token_budget"`
	Policy       *choice   `toml:"policy"`
	BatchWait    *duration `toml:"batch_wait"`
	Order        *choice   `toml:"order"`
	CacheBlocks  int       `toml:"cache_blocks"`
	KVBlocks     int       `toml:"kv_blocks"`
	Quantization *choice   `toml:"quantization"`
	Replicas     *int      `toml:"replicas"`
	Routing      *choice   `toml:"routing"`

	Speculation speculation `toml:"speculation"`
	Link        link        `toml:"link"`
	Users       *users      `toml:"users"`
	Tenants     []users     `toml:"tenants"`
	Faults      []fault     `toml:"faults"`
}

type speculation struct {
	Draft      int      `toml:"draft"`
	Acceptance *float64 `toml:"acceptance"`
	Cost       *float64 `toml:"cost"`
}

type link struct {
	RTT       *duration `toml:"rtt"`
	Jitter    *duration `toml:"jitter"`
	Bandwidth float64   `toml:"megabits"`
	Loss      float64   `toml:"loss"` // per cent, as the lever
	TLS       bool      `toml:"tls"`
	Edge      *duration `toml:"edge"`
}

type model struct {
	Name         string `toml:"name"`
	Shape        *shape `toml:"shape"`
	Accelerators *int   `toml:"accelerators"`
}

type users struct {
	Rate         float64   `toml:"rate"`
	PromptTokens *int      `toml:"prompt_tokens"`
	OutputTokens *int      `toml:"output_tokens"`
	PromptSpread float64   `toml:"prompt_spread"`
	OutputSpread float64   `toml:"output_spread"`
	SharedTokens int       `toml:"shared_tokens"`
	Day          *duration `toml:"day"`
	Peak         float64   `toml:"peak"`
}

type fault struct {
	What        *what    `toml:"what"`
	From        *int     `toml:"from"`
	Count       *int     `toml:"count"`
	Probability *float64 `toml:"probability"`
}

// config is the endpoint as the simulator takes it. What can't be read in it is told
// to r.
func (e endpoint) config(d sim.Dialect, r *reader) sim.Config {
	c := sim.Config{
		Name: cmp.Or(e.Name, "sim"), Region: e.Region,
		BlockTokens: value(e.BlockTokens), ContextTokens: value(e.ContextTokens),
		StepOverhead: r.duration("step_overhead", e.StepOverhead), TokenOverhead: r.duration("token_overhead", e.TokenOverhead),
		Loading: r.duration("loading", e.Loading), Handling: r.duration("handling", e.Handling), HandlingPerToken: r.duration("handling_per_token", e.HandlingPerToken),
		Seed: e.Seed, Speed: value(e.Speed), Dialect: d,
		Levers: e.levers(r),
	}
	if e.Hardware != nil {
		c.Hardware = r.hardware("hardware", *e.Hardware)
	}
	for i, m := range e.Models {
		c.Models = append(c.Models, m.config(fmt.Sprintf("models.%d.", i), r))
	}
	for i, t := range e.Tenants {
		c.Tenants = append(c.Tenants, t.config(fmt.Sprintf("tenants.%d.", i), r))
	}
	for i, f := range e.Faults {
		c.Faults = append(c.Faults, f.config(fmt.Sprintf("faults.%d.", i), r))
	}
	return c
}

func (e endpoint) levers(r *reader) sim.Levers {
	l := sim.Levers{
		MaxBatch: value(e.MaxBatch), MaxWaiting: value(e.MaxWaiting), TokenBudget: value(e.TokenBudget), BatchWait: sim.UsualBatchWait,
		CacheBlocks: e.CacheBlocks, KVBlocks: e.KVBlocks, Replicas: value(e.Replicas),
		Speculation: sim.Speculation{
			Draft: e.Speculation.Draft, Acceptance: or(e.Speculation.Acceptance, sim.UsualDrafts.Acceptance), Cost: or(e.Speculation.Cost, sim.UsualDrafts.Cost),
		},
		Link: sim.Link{
			RTT: r.duration("link.rtt", e.Link.RTT), Jitter: r.duration("link.jitter", e.Link.Jitter), Bandwidth: e.Link.Bandwidth * 1e6,
			Loss: e.Link.Loss / 100, TLS: e.Link.TLS, Edge: r.duration("link.edge", e.Link.Edge),
		},
		Users: value(e.Users).config("users.", r),
	}
	if e.BatchWait != nil {
		l.BatchWait = r.duration("batch_wait", e.BatchWait)
	}
	r.choose("policy", e.Policy, &l.Policy)
	r.choose("order", e.Order, &l.Order)
	r.choose("quantization", e.Quantization, &l.Quantization)
	r.choose("routing", e.Routing, &l.Routing)
	return l
}

func (m model) config(at string, r *reader) sim.Model {
	if m.Shape == nil {
		return sim.Model{}
	}
	s := r.shape(at+"shape", *m.Shape)
	return s.As(cmp.Or(m.Name, s.Name), value(m.Accelerators))
}

func (u users) config(at string, r *reader) sim.Users {
	return sim.Users{
		Rate: u.Rate, PromptTokens: value(u.PromptTokens), OutputTokens: value(u.OutputTokens), PromptSpread: u.PromptSpread,
		OutputSpread: u.OutputSpread, SharedTokens: u.SharedTokens, Day: r.duration(at+"day", u.Day), Peak: u.Peak,
	}
}

func (f fault) config(at string, r *reader) (c sim.Fault) {
	if f.What != nil {
		c = r.fault(at+"what", *f.What)
	}
	c.From, c.Count, c.Probability = value(f.From), value(f.Count), value(f.Probability)
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
