package sim

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// stats are the figures of one engine that /metrics shows. Background users
// count like everybody.
type stats struct {
	mu               sync.Mutex
	running, waiting int
	prompts, hits    int // tokens of prompts, and those found in the prefix cache
	generated        int
	finished         int

	ttft, queue, prefill, decode, inference, total histogram
}

// histogram counts durations as Prometheus does.
type histogram struct {
	bounds []float64 // seconds, upper
	counts []int     // per bound, not cumulated; one more for what lies above
	sum    time.Duration
	count  int
}

// Buckets that vLLM uses: of time to first token, and of the other durations of
// a request (vllm/v1/metrics/loggers.py).
var (
	ttftBuckets    = []float64{0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560}
	requestBuckets = []float64{0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680}
)

func newHistogram(bounds []float64) histogram {
	return histogram{bounds: bounds, counts: make([]int, len(bounds)+1)}
}

func (h *histogram) observe(d time.Duration) {
	h.sum += d
	h.count++
	for i, b := range h.bounds {
		if d.Seconds() <= b {
			h.counts[i]++
			return
		}
	}
	h.counts[len(h.bounds)]++
}

func newStats() *stats {
	return &stats{
		ttft: newHistogram(ttftBuckets), queue: newHistogram(requestBuckets), prefill: newHistogram(requestBuckets),
		decode: newHistogram(requestBuckets), inference: newHistogram(requestBuckets), total: newHistogram(requestBuckets),
	}
}

// occupied says how many requests have a slot and how many wait for one.
func (s *stats) occupied(running, waiting int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running, s.waiting = running, waiting
}

// token counts the nth token of a request.
func (s *stats) token(r *request, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.generated++
	if n == 1 {
		s.prompts += r.prompt.tokens
		s.hits += r.cached
		s.ttft.observe(r.first.Sub(r.arrived))
	}
	if n == r.max {
		s.finished++
		s.queue.observe(r.scheduled.Sub(r.queued))
		s.prefill.observe(r.first.Sub(r.scheduled))
		s.decode.observe(r.last.Sub(r.first))
		s.inference.observe(r.last.Sub(r.scheduled))
		s.total.observe(r.last.Sub(r.arrived))
	}
}

// metrics serves the figures of every model in Prometheus' text format, under
// vLLM's names.
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	p := page{w: w, models: s.names, stats: make(map[string]*stats)}
	for name, e := range s.engines {
		e.stats.mu.Lock()
		defer e.stats.mu.Unlock()
		p.stats[name] = e.stats
	}
	p.simple("num_requests_running", "gauge", func(t *stats) int { return t.running })
	p.simple("num_requests_waiting", "gauge", func(t *stats) int { return t.waiting })
	p.simple("prefix_cache_queries_total", "counter", func(t *stats) int { return t.prompts })
	p.simple("prefix_cache_hits_total", "counter", func(t *stats) int { return t.hits })
	p.simple("prompt_tokens_total", "counter", func(t *stats) int { return t.prompts })
	p.simple("generation_tokens_total", "counter", func(t *stats) int { return t.generated })
	p.finished()
	p.histogram("time_to_first_token_seconds", func(t *stats) *histogram { return &t.ttft })
	p.histogram("request_queue_time_seconds", func(t *stats) *histogram { return &t.queue })
	p.histogram("request_prefill_time_seconds", func(t *stats) *histogram { return &t.prefill })
	p.histogram("request_decode_time_seconds", func(t *stats) *histogram { return &t.decode })
	p.histogram("request_inference_time_seconds", func(t *stats) *histogram { return &t.inference })
	p.histogram("e2e_request_latency_seconds", func(t *stats) *histogram { return &t.total })
}

// page writes one scrape, its models in order.
type page struct {
	w      io.Writer
	models []string
	stats  map[string]*stats
}

func (p page) kind(name, kind string) {
	fmt.Fprintf(p.w, "# TYPE vllm:%s %s\n", name, kind)
}

func (p page) simple(name, kind string, of func(*stats) int) {
	p.kind(name, kind)
	for _, m := range p.models {
		fmt.Fprintf(p.w, "vllm:%s{engine=\"0\",model_name=%q} %d\n", name, m, of(p.stats[m]))
	}
}

// finished writes the requests that came to their end. Each of them had
// produced all the tokens it was allowed.
func (p page) finished() {
	p.kind("request_success_total", "counter")
	for _, m := range p.models {
		fmt.Fprintf(p.w, "vllm:request_success_total{engine=\"0\",finished_reason=\"length\",model_name=%q} %d\n", m, p.stats[m].finished)
	}
}

func (p page) histogram(name string, of func(*stats) *histogram) {
	p.kind(name, "histogram")
	for _, m := range p.models {
		h := of(p.stats[m])
		sum := 0
		for i, n := range h.counts {
			bound := "+Inf"
			if i < len(h.bounds) {
				bound = strconv.FormatFloat(h.bounds[i], 'g', -1, 64)
			}
			sum += n
			fmt.Fprintf(p.w, "vllm:%s_bucket{engine=\"0\",le=%q,model_name=%q} %d\n", name, bound, m, sum)
		}
		fmt.Fprintf(p.w, "vllm:%s_count{engine=\"0\",model_name=%q} %d\n", name, m, h.count)
		fmt.Fprintf(p.w, "vllm:%s_sum{engine=\"0\",model_name=%q} %s\n", name, m, strconv.FormatFloat(h.sum.Seconds(), 'g', -1, 64))
	}
}
