package sim

import (
	"bytes"
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
	mu            sync.Mutex
	now           occupation
	prompts, hits int // tokens of prompts, and those found in the prefix cache
	generated     int
	finished      int

	ttft, queue, prefill, decode, inference, total histogram
}

// occupation is the state of an engine after a step, and what it has counted.
type occupation struct {
	running, waiting int
	memory           float64 // share of the memory for keys and values that is in use
	preempted        int
	drafted, proven  int // tokens of drafts, and those that were right
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

// occupied keeps the state of the engine.
func (s *stats) occupied(o occupation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = o
}

// tokens counts the tokens of a request from the one number to the other.
func (s *stats) tokens(r *request, from, to int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.generated += to - from + 1
	if from == 1 {
		s.prompts += r.prompt.tokens
		s.hits += r.cached
		s.ttft.observe(r.first.Sub(r.arrived))
	}
	if to == r.max {
		s.finished++
		s.queue.observe(r.scheduled.Sub(r.queued))
		s.prefill.observe(r.first.Sub(r.scheduled))
		s.decode.observe(r.last.Sub(r.first))
		s.inference.observe(r.last.Sub(r.scheduled))
		s.total.observe(r.last.Sub(r.arrived))
	}
}

// metrics serves the figures of every replica of every model in Prometheus'
// text format, under vLLM's names. A replica that was taken away is in it until
// it has ended what it had.
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write(s.scraped()) // once all figures are taken: a slow reader must not hold up an engine
}

// scraped is the page of metrics.
func (s *Server) scraped() []byte {
	var text bytes.Buffer
	p := page{w: &text}
	for _, name := range s.names {
		for _, e := range s.fleets[name].all() {
			e.stats.mu.Lock()
			defer e.stats.mu.Unlock()
			p.engines = append(p.engines, figures{fmt.Sprintf("engine=\"%d\"", e.number), fmt.Sprintf("model_name=%q", name), e.stats})
		}
	}
	p.gauge("num_requests_running", func(t *stats) float64 { return float64(t.now.running) })
	p.gauge("num_requests_waiting", func(t *stats) float64 { return float64(t.now.waiting) })
	p.gauge("kv_cache_usage_perc", func(t *stats) float64 { return t.now.memory })
	p.counter("num_preemptions_total", func(t *stats) int { return t.now.preempted })
	p.counter("prefix_cache_queries_total", func(t *stats) int { return t.prompts })
	p.counter("prefix_cache_hits_total", func(t *stats) int { return t.hits })
	p.counter("prompt_tokens_total", func(t *stats) int { return t.prompts })
	p.counter("generation_tokens_total", func(t *stats) int { return t.generated })
	p.counter("spec_decode_num_draft_tokens_total", func(t *stats) int { return t.now.drafted })
	p.counter("spec_decode_num_accepted_tokens_total", func(t *stats) int { return t.now.proven })
	p.finished()
	p.histogram("time_to_first_token_seconds", func(t *stats) *histogram { return &t.ttft })
	p.histogram("request_queue_time_seconds", func(t *stats) *histogram { return &t.queue })
	p.histogram("request_prefill_time_seconds", func(t *stats) *histogram { return &t.prefill })
	p.histogram("request_decode_time_seconds", func(t *stats) *histogram { return &t.decode })
	p.histogram("request_inference_time_seconds", func(t *stats) *histogram { return &t.inference })
	p.histogram("e2e_request_latency_seconds", func(t *stats) *histogram { return &t.total })
	return text.Bytes()
}

// page writes one scrape, its engines in order.
type page struct {
	w       io.Writer
	engines []figures
}

// figures are those of one engine, with its labels.
type figures struct {
	engine, model string
	*stats
}

func (p page) kind(name, kind string) {
	fmt.Fprintf(p.w, "# TYPE vllm:%s %s\n", name, kind)
}

func (p page) gauge(name string, of func(*stats) float64) {
	p.kind(name, "gauge")
	for _, e := range p.engines {
		fmt.Fprintf(p.w, "vllm:%s{%s,%s} %s\n", name, e.engine, e.model, decimal(of(e.stats)))
	}
}

func (p page) counter(name string, of func(*stats) int) {
	p.kind(name, "counter")
	for _, e := range p.engines {
		fmt.Fprintf(p.w, "vllm:%s{%s,%s} %d\n", name, e.engine, e.model, of(e.stats))
	}
}

// finished writes the requests that came to their end. Each of them had
// produced all the tokens it was allowed.
func (p page) finished() {
	p.kind("request_success_total", "counter")
	for _, e := range p.engines {
		fmt.Fprintf(p.w, "vllm:request_success_total{%s,finished_reason=\"length\",%s} %d\n", e.engine, e.model, e.stats.finished)
	}
}

func (p page) histogram(name string, of func(*stats) *histogram) {
	p.kind(name, "histogram")
	for _, e := range p.engines {
		h := of(e.stats)
		sum := 0
		for i, n := range h.counts {
			bound := "+Inf"
			if i < len(h.bounds) {
				bound = decimal(h.bounds[i])
			}
			sum += n
			fmt.Fprintf(p.w, "vllm:%s_bucket{%s,le=%q,%s} %d\n", name, e.engine, bound, e.model, sum)
		}
		fmt.Fprintf(p.w, "vllm:%s_count{%s,%s} %d\n", name, e.engine, e.model, h.count)
		fmt.Fprintf(p.w, "vllm:%s_sum{%s,%s} %s\n", name, e.engine, e.model, decimal(h.sum.Seconds()))
	}
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
