package prober

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/chat"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/reported"
)

// faster is how many times faster than recorded the tests' Ollama is.
const faster = 40

// ollama answers with the recorded bytes of a real one on both routes, in less
// time: durations and gaps are divided, and prompts are counted by their words.
type ollama struct {
	*httptest.Server
	t      *testing.T
	routes map[string]http.HandlerFunc // in place of the recorded ones

	mu     sync.Mutex
	bodies map[string][]map[string]any // of the chats, by route
}

func newOllama(t *testing.T, routes map[string]http.HandlerFunc) *ollama {
	o := &ollama{t: t, routes: routes, bodies: map[string][]map[string]any{}}
	o.Server = httptest.NewServer(o)
	t.Cleanup(o.Close)
	return o
}

func (o *ollama) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	if r.Method == http.MethodPost {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		o.mu.Lock()
		o.bodies[r.URL.Path] = append(o.bodies[r.URL.Path], body)
		o.mu.Unlock()
	}
	if h := o.routes[r.URL.Path]; h != nil {
		h(w, r)
		return
	}
	switch r.URL.Path {
	case "/api/version", "/api/tags", "/v1/models":
		o.replay(w, strings.ReplaceAll(strings.TrimPrefix(r.URL.Path, "/"), "/", "-"), nil)
	case "/api/chat":
		o.replay(w, "native-chat-stream", body)
	case "/v1/chat/completions":
		o.replay(w, "openai-chat-stream-usage", body)
	default:
		http.NotFound(w, r)
	}
}

// sent are the chats that a route was sent.
func (o *ollama) sent(route string) []map[string]any {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.bodies[route])
}

// replay sends a recorded response, line by line.
func (o *ollama) replay(w http.ResponseWriter, name string, request map[string]any) {
	raw, err := os.ReadFile(filepath.Join("testdata", "ollama", name+".txt"))
	if err != nil {
		o.t.Error(err)
		return
	}
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(raw)), nil)
	if err != nil {
		o.t.Error(err)
		return
	}
	w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
	w.WriteHeader(resp.StatusCode)
	body, _ := io.ReadAll(resp.Body)
	for line := range bytes.Lines(body) {
		if request == nil {
			w.Write(line)
			continue
		}
		time.Sleep(800 * time.Millisecond / faster)
		w.Write(o.scaled(line, request))
		w.(http.Flusher).Flush()
	}
}

// scaled is a line of the native route in the tests' time: the first comes after
// one gap of 20 ms, which holds load_duration and prompt_eval_duration.
func (o *ollama) scaled(line []byte, request map[string]any) []byte {
	var fields map[string]any
	if json.Unmarshal(line, &fields) != nil || fields["done"] != true {
		return line
	}
	for name, v := range fields {
		if n, ok := v.(float64); ok && strings.HasSuffix(name, "_duration") {
			fields[name] = int64(n) / faster
		}
	}
	prompt := request["messages"].([]any)[0].(map[string]any)["content"].(string)
	fields["prompt_eval_count"] = len(strings.Fields(prompt)) + 10
	out, err := json.Marshal(fields)
	if err != nil {
		o.t.Error(err)
	}
	return append(out, '\n')
}

func (o *ollama) onto(k probe.Knobs) Config {
	k.Model, k.Rate = "rand15m", 5
	return Config{
		Targets:  []probe.Target{{Name: "ollama", Endpoint: testserver.Endpoint(o.URL+"/v1", "")}},
		Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: 10 * time.Second,
	}
}

// An Ollama is probed by its native route, whose figures cut; its load streams
// go by the other.
func TestOllamaNative(t *testing.T) {
	t.Parallel()
	o := newOllama(t, nil)
	k := fast()
	c := o.onto(k)
	c.Count, c.LadderFirst = 3, true
	c.Settings.Knobs[0].Pressure = 1
	r := begin(t, c)
	r.wait()
	if !slices.ContainsFunc(notices(r.events()), func(s string) bool { return strings.Contains(s, "native route") }) {
		t.Errorf("notices %q", notices(r.events()))
	}
	all := results(r.events(), probe.Ordinary)
	if len(all) != c.Count {
		t.Errorf("%d results", len(all))
	}
	for _, p := range all {
		if p.Failure != nil || p.Dialect != "ollama" || p.Model != "rand15m" || !p.PromptExact || p.PromptTokens != k.PromptTokens || p.OutputTokens != 5 {
			t.Fatalf("%+v", p)
		}
		if p.Has(probe.FlagReportMismatch) || p.Has(probe.FlagAbsurdReport) || p.Has(probe.FlagModelLoad) || p.Has(probe.FlagPromptCut) {
			t.Errorf("flags %v", p.Flags)
		}
		if p.Reported["prompt_eval_duration"] != float64(687658521/faster) {
			t.Errorf("reported %v", p.Reported)
		}
		if g := p.Waterfall[len(p.Waterfall)-2]; g.Name != probe.Prefill || g.Source != probe.Reported {
			t.Errorf("waterfall %v", p.Waterfall)
		}
	}
	sent := o.sent("/api/chat")[0]
	if sent["options"].(map[string]any)["num_predict"] != float64(ladderOutput) || sent["stream"] != true || sent["max_tokens"] != nil {
		t.Errorf("sent %v", sent)
	}
	for _, body := range o.sent("/v1/chat/completions") {
		if body["max_tokens"] != float64(probe.LoadOutputCap) || body["options"] != nil {
			t.Errorf("a load stream sent %v", body)
		}
	}
}

