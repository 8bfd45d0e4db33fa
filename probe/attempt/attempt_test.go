package attempt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/transport"
)

func TestMain(m *testing.M) {
	if testserver.Plays() {
		serve()
		return
	}
	goleak.VerifyTestMain(m)
}

const key = "sk-TESTKEY-0000-do-not-print"

const token = `data: {"choices":[{"index":0,"delta":{"content":"A"}}]}` + "\n\n"

// try makes one attempt at a handler.
func try(t *testing.T, limit time.Duration, handler http.HandlerFunc, change ...func(*Spec)) Outcome {
	t.Helper()
	s := httptest.NewServer(handler)
	defer s.Close()
	return at(t, t.Context(), s.URL, limit, change...)
}

func at(t *testing.T, ctx context.Context, base string, limit time.Duration, change ...func(*Spec)) Outcome {
	t.Helper()
	u, err := url.Parse(base + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	e := &probe.Endpoint{Base: u, API: probe.OpenAI, Key: probe.NewSecret(key)}
	pool, err := transport.New(transport.Options{Endpoint: e, Proxy: func(*http.Request) (*url.URL, error) { return nil, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	spec := Spec{Pool: pool, Endpoint: e, Model: "m", Body: []byte(`{}`), Conn: probe.WarmConn, Timeout: limit}
	for _, c := range change {
		c(&spec)
	}
	return Run(ctx, spec)
}

// hold keeps a request open until the client has gone, which a server only sees
// once it has read the request.
func hold(r *http.Request) {
	io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

func reply(w http.ResponseWriter, parts ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, p := range parts {
		io.WriteString(w, p)
		w.(http.Flusher).Flush()
	}
}

// What goes wrong, and what the person is told.
func TestFailures(t *testing.T) {
	soon := 300 * time.Millisecond
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		kind    probe.FailureKind
		phase   probe.Phase
		says    string
		ttft    bool
	}{
		{"rejected key", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(401)
			fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s.","code":"invalid_api_key"}}`, key)
		}, probe.FailStatus, "", "key", false},
		{"rate limit", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(429)
			io.WriteString(w, `{"error":{"message":"Rate limit reached"}}`)
		}, probe.FailRateLimit, "", "Rate limit reached", false},
		{"bad gateway", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(502)
			io.WriteString(w, "<html><head><title>502 Bad Gateway</title></head></html>")
		}, probe.FailStatus, "", "502 Bad Gateway", false},
		{"a page in place of a stream", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<title>Sign in</title>")
		}, probe.FailProtocol, "", "text/html", false},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://user:"+key+"@elsewhere.test/v1/"+key+"?key="+key, http.StatusTemporaryRedirect)
		}, probe.FailStatus, "", "redirects to https://elsewhere.test: write", false},
		{"no headers", func(_ http.ResponseWriter, r *http.Request) { hold(r) }, probe.FailTimeout, probe.PhaseHeaders, "no response headers after 300ms", false},
		{"no first token", func(w http.ResponseWriter, r *http.Request) {
			reply(w, ": keep-alive\n\n", `data: {"choices":[{"delta":{"role":"assistant","content":""}}]}`+"\n\n")
			hold(r)
		}, probe.FailTimeout, probe.PhaseFirstToken, "no first token after 300ms", false},
		{"a stall", func(w http.ResponseWriter, r *http.Request) {
			reply(w, token, token)
			hold(r)
		}, probe.FailTimeout, probe.PhaseStall, "stalled after 2 tokens: nothing for 300ms", true},
		{"a cut", func(w http.ResponseWriter, _ *http.Request) {
			reply(w, token)
			panic(http.ErrAbortHandler)
		}, probe.FailStream, "", "lost", true},
		{"an error inside", func(w http.ResponseWriter, r *http.Request) {
			reply(w, token, `data: {"error":{"message":"engine overloaded"}}`+"\n")
			hold(r)
		}, probe.FailStream, "", "engine overloaded", true},
		{"an end without an end", func(w http.ResponseWriter, _ *http.Request) { reply(w, token) }, probe.FailStream, "", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := try(t, soon, c.handler)
			f := o.Result.Failure
			if f == nil {
				t.Fatal("no failure")
			}
			if f.Kind != c.kind || f.Phase != c.phase || !strings.Contains(f.Message, c.says) {
				t.Errorf("%s, phase %q: %s", f.Kind, f.Phase, f.Message)
			}
			if strings.Contains(fmt.Sprintf("%v %+v %s", f, o.Result, o.Result.Text), "TESTKEY") {
				t.Errorf("the key is told: %v", f)
			}
			if o.Result.TTFT().OK != c.ttft {
				t.Errorf("TTFT %v", o.Result.TTFT())
			}
			if strings.ContainsAny(f.Message, "\n\r\x1b") {
				t.Errorf("not one clean line: %q", f.Message)
			}
			if c.kind == probe.FailRateLimit && f.RetryAfter != 7*time.Second {
				t.Errorf("retry after %v", f.RetryAfter)
			}
		})
	}
}

