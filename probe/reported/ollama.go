package reported

import (
	"encoding/json"
	"net/http"
	"time"

	"ttftop/probe"
)

// ollama reads the last line of Ollama's native routes, in nanoseconds. A
// zero is left out by the server, so an absent figure is not known.
//
// prompt_eval_duration ends with the first token and eval_duration covers the
// n − 1 steps after it: in recorded streams the gaps between the tokens add up
// to eval_duration. What the total has beside load, prompt and eval is the wait
// for a slot with the handling around it. load_duration is the way to a ready
// model: small handling when it is in memory, else a load that is no queue.
func ollama(_ http.Header, events []json.RawMessage) (Figures, bool) {
	o, ok := lastWith(events, "total_duration")
	if !ok || o["done"] != true {
		return Figures{}, false
	}
	p := gather("", object{})
	p.object = o
	p.ModelLoad = p.span("load_duration", time.Nanosecond)
	p.Prefill, p.FirstDecodeInPrefill = p.positive("prompt_eval_duration", time.Nanosecond), Yes
	p.PromptTokens = p.count("prompt_eval_count")
	p.CachedTokens = p.count("prompt_eval_cached_count")
	p.OutputTokens = p.count("eval_count")
	eval := p.span("eval_duration", time.Nanosecond)
	p.Step = perStep(eval, p.OutputTokens)
	p.Queue = p.ollamaWait(p.span("total_duration", time.Nanosecond), eval)
	p.QueueHasHandling = true
	return p.done()
}

// ollamaWait is total − prompt − eval, less the load where there was one.
func (p place) ollamaWait(total, eval probe.Mark) probe.Mark {
	if !total.OK || !eval.OK || !p.Prefill.OK || !p.ModelLoad.OK {
		return probe.Mark{}
	}
	wait := total.At - p.Prefill.At - eval.At
	if p.Loaded() {
		wait -= p.ModelLoad.At
	}
	if wait < 0 {
		p.absurd("total_duration", p.object["total_duration"])
		return probe.Mark{}
	}
	return probe.At(wait)
}
