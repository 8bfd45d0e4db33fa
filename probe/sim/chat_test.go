package sim

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// inBubble runs a test against a served configuration, without a real network
// and in fake time.
func inBubble(t *testing.T, cfg Config, test func(t *testing.T, b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cfg)
		test(t, b)
		b.close()
	})
}

// One stream, from the first byte to the last: shape and times.
func TestStream(t *testing.T) {
	cfg := roundConfig()
	cfg.Handling, cfg.HandlingPerToken = 4*time.Millisecond, 100*time.Microsecond
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		r := b.post(t.Context(), body("m", 1, 50, 3, withUsage))
		if r.status != 200 || r.err != nil || r.header.Get("Content-Type") != "text/event-stream; charset=utf-8" {
			t.Fatalf("status %d, %v, header %v", r.status, r.err, r.header)
		}
		near(t, "headers", r.headers, 9*time.Millisecond) // on acceptance: 4 ms + 50 · 0.1 ms
		want := []struct {
			what string
			at   time.Duration
		}{
			{"role", 59 * time.Millisecond}, {"first token", 59 * time.Millisecond},
			{"second token", 69 * time.Millisecond}, {"third token", 79 * time.Millisecond},
			{"finish", 79 * time.Millisecond}, {"usage", 79 * time.Millisecond}, {"done", 79 * time.Millisecond},
		}
		if len(r.events) != len(want) || r.events[len(want)-1] != "[DONE]" {
			t.Fatalf("events: %q", r.events)
		}
		for i, w := range want {
			near(t, w.what, r.at[i], w.at)
		}
		checkChunks(t, r)
		checkVLLM(t, parse(t, r.events[5]))

		id := r.header.Get("X-Request-Id")
		truth, ok := b.Truth(id)
		if !ok {
			t.Fatalf("the truth of %q is not known", id)
		}
		near(t, "handling", truth.Handling, 9*time.Millisecond)
		near(t, "queue", truth.Queue, 0)
		near(t, "prefill", truth.Prefill, 40*time.Millisecond)
		near(t, "first decode", truth.FirstDecode, 10*time.Millisecond)
		near(t, "server time", truth.Server(), r.at[1])
		if truth.PromptTokens != 50 || truth.OutputTokens != 3 || truth.CachedTokens != 0 {
			t.Errorf("truth %+v", truth)
		}
	})
}

// checkChunks checks the chunks of a stream of three tokens, 50 of prompt.
func checkChunks(t *testing.T, r reply) {
	t.Helper()
	for i, e := range r.events[:6] {
		c := parse(t, e)
		if c.ID != "chatcmpl-"+r.header.Get("X-Request-Id") || c.Object != "chat.completion.chunk" || c.Model != "m" {
			t.Errorf("chunk %d: %s", i, e)
		}
	}
	role := parse(t, r.events[0]).Choices[0].Delta
	if role.Role == nil || *role.Role != "assistant" || role.Content == nil || *role.Content != "" {
		t.Errorf("role chunk: %s", r.events[0])
	}
	text := ""
	for _, e := range r.events[1:4] {
		text += *parse(t, e).Choices[0].Delta.Content
	}
	if countTokens(text) != 3 {
		t.Errorf("%q is not three tokens", text)
	}
	if finish := parse(t, r.events[4]).Choices[0]; finish.FinishReason == nil || *finish.FinishReason != "length" || finish.Delta.Content != nil {
		t.Errorf("finish chunk: %s", r.events[4])
	}
	last := parse(t, r.events[5])
	if u := last.Usage; len(last.Choices) != 0 || u == nil || u.Prompt != 50 || u.Completion != 3 || u.Total != 53 || u.Details.Cached != 0 {
		t.Errorf("usage chunk: %s", r.events[5])
	}
}

