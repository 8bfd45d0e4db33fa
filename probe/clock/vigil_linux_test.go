package clock

import (
	"errors"
	"io"
	"net"
	"runtime"
	"testing"
	"time"

	"ttftop/probe"
)

// A vigil takes pieces that come one after the other as such, each with a stamp
// of its own from within its write, before anything of Go has to run.
func TestAVigilTakesPieceByPiece(t *testing.T) {
	c, b := stampedPair(t, "tcp")
	v := vigils.Get().(*vigil)
	defer vigils.Put(v)
	buf := make([]byte, 64)
	for range 100 { // a machine that stands still longer than a vigil settles for cuts it short
		began, wrote := writePieces(b)
		c.raw.Read(func(fd uintptr) bool {
			v.keep(fd, buf, patience)
			return true
		})
		writes := <-wrote
		if v.n < pieces {
			taken := 0
			for i := range v.n {
				taken += v.pieces[i].n
			}
			drainPieces(t, c, pieces-taken)
			continue
		}
		for i := range v.n {
			p := &v.pieces[i]
			text := "abcd"[i : i+1]
			if got := string(v.buffers[i][:p.n]); got != text || p.errno != 0 {
				t.Errorf("piece %d is %q, %v", i, got, p.errno)
			}
			at, ok := p.msg.stamp()
			if !ok || at.Before(writes[i][0].Round(0)) || at.After(writes[i][1].Round(0)) {
				t.Errorf("piece %d has the stamp %v, %v; it was written from %v to %v", i, at.Sub(began), ok, writes[i][0].Sub(began), writes[i][1].Sub(began))
			}
		}
		return
	}
	t.Error("no vigil took four pieces a millisecond apart")
}

// writePieces writes "a", "b", "c" and "d", a millisecond apart, and tells the
// instants before and after each write.
func writePieces(c net.Conn) (began time.Time, wrote <-chan [pieces][2]time.Time) {
	done := make(chan [pieces][2]time.Time, 1)
	began = time.Now()
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var at [pieces][2]time.Time
		for i := range pieces {
			time.Sleep(time.Millisecond)
			at[i][0] = time.Now()
			c.Write([]byte("abcd"[i : i+1]))
			at[i][1] = time.Now()
		}
		done <- at
	}()
	return began, done
}

// drainPieces reads so many bytes.
func drainPieces(t *testing.T, c net.Conn, n int) {
	t.Helper()
	c.SetReadDeadline(time.Now().Add(patience))
	defer c.SetReadDeadline(time.Time{})
	for buf := make([]byte, pieces); n > 0; {
		got, err := c.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		n -= got
	}
}

// Pieces that a vigil holds are read one by one, into a buffer of any length.
func TestKeptPiecesAreReadInOrder(t *testing.T) {
	c, b := stampedPair(t, "tcp")
	Attend(c, true)
	go writePieces(b)
	one, last, text := make([]byte, 1), c.Arrival(), ""
	for range pieces {
		c.SetReadDeadline(time.Now().Add(patience))
		if _, err := c.Read(one); err != nil {
			t.Fatal(err)
		}
		got := c.Arrival()
		if got.Kind != probe.KernelClock || got.At.Before(last.At) || got.Seq != last.Seq+1 || got.Read.Before(last.Read) {
			t.Errorf("%+v after %+v", got, last)
		}
		text, last = text+string(one), got
	}
	if text != "abcd" {
		t.Errorf("read %q", text)
	}
}

// What came while nobody read has one stamp, the newest; Early goes back to the
// first of it.
func TestEarly(t *testing.T) {
	for _, attended := range []bool{false, true} {
		c, b := stampedPair(t, "tcp")
		const apart = 20 * time.Millisecond
		send(t, b, "first")
		between := time.Now()
		time.Sleep(apart)
		send(t, b, "second")
		if attended {
			c.on.Store(true) // as if it had come too late
		}
		receive(t, c, "firstsecond")
		got := c.Arrival()
		if oldest := got.At.Add(-got.Early); got.Kind != probe.KernelClock || oldest.After(between.Round(0)) {
			t.Errorf("attended %v: the oldest came %v before the newest, Early is %v", attended, apart, got.Early)
		}
	}
}

