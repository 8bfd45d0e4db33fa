package tui

import (
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// All that is written arrives, and whether the terminal was full is known.
func TestOutflow(t *testing.T) {
	far, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	if _, err := term.MakeRaw(int(tty.Fd())); err != nil {
		t.Fatal(err)
	}
	o := openOutflow(tty)
	defer o.close()
	if o.fd < 0 {
		t.Fatal("the terminal is not opened once more")
	}
	if n, full, err := o.write([]byte("little")); n != 6 || full || err != nil {
		t.Errorf("little: %d written, full %v, %v", n, full, err)
	}
	much := strings.Repeat("0123456789", 10_000)
	var got strings.Builder
	var reading sync.WaitGroup
	read := sync.OnceFunc(func() {
		reading.Go(func() { io.CopyN(&got, far, int64(6+len(much))) })
	})
	o.wait = func(fd int, _ time.Duration) (bool, error) { // nobody reads before the terminal is full
		read()
		return writable(fd, patience)
	}
	if n, full, err := o.write([]byte(much)); n != len(much) || !full || err != nil {
		t.Errorf("much: %d written, full %v, %v", n, full, err)
	}
	read()
	reading.Wait()
	if got.String() != "little"+much {
		t.Errorf("%d bytes arrive, or others", got.Len())
	}
	tty.Close()
	far.Close()
	if _, _, err := o.write([]byte("gone")); err == nil {
		t.Error("a terminal that is gone takes what is written")
	}
}

// What is no terminal is written to as it is.
func TestOutflowOfAPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	o := openOutflow(w)
	defer o.close()
	if n, full, err := o.write([]byte("text")); n != 4 || full || err != nil {
		t.Errorf("%d written, full %v, %v", n, full, err)
	}
	w.Close()
	if got, err := io.ReadAll(r); string(got) != "text" || err != nil {
		t.Errorf("%q arrives, %v", got, err)
	}
}
