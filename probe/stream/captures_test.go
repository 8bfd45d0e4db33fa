package stream

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

// capture is what is known of a recorded response.
type capture struct {
	First      string // text of the first token
	Text       string
	Tokens     int // token events
	Events     int
	Completion *int
	Generated  *int
	Prompt     *int
	Cached     *int
	Finish     string
	ID         string
	Model      string
	Output     int
	Exact      bool
	Raw        int // payloads kept

	FirstEventMS float64   `json:"first_event_ms"` // of timed ones
	ArrivalsMS   []float64 `json:"arrivals_ms"`
	TPOTMS       float64   `json:"tpot_ms"`
	GapsMS       []float64 `json:"gaps_ms"`

	Failure *struct {
		Kind    probe.FailureKind
		Status  int
		Code    string
		Message string
	}
}

// TestCaptures reads the bytes of real servers: llama.cpp and Ollama.
func TestCaptures(t *testing.T) {
	text, err := os.ReadFile("testdata/captures/expect.json")
	if err != nil {
		t.Fatal(err)
	}
	var wants map[string]capture
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&wants); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/captures/*.txt")
	if err != nil || len(files) != len(wants) {
		t.Fatalf("%d captures, %d expected (%v)", len(files), len(wants), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		want, known := wants[name]
		if !known {
			t.Errorf("%s: nothing expected", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			reads := []write{{bytes: slurp(t, file)}}
			if strings.HasSuffix(name, ".timed.txt") {
				reads = timedReads(t, reads[0].bytes)
			}
			status, contentType, body := unchunk(t, reads)
			if want.Failure != nil {
				checkBody(t, status, contentType, body, want)
			} else {
				checkStream(t, contentType, body, want)
			}
		})
	}
}

func slurp(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var timedLine = regexp.MustCompile(`^ *([\d.]+) ms +(\d+) B b(['"])(.*)['"]$`)

// timedReads reads a recording of reads: time, size and bytes as Python writes
// them.
func timedReads(t *testing.T, text []byte) []write {
	t.Helper()
	var reads []write
	for line := range strings.Lines(string(text)) {
		m := timedLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			t.Fatalf("not a timed read: %.60q", line)
		}
		ms, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		b, err := testserver.Unescape(strings.ReplaceAll(m[4], `\'`, `'`))
		if err != nil || strconv.Itoa(len(b)) != m[2] {
			t.Fatalf("read at %s ms has %d bytes, want %s: %v", m[1], len(b), m[2], err)
		}
		reads = append(reads, write{at: duration(ms), read: len(reads), bytes: b})
	}
	return reads
}

func duration(ms float64) time.Duration {
	return time.Duration(ms*1000+0.5) * time.Microsecond
}

// readReader gives one recorded read per Read, and knows which it was.
type readReader struct {
	reads []write
	last  write
}

func (r *readReader) Read(b []byte) (int, error) {
	if len(r.reads) == 0 {
		return 0, io.EOF
	}
	r.last, r.reads = r.reads[0], r.reads[1:]
	return copy(b, r.last.bytes), nil
}

// unchunk parses an HTTP response with net/http and returns its body as it
// arrived.
func unchunk(t *testing.T, reads []write) (status int, contentType string, body []write) {
	t.Helper()
	from := &readReader{reads: reads}
	resp, err := http.ReadResponse(bufio.NewReaderSize(from, 64<<10), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	for {
		buf := make([]byte, 64<<10)
		n, err := resp.Body.Read(buf)
		if n > 0 {
			body = append(body, write{at: from.last.at, read: from.last.read, bytes: buf[:n]})
		}
		if errors.Is(err, io.EOF) {
			return resp.StatusCode, resp.Header.Get("Content-Type"), body
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func checkBody(t *testing.T, status int, contentType string, body []write, want capture) {
	t.Helper()
	s := script{writes: body}
	f := Body(status, contentType, s.body())
	checkLine(t, f.Message)
	w := want.Failure
	if f.Kind != w.Kind || f.Status != w.Status || f.Code != w.Code || f.Message != w.Message {
		t.Errorf("got  %+v\nwant %+v", f, w)
	}
}

func checkStream(t *testing.T, contentType string, body []write, want capture) {
	t.Helper()
	format, ok := FormatOf(contentType)
	if !ok {
		t.Fatalf("%q is no stream", contentType)
	}
	opts := Options{Format: format}
	a, _ := parse(opts, body, nil, uncut)
	if b, _ := parse(opts, body, nil, byByte); !reflect.DeepEqual(a, b) {
		t.Errorf("byte by byte:\n%+v\nwhole:\n%+v", b, a)
	}
	if a.Failure != nil || !a.Complete || a.Truncated || a.Skipped != 0 {
		t.Errorf("failure %v, complete %v, truncated %v, %d skipped", a.Failure, a.Complete, a.Truncated, a.Skipped)
	}
	n, exact := a.OutputTokens()
	got := capture{First: firstText(format, body), Text: a.Text, Tokens: a.TokenEvents, Events: a.Events,
		Completion: pointer(a.Completion), Generated: pointer(a.Generated), Prompt: pointer(a.Prompt), Cached: pointer(a.Cached),
		Finish: a.FinishReason, ID: a.ID, Model: a.Model, Output: n, Exact: exact, Raw: len(a.Raw)}
	if len(want.ArrivalsMS) > 0 {
		got.time(a)
	}
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(want)
	if !bytes.Equal(g, w) {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

func (c *capture) time(a Answer) {
	r := result(a)
	for _, k := range a.Tokens {
		c.ArrivalsMS = append(c.ArrivalsMS, float64(k.At.Microseconds())/1000)
	}
	for _, gap := range r.ITL() {
		c.GapsMS = append(c.GapsMS, float64(gap.Microseconds())/1000)
	}
	c.FirstEventMS = float64(a.FirstEvent.At.Microseconds()) / 1000
	c.TPOTMS = float64(r.TPOT().At.Nanoseconds()) / 1e6
}

// firstText feeds until the first token and returns its text.
func firstText(format Format, body []write) string {
	p := New(Options{Format: format})
	for _, w := range body {
		for _, b := range byByte(w.bytes) {
			if _ = p.Feed(b, w.at, w.read); p.FirstToken().OK {
				return p.Answer().Text
			}
		}
	}
	return ""
}

func pointer(c Count) *int {
	if !c.OK {
		return nil
	}
	return &c.N
}
