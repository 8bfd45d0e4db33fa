package sim

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

// refusal is an error in OpenAI's shape.
type refusal struct {
	Error struct {
		Message, Type string
		Param         *string
		Code          int
	}
}

// Every path answers every method: with what it is for, or with a refusal in
// OpenAI's shape that names the methods.
func TestRoutesAndMethods(t *testing.T) {
	inBubble(t, roundConfig(), func(t *testing.T, b *bench) {
		for path, allow := range map[string]string{
			"/v1/chat/completions": "POST", "/v1/completions": "POST", "/v1/models": "GET, HEAD", "/v1/models/m": "GET, HEAD",
			"/health": "GET, HEAD", "/metrics": "GET, HEAD", "/sim": "GET, HEAD, POST",
		} {
			for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
				r, text := b.ask(method, path, "{}")
				allowed := strings.Contains(allow+",", method+",")
				switch {
				case allowed && (r.StatusCode == http.StatusMethodNotAllowed || r.StatusCode == http.StatusNotFound):
					t.Errorf("%s %s: %d", method, path, r.StatusCode)
				case allowed:
				case r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != allow:
					t.Errorf("%s %s: %d, allowed %q, want %q", method, path, r.StatusCode, r.Header.Get("Allow"), allow)
				case method != "HEAD" && !strings.Contains(text, "MethodNotAllowedError"):
					t.Errorf("%s %s: %s", method, path, text)
				}
			}
		}
		for _, method := range []string{"GET", "POST", "DELETE"} {
			if r, text := b.ask(method, "/v1/embeddings", "{}"); r.StatusCode != 404 || !strings.Contains(text, "/v1/completions, ") {
				t.Errorf("%s: %d %s", method, r.StatusCode, text)
			}
		}
	})
}

func TestModels(t *testing.T) {
	cfg := roundConfig()
	cfg.Models = append(cfg.Models, cfg.Models[0].As("org/other", 1))
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		type model struct {
			ID, Object, OwnedBy string
			MaxModelLen         int `json:"max_model_len"`
		}
		var list struct{ Data []model }
		_, text := b.get("/v1/models")
		if err := json.Unmarshal([]byte(text), &list); err != nil || len(list.Data) != 2 {
			t.Fatalf("%v: %s", err, text)
		}
		for _, want := range list.Data {
			status, text := b.get("/v1/models/" + want.ID)
			var got model
			if err := json.Unmarshal([]byte(text), &got); err != nil || status != 200 || got != want || got.MaxModelLen != 131_072 {
				t.Errorf("%s: %d, %v, %s", want.ID, status, err, text)
			}
		}
		if status, text := b.get("/v1/models/gone"); status != 404 || !strings.Contains(text, "`gone` does not exist") {
			t.Errorf("%d %s", status, text)
		}
	})
}

