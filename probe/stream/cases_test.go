package stream

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"ttftop/probe"
)

var errReset = &os.SyscallError{Syscall: "read", Err: syscall.ECONNRESET}

// TestCases reads every timeline and holds what comes out against the facts
// beside it, fed whole, byte by byte and in random pieces.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.tl")
	if err != nil || len(files) != 55 {
		t.Fatalf("%d timelines, want 55 (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".tl"), func(t *testing.T) {
			s := loadScript(t, file)
			want := loadFacts(t, strings.TrimSuffix(file, ".tl")+".expect.json")
			delete(want, "tol") // for measuring on a real clock
			got := factsOf(t, s)
			for name, w := range want {
				g, known := got[name]
				if !known {
					t.Errorf("%s: no such fact", name)
				} else if !same(name, g, w) {
					t.Errorf("%s = %v, want %v", name, g, w)
				}
			}
		})
	}
}

func loadFacts(t *testing.T, file string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var facts map[string]any
	if err := json.Unmarshal(text, &facts); err != nil {
		t.Fatal(err)
	}
	return facts
}

func same(name string, got, want any) bool {
	g, gotNumber := got.(float64)
	w, wantNumber := want.(float64)
	switch {
	case name == "error":
		return strings.Contains(fmt.Sprint(got), want.(string))
	case gotNumber && wantNumber && name == "per_1k": // written with one decimal
		return math.Abs(g-w) < 0.1
	case gotNumber && wantNumber:
		return math.Abs(g-w) < 1e-6
	}
	return got == want
}

// factsOf reads a timeline as the prober would.
func factsOf(t *testing.T, s script) map[string]any {
	t.Helper()
	format, isStream := FormatOf(s.Header.Get("Content-Type"))
	if s.Status >= 400 || !isStream {
		return bodyFacts(t, s)
	}
	writes, opts := s.plain(t), Options{Format: format}
	a, _ := parse(opts, writes, s.end(), uncut)
	if b, _ := parse(opts, writes, s.end(), byByte); !reflect.DeepEqual(a, b) {
		t.Errorf("byte by byte:\n%+v\nwhole:\n%+v", b, a)
	}
	for seed := range uint64(10) {
		if b, _ := parse(opts, writes, s.end(), atRandom(seed)); !reflect.DeepEqual(a, b) {
			t.Errorf("random pieces %d:\n%+v\nwhole:\n%+v", seed, b, a)
		}
	}
	if s.actAt > 10*time.Minute { // no header ever came, so there was no body to read
		if a.Events != 0 || a.FirstEvent.OK {
			t.Errorf("events without a byte: %+v", a)
		}
		a.Failure = &probe.Failure{Kind: probe.FailTimeout, Phase: probe.PhaseHeaders, Message: "no response headers"}
	}
	return answerFacts(t, a)
}

func bodyFacts(t *testing.T, s script) map[string]any {
	t.Helper()
	f := Body(s.Status, s.Header.Get("Content-Type"), s.body())
	checkLine(t, f.Message)
	facts := map[string]any{"error": f.Message, "status": float64(f.Status), "outcome": "not_sse",
		"ttft": nil, "answer": nil, "last": nil, "tokens": nil, "itl": nil}
	if f.Kind == probe.FailStatus || (f.Kind == probe.FailRateLimit && s.Status == http.StatusTooManyRequests) {
		facts["outcome"] = "http_error"
	}
	return facts
}

func answerFacts(t *testing.T, a Answer) map[string]any {
	t.Helper()
	r := result(a)
	if a.Failure != nil {
		checkLine(t, a.Failure.Message)
		failed := *r
		failed.Failure = a.Failure
		if failed.TPOT().OK {
			t.Error("a failure has a TPOT")
		}
	}
	_, exact := a.OutputTokens()
	facts := map[string]any{
		"outcome": outcome(a), "error": a.Failure, "text": a.Text,
		"ttft": msOf(r.TTFT()), "answer": msOf(r.AnswerTTFT()), "last": msOf(a.LastToken),
		"tokens": countOf(a.Completion), "chunks": float64(a.TokenEvents), "itl": msOf(r.TPOT()),
		"estimate": !exact, "buffered": r.OneRead() && r.OutputTokens > 1,
		"prompt": countOf(a.Prompt), "cached": countOf(a.Cached),
	}
	if a.Failure != nil {
		facts["error"] = a.Failure.Message
	}
	if a.FirstToken.OK && a.Prompt.N > 0 {
		facts["per_1k"] = a.FirstToken.At.Seconds() * 1e6 / float64(a.Prompt.N)
	}
	addReported(t, a.Raw, facts)
	return facts
}

