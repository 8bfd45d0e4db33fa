package sim

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// drainEnv makes the test binary a client: it opens benchStreams streams to
// the address named and throws away what comes.
const drainEnv = "TTFTOP_SIM_DRAIN"

const benchStreams = 512

func drain(address string) {
	var streams sync.WaitGroup
	for i := range benchStreams {
		streams.Go(func() {
			c, err := net.Dial("tcp", address)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return
			}
			pull(c, i)
		})
	}
	streams.Wait()
}

// pull asks for a stream without end on a connection and reads it to its end.
func pull(c net.Conn, seed int) {
	defer c.Close()
	b := body("m", seed, 16, 1<<19, "")
	fmt.Fprintf(c, "POST /v1/chat/completions HTTP/1.1\r\nHost: sim\r\nContent-Length: %d\r\n\r\n%s", len(b), b)
	io.Copy(io.Discard, c)
}

// benchStep is how long each step of the benchmarks takes.
const benchStep = 20 * time.Millisecond

// benchServer serves steps of benchStep for a batch of benchStreams.
func benchServer(b *testing.B, link Link) *Server {
	b.Helper()
	cfg := roundConfig()
	cfg.Hardware.FLOPS, cfg.Hardware.Bandwidth = 1e18, 1e18
	cfg.StepOverhead = benchStep
	cfg.MaxBatch, cfg.TokenBudget, cfg.ContextTokens = benchStreams, 16*benchStreams, 1<<20
	cfg.Link = link
	s, err := Start(cfg)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// measure waits until all streams run and then counts steps, their lateness,
// and this process's processor time for each token. What was late while the
// streams began is forgotten.
func measure(b *testing.B, s *Server) {
	e := s.engines()[0]
	read := func() (running, generated int) {
		e.stats.mu.Lock()
		defer e.stats.mu.Unlock()
		return e.stats.now.running, e.stats.generated
	}
	for running := 0; running < benchStreams; running, _ = read() {
		time.Sleep(benchStep)
	}
	e.lag.mu.Lock()
	e.lag.late, e.lag.writes = ring{}, ring{}
	e.lag.mu.Unlock()
	_, before := read()
	cpu := cpuTime(b)
	for b.Loop() {
		time.Sleep(benchStep)
	}
	cpu = cpuTime(b) - cpu
	_, after := read()
	lag := s.Lag()
	b.ReportMetric(float64(cpu.Nanoseconds())/1e3/float64(after-before), "cpu-µs/token")
	b.ReportMetric(100*cpu.Seconds()/b.Elapsed().Seconds(), "%core")
	b.ReportMetric(float64(after-before)/b.Elapsed().Seconds(), "tokens/s")
	b.ReportMetric(float64(lag.StepP95.Microseconds()), "µs-late-p95")
	b.ReportMetric(float64(lag.WriteP95.Microseconds()), "µs-write-p95")
}

// What a token costs the server: 512 streams at 50 tokens per second each, read
// by another process.
func BenchmarkServer512(b *testing.B) {
	s := benchServer(b, Link{})
	client := exec.Command(os.Args[0])
	client.Env = append(os.Environ(), drainEnv+"="+strings.TrimPrefix(strings.TrimSuffix(s.URL(), "/v1"), "http://"))
	client.Stderr = os.Stderr
	if err := client.Start(); err != nil {
		b.Fatal(err)
	}
	measure(b, s)
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	client.Wait()
}

// The same with the link in front and its clients in this process: server, link
// and a client that only reads.
func BenchmarkServerAndLink512(b *testing.B) {
	s := benchServer(b, Link{RTT: 20 * time.Millisecond, Jitter: time.Millisecond, Bandwidth: 1e9})
	var streams sync.WaitGroup
	for i := range benchStreams {
		streams.Go(func() {
			c, err := s.Dial(b.Context(), "tcp", s.listener.Addr().String())
			if err != nil {
				b.Error(err)
				return
			}
			pull(c, i)
		})
	}
	measure(b, s)
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	streams.Wait()
}
