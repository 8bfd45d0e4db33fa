package attempt

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
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
// lost, and each has a read and a time of its own.
func TestLongLinesAreReadInBulk(t *testing.T) {
	sizes := []int{0, longLine - 100, longLine, longLine + bulk, 1 << 20, 10, 200 << 10, longLine + 1, 3}
	o := try(t, 5*time.Second, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		for _, size := range sizes {
			reply(w, event(size))
			time.Sleep(10 * time.Millisecond)
		}
		reply(w, finished)
	})
	if o.Result.Failure != nil || o.Result.Text != strings.Repeat("B", len(sizes)) || len(o.Result.ITL()) != len(sizes)-1 {
		t.Fatalf("%v, %q, gaps %v", o.Result.Failure, o.Result.Text, o.Result.ITL())
	}
	for i, gap := range o.Result.ITL() {
		if gap < 5*time.Millisecond {
			t.Errorf("gap %d is %v, 10 ms in the server", i, gap)
		}
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