func TestAnAnswer(t *testing.T) {
	var steps []probe.Step
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key || r.URL.Path != "/v1/chat/completions" {
			t.Errorf("asked %s with %v", r.URL, r.Header)
		}
		w.Header().Set("X-Request-Id", "r-1")
		reply(w, `data: {"model":"m","choices":[{"delta":{"role":"assistant","content":""}}]}`+"\n\n")
		time.Sleep(30 * time.Millisecond)
		reply(w, token)
		time.Sleep(10 * time.Millisecond)
		reply(w, token, `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`+"\n\n",
			`data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2}}`+"\n\n", "data: [DONE]\n\n")
	}))
	defer s.Close()
	u, _ := url.Parse(s.URL + "/v1")
	e := &probe.Endpoint{Base: u, API: probe.OpenAI, Key: probe.NewSecret(key)}
	pool, err := transport.New(transport.Options{Endpoint: e})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	o := Run(t.Context(), Spec{Pool: pool, Endpoint: e, Model: "m", Body: []byte(`{}`), Conn: probe.WarmConn, Timeout: 5 * time.Second,
		On: func(step probe.Step, _ time.Duration) { steps = append(steps, step) }})
	r := o.Result
	if r.Failure != nil {
		t.Fatal(r.Failure)
	}
	m := r.Timeline
	for _, order := range [][2]probe.Mark{{m.Sent, m.Headers}, {m.Headers, m.FirstEvent}, {m.FirstEvent, m.FirstToken}, {m.FirstToken, m.LastToken}, {m.LastToken, m.Done}} {
		if !order[0].OK || !order[1].OK || order[0].At > order[1].At {
			t.Errorf("out of order: %+v", m)
		}
	}
	if gap := m.FirstToken.At - m.FirstEvent.At; gap < 25*time.Millisecond || gap > 5*time.Second {
		t.Errorf("first token %v after the role", gap)
	}
	if r.OutputTokens != 2 || !r.OutputExact || !r.TPOT().OK || r.Text != "AA" || r.RequestID != "r-1" || r.Model != "m" || !r.RTT.OK {
		t.Errorf("%+v", r)
	}
	want := []probe.Step{probe.StepConnect, probe.StepSent, probe.StepHeaders, probe.StepToken, probe.StepAnswer}
	if fmt.Sprint(steps) != fmt.Sprint(want) {
		t.Errorf("steps %v, want %v", steps, want)
	}
}

// What names a request is bounded, whatever a server sends.
func TestALongRequestID(t *testing.T) {
	o := try(t, time.Second, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", strings.Repeat("é", 5000))
		reply(w, token, finished)
	})
	if n := len([]rune(o.Result.RequestID)); n == 0 || n > 200 {
		t.Errorf("the request's name has %d characters", n)
	}
}

