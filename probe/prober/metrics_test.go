package prober

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/scrape"
	"ttftop/probe/sim"
)

// unreported is a simulated vLLM as it is by default: it tells its times on its
// metrics page alone.
func unreported(t *testing.T) *sim.Server {
	return simulated(t, func(c *sim.Config) {
		c.Unreported, c.Handling, c.StepOverhead = true, 3*time.Millisecond, 4*time.Millisecond
	})
}

// slow are knobs that leave time between the probes.
func slow() probe.Knobs {
	k := fast()
	k.Rate, k.PromptTokens = 10, 256
	return k
}

// A probe alone between two pages is cut with them: what they say is what the
// simulator knows of that very request.
func TestCutWithTheMetricsPage(t *testing.T) {
	t.Parallel()
	s := unreported(t)
	k := slow()
	r := begin(t, Config{Targets: []probe.Target{simTarget(s, "a")}, Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: 10 * time.Second})
	enough := func(events []probe.Event) bool { return len(scraped(events)) >= 5 }
	r.until("probes that are cut with the page", enough)
	for _, p := range scraped(r.events()) {
		truth, ok := s.Truth(p.RequestID)
		if !ok {
			t.Fatalf("the simulator does not know %q", p.RequestID)
		}
		near(t, "queue", p.Reported["scraped.queue_seconds"], truth.Queue-truth.Contention)
		near(t, "prefill", p.Reported["scraped.prefill_seconds"], truth.Prefill+truth.FirstDecode+truth.Contention)
		for _, g := range p.Waterfall {
			slowed := p.Contention.At > 0 // what is above the idle prefill is cut by the baseline
			if (g.Name == probe.Queue || g.Name == probe.Prefill) && g.Source != probe.Reported && !slowed {
				t.Errorf("%s is %s: %+v", g.Name, g.Source, p)
			}
		}
		if e := p.Engine; e == nil || e.Running > 1 || e.Waiting != 0 || e.At < p.TTFT().At {
			t.Errorf("engine %+v", e)
		}
		if p.Has(probe.FlagReportMismatch) || p.Has(probe.FlagAbsurdReport) {
			t.Errorf("flags %v", p.Flags)
		}
	}
}

// scraped are the ordinary results that were cut with a metrics page.
func scraped(events []probe.Event) []probe.Result {
	return slices.DeleteFunc(results(events, probe.Ordinary), func(r probe.Result) bool { return !strings.HasSuffix(r.Dialect, " /metrics") })
}

// near compares a figure in seconds with the truth, which is booked to the
// microsecond.
func near(t *testing.T, name string, figure any, truth time.Duration) {
	t.Helper()
	seconds, ok := figure.(float64)
	if !ok || math.Abs(seconds-truth.Seconds()) > 20e-6 {
		t.Errorf("%s: the page says %v s, the truth is %v", name, figure, truth)
	}
}

// Amid load streams the pages hold averages, which are kept, named as such, and
// cut nothing.
func TestAveragesAmidLoad(t *testing.T) {
	t.Parallel()
	s := simulated(t, func(c *sim.Config) { c.Unreported, c.MaxBatch = true, 4 })
	k := slow()
	k.Pressure = 6
	r := begin(t, Config{Targets: []probe.Target{simTarget(s, "a")}, Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: 10 * time.Second})
	var found *probe.Result
	r.until("averages over several requests", func(events []probe.Event) bool {
		for _, p := range results(events, probe.Ordinary) {
			if n, ok := p.Reported["scraped.average_queue_requests"].(int); ok && n > 1 {
				found = &p
				return true
			}
		}
		return false
	})
	if found.Dialect != "" || found.Reported["scraped.queue_seconds"] != nil || found.Reported["scraped.average_prefill_seconds"] == nil {
		t.Errorf("dialect %q, reported %v", found.Dialect, found.Reported)
	}
	for _, g := range found.Waterfall {
		if g.Source == probe.Reported {
			t.Errorf("%s is reported", g.Name)
		}
	}
	r.until("the busy engine is seen", func(events []probe.Event) bool {
		return slices.ContainsFunc(results(events, probe.Ordinary), func(p probe.Result) bool { return p.Engine != nil && p.Engine.Running == 4 && p.Engine.Waiting > 0 })
	})
}

// What the stream itself reports wins, and the state of the engine is told all
// the same; with --ignore-reported neither cuts.
func TestTheStreamsOwnReportWins(t *testing.T) {
	t.Parallel()
	for _, ignore := range []bool{false, true} {
		s := simulated(t, func(c *sim.Config) { c.Unreported = ignore })
		r := begin(t, Config{Targets: []probe.Target{simTarget(s, "a")}, Settings: probe.Settings{Knobs: []probe.Knobs{slow()}}, Timeout: 10 * time.Second, IgnoreReported: ignore})
		r.until("a result with the state of the engine", func(events []probe.Event) bool {
			return slices.ContainsFunc(results(events, probe.Ordinary), func(p probe.Result) bool { return p.Engine != nil })
		})
		want := map[bool]string{false: "vllm", true: ""}[ignore]
		for _, p := range results(r.events(), probe.Ordinary) {
			if p.Dialect != want || p.Reported["scraped.queue_seconds"] != nil {
				t.Errorf("ignore %v: dialect %q, reported %v", ignore, p.Dialect, p.Reported)
			}
		}
		r.stop()
	}
}

// paged is a test server with a metrics page of its own making.
type paged struct {
	*testserver.Server
	front *httptest.Server
	asked atomic.Int64
	page  http.HandlerFunc
}

