package clock

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"ttftop/probe"
)

// BenchmarkError shows how far TTFT and ITL are from the server's own log of
// its writes, by the kernel clock and by the clock after the read, of the same
// reads. The first tokens of all streams come in one burst, as do the later
// ones. The server is another process. Figures in microseconds; ITL leaves out
// tokens that one read delivered together ("coalesced", in percent).
func BenchmarkError(b *testing.B) {
	server := startServer(b)
	for _, streams := range []int{1, 64, 256, 512} {
		b.Run(fmt.Sprintf("streams=%d", streams), func(b *testing.B) {
			b.ReportAllocs()
			var all errors4
			for b.Loop() {
				for range max(4, min(150, 1024/streams)) {
					all.add(server.trial(b, streams))
				}
			}
			all.report(b)
		})
	}
}

// trial runs one burst and compares what each stream saw with the log.
func (s *server) trial(b *testing.B, streams int) errors4 {
	order := burst{Streams: streams, Tokens: 6, Gap: 5*time.Millisecond + time.Duration(streams)*200*time.Microsecond}
	if err := s.orders.Encode(order); err != nil {
		b.Fatal(err)
	}
	seen := make([]sighting, streams)
	failed := make([]error, streams)
	var all sync.WaitGroup
	for i := range streams {
		all.Go(func() { seen[i], failed[i] = s.watch(b.Context(), i) })
	}
	all.Wait()
	for _, err := range failed {
		if err != nil {
			b.Fatal(err)
		}
	}
	var log truth
	if err := s.answers.Decode(&log); err != nil {
		b.Fatal(err)
	}
	var e errors4
	for i, saw := range seen {
		if len(saw.tokens) != order.Tokens {
			b.Fatalf("stream %d saw %d tokens of %d", i, len(saw.tokens), order.Tokens)
		}
		e.compare(saw, log[i])
	}
	return e
}

// sighting is what one stream saw: the arrival of each token.
type sighting struct {
	base   Base
	tokens []Arrival
}

// watch makes the request of one stream and reads it to its end.
func (s *server) watch(ctx context.Context, index int) (sighting, error) {
	var conn Conn
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) { conn, _ = find(info.Conn) },
	})
	req, err := http.NewRequestWithContext(ctx, "POST", fmt.Sprintf("http://%s/%d", s.address, index), nil)
	if err != nil {
		return sighting{}, err
	}
	saw := sighting{base: Start()}
	resp, err := s.transport.RoundTrip(req)
	if err != nil {
		return sighting{}, err
	}
	defer resp.Body.Close()
	buf := make([]byte, 4096)
	for bytes := 0; ; {
		n, err := resp.Body.Read(buf)
		arrival := conn.Arrival()
		bytes += n
		for len(saw.tokens) < bytes/len(tokenLine) {
			saw.tokens = append(saw.tokens, arrival)
		}
		if err == io.EOF {
			return saw, nil
		}
		if err != nil {
			return sighting{}, err
		}
	}
}

// errors4 are errors in microseconds, of two figures by two clocks.
type errors4 struct {
	ttftKernel, ttftUser, itlKernel, itlUser []float64

	tokens, coalesced, unstamped int
}

// compare adds the errors of one stream.
func (e *errors4) compare(saw sighting, wrote []int64) {
	µs := func(d time.Duration) float64 { return float64(d) / 1e3 }
	offset := func(k int) (kernel, user, true time.Duration) {
		a := saw.tokens[k]
		return saw.base.Offset(a), saw.base.Since(a.Read), time.Unix(0, wrote[k]).Sub(saw.base.Time().Round(0))
	}
	for k, a := range saw.tokens {
		kernel, user, true := offset(k)
		e.tokens++
		if a.Kind != probe.KernelClock {
			e.unstamped++
		}
		if k == 0 {
			e.ttftKernel = append(e.ttftKernel, µs((kernel - true).Abs()))
			e.ttftUser = append(e.ttftUser, µs((user - true).Abs()))
			continue
		}
		if a.Seq == saw.tokens[k-1].Seq {
			e.coalesced++
			continue
		}
		kernel0, user0, true0 := offset(k - 1)
		e.itlKernel = append(e.itlKernel, µs((kernel - kernel0 - (true - true0)).Abs()))
		e.itlUser = append(e.itlUser, µs((user - user0 - (true - true0)).Abs()))
	}
}

func (e *errors4) add(f errors4) {
	e.ttftKernel = append(e.ttftKernel, f.ttftKernel...)
	e.ttftUser = append(e.ttftUser, f.ttftUser...)
	e.itlKernel = append(e.itlKernel, f.itlKernel...)
	e.itlUser = append(e.itlUser, f.itlUser...)
	e.tokens += f.tokens
	e.coalesced += f.coalesced
	e.unstamped += f.unstamped
}

func (e *errors4) report(b *testing.B) {
	for name, errors := range map[string][]float64{
		"ttft-kernel": e.ttftKernel, "ttft-user": e.ttftUser, "itl-kernel": e.itlKernel, "itl-user": e.itlUser,
	} {
		slices.Sort(errors)
		b.ReportMetric(stat.Quantile(0.5, stat.Empirical, errors, nil), name+"-p50-µs")
		b.ReportMetric(stat.Quantile(0.99, stat.Empirical, errors, nil), name+"-p99-µs")
	}
	b.ReportMetric(100*float64(e.coalesced)/float64(e.tokens), "%coalesced")
	b.ReportMetric(100*float64(e.unstamped)/float64(e.tokens), "%unstamped")
}

// server is the other process.
type server struct {
	address   string
	orders    *json.Encoder
	answers   *json.Decoder
	transport *http.Transport
}

func startServer(b *testing.B) *server {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleEnv+"=server")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	s := &server{
		orders:    json.NewEncoder(in),
		answers:   json.NewDecoder(out),
		transport: &http.Transport{DialContext: wrappedDial, MaxIdleConnsPerHost: 1024, DisableCompression: true},
	}
	b.Cleanup(func() {
		s.transport.CloseIdleConnections()
		in.Close()
		if err := cmd.Wait(); err != nil {
			b.Error("the server:", err)
		}
	})
	if err := s.answers.Decode(&s.address); err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkRead shows what the stamp costs: one byte written and read, on the
// bare connection, with the clock after the read, with the kernel's stamp.
func BenchmarkRead(b *testing.B) {
	for _, kind := range []struct {
		name string
		wrap func(net.Conn) net.Conn
	}{
		{"bare", func(c net.Conn) net.Conn { return c }},
		{"user", func(c net.Conn) net.Conn { return newUserConn(c) }},
		{"wrapped", func(c net.Conn) net.Conn { return Wrap(c) }},
	} {
		b.Run(kind.name, func(b *testing.B) {
			a, peer := pair(b, "tcp")
			c := kind.wrap(a)
			one, buf := []byte{'x'}, make([]byte, 4096)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := peer.Write(one); err != nil {
					b.Fatal(err)
				}
				if _, err := c.Read(buf); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