// What a request asks for and can't have is refused by either API, and what is
// wrong is named.
func TestRefusalsByField(t *testing.T) {
	const chat, text = "/v1/chat/completions", "/v1/completions"
	const hi = `"model":"m","messages":[{"role":"user","content":"hi"}]`
	inBubble(t, roundConfig(), func(t *testing.T, b *bench) {
		for _, tt := range []struct{ path, body, param, says string }{
			{chat, `{` + hi + `,"n":3}`, "n", "n is 3: this server gives one answer to a request. Leave n out, or send the request 3 times."},
			{chat, `{` + hi + `,"n":0}`, "n", "n is 0: it must be at least 1."},
			{chat, `{` + hi + `,"n":"3"}`, "n", "n is a JSON string: it must be a whole number."},
			{chat, `{` + hi + `,"stream":1}`, "stream", "stream is a JSON number: it must be true or false."},
			{chat, `{` + hi + `,"max_tokens":0}`, "max_tokens", "max_tokens is 0: it must be at least 1."},
			{chat, `{` + hi + `,"max_tokens":9223372036854775807}`, "max_tokens", "maximum context length is 131072"},
			{chat, `{"model":"m"}`, "messages", "The request has no messages"},
			{chat, `[1]`, "", "The body is a JSON array: it must be an object."},
			{chat, `{"model"`, "", "The body is not JSON"},
			{text, `{"model":"m","prompt":"hi","n":2}`, "n", "n is 2: this server gives one answer"},
			{text, `{"model":"m","prompt":"hi","best_of":4}`, "best_of", "best_of is 4: this server gives one answer"},
			{text, `{"model":"m","prompt":"hi","echo":true}`, "echo", "Leave echo out."},
			{text, `{"model":"m","prompt":"hi","suffix":"x"}`, "suffix", "leave it out"},
			{text, `{"model":"m"}`, "prompt", "The request has no prompt"},
			{text, `{"model":"m","prompt":["a","b"]}`, "prompt", "There are 2 prompts: this server takes one in a request."},
			{text, `{"model":"m","prompt":[]}`, "prompt", "There are 0 prompts"},
			{text, `{"model":"m","prompt":{"a":1}}`, "prompt", "must be a string or an array of token numbers"},
			{text, `{"model":"m","prompt":"` + strings.Repeat("word ", 131_072) + `"}`, "prompt", "reduce the length of the prompt"},
		} {
			r, body := b.ask("POST", tt.path, tt.body)
			var got refusal
			err := json.Unmarshal([]byte(body), &got)
			param := ""
			if got.Error.Param != nil {
				param = *got.Error.Param
			}
			if err != nil || r.StatusCode != 400 || got.Error.Type != "BadRequestError" || got.Error.Code != 400 || param != tt.param || !strings.Contains(got.Error.Message, tt.says) {
				t.Errorf("%s %.80s: %d, %v, %s, want %q of %q", tt.path, tt.body, r.StatusCode, err, body, tt.says, tt.param)
			}
		}
		if r, text := b.ask("POST", chat, `{`+hi+`,"n":1,"max_tokens":1}`); r.StatusCode != 200 {
			t.Errorf("n of 1: %d %s", r.StatusCode, text)
		}
	})
}

// Completions without a chat: the same engine, the API's own shapes.
func TestTextCompletions(t *testing.T) {
	inBubble(t, roundConfig(), func(t *testing.T, b *bench) {
		type piece struct {
			ID, Object string
			Choices    []struct {
				Text         string
				FinishReason *string `json:"finish_reason"`
			}
			Usage *struct {
				Prompt     int `json:"prompt_tokens"`
				Completion int `json:"completion_tokens"`
			}
		}
		read := func(text string) (p piece) {
			t.Helper()
			if err := json.Unmarshal([]byte(text), &p); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			return p
		}
		for prompt, tokens := range map[string]int{`"hi"`: 2, `["hi"]`: 2, `[5,6,7]`: 4, `[[5,6]]`: 3, `""`: 1} {
			_, text := b.ask("POST", "/v1/completions", `{"model":"m","prompt":`+prompt+`}`)
			whole := read(text)
			if whole.Object != "text_completion" || !strings.HasPrefix(whole.ID, "cmpl-") || len(whole.Choices) != 1 || *whole.Choices[0].FinishReason != "stop" ||
				countTokens(whole.Choices[0].Text) != 16 || whole.Usage.Prompt != tokens || whole.Usage.Completion != 16 {
				t.Errorf("%s: %s", prompt, text)
			}
		}
		start := time.Now()
		_, text := b.ask("POST", "/v1/completions", `{"model":"m","prompt":"hi","stream":true,"max_tokens":3,"stream_options":{"include_usage":true}}`)
		near(t, "three tokens", time.Since(start), 30*time.Millisecond)
		events := strings.Split(strings.TrimSpace(text), "\n\n")
		if len(events) != 6 || events[5] != "data: [DONE]" {
			t.Fatalf("%q", events)
		}
		said := ""
		for _, e := range events[:3] {
			p := read(strings.TrimPrefix(e, "data: "))
			said += p.Choices[0].Text
			if p.Object != "text_completion" || p.Choices[0].FinishReason != nil || strings.Contains(e, "delta") {
				t.Errorf("%s", e)
			}
		}
		if last := read(strings.TrimPrefix(events[3], "data: ")); countTokens(said) != 3 || *last.Choices[0].FinishReason != "length" || last.Choices[0].Text != "" {
			t.Errorf("%q and then %s", said, events[3])
		}
		if usage := read(strings.TrimPrefix(events[4], "data: ")); len(usage.Choices) != 0 || usage.Usage.Completion != 3 {
			t.Errorf("%s", events[4])
		}
	})
}
