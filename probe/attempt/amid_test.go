package attempt

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/load"
	"ttftop/probe/quantile"
	"ttftop/probe/transport"
)

// serveAmid is set in the process that plays the server.
const serveAmid = "TTFTOP_SERVE_AMID"

// A request of the benchmark's server waits so long for its first token; a load
// stream then gets a token every so often.
const (
	amidDelay = 50 * time.Millisecond
	amidEvery = 100 * time.Millisecond
)

// serve plays a server with fixed delays until its standard input ends. It
// tells in the first event how long it really waited.
func serve() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr())
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		io.Copy(io.Discard, r.Body)
		tokens, _ := strconv.Atoi(r.URL.Query().Get("tokens"))
		w.Header().Set("Content-Type", "text/event-stream")
		time.Sleep(amidDelay)
		fmt.Fprintf(w, "data: {\"waited\":%d,\"choices\":[{\"delta\":{\"content\":\"A\"}}]}\n\n", time.Since(began))
		w.(http.Flusher).Flush()
		for range tokens {
			time.Sleep(amidEvery)
			if _, err := io.WriteString(w, token); err != nil {
				return
			}
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	io.Copy(io.Discard, os.Stdin)
}

// BenchmarkAmidLoad prints by how much a probe's TTFT exceeds what the server
// says it waited, alone and amid load streams of this program.
func BenchmarkAmidLoad(b *testing.B) {
	for _, streams := range []int{0, 64, 512} {
		b.Run(fmt.Sprintf("streams=%d", streams), func(b *testing.B) { amid(b, streams) })
	}
}

func amid(b *testing.B, streams int) {
	server := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^$")
	server.Env = append(os.Environ(), serveAmid+"=1")
	stdin, _ := server.StdinPipe()
	stdout, _ := server.StdoutPipe()
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	defer server.Wait()
	defer stdin.Close()
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	u := &url.URL{Scheme: "http", Host: strings.TrimSpace(address), Path: "/v1"}
	e := &probe.Endpoint{Base: u, API: probe.OpenAI}
	pool, err := transport.New(transport.Options{Endpoint: e})
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	g := load.New(b.Context(), func(load.State) {})
	defer g.Close()
	g.Set(streams, func(ctx context.Context) error { return drainAmid(ctx, pool, u) }, true)
	time.Sleep(time.Second)
	var excess []time.Duration
	for b.Loop() {
		o := Run(b.Context(), Spec{Pool: pool, Endpoint: e, Model: "m", Body: []byte("{}"), Conn: probe.WarmConn, Timeout: 10 * time.Second})
		if o.Result.Failure != nil {
			b.Fatal(o.Result.Failure)
		}
		var said struct{ Waited time.Duration }
		if err := json.Unmarshal(o.Answer.Raw[0], &said); err != nil {
			b.Fatal(err)
		}
		excess = append(excess, o.Result.TTFT().At-said.Waited)
	}
	slices.Sort(excess)
	report := func(name string, q float64) {
		b.ReportMetric(float64(quantile.Of(q, excess, 0, 0).At.Microseconds()), name)
	}
	report("excess-p50-µs", 0.50)
	report("excess-p95-µs", 0.95)
}

func drainAmid(ctx context.Context, pool *transport.Pool, u *url.URL) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String()+"?tokens=100", strings.NewReader("{}"))
	if err != nil {
		return err
	}
	response, err := pool.Plain().RoundTrip(req)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = load.Drain(response.Body, Overrun(probe.LoadOutputCap))
	return err
}
