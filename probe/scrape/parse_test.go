package scrape

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"ttftop/probe/reported"
)

func TestParseLlamaCPP(t *testing.T) {
	idle := mustParse(t, recorded(t, "llama-metrics.txt"))
	want := Sample{Server: reported.LlamaCPP, Models: map[string]Model{"": {
		Prefill:      Total{Sum: 0.605409, OK: true},
		PromptTokens: Total{Sum: 1523, OK: true},
		CachedTokens: Total{Sum: 45, OK: true},
		Running:      Gauge{Value: 0, OK: true},
		Waiting:      Gauge{Value: 0, OK: true},
	}}}
	if !reflect.DeepEqual(idle, want) {
		t.Errorf("got %+v", idle)
	}
	busy := mustParse(t, recorded(t, "llama-metrics-busy.txt"))
	if got := busy.Models[""].Running; got != (Gauge{Value: 1, OK: true}) {
		t.Errorf("running %+v", got)
	}
	older := sample(t, gauge("llamacpp:kv_cache_usage_ratio", "", 0.25))
	if got := older.Models[""].CacheUse; got != (Gauge{Value: 0.25, OK: true}) {
		t.Errorf("cache use %+v", got)
	}
}

const (
	a0 = `engine="0",model_name="a"`
	a1 = `engine="1",model_name="a"`
	b0 = `engine="0",model_name="b \"x\""`
)

