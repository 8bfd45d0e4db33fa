package scrape

import (
	"reflect"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/reported"
)

func vllm(t *testing.T, count int, queue, prefill, promptTokens float64) Sample {
	t.Helper()
	return sample(t, histogram("vllm:request_queue_time_seconds", a0, queue, count), histogram("vllm:request_prefill_time_seconds", a0, prefill, count),
		histogram("vllm:request_prompt_tokens", a0, promptTokens, count), histogram("vllm:time_to_first_token_seconds", a0, 9+queue, count+1), gauge("vllm:num_requests_waiting", a0, 3))
}

func TestSince(t *testing.T) {
	before := vllm(t, 10, 2.0, 5.0, 1000)
	for _, c := range []struct {
		name  string
		after Sample
		want  Delta
	}{
		{"one request", vllm(t, 11, 2.25, 5.5, 1256),
			Delta{OK: true, Alone: true, Queue: Average{250 * time.Millisecond, 1, true}, Prefill: Average{500 * time.Millisecond, 1, true}, TTFT: Average{250 * time.Millisecond, 1, true}, MeanPrompt: 256, PrefillTime: 500 * time.Millisecond}},
		{"two requests", vllm(t, 12, 2.5, 6, 1500),
			Delta{OK: true, Queue: Average{250 * time.Millisecond, 2, true}, Prefill: Average{500 * time.Millisecond, 2, true}, TTFT: Average{250 * time.Millisecond, 2, true}, MeanPrompt: 250, PrefillTime: time.Second}},
		{"none", vllm(t, 10, 2, 5, 1000), Delta{OK: true}},
		{"restart", vllm(t, 1, 9, 9, 2000), Delta{Restarted: true}},
		{"an observation that can't be", vllm(t, 11, 1.5, 5.5, 1256),
			Delta{OK: true, Alone: true, Prefill: Average{500 * time.Millisecond, 1, true}, MeanPrompt: 256, PrefillTime: 500 * time.Millisecond}},
		{"a mean beyond an hour", vllm(t, 11, 4000, 5.5, 1256),
			Delta{OK: true, Alone: true, Prefill: Average{500 * time.Millisecond, 1, true}, MeanPrompt: 256, PrefillTime: 500 * time.Millisecond}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.want.Server, c.want.Waiting = reported.VLLM, Gauge{3, true}
			for _, model := range []string{"a", "the client's name for it"} {
				if got := c.after.Since(before, model); got != c.want {
					t.Errorf("got  %+v\nwant %+v", got, c.want)
				}
			}
		})
	}
}