// checkVLLM checks the metrics of a stream with a pass of 50 ms and two steps of 10.
func checkVLLM(t *testing.T, c chunk) {
	t.Helper()
	want := map[string]float64{"time_to_first_token_ms": 50, "generation_time_ms": 20, "queue_time_ms": 0, "mean_itl_ms": 10, "tokens_per_second": 42.857}
	for name, w := range want {
		if got := c.Metrics[name]; got == nil || *got < w-0.02 || *got > w+0.02 {
			t.Errorf("metrics: %s is %v, want %v", name, got, w)
		}
	}
	if len(c.Metrics) != len(want) {
		t.Errorf("metrics: %v", c.Metrics)
	}
}

// Without include_usage there is no usage and no metrics; without max_tokens
// the answer ends by itself.
func TestStreamWithoutUsage(t *testing.T) {
	inBubble(t, roundConfig(), func(t *testing.T, b *bench) {
		r := b.post(t.Context(), `{"model":"m","stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`)
		n := len(r.events)
		if n != 1+chatAPI.output+2 || strings.Contains(r.raw, "usage") || strings.Contains(r.raw, "metrics") {
			t.Fatalf("%d events, the last ones %q", n, r.events[n-3:])
		}
		if finish := parse(t, r.events[n-2]).Choices[0].FinishReason; *finish != "stop" {
			t.Errorf("finish reason %q", *finish)
		}
	})
}

// When response headers leave is the dialect's.
func TestHeadersLeave(t *testing.T) {
	for _, tt := range []struct {
		name    string
		dialect Dialect
		faults  []Fault
		want    time.Duration
	}{
		{"on acceptance", DialectVLLM, nil, 5 * time.Millisecond},
		{"when a slot starts", DialectLlama, nil, 64 * time.Millisecond},
		{"with the token", DialectNone, nil, 104 * time.Millisecond},
		{"late on purpose", DialectVLLM, []Fault{{Kind: FaultLateHeaders, From: 2}}, 104 * time.Millisecond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := roundConfig()
			cfg.MaxBatch, cfg.Handling = 1, 5*time.Millisecond
			cfg.Dialect, cfg.Faults = tt.dialect, tt.faults
			inBubble(t, cfg, func(t *testing.T, b *bench) {
				go b.post(t.Context(), body("m", 1, 50, 2, "")) // has the slot from 5 to 65 ms
				time.Sleep(time.Millisecond)
				r := b.post(t.Context(), body("m", 2, 40, 1, ""))
				near(t, "headers", r.headers, tt.want)
				near(t, "first token", r.at[1], 104*time.Millisecond)
			})
		})
	}
}

func TestLlamaTimings(t *testing.T) {
	cfg := roundConfig()
	cfg.Dialect, cfg.CacheBlocks = DialectLlama, 100
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		b.post(t.Context(), body("m", 1, 50, 1, ""))
		r := b.post(t.Context(), body("m", 1, 50, 3, withUsage+`,"timings_per_token":true`))
		if r.header.Get("Server") != "llama.cpp" {
			t.Errorf("header %v", r.header)
		}
		if role := parse(t, r.events[0]).Choices[0].Delta; role.Content != nil {
			t.Errorf("role chunk %s", r.events[0])
		}
		check := func(i, predicted int, decode float64) {
			t.Helper()
			got := parse(t, r.events[i]).Timings
			want := map[string]float64{"cache_n": 48, "prompt_n": 2, "prompt_ms": 10, "predicted_n": float64(predicted), "predicted_ms": decode}
			for name, w := range want {
				if g, ok := got[name]; !ok || g < w-0.02 || g > w+0.02 {
					t.Errorf("event %d: %s is %v, want %v", i, name, g, w)
				}
			}
		}
		check(1, 1, 0)
		check(2, 2, 10)
		check(3, 3, 20)
		check(5, 3, 20) // with the usage
		r = b.post(t.Context(), body("m", 1, 50, 3, ""))
		if parse(t, r.events[1]).Timings != nil || parse(t, r.events[4]).Timings == nil {
			t.Errorf("unasked, timings belong to the finish chunk alone: %q", r.events)
		}
	})
}

