package stream

import (
	"strings"
	"testing"

	"ttftop/probe"
)

// TestBody reads answers that are no stream, in every shape.
func TestBody(t *testing.T) {
	const json, page = "application/json", "text/html; charset=utf-8"
	long := strings.Repeat("word ", 100)
	for _, c := range []struct {
		name        string
		status      int
		contentType string
		body        string
		kind        probe.FailureKind
		code        string
		message     string
	}{
		{"OpenAI", 400, json, `{"error":{"message":"bad","type":"invalid_request_error","param":"x","code":"unknown_parameter"}}`, probe.FailStatus, "unknown_parameter", "bad"},
		{"code is the status", 500, json, `{"error":{"message":"bad","type":"server_error","code":500}}`, probe.FailStatus, "server_error", "bad"},
		{"code is the status, as text", 500, json, `{"error":{"message":"bad","type":"server_error","code":"500"}}`, probe.FailStatus, "server_error", "bad"},
		{"string", 400, json, `{"error":"bad"}`, probe.FailStatus, "", "bad"},
		{"TGI", 422, json, `{"error":"Input validation error: bad","error_type":"validation"}`, probe.FailStatus, "", "Input validation error: bad"},
		{"flat", 400, json, `{"object":"error","message":"bad","type":"BadRequestError","param":null,"code":400}`, probe.FailStatus, "BadRequestError", "bad"},
		{"detail", 400, json, `{"detail":"Extra parameters ['stream_options'] are not allowed"}`, probe.FailStatus, "", "Extra parameters ['stream_options'] are not allowed"},
		{"detail list", 422, json, `{"detail":[{"type":"missing","loc":["body","messages"],"msg":"Field required"},{"loc":["body","n",0],"msg":"too big"},{"msg":"c"},{"msg":"d"}]}`, probe.FailStatus, "missing", "body.messages: Field required; body.n.0: too big; c"},
		{"detail object", 400, json, `{"detail":{"error":{"message":"bad","code":"x"}}}`, probe.FailStatus, "x", "bad"},
		{"Gemini", 400, json, `[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]`, probe.FailStatus, "INVALID_ARGUMENT", "bad"},
		{"Cloudflare", 400, json, `{"success":false,"errors":[{"code":7003,"message":"bad"}],"result":null}`, probe.FailStatus, "7003", "bad"},
		{"bare string", 400, json, `"bad"`, probe.FailStatus, "", "bad"},
		{"gateway", 502, json, `{"message":"no Route matched","request_id":"x"}`, probe.FailStatus, "", "no Route matched"},
		{"unknown JSON", 500, json, "{ \"a\": 1,\n \"b\": [2] }", probe.FailStatus, "", `{"a":1,"b":[2]}`},
		{"empty words", 500, json, `{"error":{"message":""}}`, probe.FailStatus, "", `{"error":{"message":""}}`},
		{"broken JSON", 500, json, `{"error":{"mess`, probe.FailStatus, "", `{"error":{"mess`},
		{"text", 500, "text/plain", "first line\nsecond line\n", probe.FailStatus, "", "first line second line"},
		{"JSON with another header", 500, "text/plain", `{"error":{"message":"bad"}}`, probe.FailStatus, "", "bad"},
		{"empty", 502, "", "", probe.FailStatus, "", "Bad Gateway"},
		{"blank", 502, json, " \r\n", probe.FailStatus, "", "Bad Gateway"},
		{"empty, unknown status", 599, "", "", probe.FailStatus, "", "no message"},
		{"event", 400, "text/event-stream", "data:\ndata: {\"error\":{\"message\":\"bad\",\"code\":\"x\"}}\n\ndata: [DONE]\n\n", probe.FailStatus, "x", "bad"},
		{"event without data", 400, "text/event-stream", "event: error\nbad\n", probe.FailStatus, "", "event: error bad"},
		{"broken list", 400, json, `[{"error":`, probe.FailStatus, "", `[{"error":`},
		{"error is true", 400, json, `{"error":true,"message":"bad"}`, probe.FailStatus, "", "bad"},
		{"error is a number", 400, json, `{"error":7,"message":"bad"}`, probe.FailStatus, "", "bad"},
		{"error is false", 400, json, `{"error":false,"detail":0,"message":"bad"}`, probe.FailStatus, "", "bad"},
		{"page", 502, page, "<html>\r\n<head><title>502 Bad\n Gateway</title></head><body><h1>x</h1></body></html>", probe.FailStatus, "", "502 Bad Gateway"},
		{"page with entities", 502, page, "<title>A &amp; B &lt;c&gt;</title>", probe.FailStatus, "", "A & B <c>"},
		{"page without a title", 502, page, "<html><style>b{}</style><script>x()</script><p>text</p><h1>Head</h1></html>", probe.FailStatus, "", "Head"},
		{"page with text only", 502, page, "<html><p>some <b>text</b></p></html>", probe.FailStatus, "", "some"},
		{"page without text", 502, page, "<html></html>", probe.FailStatus, "", "Bad Gateway"},
		{"page with another header", 502, "", "\xef\xbb\xbf <!doctype html><title>T</title>", probe.FailStatus, "", "T"},
		{"key", 401, json, `{"error":{"message":"Incorrect API key provided: sk-x.","code":"invalid_api_key"}}`, probe.FailStatus, "invalid_api_key", "key rejected: Incorrect API key provided: sk-x."},
		{"key, empty", 401, "", "", probe.FailStatus, "", "key rejected: Unauthorized"},
		{"forbidden", 403, json, `{"error":{"message":"No access","code":"x"}}`, probe.FailStatus, "x", "key rejected, or it may not do this: No access"},
		{"no model", 404, json, `{"error":{"message":"The model 'm' does not exist","code":"model_not_found"}}`, probe.FailStatus, "model_not_found", "no such model or URL: The model 'm' does not exist"},
		{"no deployment", 404, json, `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}`, probe.FailStatus, "DeploymentNotFound", "no such model or URL: The API deployment for this resource does not exist."},
		{"no URL", 404, json, `{"detail":"Not Found"}`, probe.FailStatus, "", "no such model or URL: Not Found"},
		{"rate limit", 429, json, `{"error":{"message":"Rate limit reached","type":"tokens","code":"rate_limit_exceeded"}}`, probe.FailRateLimit, "rate_limit_exceeded", "Rate limit reached"},
		{"rate limit, empty", 429, "", "", probe.FailRateLimit, "", "Too Many Requests"},
		{"loading", 503, json, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`, probe.FailStatus, "unavailable_error", "the model is still being loaded: Loading model"},
		{"busy", 503, json, `{"error":{"message":"server busy"}}`, probe.FailStatus, "", "server busy"},
		{"content filter", 400, json, `{"error":{"message":"filtered","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}`, probe.FailStatus, "content_filter", "filtered"},
		{"redirect", 302, page, "<title>Moved</title>", probe.FailStatus, "", "Moved"},

		{"sign-in page", 200, page, "<html><head><title>Sign in</title></head></html>", probe.FailProtocol, "", "not an event stream (text/html): Sign in"},
		{"one piece", 200, json, `{"id":"x","choices":[{"message":{"content":"A"}}]}`, probe.FailProtocol, "", "not an event stream (application/json): the answer came in one piece, the server did not stream it"},
		{"error with 200", 200, json, `{"error":{"message":"bad","code":"x"}}`, probe.FailProtocol, "x", "not an event stream (application/json): bad"},
		{"empty with 200", 200, "", "", probe.FailProtocol, "", "not an event stream (no content type): the answer is empty"},
		{"no content", 204, json, "", probe.FailProtocol, "", "not an event stream (application/json): the answer is empty"},
		{"page without text, 200", 200, page, "<html></html>", probe.FailProtocol, "", "not an event stream (text/html): the answer has no text"},
		{"junk header", 200, "a\x1b[2Jb//c; x", "hi", probe.FailProtocol, "", "not an event stream (ab//c): hi"},

		{"control characters", 400, json, `{"error":{"message":"\u001b]0;title\u0007a\u001b[31mb\u009bc\u0000\n\n\td\u202ee\u200b"}}`, probe.FailStatus, "", "ab c de"},
		{"long", 400, json, `{"error":{"message":"` + long + `"}}`, probe.FailStatus, "", strings.TrimSpace(long[:messageLimit-1]) + "…"},
		{"long code", 400, json, `{"error":{"message":"bad","code":"` + strings.Repeat("x", 99) + `"}}`, probe.FailStatus, strings.Repeat("x", codeLimit-1) + "…", "bad"},
		{"only control characters", 400, "text/plain", "\x01\x02", probe.FailStatus, "", "Bad Request"},
		{"not UTF-8", 400, "text/plain", "a\xff\xfeb", probe.FailStatus, "", "a\ufffd\ufffdb"},
		{"deep", 400, json, strings.Repeat(`{"error":`, 50) + `"x"` + strings.Repeat("}", 50), probe.FailStatus, "", ""},
	} {
		f := Body(c.status, c.contentType, []byte(c.body))
		checkLine(t, f.Message)
		if f.Kind != c.kind || f.Status != c.status || f.Code != c.code || (c.message != "" && f.Message != c.message) {
			t.Errorf("%s:\ngot  %+v\nwant %s %q %q", c.name, f, c.kind, c.code, c.message)
		}
	}
}

// TestPromptTooLong reads the numbers out of the sentences of many servers.
func TestPromptTooLong(t *testing.T) {
	message := func(m string) string { return `{"error":{"message":"` + m + `"}}` }
	for _, c := range []struct {
		body string
		want string // "" for another reason
	}{
		{message("This model's maximum context length is 4096 tokens. However, you requested 4118 tokens (3118 in the messages, 1000 in the completion)."), "3118 + 1000 > 4096"},
		{message("This model's maximum context length is 4097 tokens, however you requested 4118 tokens (3118 in your prompt; 1000 for the completion). Please reduce your prompt; or completion length."), "3118 + 1000 > 4097"},
		{message("This model's maximum context length is 200000 tokens. However, you requested 1024 output tokens and your prompt contains at least 198977 input tokens, for a total of at least 200001 tokens."), "198977 + 1024 > 200000"},
		{message("'max_tokens' or 'max_completion_tokens' is too large: 1000. This model's maximum context length is 4096 tokens and your request has 3118 input tokens (1000 > 4096 - 3118)."), "3118 + 1000 > 4096"},
		{message("Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 4118 tokens: 3118 tokens from the input messages and 1000 tokens for the completion."), "3118 + 1000 > 4096"},
		{message("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3118 `inputs` tokens and 1000 `max_new_tokens`"), "3118 + 1000 > 4096"},
		{message("This model's maximum context length is 4097 tokens. However, your messages resulted in 6164 tokens. Please reduce the length of the messages."), "6164 > 4097"},
		{message("This endpoint's maximum context length is 131072 tokens. However, you requested about 234666 tokens"), "234666 > 131072"},
		{message("This model's maximum context length is 128000 tokens. However, you requested 200000 tokens."), "200000 > 128000"},
		{message("this model's maximum context length is 4096 tokens, but the prompt contains 5000 input tokens"), "5000 > 4096"},
		{message("The input (5000 tokens) is longer than the model's context length (4096 tokens)."), "5000 > 4096"},
		{message("request (12009 tokens) exceeds the available context size (4608 tokens), try increasing it"), "12009 > 4608"},
		{`{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":12009,"n_ctx":4608}}`, "12009 > 4608"},
		{message("prompt is too long: 210000 tokens > 200000 maximum"), "210000 > 200000"},
		{message("Prompt contains 5000 tokens and 0 draft tokens, too large for model with 4096 maximum context length"), "5000 > 4096"},
		{message("This model's maximum prompt length is 131072 but the request contains 537812 tokens"), "537812 > 131072"},
		{`{"error":{"message":"Too much.","code":"context_length_exceeded"}}`, " (Too much.)"},
		{message("Unsupported parameter: 'max_tokens' is not supported"), ""},
		{message("max_tokens must be <= 4096"), ""},
		{"", ""},
	} {
		e, ok := PromptTooLong([]byte(c.body))
		f := Body(400, "application/json", []byte(c.body))
		if ok != (c.want != "") {
			t.Errorf("%s: %v %v", c.body, e, ok)
		}
		full := "prompt too long: " + c.want
		if strings.HasPrefix(c.want, " (") {
			full = "prompt too long" + c.want
		}
		if got := strings.HasPrefix(f.Message, full); ok && !got {
			t.Errorf("%s:\ngot  %s\nwant %s…", c.body, f.Message, full)
		}
	}
	if e, _ := PromptTooLong([]byte(message("This model's maximum context length is 4096 tokens. However, you requested 4118 tokens (3118 in the messages, 1000 in the completion)."))); e != (Excess{Prompt: 3118, Output: 1000, Limit: 4096}) {
		t.Errorf("%+v", e)
	}
}

func TestFormatOf(t *testing.T) {
	for header, want := range map[string]Format{
		"text/event-stream": SSE, "text/event-stream; charset=utf-8": SSE, "Text/Event-Stream": SSE, "text/event-stream;": SSE,
		"application/x-ndjson": NDJSON, "application/x-ndjson; charset=utf-8": NDJSON,
	} {
		if got, ok := FormatOf(header); !ok || got != want {
			t.Errorf("%q: %v %v", header, got, ok)
		}
	}
	for _, header := range []string{"", "text/html", "application/json", "text/plain", "event-stream", ";", "\x00"} {
		if _, ok := FormatOf(header); ok {
			t.Errorf("%q is a stream", header)
		}
	}
}
