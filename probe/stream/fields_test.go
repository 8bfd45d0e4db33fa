package stream

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

const (
	tokenA = `{"choices":[{"delta":{"content":"A"}}]}`
	tokenB = `{"choices":[{"delta":{"content":"B"}}]}`
)

// TestFraming reads two tokens however they are wrapped.
func TestFraming(t *testing.T) {
	pretty := "{\n \"choices\": [\n  {\"delta\": {\"content\": \"%s\"}}\n ]\n}"
	spread := func(token string) string {
		var b strings.Builder
		for line := range strings.Lines(fmt.Sprintf(pretty, token)) {
			b.WriteString("data: " + strings.TrimSuffix(line, "\n") + "\n")
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		body    string
		skipped int
	}{
		"numbers not finite":    {"data: " + `{"choices":[{"delta":{"content":"A"},"logprobs":{"x":-Infinity}}],"timings":{"prompt_ms":NaN}}` + "\n\ndata: " + `{"x":NaN,` + "\ndata: " + tokenB[1:] + "\n\ndata: [DONE]\n\n", 0},
		"plain":                 {"data: " + tokenA + "\n\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 0},
		"no space":              {"data:" + tokenA + "\n\ndata:" + tokenB + "\n\ndata:[DONE]\n\n", 0},
		"CRLF":                  {"data: " + tokenA + "\r\n\r\ndata: " + tokenB + "\r\n\r\ndata: [DONE]\r\n\r\n", 0},
		"CR":                    {"data: " + tokenA + "\r\rdata: " + tokenB + "\r\rdata: [DONE]\r\r", 0},
		"mixed ends":            {"data: " + tokenA + "\r\n\ndata: " + tokenB + "\r\rdata: [DONE]", 0},
		"BOM":                   {"\xef\xbb\xbfdata: " + tokenA + "\n\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 0},
		"BOM and comment":       {"\xef\xbb\xbf: hi\ndata: " + tokenA + "\n\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 0},
		"no blank lines":        {"data: " + tokenA + "\ndata: " + tokenB + "\ndata: [DONE]\n", 0},
		"spaces around":         {"data:    " + tokenA + "  \n\ndata: \t" + tokenB + "\n\ndata:  [DONE] \n\n", 0},
		"several data lines":    {spread("A") + "\n" + spread("B") + "\ndata: [DONE]\n\n", 0},
		"lines, no blank":       {spread("A") + spread("B") + "data: [DONE]\n\n", 0},
		"braces in a string":    {"data: {\"x\":\"}\\\"}{\",\ndata: \"choices\":[{\"delta\":{\"content\":\"A\"}}]}\n\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 0},
		"empty data":            {"data:\n\ndata\n\ndata: \n\ndata: " + tokenA + "\n\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 0},
		"empty data in between": {"data: {\"choices\":\ndata:\ndata: [{\"delta\":{\"content\":\"A\"}}]}\n\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 0},
		"other fields":          {"retry: 3000\nid: 1\nevent: message\ndata: " + tokenA + "\n\nid\nevent\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 0},
		"comments":              {":\n\n: keep-alive\n\n: OPENROUTER PROCESSING\n\ndata: " + tokenA + "\n\n: keepalive 3/4\n\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 0},
		"wrapped keep-alive":    {"data: : OPENROUTER PROCESSING\n\ndata: " + tokenA + "\n\ndata: : keepalive\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 2},
		"broken JSON":           {"data: {\"choices\":[{\"del\n\ndata: " + tokenA + "\n\ndata: {nonsense}\n\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 2},
		"broken over lines":     {"data: {\ndata: oops}\n\ndata: " + tokenA + "\n\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 1},
		"broken, then done":     {"data: " + tokenA + "\n\ndata: " + tokenB + "\n\ndata: {\"choices\":[\ndata: [DONE]\n\n", 0},
		"no objects":            {"data: ping\n\ndata: 5\n\ndata: \"x\"\n\ndata: [1]\n\ndata: null\n\ndata: " + tokenA + "\n\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 5},
		"unknown fields":        {"hello\n\nfoo: bar\n\n{\"a\":1}\n\ndata: " + tokenA + "\n\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 3},
		"named event":           {"event: formatted_prompt\n: text\n\nevent: message\ndata: " + tokenA + "\n\nevent: ping\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 0},
		"bytes after [DONE]":    {"data: " + tokenA + "\n\ndata: " + tokenB + "\n\ndata: [DONE]\n\ndata: {\"error\":\"late\"}\n\ndata: " + tokenA + "\n\n", 0},
		"deep nesting":          {"data: {\"x\":" + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}\n\ndata: " + tokenA + "\n\ndata: " + tokenB + "\n\ndata: [DONE]\n\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			writes := []write{{at: time.Second, read: 1, bytes: []byte(c.body)}}
			a, _ := parse(Options{}, writes, nil, uncut)
			if a.Text != "AB" || a.TokenEvents != 2 || !a.Complete || a.Failure != nil || a.Skipped != c.skipped {
				t.Errorf("got %+v", a)
			}
			if b, _ := parse(Options{}, writes, nil, byByte); !reflect.DeepEqual(a, b) {
				t.Errorf("byte by byte: %+v", b)
			}
		})
	}
}

// TestArrivals takes the arrival of the read that completes the last data line,
// and neither of an earlier part nor of the blank line.
func TestArrivals(t *testing.T) {
	for name, c := range map[string]struct {
		pieces []string // at 100 ms, 200 ms, …
		want   time.Duration
	}{
		"line and blank line":    {[]string{"data: " + tokenA + "\n", "\n"}, 100},
		"line end later":         {[]string{"data: " + tokenA, "\n", "\n"}, 200},
		"CR, then LF":            {[]string{"data: " + tokenA + "\r", "\n\r\n"}, 100},
		"in three":               {[]string{"da", "ta: " + tokenA[:9], tokenA[9:] + "\n", "\n"}, 300},
		"several data lines":     {[]string{"data: {\"choices\":\n", "data: [{\"delta\":{\"content\":\"A\"}}]\n", "data: }\n", "\n"}, 300},
		"no newline at the end":  {[]string{"data: " + tokenA[:9], tokenA[9:]}, 200},
		"comment before":         {[]string{": x\n", "event: m\n", "data: " + tokenA + "\n"}, 300},
		"an empty piece at last": {[]string{"data: " + tokenA, ""}, 100},
	} {
		p := New(Options{})
		for i, piece := range c.pieces {
			if err := p.Feed([]byte(piece), time.Duration(i+1)*100*time.Millisecond, i+1); err != nil {
				t.Fatal(err)
			}
		}
		p.End(nil)
		a := p.Answer()
		want := probe.Arrival{At: c.want * time.Millisecond, Read: int(c.want / 100)}
		if len(a.Tokens) != 1 || a.Tokens[0] != want || a.FirstToken != probe.At(want.At) || a.FirstEvent != a.FirstToken {
			t.Errorf("%s: %+v, want %+v", name, a.Tokens, want)
		}
	}
}

// TestClockNeverGoesBack holds that a stamp before the last one counts as equal.
func TestClockNeverGoesBack(t *testing.T) {
	p := New(Options{})
	for i, at := range []time.Duration{-5, 20, 10, 30} {
		if err := p.Feed([]byte("data: "+tokenA+"\n"), at, i); err != nil {
			t.Fatal(err)
		}
	}
	want := []probe.Arrival{{At: 0, Read: 0}, {At: 20, Read: 1}, {At: 20, Read: 2}, {At: 30, Read: 3}}
	if got := p.Answer().Tokens; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestLiveMarks holds what a reader asks between two reads.
func TestLiveMarks(t *testing.T) {
	p := New(Options{})
	for i, event := range []string{`{"choices":[{"delta":{"role":"assistant"}}]}`, `{"choices":[{"delta":{"reasoning":"Hm"}}]}`, tokenA, tokenB} {
		if err := p.Feed([]byte("data: "+event+"\n"), time.Duration(i), i); err != nil {
			t.Fatal(err)
		}
		a := p.Answer()
		if p.FirstToken() != a.FirstToken || p.FirstAnswer() != a.FirstAnswer || p.TokenEvents() != a.TokenEvents || a.TokenEvents != i {
			t.Errorf("after %s: %v %v %d", event, p.FirstToken(), p.FirstAnswer(), p.TokenEvents())
		}
	}
	if p.FirstToken() != probe.At(1) || p.FirstAnswer() != probe.At(2) {
		t.Errorf("%v %v", p.FirstToken(), p.FirstAnswer())
	}
}

func TestCoalesced(t *testing.T) {
	p := New(Options{})
	line := "data: " + tokenA + "\n\n"
	role := "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\n"
	_ = p.Feed([]byte(role+line), 1, 1)
	_ = p.Feed([]byte(line), 2, 2)
	if a := p.Answer(); a.Coalesced() {
		t.Error("a role beside a token is no second token")
	}
	_ = p.Feed([]byte(line+line), 3, 3)
	if a := p.Answer(); !a.Coalesced() {
		t.Error("two tokens of one read")
	}
}

// The last token has the stamp of what shares its read.
func TestEndShared(t *testing.T) {
	token := "data: " + tokenA + "\n\n"
	finish := "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
	for name, c := range map[string]struct {
		reads []string
		want  bool
	}{
		"apart":                       {[]string{token, finish + "data: [DONE]\n\n"}, false},
		"a finish reason":             {[]string{token, token + finish}, true},
		"the end":                     {[]string{token + "data: [DONE]\n\n"}, true},
		"a comment is no event":       {[]string{token + ": ping\n\n", finish}, false},
		"of a token before the last":  {[]string{token + finish, token}, false},
		"a role before it is no end":  {[]string{"data: {\"choices\":[{\"delta\":{\"role\":\"a\"}}]}\n\n" + token, finish}, false},
		"its own finish reason is it": {[]string{strings.Replace(token, "}]", ",\"finish_reason\":\"stop\"}]", 1)}, false},
	} {
		p := New(Options{})
		for i, read := range c.reads {
			_ = p.Feed([]byte(read), time.Duration(i), i)
		}
		if got := p.Answer().EndShared; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestLongLines refuses a line over the limit before it is kept, whole, in
// pieces, and spread over several data lines.
func TestLongLines(t *testing.T) {
	const limit = 1000
	fits := "data: {\"x\":\"" + strings.Repeat("x", limit-14) + "\"}"
	if len(fits) != limit {
		t.Fatal(len(fits))
	}
	spread := "data: {\n" + strings.Repeat("data: \"a\":[],\n", 200)
	for name, c := range map[string]struct {
		body string
		ok   bool
	}{
		"fits":         {fits + "\n", true},
		"fits, no end": {fits, true},
		"too long":     {"data: " + tokenA + "\n" + fits + "x\n", false},
		"no end":       {"data: " + tokenA + "\n" + strings.Repeat("x", limit+1), false},
		"spread":       {"data: " + tokenA + "\n" + spread, false},
	} {
		for _, cut := range []func([]byte) [][]byte{uncut, byByte} {
			a, stopped := parse(Options{MaxLine: limit}, []write{{bytes: []byte(c.body)}}, nil, cut)
			if c.ok != !stopped.OK {
				t.Errorf("%s: stopped %v", name, stopped)
			}
			if !c.ok && (a.Failure.Kind != probe.FailProtocol || a.Complete || a.TokenEvents != 1 ||
				a.Failure.Message != "a line of the stream is longer than 1000 bytes") {
				t.Errorf("%s: %+v, %+v", name, a.Failure, a)
			}
		}
	}
}

// TestLongLineDefault names the default limit, and reads a line of megabytes
// without keeping it.
func TestLongLineDefault(t *testing.T) {
	p := New(Options{})
	part := []byte(strings.Repeat("x", 1<<20))
	_ = p.Feed([]byte("data: {\"choices\":[{\"delta\":{\"content\":\""), 0, 0)
	for range 8 {
		if err := p.Feed(part, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	_ = p.Feed([]byte("\"}}]}\n\n"), 0, 0)
	if a := p.Answer(); a.TokenEvents != 1 || len(a.Text) != DefaultTextLimit || a.Raw != nil {
		t.Errorf("%d tokens, %d bytes of text, %d payloads", a.TokenEvents, len(a.Text), len(a.Raw))
	}
	if c := cap(p.lines.buf); c > spareBuffer {
		t.Errorf("%d bytes kept of a line that is over", c)
	}
	for range 65 {
		if err := p.Feed(part, 0, 0); err != nil {
			if want := "a line of the stream is longer than 64 MiB"; err.Error() != want {
				t.Errorf("got %q, want %q", err, want)
			}
			return
		}
	}
	t.Error("65 MiB in one line were taken")
}

// TestManyTokens bounds the arrivals kept, but neither the count nor the last.
func TestManyTokens(t *testing.T) {
	p := New(Options{})
	p.maxMarks = 3
	for i := range 10 {
		_ = p.Feed([]byte("data: "+tokenA+"\n"), time.Duration(i), i)
	}
	a := p.Answer()
	want := []probe.Arrival{{At: 0, Read: 0}, {At: 1, Read: 1}, {At: 9, Read: 9}}
	if !reflect.DeepEqual(a.Tokens, want) || a.TokenEvents != 10 || a.LastToken != probe.At(9) {
		t.Errorf("%v, %d, %v", a.Tokens, a.TokenEvents, a.LastToken)
	}
}

// TestNDJSON reads objects a line each, with CRLF, blank lines and a last line
// without its newline.
func TestNDJSON(t *testing.T) {
	for name, body := range map[string]string{
		"plain":      `{"message":{"content":"A"}}` + "\n" + `{"message":{"content":"B"}}` + "\n" + `{"done":true,"done_reason":"stop"}` + "\n",
		"CRLF":       `{"message":{"content":"A"}}` + "\r\n\r\n" + `{"message":{"content":"B"}}` + "\r\n" + `{"done":true,"done_reason":"stop"}`,
		"CR inside":  "{\"message\":\r{\"content\":\"A\"}}\n" + `{"message":{"content":"B"}}` + "\n" + `{"done":true,"done_reason":"stop"}` + "\n",
		"bytes left": "\xef\xbb\xbf" + `{"message":{"content":"A"}}` + "\n" + `{"message":{"content":"B","x":1}}` + "\n" + `{"done":true,"done_reason":"stop"}` + "\n{\"message\":{\"content\":\"C\"}}\n",
	} {
		for _, cut := range []func([]byte) [][]byte{uncut, byByte} {
			a, _ := parse(Options{Format: NDJSON}, []write{{bytes: []byte(body)}}, nil, cut)
			if a.Text != "AB" || !a.Complete || a.Failure != nil || a.Skipped != 0 || a.FinishReason != "stop" {
				t.Errorf("%s: %+v", name, a)
			}
		}
	}
	a, _ := parse(Options{Format: NDJSON}, []write{{bytes: []byte("[1]\nx\n{\"message\":{\"content\":\"A\"}}\n")}}, nil, uncut)
	if a.Skipped != 2 || a.TokenEvents != 1 || !a.Truncated {
		t.Errorf("%+v", a)
	}
}

// TestHugeLists holds that a line costs memory in proportion to its length,
// whatever lists are in it.
func TestHugeLists(t *testing.T) {
	const size = 4 << 20
	list := "[{}" + strings.Repeat(",{}", size/3) + "]"
	delta := func(field string) string { return `{"choices":[{"delta":{` + field + `}}]}` }
	for name, event := range map[string]string{
		"choices":           `{"choices":` + list + `}`,
		"tool calls":        delta(`"tool_calls":` + list),
		"parts":             delta(`"content":` + list),
		"thinking":          delta(`"content":[{"thinking":` + list + `}]`),
		"reasoning details": delta(`"reasoning_details":` + list),
		"error":             `{"error":` + list + `}`,
	} {
		line := []byte("data: " + event + "\n")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p := New(Options{})
		_ = p.Feed(line, 0, 0)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 10*size {
			t.Errorf("%s: %d MiB for a line of %d", name, used>>20, size>>20)
		}
		if p.Answer().TokenEvents != 0 {
			t.Errorf("%s: a token", name)
		}
	}
}
