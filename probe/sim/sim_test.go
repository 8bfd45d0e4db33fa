package sim

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(drainEnv); address != "" {
		drain(address) // the benchmarks' client, in a process of its own
		return
	}
	goleak.VerifyTestMain(m)
}

// round is a model and hardware with round costs: each token of a pass takes
// 1 ms to compute, and a pass never takes less than 10 ms. Attention and KV add
// less than a microsecond to the prompts used here.
var round = struct {
	Model
	Hardware
}{
	Model{Name: "m", Params: 1e9, BytesPerWeight: 1, Layers: 1, AttentionWidth: 1, KVBytesPerToken: 1},
	Hardware{Name: "h", FLOPS: 2e12, Bandwidth: 1e11, ComputeShare: 1, BandwidthShare: 1, Count: 1},
}

// roundConfig is an endpoint with round costs.
func roundConfig() Config {
	return Config{Name: "test", Models: []Model{round.Model}, Hardware: round.Hardware, Levers: Levers{MaxBatch: 4, TokenBudget: 100}, Dialect: DialectVLLM}
}

// near fails the test unless two durations agree to the microsecond or so.
func near(t *testing.T, what string, got, want time.Duration) {
	t.Helper()
	if d := (got - want).Abs(); d > 20*time.Microsecond {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// bench is a server in memory, for use within a synctest bubble, and a client.
type bench struct {
	*Server
	t      *testing.T
	client *http.Client
}

// newBench serves a configuration without a link; the test must close it.
func newBench(t *testing.T, cfg Config) *bench {
	t.Helper()
	s, err := InMemory(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &bench{Server: s, t: t, client: &http.Client{Transport: &http.Transport{DialContext: s.Dial, DisableCompression: true}}}
}

func (b *bench) close() {
	b.client.CloseIdleConnections()
	if err := b.Close(); err != nil {
		b.t.Error(err)
	}
}

// body is a chat request whose prompt has n tokens, template included; the
// seed makes prompts differ from the first token of the message on.
func body(model string, seed, n, output int, more string) string {
	const template = templateBegin + templatePerMessage + templateAnswer
	text := fmt.Sprintf("%03d", seed) + strings.Repeat(" word", n-template-1)
	return fmt.Sprintf(`{"model":%q,"stream":true,"max_tokens":%d,"messages":[{"role":"user","content":%q}]%s}`, model, output, text, more)
}

const withUsage = `,"stream_options":{"include_usage":true}`

// reply is what a client got, with offsets from the start of its request.
type reply struct {
	status  int
	header  http.Header
	headers time.Duration
	raw     string          // the body
	events  []string        // payloads of data lines
	at      []time.Duration // their arrivals
	err     error           // of reading
}

// post sends a chat request and reads the whole answer.
func (b *bench) post(ctx context.Context, body string) reply {
	start := time.Now()
	q, err := http.NewRequestWithContext(ctx, "POST", "http://sim/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		return reply{err: err}
	}
	response, err := b.client.Do(q)
	if err != nil {
		return reply{err: err}
	}
	defer response.Body.Close()
	r := reply{status: response.StatusCode, header: response.Header, headers: time.Since(start)}
	lines := bufio.NewReader(response.Body)
	for {
		line, err := lines.ReadString('\n')
		r.raw += line
		if payload, ok := strings.CutPrefix(line, "data: "); ok {
			r.events = append(r.events, strings.TrimSpace(payload))
			r.at = append(r.at, time.Since(start))
		}
		if err != nil {
			if err != io.EOF {
				r.err = err
			}
			return r
		}
	}
}

// ask sends a request of any method, and is the answer with its body.
func (b *bench) ask(method, path, body string) (*http.Response, string) {
	b.t.Helper()
	q, err := http.NewRequestWithContext(b.t.Context(), method, "http://sim"+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	response, err := b.client.Do(q)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return response, string(text)
}

func (b *bench) get(path string) (int, string) {
	response, text := b.ask(http.MethodGet, path, "")
	return response.StatusCode, text
}

// chunk is a chunk of a stream, or a whole answer.
type chunk struct {
	ID      string
	Object  string
	Model   string
	Choices []struct {
		Delta        struct{ Role, Content *string }
		Message      struct{ Role, Content string }
		FinishReason *string `json:"finish_reason"`
	}
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`
		Details    struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	}
	Metrics map[string]*float64
	Timings map[string]float64
}

func parse(t *testing.T, event string) chunk {
	t.Helper()
	var c chunk
	d := json.NewDecoder(bytes.NewBufferString(event))
	if err := d.Decode(&c); err != nil {
		t.Fatalf("event %q: %v", event, err)
	}
	return c
}
