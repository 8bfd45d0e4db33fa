package prober

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/record"
)

// testKey is what one of the timelines repeats.
const testKey = "sk-TESTKEY-0000-do-not-print"

// fact is what is right of a timeline served over a real connection. Times are
// in milliseconds, −1 for none.
type fact struct {
	id         string
	ttft, itl  float64 // itl is the TPOT
	tokens     int
	exact      bool
	kind       probe.FailureKind // "" for a success
	says       string
	status     int
	retryAfter time.Duration
	flags      []probe.Flag // that must be there
	notice     string
}

var facts = []fact{
	{id: "1-01", ttft: 400, itl: 30, tokens: 3, exact: true},
	{id: "1-04", ttft: 250, itl: 50, tokens: 4, exact: true},
	{id: "1-06", ttft: 200, itl: 30, tokens: 2, exact: true},
	{id: "1-08", ttft: 1000, itl: 30, tokens: 2, exact: true},
	{id: "2-02b", ttft: 100, itl: 20, tokens: 2},
	{id: "2-03a", ttft: 100, itl: 20, tokens: 2, exact: true},
	{id: "2-03b", ttft: 100, itl: -1, tokens: 2, kind: probe.FailStream, flags: []probe.Flag{probe.FlagTruncated}},
	{id: "2-04d", ttft: -1, itl: -1, kind: probe.FailStream, says: "quota exceeded"},
	{id: "2-04e", ttft: 100, itl: -1, tokens: 1, kind: probe.FailStream, says: "engine overloaded"},
	{id: "2-05a", ttft: -1, itl: -1, kind: probe.FailProtocol, says: "text/html"},
	{id: "2-07a", ttft: 100, itl: 30, tokens: 2},
	{id: "2-07b", ttft: 500, itl: -1, tokens: 2, flags: []probe.Flag{probe.FlagBuffered}},
	{id: "2-12", ttft: 100, itl: 5, tokens: 7, exact: true},
	{id: "3-01", ttft: 200, itl: 10, tokens: 9, exact: true},
	{id: "3-04b", ttft: 300, itl: -1, tokens: 3, exact: true, flags: []probe.Flag{probe.FlagBuffered}},
	{id: "5-03", ttft: 40, itl: 20, tokens: 2, exact: true, flags: []probe.Flag{probe.FlagCached}},
	{id: "6-03", ttft: -1, itl: -1, kind: probe.FailStatus, status: 401, says: "key"},
	{id: "7-01a", ttft: -1, itl: -1, kind: probe.FailRateLimit, status: 429, says: "Rate limit reached", retryAfter: 7 * time.Second},
	{id: "7-01b", ttft: -1, itl: -1, kind: probe.FailRateLimit, status: 429, says: "Rate limit reached", retryAfter: 7 * time.Second},
	{id: "7-01d", ttft: -1, itl: -1, kind: probe.FailRateLimit, status: 429, says: "Rate limit reached", retryAfter: 411480 * time.Second},
	{id: "7-03", ttft: -1, itl: -1, kind: probe.FailStatus, status: 400, says: "maximum context length"},
	{id: "7-04b", ttft: -1, itl: -1, kind: probe.FailTimeout, says: "no first token after 1.5s"},
	{id: "7-04c", ttft: 100, itl: -1, tokens: 2, kind: probe.FailTimeout, says: "stalled after 2 tokens"},
	{id: "7-05a", ttft: 100, itl: -1, tokens: 2, kind: probe.FailStream, says: "connection lost"},
	{id: "7-05b", ttft: 100, itl: -1, tokens: 2, kind: probe.FailStream, says: "connection lost"},
	{id: "7-06a", ttft: 100, itl: 20, tokens: 2, exact: true, notice: "refuses max_tokens"},
	{id: "7-06b", ttft: 100, itl: 20, tokens: 2, exact: true},
	{id: "7-07a", ttft: 100, itl: 20, tokens: 2, exact: true},
	{id: "7-07b", ttft: 100, itl: 20, tokens: 2, notice: "refuses stream_options"},
}

