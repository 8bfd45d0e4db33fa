package load

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
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

// A stream of the benchmark has so many tokens, so far apart: it lasts about a
// second.
const (
	loadTokens = 20
	loadEvery  = 50 * time.Millisecond
)

// books are the server's own of the requests in it.
type books struct {
	mu   sync.Mutex
	now  int
	most int
	sum  time.Duration // requests, each for as long as it was in flight
	at   time.Time
}

func (b *books) count(by int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	b.sum += now.Sub(b.at) * time.Duration(b.now)
	b.at = now
	b.now += by
	b.most = max(b.most, b.now)
}

// serve streams tokens until its standard input ends. GET /books tells the sum
// and the most, and begins the latter anew.
func serve() {
	b := &books{at: time.Now()}
	testserver.Play(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/books" {
			b.count(0)
			b.mu.Lock()
			fmt.Fprintln(w, int64(b.sum), b.most)
			b.most = b.now
			b.mu.Unlock()
			return
		}
		b.count(1)
		defer b.count(-1)
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for range loadTokens {
			time.Sleep(loadEvery)
			if _, err := io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n"); err != nil {
				return
			}
			w.(http.Flusher).Flush()
		}
	})
}

// BenchmarkPressure prints how near the load streams in flight come to the
// number asked for: the mean over time as this program counts them and as the
// server does, in percent, and the most of both at any instant. The server is
// another process.
func BenchmarkPressure(b *testing.B) {
	for _, n := range []int{1, 64, 512, 1024} {
		b.Run(fmt.Sprintf("streams=%d", n), func(b *testing.B) { pressure(b, n) })
	}
}

func pressure(b *testing.B, n int) {
	u := testserver.Process(b)
	pool, err := transport.New(transport.Options{Endpoint: &probe.Endpoint{Base: u}})
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	var mu sync.Mutex
	most := 0
	g := New(b.Context(), func(s State) {
		mu.Lock()
		defer mu.Unlock()
		most = max(most, s.InFlight)
	})
	defer g.Close()
	g.Set(n, func(ctx context.Context) error { return stream(ctx, pool, u) }, true)
	time.Sleep(2 * time.Second) // until all connections are made
	before, sumBefore, began := g.State(), readBooks(b, u).sum, time.Now()
	for b.Loop() {
		time.Sleep(5 * time.Second)
	}
	took := time.Since(began)
	after, seen := g.State(), readBooks(b, u)
	if after.Failed > 0 {
		b.Fatal(after.Err)
	}
	percent := func(sum, over time.Duration) float64 { return 100 * float64(sum) / float64(over) / float64(n) }
	b.ReportMetric(percent(after.FlightTime-before.FlightTime, after.Loaded-before.Loaded), "%mean")
	b.ReportMetric(percent(seen.sum-sumBefore, took), "%mean-server")
	b.ReportMetric(float64(most), "most")
	b.ReportMetric(float64(seen.most), "most-server")
}

func readBooks(b *testing.B, u *url.URL) *books {
	response, err := http.Get("http://" + u.Host + "/books")
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	seen := &books{}
	if _, err := fmt.Fscan(response.Body, &seen.sum, &seen.most); err != nil {
		b.Fatal(err)
	}
	return seen
}

func stream(ctx context.Context, pool *transport.Pool, u *url.URL) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader("{}"))
	if err != nil {
		return err
	}
	response, err := pool.Plain().RoundTrip(req)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = Drain(response.Body, 10*loadTokens)
	return err
}