// Alone holds only if everything that is counted agrees.
func TestAlone(t *testing.T) {
	page := func(queue, prefill int) Sample {
		return sample(t, histogram("tgi_request_queue_duration", "", float64(queue), queue), histogram("tgi_batch_inference_duration", `method="prefill"`, float64(prefill), prefill))
	}
	for name, c := range map[string]struct {
		queue, prefill int
		want           bool
	}{"both": {1, 1, true}, "queue only": {1, 0, false}, "more prefills": {1, 2, false}, "more queued": {2, 1, false}} {
		if got := page(5+c.queue, 5+c.prefill).Since(page(5, 5), ""); got.Alone != c.want || !got.OK {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Two models behind one page: only the right one counts, and a name that is
// on no page is nobody's.
func TestSinceByModel(t *testing.T) {
	page := func(a, b int) Sample {
		return sample(t, histogram("vllm:request_queue_time_seconds", a0, float64(a), a), more(histogram("vllm:request_queue_time_seconds", b0, float64(b), b)))
	}
	before, after := page(3, 7), page(4, 12)
	if d := after.Since(before, "a"); !d.Alone || d.Queue != (Average{time.Second, 1, true}) {
		t.Errorf("a: %+v", d)
	}
	if d := after.Since(before, `b "x"`); d.Alone || d.Queue.Count != 5 {
		t.Errorf("b: %+v", d)
	}
	if d := after.Since(before, "c"); d.OK || d.Alone {
		t.Errorf("c: %+v", d)
	}
	if d := after.Since(sample(t, gauge("tgi_queue_size", "", 1)), "a"); d.OK {
		t.Errorf("another server: %+v", d)
	}
	if d := after.Since(Sample{}, "a"); d.OK {
		t.Errorf("no page before: %+v", d)
	}
}

// A server that makes its series with the first request.
func TestSinceFirstRequest(t *testing.T) {
	label := `model_name="a",tp_rank="0"`
	running := gauge("sglang:num_running_reqs", label, 0)
	d := sample(t, running, histogram("sglang:queue_time_seconds", label, 0.25, 1)).Since(sample(t, running), "a")
	if !d.OK || !d.Alone || d.Queue != (Average{250 * time.Millisecond, 1, true}) {
		t.Errorf("got %+v", d)
	}
}

// A prompt prefilled in slices: the last slice's time is not the prefill.
func TestSinceSliced(t *testing.T) {
	label := `model_name="a",tp_rank="0"`
	page := func(n, chunks int) Sample {
		return sample(t, histogram("sglang:queue_time_seconds", label, float64(n), n), histogram("sglang:per_stage_req_latency_seconds", label+`,stage="prefill_forward"`, float64(n), n),
			more(histogram("sglang:per_stage_req_latency_seconds", label+`,stage="chunked_prefill"`, 1, chunks)))
	}
	if d := page(4, 9).Since(page(3, 9), "a"); !d.Alone || !d.Prefill.OK {
		t.Errorf("one slice: %+v", d)
	}
	d := page(4, 11).Since(page(3, 9), "a")
	if f, ok := d.Figures(); !d.Alone || d.Prefill.OK || !ok || f.Prefill.OK || f.Queue != probe.At(time.Second) {
		t.Errorf("three slices: %+v", d)
	}
}

// llama.cpp counts no requests: nothing is anybody's own.
func TestSinceLlamaCPP(t *testing.T) {
	zero, later := mustParse(t, recorded(t, "llama-metrics-busy.txt")), mustParse(t, recorded(t, "llama-metrics.txt"))
	want := Delta{OK: true, Server: reported.LlamaCPP, PrefillTime: 605409 * time.Microsecond, PromptTokens: 1523, CachedTokens: 45, Running: Gauge{0, true}, Waiting: Gauge{0, true}}
	if got := later.Since(zero, "m"); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := zero.Since(later, "m"); !got.Restarted || got.OK || got.PrefillTime != 0 {
		t.Errorf("backwards: %+v", got)
	}
	if _, ok := later.Since(zero, "m").Figures(); ok {
		t.Error("figures of no request in particular")
	}
}

func TestFigures(t *testing.T) {
	got, ok := vllm(t, 11, 2.25, 5.5, 1256).Since(vllm(t, 10, 2.0, 5.0, 1000), "a").Figures()
	want := reported.Figures{Dialect: "vllm /metrics", Queue: probe.At(250 * time.Millisecond), Prefill: probe.At(500 * time.Millisecond), FirstDecodeInPrefill: reported.Yes,
		WholeTTFT: probe.At(250 * time.Millisecond), HandlingFromHeaders: true,
		Raw: map[string]any{"scraped.queue_seconds": 0.25, "scraped.prefill_seconds": 0.5, "scraped.ttft_seconds": 0.25}}
	if !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if _, ok := vllm(t, 12, 2.25, 5.5, 1256).Since(vllm(t, 10, 2.0, 5.0, 1000), "a").Figures(); ok {
		t.Error("an average over two is no figure of one")
	}
	old := func(n int) Sample { return sample(t, histogram("vllm:time_in_queue_requests", a0, float64(n), n)) }
	if f, ok := old(2).Since(old(1), "a").Figures(); !ok || !f.QueueHasHandling || f.Prefill.OK {
		t.Errorf("older queue: %+v", f)
	}
}

// Averages name the number of requests, and are of those figures alone that were
// counted.
func TestAverages(t *testing.T) {
	two, none := vllm(t, 12, 2.5, 6, 1500).Since(vllm(t, 10, 2.0, 5.0, 1000), "a"), vllm(t, 10, 2, 5, 1000).Since(vllm(t, 10, 2, 5, 1000), "a")
	want := map[string]any{
		"scraped.average_queue_seconds": 0.25, "scraped.average_queue_requests": 2, "scraped.average_prefill_seconds": 0.5, "scraped.average_prefill_requests": 2,
		"scraped.average_ttft_seconds": 0.25, "scraped.average_ttft_requests": 2,
	}
	if got := two.Averages(); !reflect.DeepEqual(got, want) || two.Requests() != 2 {
		t.Errorf("got %v", got)
	}
	if got := none.Averages(); len(got) != 0 || none.Requests() != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