func outcome(a Answer) string {
	f := a.Failure
	switch {
	case f == nil && a.Complete && !a.Truncated:
		return "complete"
	case f == nil:
		return "neither complete nor failed"
	case f.Kind == probe.FailTimeout:
		return map[probe.Phase]string{probe.PhaseHeaders: "timeout_headers",
			probe.PhaseFirstToken: "timeout_first_token", probe.PhaseStall: "timeout_idle"}[f.Phase]
	case f.Kind == probe.FailStream && a.Truncated:
		return "truncated"
	case f.Kind == probe.FailStream:
		return "error"
	}
	return string(f.Kind)
}

// addReported reads the figures of servers from the payloads that were kept, as
// an adapter would.
func addReported(t *testing.T, raw []json.RawMessage, facts map[string]any) {
	t.Helper()
	for _, r := range raw {
		var o struct {
			Timings *struct {
				PromptMS float64 `json:"prompt_ms"`
			}
			TimeInfo map[string]*float64 `json:"time_info"`
			Usage    map[string]any
		}
		if err := json.Unmarshal(r, &o); err != nil {
			t.Fatal(err)
		}
		if o.Timings != nil {
			facts["server_prefill_ms"] = o.Timings.PromptMS
		}
		if q := o.TimeInfo["queue_time"]; q != nil {
			facts["server_queue_ms"] = *q * 1000
			facts["server_prefill_ms"] = *o.TimeInfo["prompt_time"] * 1000
		}
		if s, ok := o.Usage["prompt_time"].(float64); ok {
			facts["server_queue_ms"] = o.Usage["queue_time"]
			facts["server_prefill_ms"] = s * 1000
		}
	}
}

func msOf(m probe.Mark) any {
	if !m.OK {
		return nil
	}
	return float64(m.At) / float64(time.Millisecond)
}

func countOf(c Count) any {
	if !c.OK {
		return nil
	}
	return float64(c.N)
}

// TestErrorStopsAtOnce holds that an error inside the stream is returned by the
// Feed that completes its line, without a blank line after it.
func TestErrorStopsAtOnce(t *testing.T) {
	for id, want := range map[string]time.Duration{"2-04a": 150, "2-04b": 150, "2-04c": 150, "2-04d": 100, "2-04e": 150} {
		s := loadScript(t, "testdata/cases/"+id+".tl")
		for name, cut := range map[string]func([]byte) [][]byte{"whole": uncut, "by byte": byByte} {
			_, stopped := parse(Options{}, s.writes, s.end(), cut)
			if stopped != probe.At(want*time.Millisecond) {
				t.Errorf("%s %s: stopped at %v, want %d ms", id, name, stopped, want)
			}
		}
	}
}

// TestRejections reads the refusals of request fields in the timelines.
func TestRejections(t *testing.T) {
	codes := map[string]string{"7-06a": "unsupported_parameter", "7-06b": "invalid_request_error", "7-07a": "unsupported_value", "7-07b": ""}
	for id, code := range codes {
		s := loadScript(t, "testdata/cases/"+id+".tl")
		if len(s.Refuse) != 1 {
			t.Fatalf("%s: %d refusals", id, len(s.Refuse))
		}
		r := s.Refuse[0]
		f := Body(r.Status, "application/json", []byte(r.Body))
		if f.Kind != probe.FailStatus || f.Status != 400 || f.Code != code || !strings.Contains(f.Message, r.Field) {
			t.Errorf("%s: %+v", id, f)
		}
	}
}

// TestRetryAfterCases reads the header of the rate-limit timelines.
func TestRetryAfterCases(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for id, want := range map[string]time.Duration{"7-01a": 7 * time.Second, "7-01b": 7 * time.Second, "7-01c": -1, "7-01d": 411480 * time.Second} {
		h := loadScript(t, "testdata/cases/"+id+".tl").Header.Get("Retry-After")
		if h == "NOW+7" {
			h = now.Add(7 * time.Second).Format(http.TimeFormat)
		}
		got, ok := RetryAfter(h, now)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%s: %q is %v, want %v", id, h, got, want)
		}
	}
}

// checkLine holds what every message promises.
func checkLine(t *testing.T, s string) {
	t.Helper()
	if n := len([]rune(s)); n == 0 || n > messageLimit {
		t.Errorf("message of %d characters: %q", n, s)
	}
	for _, r := range s {
		if r < 0x20 || (r >= 0x7f && r < 0xa0) || r == 0x202e || r == 0x2028 {
			t.Errorf("message has %U: %q", r, s)
		}
	}
	if s != strings.TrimSpace(s) {
		t.Errorf("message has space around it: %q", s)
	}
}
