package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestOutletWritesInOrder(t *testing.T) {
	var out strings.Builder
	o := newOutlet(t.Context(), &out)
	want := ""
	for i := range 3 * outletRoom {
		fmt.Fprintln(o, i)
		want += fmt.Sprintln(i)
	}
	if err := o.Close(); err != nil || out.String() != want {
		t.Errorf("%v, %d bytes of %d", err, out.Len(), len(want))
	}
}

// A pipe that nobody reads is waited for until the program is to end, and then
// for a moment.
func TestAnOutletThatTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r, w := io.Pipe()
		o := newOutlet(ctx, w)
		ended := time.AfterFunc(time.Hour, cancel)
		defer ended.Stop()
		start := time.Now()
		for range 2 * outletRoom {
			fmt.Fprintln(o, "x")
		}
		if err := o.Close(); !errors.Is(err, errStuck) || time.Since(start) != time.Hour+outletGrace {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		r.Close() // lets the goroutine go
		synctest.Wait()
	})
}

// full takes so many bytes, and later all again.
type full struct {
	strings.Builder
	room int
}

func (f *full) Write(b []byte) (int, error) {
	if f.room < len(b) {
		n, _ := f.Builder.Write(b[:f.room])
		f.room = 1000
		return n, errors.New("full")
	}
	f.room -= len(b)
	return f.Builder.Write(b)
}

func TestAnOutletThatIsFull(t *testing.T) {
	out := &full{room: 5}
	o := newOutlet(t.Context(), out)
	io.WriteString(o, "one\n")
	io.WriteString(o, "two\n")
	io.WriteString(o, "three\n")
	if err := o.Close(); err == nil || out.String() != "one\nt\nthree\n" {
		t.Errorf("%v, %q", err, out.String())
	}
}