// Where the native route is refused the other is probed, and a sentence says so.
func TestOllamaFallsBack(t *testing.T) {
	t.Parallel()
	o := newOllama(t, map[string]http.HandlerFunc{"/api/chat": http.NotFound})
	r := begin(t, o.onto(fast()))
	for _, p := range r.ordinary(2) {
		if p.Failure != nil || p.Dialect == "ollama" {
			t.Errorf("%+v", p)
		}
	}
	if n := len(o.sent("/api/chat")); n != 1 {
		t.Errorf("the native route was asked %d times", n)
	}
	if !slices.ContainsFunc(notices(r.events()), func(s string) bool { return strings.Contains(s, "refused (Not Found): its /v1 route is probed") }) {
		t.Errorf("notices %q", notices(r.events()))
	}
}

// A model that is not there is the model's fault, not the route's.
func TestOllamaWithoutTheModel(t *testing.T) {
	t.Parallel()
	var o *ollama
	o = newOllama(t, map[string]http.HandlerFunc{"/api/chat": func(w http.ResponseWriter, _ *http.Request) { o.replay(w, "err-unknown-model-native", nil) }})
	r := begin(t, o.onto(fast()))
	p := r.ordinary(1)[0]
	if p.Failure == nil || !strings.Contains(p.Failure.Message, "model 'nope' not found") || !strings.Contains(p.Failure.Message, "/api/chat") {
		t.Errorf("failure %v", p.Failure)
	}
	if n := len(o.sent("/v1/chat/completions")); n != 0 {
		t.Errorf("%d requests went by the other route", n)
	}
}

// What stays on the OpenAI route: a person's own request, a run that ignores
// what is reported, and a server that is no Ollama.
func TestNotNative(t *testing.T) {
	t.Parallel()
	own, err := chat.ParseTemplate([]byte(`{"messages":[{"role":"user","content":"hello there"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	says := func(status int, body string) map[string]http.HandlerFunc {
		return map[string]http.HandlerFunc{"/api/version": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, body)
		}}
	}
	elsewhere := map[string]http.HandlerFunc{"/api/version": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/version", http.StatusFound) },
		"/version": func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"version":"0.17.4"}`) }}
	for name, c := range map[string]struct {
		routes map[string]http.HandlerFunc
		change func(*Config)
	}{
		"own request":     {nil, func(c *Config) { c.Template = own }},
		"ignore reported": {nil, func(c *Config) { c.IgnoreReported = true }},
		"no version":      {says(http.StatusNotFound, "{}"), nil},
		"more than that":  {says(http.StatusOK, `{"version":"0.6.5","deployment_id":""}`), nil},
		"a web page":      {says(http.StatusOK, "<html>"), nil},
		"a redirect":      {elsewhere, nil},
		"no tags":         {map[string]http.HandlerFunc{"/api/tags": http.NotFound}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOllama(t, c.routes)
			config := o.onto(fast())
			if c.change != nil {
				c.change(&config)
			}
			r := begin(t, config)
			r.ordinary(1)
			if n := len(o.sent("/api/chat")); n > 0 {
				t.Errorf("%d requests went by the native route", n)
			}
		})
	}
}

// Old versions count no cached tokens: with a shared prefix their count is not
// that of the prompt.
func TestOllamaCountsUncached(t *testing.T) {
	for version, want := range map[string]bool{"0.3.14": true, "0.1.48": true, "0.4.0": false, "0.17.4": false, "0.0.0": false, "1.2.3": false, "x": false, "": false} {
		if got := countsUncached(version); got != want {
			t.Errorf("%s: %v", version, got)
		}
	}
	t.Parallel()
	o := newOllama(t, map[string]http.HandlerFunc{"/api/version": func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"version":"0.3.14"}`) }})
	k := fast()
	k.Cache, k.PromptTokens = probe.Warm, 400
	p, err := New(o.onto(k))
	if err != nil {
		t.Fatal(err)
	}
	l := p.lanes[0]
	defer l.pool.Close()
	l.findNative(t.Context())
	s := shot{knobs: k, text: l.builder.Build(k.Model, k.PromptTokens, k.Cache, k.CacheShare)}
	var r probe.Result
	l.countPrompt(&r, s, 40)
	if r.PromptTokens != s.text.Guess || r.UncachedTokens() != 40 || r.PromptExact || r.Has(probe.FlagPromptCut) || !r.Has(probe.FlagApproximate) {
		t.Errorf("%+v", r)
	}
	if l.cutter.server != reported.Ollama {
		t.Errorf("served by %q", l.cutter.server)
	}
}
