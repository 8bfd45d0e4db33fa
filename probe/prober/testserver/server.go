// Package testserver is an endpoint for tests: a real HTTP server on loopback
// whose answers a test decides on, request by request.
//
// Start with New for a handler, or Replay for a timeline.
package testserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"ttftop/probe"
)

// Handler answers one chat request.
type Handler func(a *Answer, r *Request)

// Request is a chat request that has been read.
type Request struct {
	*http.Request
	N         int // counts from 1
	Model     string
	Prompt    string // text of the first message
	MaxTokens int    // whichever parameter says it, 0 for none
	Fields    map[string]any
}

// Load reports whether it is a load stream.
func (r *Request) Load() bool { return r.MaxTokens == probe.LoadOutputCap }

// Server is a running endpoint.
type Server struct {
	*httptest.Server
	Key string // of the endpoint

	handler Handler

	mu     sync.Mutex
	models []string // nil: the list is answered with 404
	owner  string   // of all of them
	number int
	load   int
	most   int
	open   map[net.Conn]bool
}

// New serves chat requests until the test ends. Models are what it lists.
func New(t testing.TB, models []string, handler Handler) *Server {
	s := &Server{handler: handler, models: models, open: map[net.Conn]bool{}}
	s.Server = httptest.NewUnstartedServer(s.routes())
	s.Config.ConnState = s.connected
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", s.list)
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	return mux
}

// Endpoint is the endpoint of the server.
func (s *Server) Endpoint() *probe.Endpoint { return Endpoint(s.URL+"/v1", s.Key) }

// Endpoint is an OpenAI-compatible endpoint at a base URL.
func Endpoint(base, key string) *probe.Endpoint {
	u, err := url.Parse(base)
	if err != nil {
		panic(err)
	}
	return &probe.Endpoint{Name: "test", Base: u, API: probe.OpenAI, Key: probe.NewSecret(key)}
}

// Load is the number of load streams in flight now, and the most there were.
func (s *Server) Load() (now, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.load, s.most
}

// Connections is the number of connections that are open now.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

func (s *Server) connected(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		s.open[c] = true
	case http.StateClosed, http.StateHijacked:
		delete(s.open, c)
	}
}

// SetModels changes what is listed.
func (s *Server) SetModels(models ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = models
}

// SetOwner changes what is listed as the owner of all models.
func (s *Server) SetOwner(owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owner = owner
}

func (s *Server) list(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	models, owner := s.models, s.owner
	s.mu.Unlock()
	if models == nil {
		http.NotFound(w, nil)
		return
	}
	data := []map[string]any{}
	for _, name := range models {
		data = append(data, map[string]any{"id": name, "object": "model", "owned_by": owner})
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data})
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	q, err := s.read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if q.Load() {
		s.count(1)
		defer s.count(-1)
	}
	s.handler(&Answer{ResponseWriter: w, request: q}, q)
}

func (s *Server) count(by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load += by
	s.most = max(s.most, s.load)
}

func (s *Server) read(r *http.Request) (*Request, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	q := &Request{Request: r}
	if err := json.Unmarshal(body, &q.Fields); err != nil {
		return nil, err
	}
	q.Model, _ = q.Fields["model"].(string)
	for _, name := range []string{"max_tokens", "max_completion_tokens"} {
		if n, ok := q.Fields[name].(float64); ok {
			q.MaxTokens = int(n)
		}
	}
	if messages, ok := q.Fields["messages"].([]any); ok && len(messages) > 0 {
		q.Prompt, _ = messages[0].(map[string]any)["content"].(string)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.number++
	q.N = s.number
	return q, nil
}

// Answer is the answer to one chat request.
type Answer struct {
	http.ResponseWriter
	request *Request
	tokens  int
}

// Event sends one event of the stream.
func (a *Answer) Event(data string) {
	if a.Header().Get("Content-Type") == "" {
		a.Header().Set("Content-Type", "text/event-stream")
	}
	io.WriteString(a, "data: "+data+"\n\n")
	a.ResponseWriter.(http.Flusher).Flush()
}

// Token sends a token.
func (a *Answer) Token(text string) {
	a.tokens++
	a.Event(fmt.Sprintf(`{"model":%q,"choices":[{"index":0,"delta":{"content":%q}}]}`, a.request.Model, text))
}

// End sends the end of the stream: a finish reason, the usage where a prompt
// length is given, and the last event.
func (a *Answer) End(promptTokens int) {
	a.Event(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)
	if promptTokens > 0 {
		a.Event(fmt.Sprintf(`{"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`, promptTokens, a.tokens))
	}
	a.Event("[DONE]")
}

// Short is the whole of a short answer that counts the words of the prompt.
func (a *Answer) Short() {
	a.Token("A")
	a.Token("B")
	a.End(a.request.Words())
}

// Words is the length of the prompt in words, with a template of ten.
func (r *Request) Words() int { return len(strings.Fields(r.Prompt)) + 10 }

// Hold keeps the request open, with a token first, until the client has gone.
func (a *Answer) Hold() {
	a.Token("A")
	<-a.request.Context().Done()
}

// Refuse answers with an error status and a JSON body.
func (a *Answer) Refuse(status int, body string) {
	a.Header().Set("Content-Type", "application/json")
	a.WriteHeader(status)
	io.WriteString(a, body)
}