func TestParseVLLM(t *testing.T) {
	got := sample(t,
		"# HELP python_gc_objects_collected_total Objects {collected} during gc\n# TYPE python_gc_objects_collected_total counter\npython_gc_objects_collected_total{generation=\"0\"} 1.0e4\n",
		histogram("vllm:request_queue_time_seconds", a0, 1.5, 3), more(histogram("vllm:request_queue_time_seconds", a1, 0.5, 1)), more(histogram("vllm:request_queue_time_seconds", b0, 9, 2)),
		histogram("vllm:request_prefill_time_seconds", a0, 0.25, 3),
		histogram("vllm:time_to_first_token_seconds", a0, 2.5, 4),
		histogram("vllm:request_prompt_tokens", a0, 3000, 3),
		counter("vllm:prompt_tokens_total", a0, 4000), counter("vllm:prefix_cache_hits_total", a0, 16),
		gauge("vllm:num_requests_running", a0, 2), more(gauge("vllm:num_requests_running", a1, 3)),
		gauge("vllm:num_requests_waiting", a0, 5),
		gauge("vllm:kv_cache_usage_perc", a0, 0.25), more(gauge("vllm:kv_cache_usage_perc", a1, 0.75)),
	)
	want := Sample{Server: reported.VLLM, Models: map[string]Model{
		"a": {
			Queue: Total{2, 4, true, true}, Prefill: Total{0.25, 3, true, true}, TTFT: Total{2.5, 4, true, true}, Prompt: Total{3000, 3, true, true},
			PromptTokens: Total{Sum: 4000, OK: true}, CachedTokens: Total{Sum: 16, OK: true},
			Running: Gauge{5, true}, Waiting: Gauge{5, true}, CacheUse: Gauge{0.75, true},
		},
		`b "x"`: {Queue: Total{9, 2, true, true}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestParseVLLMOlder(t *testing.T) {
	old := `model_name="a"`
	got := sample(t, histogram("vllm:time_in_queue_requests", old, 4, 2), gauge("vllm:gpu_cache_usage_perc", old, 0.5), counter("vllm:gpu_prefix_cache_hits_total", old, 7)).Models["a"]
	want := Model{Queue: Total{4, 2, true, true}, QueueHasHandling: true, CacheUse: Gauge{0.5, true}, CachedTokens: Total{Sum: 7, OK: true}}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	both := sample(t, histogram("vllm:time_in_queue_requests", old, 4, 2), histogram("vllm:request_queue_time_seconds", old, 3, 2),
		gauge("vllm:gpu_cache_usage_perc", old, 0.5), gauge("vllm:kv_cache_usage_perc", old, 0.25)).Models["a"]
	if both.Queue.Sum != 3 || both.QueueHasHandling || both.CacheUse.Value != 0.25 {
		t.Errorf("the newer names don't win: %+v", both)
	}
}

// Ray Serve puts its prefix and more labels before vLLM's metrics; a page
// without TYPE lines, or with summaries, holds the same.
func TestParseVariants(t *testing.T) {
	want := Total{1.5, 3, true, true}
	for name, page := range map[string]string{
		"ray":     histogram("ray_vllm:request_queue_time_seconds", `model_name="a",WorkerId="7"`, 1.5, 3),
		"untyped": "vllm:request_queue_time_seconds_sum{model_name=\"a\"} 1.5\nvllm:request_queue_time_seconds_count{model_name=\"a\"} 3\n",
		"summary": "# TYPE vllm:request_queue_time_seconds summary\nvllm:request_queue_time_seconds{model_name=\"a\",quantile=\"0.5\"} 0.5\nvllm:request_queue_time_seconds_sum{model_name=\"a\"} 1.5\nvllm:request_queue_time_seconds_count{model_name=\"a\"} 3\n",
		"no end":  strings.TrimSuffix("vllm:request_queue_time_seconds_count{model_name=\"a\"} 3\nvllm:request_queue_time_seconds_sum{model_name=\"a\"} 1.5\n", "\n"),
		"CRLF":    "vllm:request_queue_time_seconds_sum{model_name=\"a\"} 1.5\r\nvllm:request_queue_time_seconds_count{model_name=\"a\"} 3\r\n",
	} {
		if got := sample(t, page).Models["a"].Queue; got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestParseSGLang(t *testing.T) {
	rank := func(tp, more string) string {
		return `engine_type="unified",model_name="a",pp_rank="0",tp_rank="` + tp + `"` + more
	}
	stage := func(name string) string { return rank("0", `,stage="`+name+`"`) }
	page := []string{
		histogram("sglang:queue_time_seconds", rank("0", ""), 1.5, 3), more(histogram("sglang:queue_time_seconds", rank("1", ""), 1.5, 3)),
		histogram("sglang:per_stage_req_latency_seconds", stage("prefill_forward"), 0.75, 3), more(histogram("sglang:per_stage_req_latency_seconds", stage("prefill_waiting"), 8, 8)),
		more(histogram("sglang:per_stage_req_latency_seconds", stage("chunked_prefill"), 0.5, 2)),
		gauge("sglang:num_running_reqs", rank("0", ""), 2), gauge("sglang:num_queue_reqs", rank("0", ""), 1), gauge("sglang:token_usage", rank("0", ""), 0.125),
		counter("sglang:prompt_tokens_total", `model_name="a"`, 900), counter("sglang:cached_tokens_total", `model_name="a"`, 90),
	}
	want := Sample{Server: reported.SGLang, Models: map[string]Model{"a": {
		Queue: Total{1.5, 3, true, true}, Prefill: Total{0.75, 3, true, true}, Chunks: Total{0.5, 2, true, true},
		PromptTokens: Total{Sum: 900, OK: true}, CachedTokens: Total{Sum: 90, OK: true},
		Running: Gauge{2, true}, Waiting: Gauge{1, true}, CacheUse: Gauge{0.125, true},
	}}}
	if got := sample(t, page...); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	// Without the histogram its own, the stage is the queue.
	if got := sample(t, page[2:]...).Models["a"].Queue; got != (Total{8, 8, true, true}) {
		t.Errorf("queue from the stage: %+v", got)
	}
	// With data parallelism ranks have requests of their own.
	got := sample(t, histogram("sglang:queue_time_seconds", rank("0", `,dp_rank="0"`), 1, 1), more(histogram("sglang:queue_time_seconds", rank("1", `,dp_rank="1"`), 2, 1)))
	if q := got.Models["a"].Queue; q != (Total{3, 2, true, true}) {
		t.Errorf("queue over data-parallel ranks: %+v", q)
	}
}

func TestParseTGI(t *testing.T) {
	got := sample(t, histogram("tgi_request_queue_duration", "", 0.5, 2), histogram("tgi_batch_inference_duration", `method="decode"`, 9, 90),
		more(histogram("tgi_batch_inference_duration", `method="prefill"`, 0.25, 2)), histogram("tgi_request_input_length", "", 64, 2),
		gauge("tgi_queue_size", "", 3), gauge("tgi_batch_current_size", "", 4))
	want := Sample{Server: reported.TGI, Models: map[string]Model{"": {
		Queue: Total{0.5, 2, true, true}, Prefill: Total{0.25, 2, true, true}, Prompt: Total{64, 2, true, true}, Waiting: Gauge{3, true}, Running: Gauge{4, true},
	}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestParseNothingKnown(t *testing.T) {
	for _, r := range []io.Reader{
		recorded(t, "ollama-metrics.txt"), recorded(t, "llama-loading-metrics.txt"), strings.NewReader(""),
		strings.NewReader("<html><body>log in</body></html>"), strings.NewReader("go_goroutines 3\n"), strings.NewReader("vllm:cache_config_info{a=\"b\"} 1\n"),
		strings.NewReader("vllm:request_queue_time_seconds_sum{model_name=\"a\"} 1\n"),
	} {
		if s, err := Parse(r); !errors.Is(err, ErrNothingKnown) || s.Models != nil {
			t.Errorf("%+v, %v", s, err)
		}
	}
}

func TestParseDamaged(t *testing.T) {
	for name, c := range map[string]struct {
		page io.Reader
		want string
	}{
		"no number":   {strings.NewReader("a 1\n\nvllm:num_requests_running{model_name=\"a\"} x\n"), "line 3"},
		"cut off":     {strings.NewReader("vllm:num_requests_running{model_name=\"a"), "line 1"},
		"broken":      {iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("vllm:num_requests_running 1\n"))), "timeout"},
		"long line":   {strings.NewReader("vllm:x" + strings.Repeat("x", maxLine)), "too long"},
		"many models": {&manyModels{}, "1 MiB"},
		"long page":   {io.LimitReader(endless{}, maxPage+9), "8 MiB"},
	} {
		if _, err := Parse(c.page); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "metrics page") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// endless is a page of comments.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '#'
		if i%64 == 63 {
			p[i] = '\n'
		}
	}
	return len(p), nil
}

// manyModels is a page without end of series that are read.
type manyModels struct{ n int }

func (s *manyModels) Read(p []byte) (int, error) {
	s.n++
	return copy(p, fmt.Sprintf("vllm:num_requests_running{model_name=\"m%d\"} 1\n", s.n)), nil
}

// What is not read of a page costs no memory, however much it is and under
// whose prefix.
func TestParseTakesLittleMemory(t *testing.T) {
	var page strings.Builder
	page.WriteString(histogram("vllm:request_queue_time_seconds", a0, 1.5, 3))
	for i := 0; page.Len() < 6<<20; i++ {
		fmt.Fprintf(&page, "vllm:request_queue_time_seconds_bucket{engine=\"0\",model_name=\"a\",le=\"%d\"} 7.0\nvllm:lora_requests_info{adapter=\"%[1]d\"} 1\npython_x{a=\"%[1]d\"} 1.0\n", i)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := sample(t, page.String())
	runtime.ReadMemStats(&after)
	if q := got.Models["a"].Queue; q != (Total{1.5, 3, true, true}) {
		t.Errorf("queue %+v", q)
	}
	if made := after.TotalAlloc - before.TotalAlloc; made > 4<<20 {
		t.Errorf("%d MiB are allocated for a page of %d MiB", made>>20, page.Len()>>20)
	}
}

// A value that is no finite number is not said.
func TestParseNaN(t *testing.T) {
	got := sample(t, gauge("vllm:num_requests_running", a0, 2), "# TYPE vllm:request_queue_time_seconds histogram\nvllm:request_queue_time_seconds_count{model_name=\"a\"} 3\nvllm:request_queue_time_seconds_sum{model_name=\"a\"} NaN\n")
	if q := got.Models["a"].Queue; q.OK {
		t.Errorf("queue %+v", q)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(histogram("vllm:request_queue_time_seconds", a0, 1.5, 3), histogram("vllm:request_queue_time_seconds", a0, 2, 4))
	f.Add("tgi_queue_size 1e400\n", "# TYPE tgi_queue_size histogram\ntgi_queue_size_sum -3\ntgi_queue_size_count 3\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		b, err1 := Parse(strings.NewReader(before))
		a, err2 := Parse(strings.NewReader(after))
		if (err1 == nil) != (len(b.Models) > 0) || (err2 == nil) != (len(a.Models) > 0) {
			t.Errorf("%v, %v: %+v, %+v", err1, err2, b, a)
		}
		d := a.Since(b, "a")
		if d.Queue.Mean < 0 || d.Prefill.Mean < 0 || d.TTFT.Mean < 0 || d.PrefillTime < 0 || d.Alone && !d.OK {
			t.Errorf("%+v", d)
		}
		if g, ok := d.Figures(); ok && !g.Cuts() {
			t.Errorf("%+v", g)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	var page strings.Builder
	for range 200 {
		page.WriteString("# HELP python_x It.\n# TYPE python_x counter\npython_x{a=\"b\"} 1.0\n")
	}
	for _, r := range readings[:12] {
		page.WriteString("# TYPE " + r.metric + " histogram\n")
		for range 40 {
			page.WriteString(r.metric + "_bucket{engine=\"0\",model_name=\"a\",le=\"0.3\"} 7.0\n")
		}
		page.WriteString(r.metric + "_count{engine=\"0\",model_name=\"a\"} 7.0\n" + r.metric + "_sum{engine=\"0\",model_name=\"a\"} 7.0\n")
	}
	b.SetBytes(int64(page.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(strings.NewReader(page.String())); err != nil {
			b.Fatal(err)
		}
	}
}
