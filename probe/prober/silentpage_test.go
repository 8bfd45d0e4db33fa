package prober

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

func TestSilence(t *testing.T) {
	var s silence
	for i, c := range []struct {
		took time.Duration
		want string
	}{
		{300 * time.Millisecond, ""}, {40 * time.Millisecond, ""}, {318 * time.Millisecond, ""},
		{100 * time.Millisecond, "no metrics page is read: the server was asked for one 3 times, and none was there after 318 ms, when the next probe was due"},
		{300 * time.Millisecond, ""}, {300 * time.Millisecond, ""}, {300 * time.Millisecond, ""},
	} {
		if got := s.waited(c.took); got != c.want {
			t.Errorf("page %d: %q, want %q", i, got, c.want)
		}
	}
}

// A page that hangs and one that drips are told of once.
func TestASilentPageIsTold(t *testing.T) {
	t.Parallel()
	hangs := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	drips := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			io.WriteString(w, "vllm:x 1\n")
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond)
		}
	}
	short := func(a *testserver.Answer, _ *testserver.Request) { a.Short() }
	for name, page := range map[string]http.HandlerFunc{"hangs": hangs, "drips": drips} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := slow()
			k.Rate = 5
			r := begin(t, newPaged(t, short, page).onto(k))
			r.until("a notice", func([]probe.Event) bool { return len(notices(r.events())) > 0 })
			r.ordinary(len(r.ordinary(1)) + 8)
			if got := notices(r.events()); len(got) != 1 || !strings.Contains(got[0], "no metrics page is read") {
				t.Errorf("notices %q", got)
			}
		})
	}
}

// Nothing is said of a page that would tell nothing new: the answers do.
func TestASilentPageThatNobodyMisses(t *testing.T) {
	t.Parallel()
	s := newPaged(t, func(a *testserver.Answer, _ *testserver.Request) {
		a.Token("A")
		a.Event(`{"choices":[],"usage":{"prompt_tokens":256,"completion_tokens":1,"queue_time":0,"prompt_time":0.001}}`)
		a.Event("[DONE]")
	}, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	k := slow()
	k.Rate = 5
	r := begin(t, s.onto(k))
	r.ordinary(10)
	if got := notices(r.events()); len(got) > 0 {
		t.Errorf("notices %q", got)
	}
}
