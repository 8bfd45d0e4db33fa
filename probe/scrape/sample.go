package scrape

import (
	"math"

	"ttftop/probe"
	"ttftop/probe/reported"
)

// Total is the running sum and count of one figure since the server started.
type Total struct {
	Sum     float64 // seconds, or tokens
	Count   float64 // observations
	OK      bool    // the page has it
	Counted bool    // the page has the count too; llama.cpp's seconds have none
}

// Gauge is a value of this instant.
type Gauge struct {
	Value float64
	OK    bool
}

// Model is what one page says of one model, over all engines that serve it.
type Model struct {
	Queue   Total // seconds from queued to scheduled
	Prefill Total // seconds from scheduled to first token
	Chunks  Total // seconds of prefill slices before the last, counted apart (SGLang)
	TTFT    Total // seconds from arrival to first token, with queue; counted when the token is out
	Prompt  Total // prompt tokens per finished request

	QueueHasHandling bool // the queue counts from arrival (vLLM's older name)

	PromptTokens Total // prompt tokens processed, without a count; llama.cpp leaves cached ones out
	CachedTokens Total // prompt tokens taken from cache, without a count

	Running, Waiting Gauge // requests; llama.cpp's Waiting was seen to read 0 while one waited
	CacheUse         Gauge // share of the KV cache in use, 0…1, of the fullest engine
}

// Sample is one page.
type Sample struct {
	Server reported.Server
	Models map[string]Model // by the name the server gives the model, "" where it names none
}

// Counts reports whether the server counts the requests of a model: where it
// does not, none is ever seen to be counted.
func (s Sample) Counts(model string) bool {
	m, _ := s.model(model)
	return m.Queue.Counted || m.Prefill.Counted
}

// State is the state of the engines that serve a model as the page shows it,
// nil where it shows none.
func (s Sample) State(model string) *probe.EngineState {
	m, _ := s.model(model)
	if !m.Running.OK && !m.Waiting.OK && !m.CacheUse.OK {
		return nil
	}
	return &probe.EngineState{Running: m.Running.count(), Waiting: m.Waiting.count(), CacheUse: m.CacheUse.share()}
}

// count is a gauge as a number of requests, −1 for none.
func (g Gauge) count() int {
	if !g.OK || g.Value < 0 || g.Value > math.MaxInt32 {
		return -1
	}
	return int(math.Round(g.Value))
}

// share is a gauge as a share from 0 to 1, −1 for none.
func (g Gauge) share() float64 {
	if !g.OK || g.Value < 0 || g.Value > 1 {
		return -1
	}
	return g.Value
}

// model finds a model. Servers that serve one may call it by another name than
// the client does, or by none.
func (s Sample) model(name string) (Model, bool) {
	if m, ok := s.Models[name]; ok {
		return m, true
	}
	if len(s.Models) == 1 {
		for _, m := range s.Models {
			return m, true
		}
	}
	return Model{}, false
}
