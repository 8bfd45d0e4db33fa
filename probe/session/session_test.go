package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ttftop/probe"
	"ttftop/probe/prober"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/record"
	"ttftop/probe/tally"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const testKey = "sk-TESTKEY-0000-do-not-print"

// onto is a session on a test server that answers at once, 50 times a second.
func onto(t *testing.T, handler testserver.Handler) Config {
	t.Helper()
	s := testserver.New(t, nil, handler)
	s.Key = testKey
	k := probe.DefaultKnobs
	k.Model, k.Rate, k.PromptTokens = "m", 50, 64
	return Config{Version: "v1", Prober: prober.Config{
		Targets:  []probe.Target{{Name: "test", Endpoint: s.Endpoint()}},
		Settings: probe.Settings{Knobs: []probe.Knobs{k}}, Timeout: 10 * time.Second,
	}}
}

func short(a *testserver.Answer, _ *testserver.Request) { a.Short() }

func start(t *testing.T, c Config) *Session {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lines are the records of a text, by type, in order.
func lines(t *testing.T, text string) (types []string, records []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		r := map[string]any{}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		types, records = append(types, r["type"].(string)), append(records, r)
	}
	return types, records
}

// A session tells each event after it was folded and records each probe, the
// same to every writer; when Run returns all is written.
func TestACountedSession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	file, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c := onto(t, short)
	c.Prober.Count, c.Prober.LadderFirst = 3, true
	c.Records = []*record.Writer{file, record.NewWriter(&out)}
	finished := 0
	c.On = func(e probe.Event, tl *tally.Tally) {
		if _, ok := e.(probe.Finished); ok {
			finished++
			if n, _ := tl.Counts(); n != finished {
				t.Errorf("%d probes are folded, %d are told", n, finished)
			}
		}
	}
	s := start(t, c)
	s.Run(t.Context())
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != out.String() {
		t.Error("the writers got different records")
	}
	types, records := lines(t, out.String())
	if types[0] != "session" || records[0]["version"] != "v1" || strings.Count(strings.Join(types, " "), "probe") != 1+8+3 {
		t.Errorf("records %v", types)
	}
	s.View(func(tl *tally.Tally, err error) {
		// On a busy machine a late read may be kept out.
		if f := tl.Target(0).Figures(); f.Probes < 1 || f.Probes > 3 || f.Failed != 0 || !f.P50.OK || err != nil {
			t.Errorf("%+v, %v", f, err)
		}
	})
	select {
	case <-s.Changed():
	default:
		t.Error("no change is told")
	}
}

// A turned knob is in the records and in the tally before what it changes.
func TestTurning(t *testing.T) {
	var out bytes.Buffer
	c := onto(t, short)
	c.Records = []*record.Writer{record.NewWriter(&out)}
	ctx, cancel := context.WithCancel(t.Context())
	turned := false
	probes := make(chan int, 1)
	c.On = func(e probe.Event, tl *tally.Tally) {
		if f, ok := e.(probe.Finished); ok && f.Result.Kind == probe.Ordinary {
			if f.Result.Epoch != tl.Epoch() && f.Result.Epoch != tl.Epoch()-1 {
				t.Errorf("a probe of epoch %d in epoch %d", f.Result.Epoch, tl.Epoch())
			}
			if f.Result.Epoch == 1 {
				cancel()
			}
			select {
			case probes <- f.Result.Epoch:
			default:
			}
		}
	}
	s := start(t, c)
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	<-probes
	settings := s.Settings()
	settings.Knobs[0].PromptTokens = 256
	s.Apply(ctx, settings)
	settings.Paused = true
	s.Apply(ctx, settings)
	settings.Paused = false
	s.Apply(ctx, settings)
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("the session does not end")
	}
	s.Apply(context.Background(), settings) // after the end: nothing
	types, records := lines(t, out.String())
	var changes []map[string]any
	for i, r := range records {
		switch {
		case types[i] == "setting":
			changes = append(changes, r["changed"].(map[string]any))
			turned = true
		case types[i] == "probe" && r["epoch"] == 1.0 && !turned:
			t.Error("a probe comes before the change it is of")
		}
	}
	if len(changes) != 3 || len(changes[0]) != 1 || changes[0]["prompt_tokens"] == nil {
		t.Fatalf("changes %v", changes)
	}
	for i, want := range []bool{true, false} {
		if c := changes[1+i]; len(c) != 1 || c["paused"].([]any)[1] != want {
			t.Errorf("pausing is recorded as %v", c)
		}
	}
}

// disk is a file on a disk that is full from time to time.
type disk struct{ full atomic.Bool }

func (d *disk) Write(b []byte) (int, error) {
	if d.full.Load() {
		return 0, errors.New("no space left on device")
	}
	return len(b), nil
}