func TestWholeAnswer(t *testing.T) {
	inBubble(t, roundConfig(), func(t *testing.T, b *bench) {
		start := time.Now()
		r := b.post(t.Context(), strings.Replace(body("m", 1, 50, 3, ""), `"stream":true`, `"stream":false`, 1))
		near(t, "answer", time.Since(start), 70*time.Millisecond)
		c := parse(t, r.raw)
		if c.Object != "chat.completion" || countTokens(c.Choices[0].Message.Content) != 3 || *c.Choices[0].FinishReason != "length" {
			t.Errorf("answer %s", r.raw)
		}
		if c.Usage.Total != 53 {
			t.Errorf("usage %+v", c.Usage)
		}
		checkVLLM(t, c)
	})
}

func TestRefusals(t *testing.T) {
	cfg := roundConfig()
	cfg.ContextTokens = 100
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		for _, tt := range []struct {
			name, body string
			status     int
			kind, says string
		}{
			{"no JSON", `{"model":`, 400, "BadRequestError", "not JSON"},
			{"another type", `{"model":"m","messages":"hi"}`, 400, "BadRequestError", "messages is a JSON string: it must be an array."},
			{"no model", `{"messages":[]}`, 400, "BadRequestError", "names no model"},
			{"no messages", `{"model":"m"}`, 400, "BadRequestError", "no messages"},
			{"an image", `{"model":"m","messages":[{"role":"user","content":[{"type":"image_url"}]}]}`, 400, "BadRequestError", `"image_url"`},
			{"a number", `{"model":"m","messages":[{"role":"user","content":7}]}`, 400, "BadRequestError", "string or an array"},
			{"no output", body("m", 1, 50, 0, ""), 400, "BadRequestError", "at least 1"},
			{"unknown model", body("x", 1, 50, 1, ""), 404, "NotFoundError", "`x` does not exist"},
			{"prompt too long", body("m", 1, 120, 1, ""), 400, "BadRequestError", "maximum context length is 100 tokens. However, your request has 120 input tokens"},
			{"output too long", body("m", 1, 50, 60, ""), 400, "BadRequestError", "requested 110 tokens (50 in the messages, 60 in the completion)"},
		} {
			r := b.post(t.Context(), tt.body)
			var e struct {
				Error struct {
					Message, Type string
					Code          int
				}
			}
			if err := json.Unmarshal([]byte(r.raw), &e); err != nil {
				t.Errorf("%s: %v: %s", tt.name, err, r.raw)
			}
			if r.status != tt.status || e.Error.Code != tt.status || e.Error.Type != tt.kind || !strings.Contains(e.Error.Message, tt.says) {
				t.Errorf("%s: status %d, %s", tt.name, r.status, r.raw)
			}
		}
	})
}

func TestOtherRoutes(t *testing.T) {
	cfg := roundConfig()
	second := round.Model
	second.Name = "n"
	cfg.Models = append(cfg.Models, second)
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		status, text := b.get("/v1/models")
		var list struct {
			Data []struct {
				ID    string
				Owner string `json:"owned_by"`
			}
		}
		if err := json.Unmarshal([]byte(text), &list); err != nil || status != 200 {
			t.Fatal(status, err, text)
		}
		if len(list.Data) != 2 || list.Data[0].ID != "m" || list.Data[1].ID != "n" || list.Data[0].Owner != "vllm" {
			t.Errorf("models: %s", text)
		}
		if status, text := b.get("/health"); status != 200 {
			t.Errorf("health: %d %s", status, text)
		}
		if status, text := b.get("/v1/nothing"); status != 404 || !strings.Contains(text, "/v1/chat/completions") {
			t.Errorf("unknown route: %d %s", status, text)
		}
	})
}

