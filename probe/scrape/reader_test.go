package scrape

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"ttftop/probe"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const onePage = "vllm:num_requests_running{model_name=\"a\"} 2\n"

// asked answers like a server and remembers the requests.
type asked struct {
	mu      sync.Mutex
	paths   []string
	auth    []string
	handler http.HandlerFunc
}

func (a *asked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.paths = append(a.paths, r.URL.Path)
	a.auth = append(a.auth, r.Header.Get("Authorization"))
	a.mu.Unlock()
	a.handler(w, r)
}

// reader reads from a handler, at a base with a path before the version.
func reader(t *testing.T, h http.HandlerFunc) (*Reader, *asked) {
	t.Helper()
	a := &asked{handler: h}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	base, err := url.Parse(server.URL + "/team/v1")
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return NewReader(transport, &probe.Endpoint{Base: base, API: probe.OpenAI, Key: probe.NewSecret("the-key")}), a
}

func TestReaderFindsThePage(t *testing.T) {
	r, a := reader(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, onePage)
	})
	for range 2 {
		s, err := r.Read(t.Context())
		if err != nil || s.Models["a"].Running != (Gauge{2, true}) {
			t.Fatalf("%+v, %v", s, err)
		}
	}
	if got := strings.Join(a.paths, " "); got != "/team/metrics /metrics /metrics" {
		t.Errorf("asked for %s", got)
	}
	if a.auth[0] != "Bearer the-key" {
		t.Errorf("authorized by %q", a.auth[0])
	}
}

// What is no page is asked for once at each place, and never again.
func TestReaderWithoutAPage(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("redirected to %s", r.URL) }))
	defer elsewhere.Close()
	for name, h := range map[string]http.HandlerFunc{
		"404":                http.NotFound,
		"401":                func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
		"501":                func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotImplemented) },
		"web page":           func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>log in</html>") },
		"redirect":           func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) },
		"metrics within one": func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html><pre>\n"+onePage+"</pre>") },
		"another":            func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "go_goroutines 3\n") },
	} {
		r, a := reader(t, h)
		for range 3 {
			if _, err := r.Read(t.Context()); err != ErrGone || !r.Gone() {
				t.Errorf("%s: %v", name, err)
			}
		}
		if len(a.paths) != 2 {
			t.Errorf("%s: asked for %v", name, a.paths)
		}
	}
}

// A page that fails is given up after a few tries, with a sentence; one good
// page in between starts the count again.
func TestReaderGivesUp(t *testing.T) {
	good := true
	r, a := reader(t, func(w http.ResponseWriter, _ *http.Request) {
		if good {
			io.WriteString(w, onePage)
			return
		}
		w.WriteHeader(http.StatusBadGateway)
	})
	var last error
	for _, good = range []bool{true, false, false, true, false, false, false} {
		_, last = r.Read(t.Context())
		if good != (last == nil) {
			t.Fatal(last)
		}
	}
	if !errors.Is(last, ErrGone) || !r.Gone() || !strings.Contains(last.Error(), "status 502") {
		t.Errorf("got %v", last)
	}
	if _, err := r.Read(t.Context()); err != ErrGone || len(a.paths) != 7 {
		t.Errorf("%v after %v", err, a.paths)
	}
}

// A page that was read and is gone is told.
func TestReaderLosesThePage(t *testing.T) {
	there := true
	r, _ := reader(t, func(w http.ResponseWriter, req *http.Request) {
		if !there {
			http.NotFound(w, req)
			return
		}
		io.WriteString(w, onePage)
	})
	if _, err := r.Read(t.Context()); err != nil {
		t.Fatal(err)
	}
	there = false
	if _, err := r.Read(t.Context()); !errors.Is(err, ErrGone) || err == ErrGone || !strings.Contains(err.Error(), "404") {
		t.Errorf("got %v", err)
	}
}

// roundTrip is a transport in memory.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func slowReader(body func(*http.Request) io.Reader) *Reader {
	base, _ := url.Parse("http://h/v1?api_key=verysecretkey1")
	return NewReader(roundTrip(func(r *http.Request) (*http.Response, error) {
		b := body(r)
		if b == nil {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(b), Request: r}, nil
	}), &probe.Endpoint{Base: base, API: probe.OpenAI})
}

// A page that does not come ends at its limit, and at the third time for good.
func TestReaderOfASlowPage(t *testing.T) {
	for name, body := range map[string]func(*http.Request) io.Reader{
		"no headers": func(*http.Request) io.Reader { return nil },
		"no end":     func(r *http.Request) io.Reader { return &trickle{ctx: r.Context()} },
	} {
		synctest.Test(t, func(t *testing.T) {
			r := slowReader(body)
			for try := range maxMisses {
				began := time.Now()
				_, err := r.Read(t.Context())
				if took := time.Since(began); took < PageLimit || took > PageLimit+time.Second {
					t.Errorf("%s: took %v", name, took)
				}
				if err == nil || !strings.Contains(err.Error(), "longer than 2s") || strings.Contains(err.Error(), "secret") || errors.Is(err, ErrGone) != (try == maxMisses-1) {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}

// trickle is a page that goes on until its request ends.
type trickle struct{ ctx context.Context }

func (r *trickle) Read(p []byte) (int, error) {
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	case <-time.After(100 * time.Millisecond):
		return copy(p, "# a comment\n"), nil
	}
}

// A read that the caller ends says nothing of the page.
func TestReaderInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := slowReader(func(*http.Request) io.Reader { return nil })
		for range 2 * maxMisses {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			if _, err := r.Read(ctx); err != context.DeadlineExceeded || r.Gone() {
				t.Errorf("got %v", err)
			}
			cancel()
		}
	})
}