// Timelines served over HTTP by a real server come out right, in the result
// and in its record.
//
// A busy machine serves late, or several events at once: then the next probe
// is looked at.
func TestCases(t *testing.T) {
	runs := make([]*running, len(facts))
	for i, f := range facts { // all at once, since they mostly wait
		s := testserver.Replay(t, "../stream/testdata/cases/"+f.id+".tl")
		k := probe.DefaultKnobs
		k.Model, k.PromptTokens, k.Rate = "m", 1024, 2
		runs[i] = begin(t, Config{
			Targets:  []probe.Target{{Name: "case", Endpoint: testserver.Endpoint(s.URL+"/v1", testKey)}},
			Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: 1500 * time.Millisecond,
		})
	}
	for i, f := range facts {
		t.Run(f.id, func(t *testing.T) {
			r := runs[i]
			var res probe.Result
			r.until("a result in time", func(events []probe.Event) bool {
				for _, res = range results(events, "") {
					if f.inTime(&res) {
						return true
					}
				}
				return false
			})
			r.stop()
			f.check(t, &res)
			f.checkRecord(t, &res)
			f.checkEvents(t, r.events())
		})
	}
}

// inTime reports whether a result was served and read in time.
func (f fact) inTime(r *probe.Result) bool {
	about := func(got, want float64) bool {
		return (got < 0) == (want < 0) && (want < 0 || got > want-10 && got < want+50)
	}
	return !r.KeptOut() && about(millis(r.TTFT()), f.ttft) && about(millis(r.TPOT()), f.itl)
}

func millis(m probe.Mark) float64 {
	if !m.OK {
		return -1
	}
	return float64(m.At) / float64(time.Millisecond)
}

func (f fact) check(t *testing.T, r *probe.Result) {
	t.Helper()
	if r.OutputTokens != f.tokens || r.OutputExact != f.exact && f.kind == "" {
		t.Errorf("%d output tokens (exact: %v), want %d (%v)", r.OutputTokens, r.OutputExact, f.tokens, f.exact)
	}
	if r.TTFT().OK && r.Waterfall.Total() != r.TTFT().At {
		t.Errorf("the waterfall adds up to %v, TTFT is %v", r.Waterfall.Total(), r.TTFT().At)
	}
	for _, flag := range f.flags {
		if !r.Has(flag) {
			t.Errorf("flags %v, want %s among them", r.Flags, flag)
		}
	}
	if f.kind == "" {
		if r.Failure != nil {
			t.Errorf("failed: %+v", r.Failure)
		}
		return
	}
	// A date is of whole seconds, and a busy machine reads it late.
	if e := r.Failure; e == nil || e.Kind != f.kind || !strings.Contains(e.Message, f.says) || e.Status != f.status && f.status != 0 || (e.RetryAfter-f.retryAfter).Abs() > 4*time.Second {
		t.Errorf("failure %+v", e)
	}
}

func (f fact) checkRecord(t *testing.T, r *probe.Result) {
	t.Helper()
	var out bytes.Buffer
	if err := record.NewWriter(&out).Write(record.FromResult(r, "case")); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "TESTKEY") {
		t.Errorf("the key is recorded: %s", out.String())
	}
	var line struct {
		TTFT   *float64       `json:"ttft_ms"`
		TPOT   *float64       `json:"tpot_ms"`
		Tokens int            `json:"output_tokens"`
		Flags  []probe.Flag   `json:"flags"`
		Error  *probe.Failure `json:"error"`
	}
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	if (line.TTFT == nil) != (f.ttft < 0) || (line.TPOT == nil) != (f.itl < 0) || line.Tokens != f.tokens || (line.Error == nil) != (f.kind == "") || line.Flags == nil {
		t.Errorf("recorded as %s", out.String())
	}
	if line.Error != nil && (line.Error.Kind != f.kind || !strings.Contains(line.Error.Message, f.says)) {
		t.Errorf("recorded as %s", out.String())
	}
}

func (f fact) checkEvents(t *testing.T, events []probe.Event) {
	t.Helper()
	if text := fmt.Sprintf("%+v", events); strings.Contains(text, "TESTKEY") {
		t.Error("the key is in an event")
	}
	for _, e := range of[probe.Finished](events) {
		if text := fmt.Sprintf("%+v %+v %s", e.Result, e.Result.Failure, e.Result.Text); strings.Contains(text, "TESTKEY") {
			t.Errorf("the key is in a result: %s", text)
		}
	}
	texts := notices(events)
	if f.notice == "" && len(texts) > 0 || f.notice != "" && (len(texts) != 1 || !strings.Contains(texts[0], f.notice)) {
		t.Errorf("notices %q, want %q", texts, f.notice)
	}
}