// newPaged serves chats as handler does, and the page.
func newPaged(t *testing.T, handler testserver.Handler, page http.HandlerFunc) *paged {
	p := &paged{Server: testserver.New(t, []string{"m"}, handler), page: page}
	chat := p.Config.Handler
	p.front = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" {
			p.asked.Add(1)
			p.page(w, r)
			return
		}
		chat.ServeHTTP(w, r)
	}))
	t.Cleanup(p.front.Close)
	return p
}

// onto is a session on the server.
func (p *paged) onto(k probe.Knobs) Config {
	c := onto(p.Server, k)
	c.Targets[0].Endpoint = testserver.Endpoint(p.front.URL+"/v1", "")
	return c
}

// books counts requests, and shows them as SGLang does on its page.
type books struct {
	mu             sync.Mutex
	count          int
	queue, forward time.Duration
}

func (b *books) add(queue, forward time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count++
	b.queue += queue
	b.forward += forward
}

func (b *books) page(w http.ResponseWriter, _ *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	rank := func(n int) string {
		return fmt.Sprintf(`engine_type="unified",model_name="m",pp_rank="0",tp_rank="%d"`, n)
	}
	fmt.Fprintf(w, "# TYPE sglang:num_running_reqs gauge\nsglang:num_running_reqs{%s} 2.0\nsglang:num_queue_reqs{%[1]s} 5.0\nsglang:token_usage{%[1]s} 0.82\n", rank(0))
	for n := range 2 { // the ranks of tensor parallelism repeat each other
		fmt.Fprintf(w, "sglang:queue_time_seconds_sum{%s} %v\nsglang:queue_time_seconds_count{%[1]s} %[3]d.0\n", rank(n), b.queue.Seconds(), b.count)
	}
	fmt.Fprintf(w, "sglang:per_stage_req_latency_seconds_sum{%s,stage=\"prefill_forward\"} %v\nsglang:per_stage_req_latency_seconds_count{%[1]s,stage=\"prefill_forward\"} %[3]d.0\n", rank(0), b.forward.Seconds(), b.count)
}

// An SGLang that counts a request some time after its last byte.
func TestCutWithALatePage(t *testing.T) {
	t.Parallel()
	const queue, forward = 15 * time.Millisecond, 30 * time.Millisecond
	b := &books{}
	var late sync.WaitGroup
	t.Cleanup(late.Wait)
	s := newPaged(t, func(a *testserver.Answer, _ *testserver.Request) {
		time.Sleep(queue + forward)
		a.Short()
		late.Go(func() {
			time.Sleep(30 * time.Millisecond)
			b.add(queue, forward)
		})
	}, b.page)
	k := slow()
	k.Rate = 3
	r := begin(t, s.onto(k))
	r.until("probes that are cut with the page", func(events []probe.Event) bool { return len(scraped(events)) >= 2 })
	p := scraped(r.events())[1]
	if p.Dialect != "sglang /metrics" || p.Reported["scraped.queue_seconds"] != queue.Seconds() || p.Reported["scraped.prefill_seconds"] != forward.Seconds() {
		t.Errorf("dialect %q, reported %v", p.Dialect, p.Reported)
	}
	if e := p.Engine; e == nil || e.Running != 2 || e.Waiting != 5 || e.CacheUse != 0.82 {
		t.Errorf("engine %+v", e)
	}
}

// A page that counts requests long after their end cuts nothing: they are never
// known to be the probe's.
func TestAPageThatIsAlwaysLate(t *testing.T) {
	t.Parallel()
	b := &books{}
	var late sync.WaitGroup
	t.Cleanup(late.Wait)
	s := newPaged(t, func(a *testserver.Answer, _ *testserver.Request) {
		a.Short()
		late.Go(func() {
			time.Sleep(1500 * time.Millisecond)
			b.add(time.Millisecond, time.Millisecond)
		})
	}, b.page)
	k := slow()
	k.Rate = 2
	r := begin(t, s.onto(k))
	r.ordinary(4)
	if got := scraped(r.events()); len(got) > 0 {
		t.Errorf("cut with the figures of another request: %+v", got[0].Reported)
	}
}

// A server without a page is asked once; nothing is said.
func TestNoMetricsPage(t *testing.T) {
	t.Parallel()
	s := newPaged(t, func(a *testserver.Answer, _ *testserver.Request) { a.Short() }, http.NotFound)
	r := begin(t, s.onto(fast()))
	r.ordinary(5)
	if n := s.asked.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
	if got := notices(r.events()); len(got) > 0 {
		t.Errorf("notices %q", got)
	}
}

// A page that never comes holds no probe up: each begins when it is due.
func TestASlowPageHoldsNothingUp(t *testing.T) {
	t.Parallel()
	s := newPaged(t, func(a *testserver.Answer, _ *testserver.Request) { a.Short() }, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "vllm:num_requests_running 1\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	k := slow()
	r := begin(t, s.onto(k))
	r.ordinary(8)
	for _, p := range results(r.events(), probe.Ordinary) {
		if p.Failure != nil || p.Engine != nil || p.Dialect != "" || p.Lag > scrape.PageLimit/2 {
			t.Errorf("%+v", p)
		}
	}
	if s.asked.Load() == 0 {
		t.Error("the page was never asked for")
	}
}

// Nor does it hold the ladder up: all its rungs together take no longer than a
// few of them would wait for such a page.
func TestASlowPageDoesNotStretchTheLadder(t *testing.T) {
	t.Parallel()
	s := newPaged(t, func(a *testserver.Answer, _ *testserver.Request) { a.Short() }, func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
	})
	r := begin(t, s.onto(slow()))
	r.ordinary(1)
	all := results(r.events(), probe.Calibration)
	if took := all[len(all)-1].At.Sub(all[0].At); took > 3*scrape.PageLimit {
		t.Errorf("%d rungs take %v", len(all), took)
	}
}