func TestNobodyThere(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	f := at(t, t.Context(), s.URL, time.Second).Result.Failure
	if f == nil || f.Kind != probe.FailConnect || !strings.Contains(f.Message, "refused") {
		t.Errorf("%+v", f)
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		hold(r)
	}))
	defer s.Close()
	if f := at(t, ctx, s.URL, time.Minute).Result.Failure; f == nil || f.Kind != probe.FailCanceled {
		t.Errorf("%+v", f)
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		err  error
		kind probe.FailureKind
		says string
	}{
		{errors.New("something\nodd"), probe.FailStream, "something odd"},
		{io.ErrUnexpectedEOF, probe.FailStream, "ended in the middle"},
		{fmt.Errorf("dialling: %w", &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 81}, Err: syscall.ECONNREFUSED}), probe.FailConnect, "127.0.0.1:81: connection refused: nothing listens there"},
	} {
		if f := Failed(t.Context(), c.err, nil); f.Kind != c.kind || !strings.Contains(f.Message, c.says) {
			t.Errorf("%v: %+v", c.err, f)
		}
	}
}

// How a connection ends after a whole answer is no matter.
func TestAWholeAnswerSurvivesItsConnection(t *testing.T) {
	end := `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	for name, after := range map[string]func(*http.Request){
		"cut":     func(*http.Request) { panic(http.ErrAbortHandler) },
		"silence": hold,
	} {
		o := try(t, 300*time.Millisecond, func(w http.ResponseWriter, r *http.Request) {
			reply(w, token, token, end)
			after(r)
		})
		if o.Result.Failure != nil || o.Result.OutputTokens != 2 {
			t.Errorf("%s: %+v, %d tokens", name, o.Result.Failure, o.Result.OutputTokens)
		}
	}
}

func TestAnEndlessStreamIsCut(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			reply(w, token)
		}
	}))
	defer s.Close()
	u, err := url.Parse(s.URL + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	e := &probe.Endpoint{Base: u, API: probe.OpenAI}
	pool, err := transport.New(transport.Options{Endpoint: e})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	f := Run(t.Context(), Spec{Pool: pool, Endpoint: e, Model: "m", Body: []byte("{}"), Output: 4, Conn: probe.WarmConn, Timeout: 10 * time.Second}).Result.Failure
	if f == nil || f.Kind != probe.FailStream || !strings.Contains(f.Message, "with 4 asked for") {
		t.Errorf("%+v", f)
	}
}

// A probe during which this program stood still says nothing of the endpoint,
// whether it ran into a time-out for it or not.
func TestAStandstillIsNoFaultOfTheEndpoint(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if r.Header.Get("X-Stall") != "" {
			<-r.Context().Done()
		}
		reply(w, token, finished)
	}))
	defer s.Close()
	u, err := url.Parse(s.URL + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	e := &probe.Endpoint{Base: u, API: probe.OpenAI}
	pool, err := transport.New(transport.Options{Endpoint: e})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for _, c := range []struct {
		name    string
		stood   time.Duration
		stall   bool
		flagged bool
		kind    probe.FailureKind
	}{
		{"none", 0, false, false, ""},
		{"a short one", 900 * time.Millisecond, false, false, ""},
		{"a long one", 12 * time.Second, false, true, ""},
		{"a time-out of its own", 20 * time.Millisecond, true, false, probe.FailTimeout},
		{"a time-out that it made", 200 * time.Millisecond, true, true, probe.FailClient},
	} {
		header := http.Header{}
		limit := 10 * time.Second
		if c.stall {
			header.Set("X-Stall", "1")
			limit = 300 * time.Millisecond
		}
		r := Run(t.Context(), Spec{Pool: pool, Endpoint: e, Model: "m", Body: []byte("{}"), Header: header, Conn: probe.WarmConn, Timeout: limit,
			Stood: func(time.Time) time.Duration { return c.stood }}).Result
		kind := probe.FailureKind("")
		if r.Failure != nil {
			kind = r.Failure.Kind
		}
		if r.Has(probe.FlagClockStep) != c.flagged || kind != c.kind {
			t.Errorf("%s: flags %v, %v", c.name, r.Flags, r.Failure)
		}
		if c.kind == probe.FailClient && !strings.Contains(r.Failure.Message, "stood still for 200ms") {
			t.Errorf("%s: %v", c.name, r.Failure)
		}
	}
}