// Measuring goes on when records can't be written. The error is shown as long
// as it lasts, also where another writer is well.
func TestAFullDisk(t *testing.T) {
	var d disk
	d.full.Store(true)
	var out bytes.Buffer
	c := onto(t, short)
	c.Prober.Count, c.Prober.LadderFirst = 4, true
	var s *Session
	seen := make([]error, 0, 20)
	c.Records = []*record.Writer{record.NewWriter(&d), record.NewWriter(&out)}
	c.On = func(e probe.Event, _ *tally.Tally) {
		f, ok := e.(probe.Finished)
		if !ok {
			return
		}
		seen = append(seen, s.writeErr)
		if f.Result.Kind == probe.Ordinary {
			d.full.Store(false)
		}
	}
	s = start(t, c)
	s.Run(t.Context())
	if len(seen) != 1+8+4 {
		t.Fatalf("%d probes", len(seen))
	}
	for i, err := range seen {
		full := i < 1+8+1
		if full != (err != nil) {
			t.Errorf("probe %d: error %v", i, err)
		}
	}
	s.View(func(_ *tally.Tally, err error) {
		if err != nil {
			t.Errorf("the error stays: %v", err)
		}
	})
	if types, _ := lines(t, out.String()); len(types) != 1+1+8+4 {
		t.Errorf("%d records on the other writer", len(types))
	}
}

// The key is in no record and no event, whatever the server repeats.
func TestTheKeyIsNowhere(t *testing.T) {
	var out bytes.Buffer
	c := onto(t, func(a *testserver.Answer, r *testserver.Request) {
		if r.Header.Get("Authorization") != "Bearer "+testKey {
			t.Error("the key is not sent")
		}
		a.Header().Set("X-Request-Id", testKey)
		a.Header().Set("X-Ratelimit-Remaining-Tokens", testKey)
		if r.N%2 == 0 {
			a.Refuse(401, `{"error":{"message":"Incorrect API key provided: `+testKey+`"}}`)
			return
		}
		a.Token("your key is " + testKey)
		a.Event(`{"model":"` + testKey + `","choices":[],"usage":{"prompt_tokens":40,"completion_tokens":1,"note":"` + testKey + `"}}`)
		a.End(0)
	})
	c.Prober.Count, c.Prober.LadderFirst = 6, true
	c.Records = []*record.Writer{record.NewWriter(&out)}
	c.On = func(e probe.Event, _ *tally.Tally) {
		text, err := json.Marshal(e)
		if err != nil {
			t.Error(err)
		}
		if bytes.Contains(text, []byte("TESTKEY")) {
			t.Errorf("the key is told: %s", text)
		}
	}
	start(t, c).Run(t.Context())
	if strings.Contains(out.String(), "TESTKEY") {
		t.Errorf("the key is recorded: %s", out.String())
	}
}

// What is said once is in the records too.
func TestNoticesAreRecorded(t *testing.T) {
	var out bytes.Buffer
	c := onto(t, short)
	c.Records = []*record.Writer{record.NewWriter(&out)}
	s := start(t, c)
	s.fold(probe.Notice{Target: 0, Text: "the server has changed"})
	s.fold(probe.Notice{Target: -1, Text: "of all"})
	types, records := lines(t, out.String())
	if len(types) != 2 || types[0] != "notice" || records[0]["text"] != "the server has changed" || records[0]["target"] != c.Prober.Targets[0].Name || records[0]["at"] == "" || records[1]["target"] != nil {
		t.Errorf("%s", out.String())
	}
}

// slow is a disk that takes its time.
type slow struct{}

func (slow) Write(b []byte) (int, error) {
	time.Sleep(20 * time.Millisecond)
	return len(b), nil
}

// What was turned, cleared and marked has arrived when a session is settled; one
// that has ended is.
func TestSettle(t *testing.T) {
	c := onto(t, short)
	c.Prober.Settings.Paused = true
	c.Records = []*record.Writer{record.NewWriter(slow{})}
	s := start(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	settings := s.Settings()
	for n := 1; n <= 3; n++ {
		settings.Knobs[0].PromptTokens *= 2
		s.Apply(ctx, settings)
		s.Clear(ctx)
		s.Mark(ctx, "here")
		s.Settle(ctx)
		s.View(func(tl *tally.Tally, _ error) {
			if tl.Settings().Knobs[0].PromptTokens != settings.Knobs[0].PromptTokens || tl.Epoch() != n || len(tl.Markers()) == 0 {
				t.Errorf("after turn %d: %+v in epoch %d, markers %v", n, tl.Settings(), tl.Epoch(), tl.Markers())
			}
		})
	}
	cancel()
	s.Settle(ctx)
	<-done
	s.Settle(t.Context())
}
