package reported

import (
	"encoding/json"
	"net/http"
)

// plainUsage reads queue_time and prompt_time in the usage object itself, in
// seconds: Groq's with include_usage, and gateways that copy it.
func plainUsage(_ http.Header, events []json.RawMessage) (Figures, bool) {
	u, ok := last(events, "usage")
	if !ok || !u.has("queue_time", "prompt_time") {
		return Figures{}, false
	}
	p := gather("usage", u)
	p.queueAndPrompt()
	p.usageCounts()
	return p.done()
}

// takeUsage fills the token counts that no adapter gave from the last usage
// object. Of its figures only those that can't be enter the record: the counts
// have their own place there.
func (f *Figures) takeUsage(events []json.RawMessage) {
	u, ok := last(events, "usage")
	if !ok {
		return
	}
	p := place{Figures: &Figures{Raw: map[string]any{}}, prefix: "usage", object: u}
	p.usageCounts()
	f.takeCounts(*p.Figures)
	f.Absurd = append(f.Absurd, p.Absurd...)
	for _, name := range p.Absurd {
		f.addRaw(map[string]any{name: p.Raw[name]})
	}
}

// usageCounts reads the counts of a usage object. Cached tokens have three
// spellings: OpenAI's, DeepSeek's and Moonshot's. More cached tokens than there
// are in the prompt can't be.
func (p place) usageCounts() {
	p.PromptTokens = p.count("prompt_tokens")
	p.OutputTokens = p.count("completion_tokens")
	if total := p.count("total_tokens"); total.OK && total.N < max(p.PromptTokens.N, p.OutputTokens.N) {
		p.absurd(p.name("total_tokens"), total.N)
	}
	p.CachedTokens = p.in("prompt_tokens_details").count("cached_tokens")
	name := "prompt_tokens_details.cached_tokens"
	for _, key := range []string{"prompt_cache_hit_tokens", "cached_tokens"} {
		if !p.CachedTokens.OK {
			p.CachedTokens, name = p.count(key), key
		}
	}
	if p.CachedTokens.OK && p.PromptTokens.OK && p.CachedTokens.N > p.PromptTokens.N {
		p.absurd(p.name(name), p.CachedTokens.N)
		p.CachedTokens = Count{}
	}
}