// A thread that is kept waiting for a processor after the bytes have woken it
// says so; where the kernel doesn't count that, the delay of the newest stands in.
func TestLateOfAPiece(t *testing.T) {
	const ms = time.Millisecond
	said := func(text string) (t turns) {
		t.n = copy(t.text[:], text)
		return t
	}
	now := time.Now()
	for name, c := range map[string]struct {
		piece piece
		want  time.Duration
	}{
		"data were there":    {piece{}, unknown},
		"prompt":             {piece{waited: true, before: said("5 1000 7\n"), after: said("9 1000 8\n")}, 0},
		"kept waiting 12 ms": {piece{waited: true, before: said("5 1000000 7\n"), after: said("9 13000000 8\n")}, 12 * ms},
		"not counted":        {piece{waited: true, before: said("0 0 0\n"), after: said("0 0 0\n")}, 0},
		"no such file":       {piece{waited: true}, 0},
		"a single segment":   {piece{waited: true, had: 5, has: 6, before: said("5 1000000 7\n"), after: said("9 13000000 8\n")}, 0},
	} {
		for _, delay := range []time.Duration{0, 3 * ms} {
			p := c.piece
			p.stamp = now.Add(-delay)
			want := c.want
			switch {
			case want == unknown, name == "a single segment":
			case name == "not counted" || name == "no such file":
				want = delay
			default:
				want -= delay
			}
			if got := p.late(now); got != want {
				t.Errorf("%s, read %v late: %v, want %v", name, delay, got, want)
			}
		}
	}
}

// The kernel tells of the thread that asks.
func TestTurns(t *testing.T) {
	var u turns
	u.look()
	if _, ok := u.kept(); !ok {
		t.Skipf("this kernel says %q", u.text[:u.n])
	}
}

// A piece that came in one segment is as old as its stamp, however late its
// reader was.
func TestEarlyOfOneSegment(t *testing.T) {
	c, b := stampedPair(t, "tcp")
	v := vigils.Get().(*vigil)
	defer vigils.Put(v)
	for _, writes := range []uint32{1, 1, 3} {
		go func() {
			for range writes {
				b.Write([]byte("x"))
			}
		}()
		got, segments := 0, uint32(0)
		for got < int(writes) {
			c.raw.Read(func(fd uintptr) bool {
				v.keep(fd, make([]byte, 8), patience)
				return true
			})
			for i := range v.n {
				p := &v.pieces[i]
				got += p.n
				if p.waited {
					segments += p.has - p.had
				}
				if p.waited && p.n == 1 && writes == 1 && p.late(time.Unix(p.copied.Unix())) != 0 {
					t.Errorf("one segment, and late by %v", p.late(time.Unix(p.copied.Unix())))
				}
			}
		}
		if v.info.Data_segs_in == 0 {
			t.Skip("this kernel doesn't count segments")
		}
		if segments > writes {
			t.Errorf("%d segments for %d writes", segments, writes)
		}
	}
}

// Attending ends without a thread left behind, and the deadline that was set
// before holds again.
func TestAttendingEnds(t *testing.T) {
	c, b := stampedPair(t, "tcp")
	c.SetReadDeadline(time.Time{})
	Attend(c, true)
	Attend(c, false)
	send(t, b, "x")
	receive(t, c, "x")
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		c.reading.Lock()
		left := c.vigil
		c.reading.Unlock()
		if left == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("buffers are kept for nobody")
		}
		send(t, b, "y")
		receive(t, c, "y")
	}
	if c.kicked {
		t.Error("the deadline of the kick is still there")
	}
}

// A vigil is held to no garbage, as every read is.
func TestNoGarbageInAVigil(t *testing.T) {
	c, b := stampedPair(t, "tcp")
	c.SetReadDeadline(time.Time{})
	Attend(c, true)
	one, buf := []byte{'x'}, make([]byte, 64)
	var failed error
	got := testing.AllocsPerRun(50, func() {
		if _, err := b.Write(one); err != nil {
			failed = err
		}
		if _, err := c.Read(buf); err != nil {
			failed = err
		}
	})
	if failed != nil {
		t.Fatal(failed)
	}
	if got != 0 {
		t.Errorf("%v allocations a read", got)
	}
}

// Close ends a vigil at once, however long its beat, and the peer sees the end.
func TestCloseDuringAVigil(t *testing.T) {
	c, b := stampedPair(t, "tcp")
	c.SetReadDeadline(time.Time{})
	c.beat = time.Hour
	Attend(c, true)
	read := make(chan error, 1)
	go func() {
		_, err := c.Read(make([]byte, 1))
		read <- err
	}()
	for !c.keeping.Load() && len(read) == 0 {
		runtime.Gosched()
	}
	c.Close()
	select {
	case err := <-read:
		if !errors.Is(err, net.ErrClosed) {
			t.Errorf("the reader got %v", err)
		}
	case <-time.After(patience):
		t.Fatal("the reader still waits")
	}
	b.SetReadDeadline(time.Now().Add(patience))
	if n, err := b.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("the peer read %d, %v", n, err)
	}
}
