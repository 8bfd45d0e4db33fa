package reported

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Server names the program or service that answers, "" where it is unknown.
type Server string

// The servers that are told apart.
const (
	LlamaCPP  Server = "llama.cpp"
	VLLM      Server = "vllm"
	SGLang    Server = "sglang"
	TGI       Server = "tgi"
	Ollama    Server = "ollama"
	LMStudio  Server = "lmstudio"
	LocalAI   Server = "localai"
	MLXLM     Server = "mlx_lm"
	NIM       Server = "nim"
	Dynamo    Server = "dynamo"
	Fireworks Server = "fireworks"
	Groq      Server = "groq"
	Cerebras  Server = "cerebras"
	SambaNova Server = "sambanova"
	OpenAI    Server = "openai"
	LiteLLM   Server = "litellm"
)

// Leave says when a server lets its response headers go.
type Leave int

// The instants.
const (
	LeaveUnknown   Leave = iota
	OnAcceptance         // once the request is checked and submitted: handling ends there
	OnSlot               // once a slot starts on the request: handling and queue end there
	WithFirstToken       // together with the first token: they tell nothing
)

// nature is what is known of a server, from its sources, its documentation or
// recorded responses.
type nature struct {
	owners  []string // what it writes as owned_by in its list of models, in lower case
	header  string   // a response header that only it sends, or a prefix of several when it ends in -
	leave   Leave
	ask     func() map[string]any
	askHead map[string]string
}

var natures = map[Server]nature{
	LlamaCPP:  {owners: []string{"llamacpp"}, leave: OnSlot, ask: askLlamaCPP},
	VLLM:      {owners: []string{"vllm"}, leave: OnAcceptance},
	SGLang:    {owners: []string{"sglang"}, leave: WithFirstToken},
	TGI:       {header: "x-compute-type", leave: OnAcceptance},
	Ollama:    {owners: []string{"library"}, leave: WithFirstToken},
	LMStudio:  {owners: []string{"organization_owner"}},
	LocalAI:   {askHead: map[string]string{"Extra-Usage": "1"}},
	MLXLM:     {leave: OnSlot},
	NIM:       {},
	Dynamo:    {ask: askDynamo},
	Fireworks: {owners: []string{"fireworks"}, header: fireworksPrefix, leave: WithFirstToken, ask: askFireworks},
	Groq:      {header: "x-groq-region"},
	Cerebras:  {owners: []string{"cerebras"}},
	SambaNova: {owners: []string{"no-reply@sambanova.ai"}},
	OpenAI:    {header: "openai-version"},
	LiteLLM:   {header: "x-litellm-"},
}

func askLlamaCPP() map[string]any { return map[string]any{"timings_per_token": true} }

func askFireworks() map[string]any { return map[string]any{"perf_metrics_in_response": true} }

func askDynamo() map[string]any {
	return map[string]any{"nvext": map[string]any{"extra_fields": []string{"timing"}}}
}

// Identify tells which server answers from the headers of any of its responses
// and the owned_by values of its list of models; either may be empty. A gateway
// that names itself is the answer, whatever it hides. Unknown is "": Dynamo
// writes the owner "nvidia" as other services do, and no sign of LocalAI and
// mlx_lm is known, so these have to be configured.
func Identify(h http.Header, ownedBy []string) Server {
	if hasHeader(h, natures[LiteLLM].header) {
		return LiteLLM
	}
	if strings.EqualFold(h.Get("Server"), string(LlamaCPP)) {
		return LlamaCPP
	}
	for _, s := range slices.Sorted(maps.Keys(natures)) {
		if mark := natures[s].header; mark != "" && hasHeader(h, mark) {
			return s
		}
	}
	return owner(ownedBy)
}

// owner is the server that every model's owner points to. Ollama alone also
// lists models of other owners: there, one of its own library is enough.
func owner(ownedBy []string) Server {
	var found Server
	strangers := false
	for _, name := range ownedBy {
		s := ownerOf(name)
		switch {
		case s == "":
			strangers = true
		case found == "" || found == s:
			found = s
		default:
			return ""
		}
	}
	if strangers && found != Ollama {
		return ""
	}
	return found
}

func ownerOf(name string) Server {
	name = strings.ToLower(strings.TrimSpace(name))
	for s, n := range natures {
		if slices.Contains(n.owners, name) {
			return s
		}
	}
	return ""
}

func hasHeader(h http.Header, mark string) bool {
	if strings.HasSuffix(mark, "-") {
		return len(withPrefix(h, mark)) > 0
	}
	return h.Get(mark) != ""
}

// HeadersLeave says when the server's headers leave. For llama.cpp it is true
// of builds since June 2026; Figures says so where a response names an older
// one.
func (s Server) HeadersLeave() Leave { return natures[s].leave }

// Ask returns the body fields that make the server report, nil where it is not
// known to take any: a strict server refuses unknown fields. The map is the
// caller's own.
func (s Server) Ask() map[string]any {
	if ask := natures[s].ask; ask != nil {
		return ask()
	}
	return nil
}

// AskHeaders returns the request headers that make the server report, nil for
// none. The map is the caller's own.
func (s Server) AskHeaders() map[string]string { return maps.Clone(natures[s].askHead) }
