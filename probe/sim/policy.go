package sim

// Policy says how requests are put together into batches.
type Policy int

// The policies.
const (
	// Continuous lets requests in and out with every step (Yu et al., "Orca",
	// 2022). Prompts are cut into chunks where the token budget of a step is
	// short (Agrawal et al., "Sarathi-Serve", 2024).
	Continuous Policy = iota
	// Static waits until MaxBatch requests are there, or the first has waited for
	// BatchWait, and runs them together to the end of the last: prompts are
	// padded to the longest, ended answers keep their place. It has no prefix
	// cache, and memory is set aside for the whole of each answer.
	Static
)

// Order says which of the waiting requests is let in first.
type Order int

// The orders.
const (
	FirstCome      Order = iota // the one that was queued first
	ShortestPrompt              // the one with the fewest tokens to compute
)

// Routing says which replica a request goes to.
type Routing int

// The routings.
const (
	LeastLoaded Routing = iota // the one with the fewest requests
	RoundRobin                 // one after the other
)

var (
	policyNames  = []string{Continuous: "continuous", Static: "static"}
	orderNames   = []string{FirstCome: "first-come", ShortestPrompt: "shortest-prompt"}
	routingNames = []string{LeastLoaded: "least-loaded", RoundRobin: "round-robin"}
	dialectNames = []string{DialectNone: "none", DialectVLLM: "vllm", DialectLlama: "llama"}
)

// String is the name, such as "continuous".
func (p Policy) String() string { return nameOf(p, policyNames) }

// String is the name, such as "first-come".
func (o Order) String() string { return nameOf(o, orderNames) }

// String is the name, such as "least-loaded".
func (r Routing) String() string { return nameOf(r, routingNames) }

// String is the name, such as "vllm".
func (d Dialect) String() string { return nameOf(d, dialectNames) }

// UnmarshalText reads the name.
func (p *Policy) UnmarshalText(text []byte) error { return read(p, text, policyNames) }

// UnmarshalText reads the name.
func (o *Order) UnmarshalText(text []byte) error { return read(o, text, orderNames) }

// UnmarshalText reads the name.
func (r *Routing) UnmarshalText(text []byte) error { return read(r, text, routingNames) }

// UnmarshalText reads the name.
func (d *Dialect) UnmarshalText(text []byte) error { return read(d, text, dialectNames) }

// UnmarshalText reads the name.
func (p *Precision) UnmarshalText(text []byte) error { return read(p, text, precisionNames()) }

// read sets a numbered choice by its name.
func read[T ~int](to *T, text []byte, names []string) (err error) {
	*to, err = choose[T](string(text), names)
	return err
}
