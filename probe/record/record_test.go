package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

const ms = time.Millisecond

func full() *probe.Result {
	return &probe.Result{
		Seq: 17, At: time.Date(2030, 1, 2, 3, 4, 5, 678000000, time.UTC), Kind: probe.Ordinary, Epoch: 3,
		Knobs:   probe.Knobs{Model: "m", PromptTokens: 1024, MaxTokens: 16, Pressure: 4, Cache: probe.Bust},
		Address: "203.0.113.7:443", Reused: true, Clock: probe.KernelClock, Status: 200, RequestID: "r-1",
		Timeline: probe.Timeline{
			Headers: probe.At(40 * ms), FirstToken: probe.At(412345678), FirstAnswer: probe.At(412345678), LastToken: probe.At(880 * ms), Done: probe.At(903100 * time.Microsecond),
			Tokens: []probe.Arrival{{At: 412345678, Read: 2}, {At: 440 * ms, Read: 3}, {At: 880 * ms, Read: 4}},
		},
		Waterfall: probe.Waterfall{
			{Name: probe.DNS, Source: probe.Measured}, {Name: probe.RTT, Duration: 38200500, Source: probe.Measured},
			{Name: probe.Queue, Duration: 174145078, Source: probe.Reported},
			{Name: probe.Prefill, Duration: 200000100, Source: probe.Estimated, Lo: 190 * ms, Hi: 210 * ms},
		},
		PromptTokens: 1024, PromptExact: true, OutputTokens: 3, OutputExact: true, FirstTokens: 1,
		RTT: probe.At(38200500), Lag: 100 * time.Microsecond,
	}
}

func line(t *testing.T, r *probe.Result) map[string]any {
	t.Helper()
	var out bytes.Buffer
	if err := NewWriter(&out).Write(FromResult(r, "us-east")); err != nil {
		t.Fatal(err)
	}
	if strings.Count(out.String(), "\n") != 1 {
		t.Fatalf("not one line: %q", out.String())
	}
	got := map[string]any{}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestProbeLine(t *testing.T) {
	got := line(t, full())
	for name, want := range map[string]any{
		"type": "probe", "seq": 17.0, "at": "2030-01-02T03:04:05.678Z", "target": "us-east", "model": "m", "epoch": 3.0, "kind": "probe", "pair": nil,
		"address": "203.0.113.7:443", "prompt_tokens_asked": 1024.0, "max_tokens": 16.0, "prompt_tokens": 1024.0, "prompt_tokens_source": "usage",
		"output_tokens": 3.0, "pressure": 4.0, "cache": "bust", "conn": "reused", "clock": "kernel", "coalesced": false,
		"ttft_ms": 412.346, "answer_ttft_ms": 412.346, "total_ms": 903.1, "tpot_ms": 233.827, "rtt_ms": 38.201, "lag_ms": 0.1, "contention_ms": nil,
		"status": 200.0, "request_id": "r-1", "error": nil,
	} {
		if v, there := got[name]; !there || v != want {
			t.Errorf("%s: %v, want %v", name, v, want)
		}
	}
	itl := got["itl_ms"].(map[string]any)
	if itl["p50"] != 27.654 || itl["max"] != 440.0 {
		t.Errorf("itl_ms: %v", itl)
	}
}

// The written segments add up to the written TTFT, to the microsecond.
func TestSegmentsAddUp(t *testing.T) {
	got := line(t, full())
	var sum float64
	for _, s := range got["segments"].([]any) {
		seg := s.(map[string]any)
		sum += seg["ms"].(float64)
		if _, there := seg["lo"]; there != (seg["source"] == "estimated") {
			t.Errorf("%v: an interval belongs to estimated segments alone", seg)
		}
	}
	if math.Abs(sum-got["ttft_ms"].(float64)) > 1e-9 {
		t.Errorf("the segments add up to %v, the TTFT is %v", sum, got["ttft_ms"])
	}
}

// Rounded to the microsecond, a segment lies within its interval still.
func TestASegmentLiesWithinItsInterval(t *testing.T) {
	for shift := range time.Duration(1000) {
		d := 200*time.Microsecond + 499
		w := probe.Waterfall{
			{Name: probe.RTT, Duration: shift, Source: probe.Measured},
			{Name: probe.Queue, Duration: d, Source: probe.Estimated, Lo: d, Hi: d},
		}
		if s := segments(w)[1]; *s.Lo > s.MS || *s.Hi < s.MS {
			t.Fatalf("after %v: %v not in %v to %v", shift, s.MS, *s.Lo, *s.Hi)
		}
	}
}

func TestAFailureHasNulls(t *testing.T) {
	got := line(t, &probe.Result{Failure: &probe.Failure{Kind: probe.FailRateLimit, Message: "slow down", Status: 429, RetryAfter: 2 * time.Second}})
	for _, name := range []string{"ttft_ms", "answer_ttft_ms", "tpot_ms", "itl_ms", "rtt_ms", "prompt_tokens", "pair"} {
		if got[name] != nil {
			t.Errorf("%s: %v, want null", name, got[name])
		}
	}
	e := got["error"].(map[string]any)
	if e["kind"] != "rate_limit" || e["message"] != "slow down" || e["status"] != 429.0 || e["retry_after_ms"] != 2000.0 {
		t.Errorf("error: %v", e)
	}
	for _, name := range []string{"flags", "segments"} {
		if list, ok := got[name].([]any); !ok || len(list) != 0 {
			t.Errorf("%s: %v, want []", name, got[name])
		}
	}
}

func TestSettingLine(t *testing.T) {
	before := probe.Settings{Knobs: []probe.Knobs{{PromptTokens: 256}, {PromptTokens: 256}}}
	after := before.Clone()
	after.Knobs[1].PromptTokens = 1024
	c := Setting(probe.Changed{Epoch: 4, Before: before, Settings: after}, []probe.Target{{Name: "a"}, {Name: "b"}})
	if c.Epoch != 4 || len(c.Changed) != 1 || c.Changed["prompt_tokens"] != [2]any{256, 1024} || len(c.Targets) != 1 || c.Targets[0] != "b" {
		t.Errorf("%+v", c)
	}
}

func TestLeversInRecords(t *testing.T) {
	targets := []probe.Target{{Name: "a", Endpoint: &probe.Endpoint{Base: &url.URL{}}}, {Name: "b", Endpoint: &probe.Endpoint{Base: &url.URL{}}}}
	before := probe.Settings{Knobs: []probe.Knobs{{}, {}}, Levers: []probe.Levers{{"rtt": "8ms", "loss": "0"}, {"rtt": "140ms", "loss": "0"}}}
	if got := Begin("", time.Now(), targets, before).Targets; got[0].Levers["rtt"] != "8ms" || got[1].Levers["rtt"] != "140ms" {
		t.Errorf("the session says %+v", got)
	}
	after := before.Clone()
	after.Levers[1] = probe.Levers{"rtt": "20ms", "loss": "0"}
	c := Setting(probe.Changed{Before: before, Settings: after}, targets)
	if want := map[string][2]any{"lever:rtt": {"140ms", "20ms"}}; !reflect.DeepEqual(c.Changed, want) || !slices.Equal(c.Targets, []string{"b"}) {
		t.Errorf("%+v", c)
	}
}

func TestMarkerLine(t *testing.T) {
	var out bytes.Buffer
	m := Mark(probe.Marked{At: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC), Note: "deploy \"42\""})
	if err := NewWriter(&out).Write(m); err != nil {
		t.Fatal(err)
	}
	if want := `{"type":"marker","at":"2030-01-02T03:04:05Z","note":"deploy \"42\""}` + "\n"; out.String() != want {
		t.Errorf("%s, want %s", out.String(), want)
	}
}

