package attempt

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// A request that outlasts the time-out while it is still being sent is not
// taken for a server that doesn't answer.
func TestAnUploadThatOutlastsTheTimeout(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	accepted := make(chan net.Conn, 1)
	go func() {
		if c, err := l.Accept(); err == nil {
			accepted <- c // and nobody reads
		}
	}()
	o := at(t, t.Context(), "http://"+l.Addr().String(), 300*time.Millisecond, func(s *Spec) { s.Body = bytes.Repeat([]byte(" "), 32<<20) })
	(<-accepted).Close()
	f := o.Result.Failure
	if f == nil || f.Kind != probe.FailTimeout || f.Phase != probe.PhaseSend || !strings.Contains(f.Message, "still being sent after 300ms") || !strings.Contains(f.Message, "connecting") {
		t.Errorf("%+v", f)
	}
}

// A stream that stalls after its first token keeps its round trip.
func TestAStallKeepsTheRoundTrip(t *testing.T) {
	o := try(t, 200*time.Millisecond, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		reply(w, token)
		hold(r)
	})
	r := o.Result
	if r.Failure == nil || r.Failure.Phase != probe.PhaseStall || !r.TTFT().OK || !r.RTT.OK {
		t.Errorf("%v, TTFT %v, round trip %v", r.Failure, r.TTFT(), r.RTT)
	}
}
