package reported

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"ttftop/probe"
)

// recorded reads a recorded response: its headers and the payloads of its
// events, or of its lines where it is no event stream.
func recorded(t *testing.T, name string) (http.Header, []json.RawMessage) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(raw)), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var events []json.RawMessage
	for line := range bytes.Lines(body) {
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("data:")))
		if len(line) > 0 {
			events = append(events, json.RawMessage(line))
		}
	}
	if len(events) == 0 {
		t.Fatalf("%s holds no events", name)
	}
	return resp.Header, events
}

func events(texts ...string) []json.RawMessage {
	var list []json.RawMessage
	for _, text := range texts {
		list = append(list, json.RawMessage(text))
	}
	return list
}

func header(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return h
}

func ms(n float64) probe.Mark { return probe.At(time.Duration(n * float64(time.Millisecond))) }

func n(i int) Count { return Count{N: i, OK: true} }

// reading is one response and what an adapter must read in it. Of Raw only
// the names given are compared.
type reading struct {
	name   string
	header http.Header
	events []json.RawMessage
	want   Figures
	no     bool // the adapter must not recognise it
}

// each runs one adapter over a table, by way of its name in Adapters.
func each(t *testing.T, adapter string, table []reading) {
	t.Helper()
	for _, a := range Adapters {
		if a.Name != adapter {
			continue
		}
		for _, r := range table {
			t.Run(r.name, func(t *testing.T) {
				got, ok := a.Read(r.header, r.events)
				if ok == r.no {
					t.Fatalf("recognised: %v", ok)
				}
				compare(t, got, r.want)
			})
		}
		return
	}
	t.Fatalf("no adapter %q", adapter)
}

func compare(t *testing.T, got, want Figures) {
	t.Helper()
	for name, v := range want.Raw {
		if got.Raw[name] != v {
			t.Errorf("raw %s = %v, want %v", name, got.Raw[name], v)
		}
	}
	raw := got.Raw
	got.Raw, want.Raw = nil, nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if _, err := json.Marshal(raw); err != nil {
		t.Errorf("raw figures are no JSON: %v", err)
	}
}