// A prompt that was seen before is found in the cache, and the client is told.
func TestCachedPrompt(t *testing.T) {
	cfg := roundConfig()
	cfg.CacheBlocks = 100
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		cold := b.post(t.Context(), body("m", 1, 90, 1, withUsage))
		warm := b.post(t.Context(), body("m", 1, 90, 1, withUsage))
		other := b.post(t.Context(), body("m", 2, 90, 1, withUsage))
		for _, tt := range []struct {
			name   string
			r      reply
			cached int
			ttft   time.Duration
		}{{"cold", cold, 0, 90 * time.Millisecond}, {"warm", warm, 80, 10 * time.Millisecond}, {"other", other, 0, 90 * time.Millisecond}} {
			near(t, tt.name, tt.r.at[1], tt.ttft)
			usage := parse(t, tt.r.events[3]).Usage
			if truth, _ := b.Truth(tt.r.header.Get("X-Request-Id")); usage.Details.Cached != tt.cached || truth.CachedTokens != tt.cached {
				t.Errorf("%s: %d cached, truth %d, want %d", tt.name, usage.Details.Cached, truth.CachedTokens, tt.cached)
			}
		}
	})
}

// A client that goes away frees its slot in the next step.
func TestClientGoesAway(t *testing.T) {
	cfg := roundConfig()
	cfg.MaxBatch = 1
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan reply)
		go func() { left <- b.post(ctx, body("m", 1, 50, 100_000, "")) }()
		time.Sleep(95 * time.Millisecond)
		cancel()
		if r := <-left; len(r.events) != 6 { // role, and tokens at 50, 60 … 90 ms
			t.Errorf("%d events before the client left", len(r.events))
		}
		r := b.post(t.Context(), body("m", 2, 50, 1, ""))
		near(t, "next one's token", r.at[1], 55*time.Millisecond)
	})
}

// A request that waits is given up too.
func TestClientGoesAwayFromTheQueue(t *testing.T) {
	cfg := roundConfig()
	cfg.MaxBatch = 1
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		go b.post(t.Context(), body("m", 1, 50, 6, "")) // until 100 ms
		time.Sleep(time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if r := b.post(ctx, body("m", 2, 90, 50, "")); r.err == nil {
			t.Errorf("got %q", r.events)
		}
		r := b.post(t.Context(), body("m", 3, 40, 1, "")) // from 21 ms on
		near(t, "next one's token", r.at[1], 119*time.Millisecond)
	})
}

// An identifier of the client's is kept where it is fit to be a header.
func TestRequestID(t *testing.T) {
	for _, tt := range []struct{ asked, want string }{
		{"probe-17", "probe-17"}, {"", "sim-1-2"}, {"a b", "sim-1-2"}, {"ä", "sim-1-2"}, {strings.Repeat("x", 129), "sim-1-2"},
	} {
		if got := requestID(tt.asked, 1, 2); got != tt.want {
			t.Errorf("requestID(%q) = %q, want %q", tt.asked, got, tt.want)
		}
	}
}

// Over a link TTFT is the server time and one round trip.
func TestStreamOverALink(t *testing.T) {
	cfg := roundConfig()
	cfg.Link = Link{RTT: 140 * time.Millisecond}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		cold := b.post(t.Context(), body("m", 1, 50, 3, ""))
		warm := b.post(t.Context(), body("m", 2, 50, 3, ""))
		near(t, "first token on a new connection", cold.at[1], 330*time.Millisecond)
		near(t, "headers on a kept one", warm.headers, 140*time.Millisecond)
		near(t, "first token on a kept one", warm.at[1], 190*time.Millisecond)
		near(t, "last token", warm.at[3], 210*time.Millisecond)
	})
}

// Closing the server ends streams in the middle, and everything else.
func TestCloseEndsStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := roundConfig()
		cfg.Link = Link{RTT: 40 * time.Millisecond}
		cfg.Users = Users{Rate: 5, PromptTokens: 30, OutputTokens: 20}
		b := newBench(t, cfg)
		ended := make(chan reply)
		for i := range 8 {
			go func() { ended <- b.post(t.Context(), body("m", i, 50, 100_000, "")) }()
		}
		time.Sleep(time.Second)
		b.close()
		for range 8 {
			if r := <-ended; r.err == nil {
				t.Errorf("a stream ended well, with %d events", len(r.events))
			}
		}
		if _, err := b.Dial(t.Context(), "tcp", "x:1"); err == nil {
			t.Error("dialing a closed server went well")
		}
		if err := b.Close(); err != nil {
			t.Errorf("closing twice: %v", err)
		}
	})
}
