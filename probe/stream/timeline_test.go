package stream

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// write is what one read delivers.
type write struct {
	at    time.Duration
	read  int
	bytes []byte
}

// script is a timeline of testdata/cases: what a server does, on a virtual
// clock. Its lines are
//
//	status 429 Too Many Requests
//	header Name: value
//	service <ms>                       how long the server takes one request at a time
//	reject <json key> <status> <body>  the answer to a request with that key
//	@<ms> <bytes>                      escapes \n \r \t \\ \xHH, <<A*70000>> repeats
//	@<ms> *<n> <bytes>                 the same n times in one write
//	@<ms> !close | !abort | !reset | !hold
type script struct {
	status int
	header http.Header
	writes []write
	act    string // how it ends, "" for a clean close
	actAt  time.Duration
	reject []rejection
}

type rejection struct {
	key    string
	status int
	body   string
}

func loadScript(t *testing.T, file string) script {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := script{status: 200, header: http.Header{}}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#") || word == "service":
		case strings.HasPrefix(word, "@"):
			s.add(t, word[1:], rest)
		case word == "status":
			s.status = number(t, rest[:3])
		case word == "header":
			k, v, _ := strings.Cut(rest, ":")
			s.header.Set(strings.TrimSpace(k), strings.TrimSpace(v))
		case word == "reject":
			f := strings.SplitN(rest, " ", 3)
			s.reject = append(s.reject, rejection{key: f[0], status: number(t, f[1]), body: f[2]})
		default:
			t.Fatalf("%s: unknown line %q", file, line)
		}
	}
	if s.header.Get("Content-Type") == "" {
		s.header.Set("Content-Type", "text/event-stream")
	}
	return s
}

func (s *script) add(t *testing.T, ms, rest string) {
	t.Helper()
	at := time.Duration(number(t, ms)) * time.Millisecond
	if strings.HasPrefix(rest, "!") {
		s.act, s.actAt = rest[1:], at
		return
	}
	n := 1
	if m := regexp.MustCompile(`^\*(\d+) `).FindStringSubmatch(rest); m != nil {
		n, rest = number(t, m[1]), rest[len(m[0]):]
	}
	s.writes = append(s.writes, write{at: at, read: len(s.writes), bytes: bytes.Repeat(unescape(t, rest), n)})
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func unescape(t *testing.T, s string) []byte {
	t.Helper()
	s = regexp.MustCompile(`<<(.+?)\*(\d+)>>`).ReplaceAllStringFunc(s, func(m string) string {
		what, times, _ := strings.Cut(strings.Trim(m, "<>"), "*")
		return strings.Repeat(what, number(t, times))
	})
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		switch s[i] {
		case 'x':
			n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			out, i = append(out, byte(n)), i+2
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case '\\':
			out = append(out, '\\')
		default:
			t.Fatalf("unknown escape \\%c", s[i])
		}
	}
	return out
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
	if s.header.Get("Content-Encoding") != "gzip" {
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
