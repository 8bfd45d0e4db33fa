package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"ttftop/probe"
)

// TestStreamErrors reads every shape in which a server reports an error inside
// a stream.
func TestStreamErrors(t *testing.T) {
	for _, c := range []struct{ body, message, code string }{
		{`data: {"error":{"message":"engine overloaded","type":"server_error","code":503}}`, "engine overloaded", "503"},
		{`data: { "error": {"message": "engine overloaded"} }`, "engine overloaded", ""},
		{`data: {"error":{"message":["a","b"],"code":null,"type":"t"}}`, "a, b", "t"},
		{`data: {"error":{"message":{"detail":"deep"},"code":1.5}}`, "deep", "1.5"},
		{`data: {"error":{"code":"boom"}}`, `{"error":{"code":"boom"}}`, ""},
		{`data: {"error":"quota exceeded"}`, "quota exceeded", ""},
		{`data: {"error":true,"message":"engine overloaded","code":"x"}`, "engine overloaded", "x"},
		{`data: {"id":"c1","choices":[],"error":{"message":"engine overloaded","code":"503"}}`, "engine overloaded", "503"},
		{`data: {"choices":[{"delta":{"content":""},"finish_reason":"error"}],"error":{"code":502,"message":"Provider returned error","metadata":{"raw":"engine overloaded","provider_name":"x"}}}`, "Provider returned error: engine overloaded", "502"},
		{`data: {"choices":[{"delta":{"content":""},"finish_reason":"error"}]}`, "the server ended the answer with finish_reason error", ""},
		{`data: {"object":"error","message":"engine overloaded","type":"BadRequestError","code":400}`, "engine overloaded", "400"},
		{`data: {"choices":[],"x_groq":{"id":"r","error":"over capacity"}}`, "over capacity", ""},
		{"event: error\ndata: {\"message\":\"engine overloaded\"}", "engine overloaded", ""},
		{"event:error\ndata: engine overloaded", "engine overloaded", ""},
		{"event: error\ndata: {\ndata: \"detail\":\"engine overloaded\"}", "engine overloaded", ""},
		{`error: {"code":500,"message":"engine overloaded","type":"server_error"}`, "engine overloaded", "500"},
		{"error: \x01", "an error without a message", ""},
		{`data: {"error":"\u0007"}`, "an error without a message", ""},
		{`error: engine overloaded`, "engine overloaded", ""},
		{`{"error":{"message":"engine overloaded"}}`, "engine overloaded", ""},
		{`data: {"error":{"message":"engine\n\u001b[31mover\u001b[0m\u0007loaded \u202e!"}}`, "engine over loaded !", ""},
		{`data: {"error":{"message":"request (12009 tokens) exceeds the available context size (4608 tokens)","type":"exceed_context_size_error","n_prompt_tokens":12009,"n_ctx":4608,"code":400}}`,
			"prompt too long: 12009 > 4608 (request (12009 tokens) exceeds the available context size (4608 tokens))", "400"},
	} {
		p := New(Options{})
		if err := p.Feed([]byte("data: "+tokenA+"\n\n"), 1, 1); err != nil {
			t.Fatal(err)
		}
		err := p.Feed([]byte(c.body+"\n"), 2, 2)
		f, ok := errors.AsType[*probe.Failure](err)
		if !ok || f.Kind != probe.FailStream || f.Message != c.message || f.Code != c.code {
			t.Errorf("%s:\ngot  %#v\nwant %q, code %q", c.body, f, c.message, c.code)
			continue
		}
		checkLine(t, f.Message)
		if again := p.Feed([]byte("data: "+tokenB+"\n\ndata: [DONE]\n\n"), 3, 3); again == nil {
			t.Errorf("%s: forgotten", c.body)
		}
		p.End(io.ErrUnexpectedEOF)
		if a := p.Answer(); a.Complete || a.Truncated || a.TokenEvents != 1 || a.LastToken != probe.At(1) || a.Failure.Message != c.message {
			t.Errorf("%s: %+v", c.body, a)
		}
	}
}

func TestStreamErrorOfOllama(t *testing.T) {
	p := New(Options{Format: NDJSON})
	err := p.Feed([]byte("{\"message\":{\"content\":\"A\"}}\n{\"error\":\"an error was encountered\"}\n"), 1, 1)
	if err == nil || err.Error() != "an error was encountered" {
		t.Errorf("got %v", err)
	}
}

// TestErrorWithoutNewline finds an error in a last line that was cut short.
func TestErrorWithoutNewline(t *testing.T) {
	for _, body := range []string{`data: {"error":"quota exceeded"}`, `error: quota exceeded`} {
		p := New(Options{})
		if err := p.Feed([]byte(body), 1, 1); err != nil {
			t.Fatal(err)
		}
		p.End(nil)
		if f := p.Answer().Failure; f == nil || f.Message != "quota exceeded" || f.Kind != probe.FailStream {
			t.Errorf("%s: %+v", body, f)
		}
	}
}

