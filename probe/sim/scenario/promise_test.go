package scenario

import (
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ttftop/probe/sim"
)

// watched is an endpoint of a scenario with its own users, in virtual time.
type watched struct {
	t      *testing.T
	server *sim.Server
	client *http.Client
}

// watch runs a test beside every endpoint of a scenario.
func watch(t *testing.T, name string, test func(endpoints []*watched)) {
	s, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		var all []*watched
		for _, cfg := range s.Endpoints {
			server, err := sim.InMemory(cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			client := &http.Client{Transport: &http.Transport{DialContext: server.Dial, DisableKeepAlives: true}}
			all = append(all, &watched{t, server, client})
		}
		test(all)
	})
}

// metric is a figure of the metrics page, over all labels.
func (w *watched) metric(name string) (sum float64) {
	w.t.Helper()
	response, err := w.client.Get("http://sim/metrics")
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^vllm:`+name+`\{[^}]*\} (\S+)$`).FindAllSubmatch(page, -1)
	if len(found) == 0 {
		w.t.Fatalf("no %s in\n%s", name, page)
	}
	for _, f := range found {
		x, err := strconv.ParseFloat(string(f[1]), 64)
		if err != nil {
			w.t.Fatal(err)
		}
		sum += x
	}
	return sum
}

// ask sends a prompt of so many words and waits for one token of an answer.
func (w *watched) ask(words int) time.Duration {
	w.t.Helper()
	start := time.Now()
	body := `{"model":"sim-8b","max_tokens":1,"messages":[{"role":"user","content":"` + strings.Repeat("word ", words) + `"}]}`
	response, err := w.client.Post("http://sim/v1/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		w.t.Fatal(response.Status)
	}
	return time.Since(start)
}

// most is the highest that a figure is in a time, looked at every second.
func (w *watched) most(name string, in time.Duration) (most float64) {
	for end := time.Now().Add(in); time.Now().Before(end); time.Sleep(time.Second) {
		most = max(most, w.metric(name))
	}
	return most
}

// Each scenario shows what it is there to show within a minute, by its own users
// alone.
func TestPromises(t *testing.T) {
	const waiting = "num_requests_waiting"
	t.Run("lunch-rush", func(t *testing.T) {
		watch(t, "lunch-rush", func(e []*watched) {
			if morning := e[0].most(waiting, 20*time.Second); morning > 2 {
				t.Errorf("%v wait in the morning", morning)
			}
			if noon := e[0].most(waiting, 40*time.Second); noon < 10 {
				t.Errorf("at most %v wait at noon", noon)
			}
			time.Sleep(90 * time.Second)
			if evening := e[0].most(waiting, 20*time.Second); evening > 5 {
				t.Errorf("%v still wait long after it", evening)
			}
		})
	})
	t.Run("overloaded", func(t *testing.T) {
		watch(t, "overloaded", func(e []*watched) {
			time.Sleep(time.Minute)
			soon := e[0].metric(waiting)
			time.Sleep(2 * time.Minute)
			if late := e[0].metric(waiting); soon < 10 || late < 1.5*soon {
				t.Errorf("%v wait after a minute, %v after three", soon, late)
			}
		})
	})
	t.Run("cold-cache", func(t *testing.T) {
		watch(t, "cold-cache", func(e []*watched) {
			time.Sleep(time.Minute)
			share := func(w *watched) float64 {
				return w.metric("prefix_cache_hits_total") / w.metric("prefix_cache_queries_total")
			}
			mean := func(w *watched) float64 {
				return w.metric("time_to_first_token_seconds_sum") / w.metric("time_to_first_token_seconds_count")
			}
			if cold, warm := share(e[0]), share(e[1]); cold != 0 || warm < 0.85 {
				t.Errorf("%v of the cold one's tokens are cached, %v of the warm one's", cold, warm)
			}
			if cold, warm := mean(e[0]), mean(e[1]); cold < 5*warm {
				t.Errorf("mean TTFT is %.3f s cold and %.3f s warm", cold, warm)
			}
		})
	})
	t.Run("long-context", func(t *testing.T) {
		watch(t, "long-context", func(e []*watched) {
			full, queue := 0.0, 0.0
			for range 60 {
				time.Sleep(time.Second)
				full, queue = max(full, e[0].metric("kv_cache_usage_perc")), max(queue, e[0].metric(waiting))
			}
			if lost := e[0].metric("num_preemptions_total"); full < 0.95 || queue < 2 || lost == 0 {
				t.Errorf("memory is %.0f %% full, %v wait, %v lost theirs", 100*full, queue, lost)
			}
		})
	})
	t.Run("two-regions", func(t *testing.T) {
		watch(t, "two-regions", func(e []*watched) {
			if near, far := e[0].ask(200), e[1].ask(200); near > far/2 {
				t.Errorf("a short prompt takes %v near and %v far", near, far)
			}
			if near, far := e[0].ask(12_000), e[1].ask(12_000); near < far {
				t.Errorf("a long prompt takes %v near and %v far", near, far)
			}
		})
	})
	t.Run("bad-neighbour", func(t *testing.T) {
		watch(t, "bad-neighbour", func(e []*watched) {
			wait := e[0].most(waiting, time.Minute)
			mean := e[0].metric("time_to_first_token_seconds_sum") / e[0].metric("time_to_first_token_seconds_count")
			if wait < 5 || mean < 0.3 {
				t.Errorf("at most %v wait behind the documents, mean TTFT %.3f s", wait, mean)
			}
		})
	})
}