func TestSLOInRecords(t *testing.T) {
	before := probe.Settings{Knobs: []probe.Knobs{{}}, SLO: []probe.SLO{{Metric: probe.TTFTMetric, Quantile: 0.95, Limit: 600 * ms}}}
	if got := Begin("", time.Now(), nil, before).Settings["slo"]; !reflect.DeepEqual(got, []string{"p95=600ms"}) {
		t.Errorf("the session says %v", got)
	}
	after := before.Clone()
	after.SLO[0].Limit = 800 * ms
	c := Setting(probe.Changed{Before: before, Settings: after}, []probe.Target{{Name: "a"}})
	if want := map[string][2]any{"slo": {[]string{"p95=600ms"}, []string{"p95=800ms"}}}; !reflect.DeepEqual(c.Changed, want) || c.Targets != nil {
		t.Errorf("%+v", c)
	}
}

func TestOpen(t *testing.T) {
	const session = `{"type":"session"}`
	for _, c := range []struct{ name, before, want string }{
		{"new", "", `{"n":1}` + "\n"},
		{"whole", session + "\n", session + "\n" + `{"n":1}` + "\n"},
		{"half a line", session + "\n" + `{"type":"pro`, session + "\n" + `{"type":"pro` + "\n" + `{"n":1}` + "\n"},
		{"cut inside a character", session + "\n{\"type\":\"\xe6\xa8", session + "\n{\"type\":\"\xe6\xa8\n" + `{"n":1}` + "\n"},
	} {
		path := filepath.Join(t.TempDir(), "r.jsonl")
		if c.before != "" {
			if err := os.WriteFile(path, []byte(c.before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w, err := Open(path)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := w.Write(map[string]int{"n": 1}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestOpenSpoilsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte("dear diary\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "holds no records") {
		t.Errorf("another file is appended to: %v", err)
	}
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("a folder is opened")
	}
}

// full disks take half a line, then nothing, then are mended.
type fullDisk struct {
	bytes.Buffer
	room int
}

func (d *fullDisk) Write(b []byte) (int, error) {
	n := min(len(b), d.room)
	d.room -= n
	d.Buffer.Write(b[:n])
	if n < len(b) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

func TestAFullDiskLosesNoWholeRecord(t *testing.T) {
	disk := &fullDisk{room: 12}
	w := NewWriter(disk)
	for range 3 {
		w.Write(map[string]int{"n": 1}) // 8 bytes with the line end
	}
	if w.Err() == nil {
		t.Error("no error is told")
	}
	disk.room = 100
	if err := w.Write(map[string]int{"n": 2}); err != nil || w.Err() != nil {
		t.Errorf("the next record: %v, %v", err, w.Err())
	}
	if got, want := disk.String(), "{\"n\":1}\n{\"n\"\n{\"n\":2}\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