// TestEndings names every way in which a body can end.
func TestEndings(t *testing.T) {
	const stop = `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`
	a, b := "data: "+tokenA+"\n\n", "data: "+tokenB+"\n\n"
	opErr := &net.OpError{Op: "read", Net: "tcp", Err: errors.New("no route to host")}
	for _, c := range []struct {
		name, body string
		err        error
		kind       probe.FailureKind
		phase      probe.Phase
		message    string
		complete   bool
	}{
		{"done", a + b + "data: [DONE]\n", nil, "", "", "", true},
		{"finished", a + stop + "\n", io.EOF, "", "", "", true},
		{"finished, then cut", a + stop + "\n", io.ErrUnexpectedEOF, "", "", "", true},
		{"finished, then error line", a + stop + "\n" + `data: {"error":"late"}` + "\n", nil, probe.FailStream, "", "late", false},
		{"empty", "", nil, probe.FailStream, "", "truncated: the stream ended without a token", false},
		{"comments", ":\n\n: x\n\n", nil, probe.FailStream, "", "truncated: the stream ended without a token", false},
		{"wrapped comments", "data: : x\n\n", nil, probe.FailStream, "", "truncated: the stream ended without a token", false},
		{"one token", a, nil, probe.FailStream, "", "truncated: the stream ended after 1 token without finish_reason or [DONE]", false},
		{"two tokens", a + b, io.EOF, probe.FailStream, "", "truncated: the stream ended after 2 tokens without finish_reason or [DONE]", false},
		{"cut", a + b, io.ErrUnexpectedEOF, probe.FailStream, "", "connection lost after 2 tokens: unexpected EOF", false},
		{"cut in a line", a + b + `data: {"choices":[{"del`, io.ErrUnexpectedEOF, probe.FailStream, "", "connection lost after 2 tokens: unexpected EOF", false},
		{"cut early", "", io.ErrUnexpectedEOF, probe.FailStream, "", "connection lost before the first token: unexpected EOF", false},
		{"reset", a, fmt.Errorf("read: %w", errReset), probe.FailStream, "", "connection lost after 1 token: reset by the other end", false},
		{"network", a, opErr, probe.FailStream, "", "connection lost after 1 token: no route to host", false},
		{"no first token", "", context.DeadlineExceeded, probe.FailTimeout, probe.PhaseFirstToken, "no first token in time", false},
		{"stalled", a + b, os.ErrDeadlineExceeded, probe.FailTimeout, probe.PhaseStall, "stalled after 2 tokens", false},
		{"canceled", a, fmt.Errorf("body: %w", context.Canceled), probe.FailCanceled, "", "canceled after 1 token", false},
		{"no token", stop + "\n\ndata: [DONE]\n\n", nil, probe.FailProtocol, "", "the answer ended without a token (finish_reason stop)", true},
		{"only [DONE]", "data: [DONE]\n\n", nil, probe.FailProtocol, "", "the answer ended without a token", true},
		{"hidden reasoning", `data: {"choices":[{"finish_reason":"length"}],"usage":{"completion_tokens":16,"completion_tokens_details":{"reasoning_tokens":16}}}` + "\n", nil,
			probe.FailProtocol, "", "the answer ended without a token (finish_reason length); 16 reasoning tokens were counted but not streamed: ask for more output tokens", true},
		{"no event", "data: {\"choices\":[\n\ndata: {oops}\n\n", nil, probe.FailProtocol, "", `no event of the stream could be read; it begins: {"choices":[ {oops}`, false},
		{"text", "Service down\nfor today\n", nil, probe.FailProtocol, "", "no event of the stream could be read; it begins: Service down for today", false},
		{"JSON over lines", "{\n  \"error\": {\n    \"message\": \"engine overloaded\",\n    \"code\": \"x\"\n  }\n}\n", nil, probe.FailProtocol, "", "no event of the stream could be read; it begins: engine overloaded", false},
		{"text, then done", "oops\ndata: [DONE]\n\n", nil, probe.FailProtocol, "", "no event of the stream could be read; it begins: oops", true},
		{"text, then cut", "oops\n", io.ErrUnexpectedEOF, probe.FailStream, "", "connection lost before the first token: unexpected EOF", false},
	} {
		p := New(Options{})
		_ = p.Feed([]byte(c.body), 1, 1)
		p.End(c.err)
		p.End(context.Canceled) // counts no more
		_ = p.Feed([]byte(a), 2, 2)
		got := p.Answer()
		if got.Complete != c.complete {
			t.Errorf("%s: complete is %v", c.name, got.Complete)
		}
		if got.Truncated != strings.HasPrefix(c.message, "truncated") {
			t.Errorf("%s: truncated is %v", c.name, got.Truncated)
		}
		if c.kind == "" {
			if got.Failure != nil {
				t.Errorf("%s: %+v", c.name, got.Failure)
			}
			continue
		}
		if f := got.Failure; f == nil || f.Kind != c.kind || f.Phase != c.phase || f.Message != c.message {
			t.Errorf("%s:\ngot  %+v\nwant %s %s %q", c.name, f, c.kind, c.phase, c.message)
		} else {
			checkLine(t, f.Message)
		}
	}
}

// TestAnswerIsACopy holds that nothing an answer holds changes later.
func TestAnswerIsACopy(t *testing.T) {
	p := New(Options{})
	line := []byte("data: " + tokenA + "\n")
	_ = p.Feed(line, 1, 1)
	a := p.Answer()
	for i := range line {
		line[i] = 'x'
	}
	_ = p.Feed([]byte("data: "+tokenB+"\n"), 2, 2)
	p.End(io.ErrUnexpectedEOF)
	if a.Failure != nil || a.TokenEvents != 1 || len(a.Tokens) != 1 || a.Text != "A" || string(a.Raw[0]) != tokenA {
		t.Errorf("%+v", a)
	}
}

// TestNames holds that names from outside are fit to be shown.
func TestNames(t *testing.T) {
	a := read(t, `data: {"id":"","model":"","choices":[]}`,
		`data: {"id":"c\u001b[2J1","model":"`+strings.Repeat("m", 999)+`","choices":[{"delta":{"content":"A"},"finish_reason":"st\nop"}]}`,
		`data: {"id":"c2","model":"n","choices":[{"finish_reason":"length"}]}`)
	if a.ID != "c1" || a.FinishReason != "st op" || len([]rune(a.Model)) != nameLimit || !strings.HasSuffix(a.Model, "m…") {
		t.Errorf("%q %q %q", a.ID, a.FinishReason, a.Model)
	}
}
