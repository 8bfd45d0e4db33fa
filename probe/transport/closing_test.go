package transport

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"testing"
	"testing/synctest"
	"time"

	"ttftop/probe"
)

func TestClosing(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		idle  []time.Duration
		times int
		last  time.Duration
	}{
		{nil, 0, 0},
		{[]time.Duration{5 * s}, 1, 5 * s},
		{[]time.Duration{5 * s, 5100 * time.Millisecond}, 2, 5100 * time.Millisecond},
		{[]time.Duration{5 * s, 40 * s}, 1, 40 * s},
		{[]time.Duration{0, time.Millisecond, 0}, 3, 0},
		{[]time.Duration{0, 5 * s}, 1, 5 * s},
		{[]time.Duration{5 * s, 0}, 1, 0},
	} {
		var got closing
		for _, idle := range c.idle {
			got.saw(idle)
		}
		if got.times != c.times || got.last != c.last {
			t.Errorf("%v: %+v", c.idle, got)
		}
	}
}

// A server that says with each answer that it closes the connection.
func TestAServerThatClosesAfterEachAnswer(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		w.Write([]byte("x\n"))
	}))
	defer s.Close()
	p := pool(t, s.URL, nil)
	for i := range 3 {
		e, err := p.Do(request(t, s.URL, ""), probe.WarmConn, nil)
		if err != nil {
			t.Fatal(err)
		}
		text(t, e)
		e.Keep()
		e.Abort()
		if e.Reused || e.Fresh {
			t.Errorf("request %d on a kept connection", i)
		}
		if idle, ok := p.Closes(); ok != (i > 0) || idle != 0 {
			t.Errorf("after request %d: %v, %v", i, idle, ok)
		}
	}
}

// A connection that this side gives up, as net/http does where it is late, is not
// closed by the server; one that ends under a request is.
func TestAConnectionGivenUpHere(t *testing.T) {
	hangUp := make(chan bool, 4)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte("x\n"))
		if <-hangUp {
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	}))
	defer s.Close()
	p := pool(t, s.URL, nil)
	for i, server := range []bool{false, false, true, true} {
		hangUp <- server
		e, err := p.Do(request(t, s.URL, ""), probe.ColdConn, nil)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, e.Response.Body)
		e.link.http.Close()
		p.begin()
		p.end(e.link)
		e.Abort()
		if _, ok := p.Closes(); ok != (i == 3) {
			t.Errorf("after connection %d: closes %v", i, ok)
		}
	}
}

// A connection that was made ahead is fresh the first time, and the server's
// patience with idle ones is learned.
func TestAConnectionMadeAheadIsFresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, end := newFar(t, 50*time.Millisecond, 5*time.Second)
		defer end()
		s.Aim(Aim{Rate: 1, Most: 16})
		s.probe(t)
		time.Sleep(time.Second) // spare ones are made
		s.Pool.mu.Lock()
		idle := len(s.idle)
		s.Pool.mu.Unlock()
		fresh := 0
		for range 2 * idle {
			e, err := s.Do(request(t, "http://far.test", "a"), probe.WarmConn, nil)
			if err != nil {
				t.Fatal(err)
			}
			text(t, e)
			e.Keep()
			e.Abort()
			if e.Fresh {
				fresh++
			}
			if e.Fresh && !e.Reused {
				t.Error("a fresh connection that was not there")
			}
			time.Sleep(time.Second)
		}
		if fresh == 0 || fresh >= idle {
			t.Errorf("%d fresh of %d idle connections, one of them used", fresh, idle)
		}
		time.Sleep(20 * time.Second)
		if keeps, ok := s.Closes(); !ok || keeps < 4*time.Second || keeps > 6*time.Second {
			t.Errorf("the server keeps them for %v, %v: 5 s", keeps, ok)
		}
	})
}

// What a kept connection that was dead has cost comes before the start of the
// request.
func TestTheTimeLostOnADeadConnection(t *testing.T) {
	const held = 30 * time.Millisecond
	requests := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if requests++; requests == 2 {
			time.Sleep(held)
			panic(http.ErrAbortHandler) // closes the connection without an answer
		}
		w.Write([]byte("x\n"))
	}))
	defer s.Close()
	p := pool(t, s.URL, nil)
	for i := range 2 {
		began := time.Now()
		e, err := p.Do(request(t, s.URL, "a"), probe.WarmConn, nil)
		if err != nil {
			t.Fatal(err)
		}
		text(t, e)
		e.Keep()
		e.Abort()
		if e.Closed != (i == 1) || i == 0 && e.Lost != 0 {
			t.Errorf("request %d: closed %v, lost %v", i, e.Closed, e.Lost)
		}
		if i == 1 && (e.Lost < held || e.Base.Time().Sub(began) < e.Lost) {
			t.Errorf("lost %v of at least %v; started after %v", e.Lost, held, e.Base.Time().Sub(began))
		}
	}
}

// On a kept connection a request starts when its first byte is written: what
// this program took until then is not the endpoint's.
func TestAKeptConnectionStartsWithTheFirstByte(t *testing.T) {
	const late = 40 * time.Millisecond
	s := httptest.NewServer(flushing("x"))
	defer s.Close()
	p := pool(t, s.URL, nil)
	for i := range 2 {
		req := request(t, s.URL, "a")
		if i == 1 {
			req = req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
				WroteHeaders: func() { time.Sleep(late) }, // as a busy program does, with nothing written yet
			}))
		}
		began := time.Now()
		e, err := p.Do(req, probe.WarmConn, nil)
		if err != nil {
			t.Fatal(err)
		}
		started := e.Base.Time().Sub(began)
		if i == 1 && (!e.Reused || started < late || e.Timeline.GotConn.At != 0) {
			t.Errorf("reused %v, started after %v, connection in hand at %v", e.Reused, started, e.Timeline.GotConn.At)
		}
		if m := e.Timeline; m.Written.At < 0 || m.Sent.At < m.Written.At || m.FirstByte.At < m.Sent.At {
			t.Errorf("marks out of order: %+v", m)
		}
		text(t, e)
		e.Keep()
		e.Abort()
	}
}
