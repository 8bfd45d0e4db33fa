package stream

import (
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

// write is what one read delivers.
type write struct {
	at    time.Duration
	read  int
	bytes []byte
}

// script is a timeline of testdata/cases on a virtual clock.
type script struct {
	*testserver.Timeline
	writes []write
	act    string // how it ends, "" for a clean close
	actAt  time.Duration
}

func loadScript(t *testing.T, file string) script {
	t.Helper()
	s := script{Timeline: testserver.ReadTimeline(t, file)}
	for _, step := range s.Steps {
		if step.Act != "" {
			s.act, s.actAt = step.Act, step.At
			continue
		}
		s.writes = append(s.writes, write{at: step.At, read: len(s.writes), bytes: step.Bytes})
	}
	return s
}

// body is everything the script writes.
func (s *script) body() []byte {
	var all []byte
	for _, w := range s.writes {
		all = append(all, w.bytes...)
	}
	return all
}

// end is what the last read gives, as net/http would.
func (s *script) end() error {
	switch s.act {
	case "abort":
		return io.ErrUnexpectedEOF
	case "reset":
		return errReset
	case "hold":
		return os.ErrDeadlineExceeded
	}
	return io.EOF
}

// plain undoes gzip as a transport would: reading byte by byte, so that each
// piece of plain text has the arrival of the last byte it needed.
func (s *script) plain(t *testing.T) []write {
	t.Helper()
	if s.Header.Get("Content-Encoding") != "gzip" {
		return s.writes
	}
	from := &byteReader{writes: s.writes}
	z, err := gzip.NewReader(from)
	if err != nil {
		t.Fatal(err)
	}
	var out []write
	for {
		buf := make([]byte, 4096)
		n, err := z.Read(buf)
		if n > 0 {
			now := from.writes[from.w]
			out = append(out, write{at: now.at, read: now.read, bytes: buf[:n]})
		}
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// byteReader gives out writes byte by byte and knows which one it is in.
type byteReader struct {
	writes []write
	w, i   int
}

func (r *byteReader) ReadByte() (byte, error) {
	for r.i == len(r.writes[r.w].bytes) {
		if r.w+1 == len(r.writes) {
			return 0, io.EOF
		}
		r.w, r.i = r.w+1, 0
	}
	r.i++
	return r.writes[r.w].bytes[r.i-1], nil
}

func (r *byteReader) Read(b []byte) (int, error) {
	for i := range b {
		c, err := r.ReadByte()
		if err != nil {
			return i, err
		}
		b[i] = c
	}
	return len(b), nil
}

// parse feeds the writes, each cut into pieces by cut, and ends with end.
// stopped is the arrival at which Feed returned a failure.
func parse(opts Options, writes []write, end error, cut func([]byte) [][]byte) (a Answer, stopped probe.Mark) {
	p := New(opts)
feeding:
	for _, w := range writes {
		for _, piece := range cut(w.bytes) {
			if p.Feed(piece, w.at, w.read) != nil {
				stopped = probe.At(w.at)
				break feeding
			}
			if p.Done() {
				break feeding
			}
		}
	}
	p.End(end)
	return p.Answer(), stopped
}

func uncut(b []byte) [][]byte { return [][]byte{b} }

func byByte(b []byte) [][]byte {
	pieces := make([][]byte, len(b))
	for i := range b {
		pieces[i] = b[i : i+1]
	}
	return pieces
}

// atRandom cuts into pieces of random length, some of them empty.
func atRandom(seed uint64) func([]byte) [][]byte {
	r := rand.New(rand.NewPCG(seed, 1))
	return func(b []byte) [][]byte {
		var pieces [][]byte
		for len(b) > 0 {
			n := min(len(b), r.IntN(40))
			if r.IntN(8) == 0 {
				n = min(len(b), r.IntN(5000))
			}
			pieces, b = append(pieces, b[:n]), b[n:]
		}
		return pieces
	}
}

// result puts an answer into a probe's result, as the prober does, but lets it
// pass as a success so that TPOT can be asked.
func result(a Answer) *probe.Result {
	n, exact := a.OutputTokens()
	return &probe.Result{
		Timeline: probe.Timeline{
			FirstEvent: a.FirstEvent, FirstToken: a.FirstToken, FirstReasoning: a.FirstReasoning,
			FirstAnswer: a.FirstAnswer, LastToken: a.LastToken, Tokens: a.Tokens,
		},
		PromptTokens: a.Prompt.N, PromptExact: a.Prompt.OK, CachedTokens: a.Cached.N,
		OutputTokens: n, OutputExact: exact, FirstTokens: a.FirstTokens,
	}
}
