package probe

import "net/url"

// API is the dialect of requests an endpoint takes.
type API string

// The dialects.
const (
	OpenAI API = "openai" // POST {base}/chat/completions, bearer key
	Azure  API = "azure"  // POST {base}/openai/deployments/{model}/chat/completions?api-version=…, api-key header
)

// Endpoint is a base URL that speaks the OpenAI-compatible chat API, with its
// key, headers and a region label.
type Endpoint struct {
	Name       string   // label on the screen and in records; unique among the endpoints of a session
	Region     string   // free text, may be empty
	Base       *url.URL // normalised: scheme, host and path up to and including /v1; query kept; never user info
	API        API
	APIVersion string            // Azure only
	Key        Secret            // may be zero
	KeyEnv     string            // name of the environment variable that the key came from, "" without one
	Headers    map[string]Secret // sent with every request
	CACert     string            // PEM file with more certificate authorities, "" for the system's
	Insecure   bool              // TLS certificates are not verified; the screen says so
	Simulated  bool              // served by the embedded simulator
	Tried      []string          // how the URL was read, for the sentence of a 404
}

// Target is an endpoint plus a model: one lane on the screen.
type Target struct {
	Name     string // label, unique in a session
	Endpoint *Endpoint
	Models   []string // models to choose from, the first is where it starts; may grow by /v1/models
	Handoff  string   // fast model that acknowledges each prompt while the model answers it; "" for none
}

// Requests is how many requests one probe of the target makes.
func (t Target) Requests() int {
	if t.Handoff != "" {
		return 2
	}
	return 1
}
