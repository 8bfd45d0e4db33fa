package attempt

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/transport"
)

// event is a token event of at least so many bytes.
func event(size int) string {
	return fmt.Sprintf("data: {\"pad\":%q,\"choices\":[{\"delta\":{\"content\":\"B\"}}]}\n\n", strings.Repeat("x", size))
}

const finished = `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"

// Lines of all lengths around those that change how they are read: no token is
// lost, and times never decrease.
func TestLongLinesAreReadInBulk(t *testing.T) {
	sizes := []int{0, longLine - 100, longLine, longLine + bulk, 1 << 20, 10, 200 << 10, longLine + 1, 3}
	o := try(t, 5*time.Second, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		for _, size := range sizes {
			reply(w, event(size))
		}
		reply(w, finished)
	})
	tokens := o.Result.Timeline.Tokens
	if o.Result.Failure != nil || o.Result.Text != strings.Repeat("B", len(sizes)) || len(tokens) != len(sizes) {
		t.Fatalf("%v, %q, %d tokens", o.Result.Failure, o.Result.Text, len(tokens))
	}
	if !slices.IsSortedFunc(tokens, func(a, b probe.Arrival) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Read, b.Read)) }) {
		t.Errorf("tokens out of order: %v", tokens)
	}
}

// A long line that stalls just before its end: the token has the time of its
// end, not of its beginning.
func TestALongLineHasTheTimeOfItsEnd(t *testing.T) {
	const stall = 30 * time.Millisecond
	o := try(t, 5*time.Second, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		line := event(50_000)
		reply(w, ": begin\n\n", line[:len(line)-5])
		time.Sleep(stall)
		reply(w, line[len(line)-5:], finished)
	})
	m := o.Result.Timeline
	if o.Result.Failure != nil || m.FirstToken.At-m.Headers.At < stall {
		t.Errorf("%v, first token %v after the headers", o.Result.Failure, m.FirstToken.At-m.Headers.At)
	}
}

// The end of a long line is seen though its chunk goes on for a while: what a
// read holds back is less than a read's length, and comes with the chunk.
func TestALongLineBeforeOthersInOneChunk(t *testing.T) {
	o := try(t, 5*time.Second, func(w http.ResponseWriter, r *http.Request) {
		reply(w, event(9000)+token+event(50_000)+token, finished)
	})
	if o.Result.Failure != nil || o.Result.Text != "BABA" {
		t.Errorf("%v, %q", o.Result.Failure, o.Result.Text)
	}
}

// BenchmarkLongLine shows how long a line of 1.3 MB takes to come.
func BenchmarkLongLine(b *testing.B) {
	line := event(1_300_000)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		reply(w, line, finished)
	}))
	defer s.Close()
	u, err := url.Parse(s.URL + "/v1")
	if err != nil {
		b.Fatal(err)
	}
	e := &probe.Endpoint{Base: u, API: probe.OpenAI}
	pool, err := transport.New(transport.Options{Endpoint: e})
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		o := Run(b.Context(), Spec{Pool: pool, Endpoint: e, Model: "m", Body: []byte("{}"), Conn: probe.WarmConn, Timeout: 10 * time.Second})
		if o.Result.Failure != nil {
			b.Fatal(o.Result.Failure)
		}
	}
}
