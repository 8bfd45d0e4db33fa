package attempt

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/load"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/quantile"
	"ttftop/probe/transport"
)

// A request of the benchmark's server waits so long for its first token. Then it
// gets as many tokens as it asks for, as far apart.
const (
	amidDelay   = 50 * time.Millisecond
	headTokens  = "X-Tokens"
	headEvery   = "X-Every"
	amidTokens  = 16  // of a probe
	amidStreams = 100 // tokens of a load stream
)

// serve plays a server with fixed delays until its standard input ends. It
// tells in the first event when it wrote it.
func serve() {
	testserver.Play(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		tokens, _ := strconv.Atoi(r.Header.Get(headTokens))
		every, _ := time.ParseDuration(r.Header.Get(headEvery))
		w.Header().Set("Content-Type", "text/event-stream")
		time.Sleep(amidDelay)
		fmt.Fprintf(w, "data: {\"wrote\":%d,\"choices\":[{\"delta\":{\"content\":\"A\"}}]}\n\n", time.Now().UnixNano())
		w.(http.Flusher).Flush()
		for range tokens - 1 {
			time.Sleep(every)
			if _, err := io.WriteString(w, token); err != nil {
				return
			}
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	})
}

// BenchmarkAmidLoad prints how much later than the server says it wrote the first
// token a probe has its arrival, alone and amid load streams of this program, of
// the probes that are not kept out of the figures; and how many of a hundred are.
func BenchmarkAmidLoad(b *testing.B) {
	for _, every := range []time.Duration{5 * time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond} {
		for _, streams := range []int{0, 64, 512} {
			b.Run(fmt.Sprintf("every=%v/streams=%d", every, streams), func(b *testing.B) { amid(b, streams, every) })
		}
	}
}

func amid(b *testing.B, streams int, every time.Duration) {
	u := testserver.Process(b)
	e := &probe.Endpoint{Base: u, API: probe.OpenAI}
	pool, err := transport.New(transport.Options{Endpoint: e})
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	g := load.New(b.Context(), func(load.State) {})
	defer g.Close()
	g.Set(streams, func(ctx context.Context) error { return drainAmid(ctx, pool, u, every) }, true)
	time.Sleep(time.Second)
	pool.Aim(transport.Aim{Rate: 10, Most: 16})
	header := http.Header{headTokens: {strconv.Itoa(amidTokens)}, headEvery: {every.String()}}
	var excess []time.Duration
	out := 0
	for b.Loop() {
		o := Run(b.Context(), Spec{Pool: pool, Endpoint: e, Model: "m", Body: []byte("{}"), Header: header, Conn: probe.WarmConn, Timeout: 10 * time.Second})
		if o.Result.Failure != nil {
			b.Fatal(o.Result.Failure)
		}
		if o.Result.KeptOut() {
			out++
			continue
		}
		var said struct{ Wrote int64 }
		if err := json.Unmarshal(o.Answer.Raw[0], &said); err != nil {
			b.Fatal(err)
		}
		excess = append(excess, o.Start.Round(0).Add(o.Result.TTFT().At).Sub(time.Unix(0, said.Wrote)))
	}
	slices.Sort(excess)
	report := func(name string, q float64) {
		b.ReportMetric(float64(quantile.Of(q, excess, 0, 0).At.Microseconds()), name)
	}
	report("late-p50-µs", 0.50)
	report("late-p95-µs", 0.95)
	report("late-p99-µs", 0.99)
	b.ReportMetric(100*float64(out)/float64(out+len(excess)), "%kept-out")
}

func drainAmid(ctx context.Context, pool *transport.Pool, u *url.URL, every time.Duration) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader("{}"))
	if err != nil {
		return err
	}
	req.Header.Set(headTokens, strconv.Itoa(amidStreams))
	req.Header.Set(headEvery, every.String())
	response, err := pool.Plain().RoundTrip(req)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = load.Drain(response.Body, Overrun(probe.LoadOutputCap))
	return err
}
