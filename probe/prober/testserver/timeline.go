package testserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Timeline is what a server does after a request, as a .tl file of cases has it.
// The lines of one are
//
//	status 429 Too Many Requests
//	header Name: value
//	service <ms>                       how long the server takes one request at a time; not played
//	reject <json key> <status> <body>  the answer to a request with that key
//	@<ms> <bytes>                      escapes \n \r \t \\ \xHH, <<A*70000>> repeats
//	@<ms> *<n> <bytes>                 the same n times in one write
//	@<ms> !close | !abort | !reset | !hold
type Timeline struct {
	Status int
	Header http.Header
	Steps  []Step
	Refuse []Refusal
}

// Step is one write, or the end that Act names.
type Step struct {
	At    time.Duration
	Bytes []byte
	Act   string // close, abort, reset, hold
}

// Refusal answers a request that has a field.
type Refusal struct {
	Field  string
	Status int
	Body   string
}

// ReadTimeline reads the timeline in a file.
func ReadTimeline(t testing.TB, file string) *Timeline {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tl, err := parse(string(text))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return tl
}

// Replay serves the timeline in a file, in real time, for every chat request.
func Replay(t testing.TB, file string) *httptest.Server {
	t.Helper()
	tl := ReadTimeline(t, file)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"object":"list","data":[{"id":"m","object":"model"}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", tl.serve)
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func parse(text string) (*Timeline, error) {
	tl := &Timeline{Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		word, rest, _ := strings.Cut(line, " ")
		var err error
		switch {
		case line == "" || strings.HasPrefix(line, "#") || word == "service":
		case strings.HasPrefix(word, "@"):
			err = tl.add(word[1:], rest)
		case word == "status":
			tl.Status, err = strconv.Atoi(rest[:3])
		case word == "header":
			name, value, _ := strings.Cut(rest, ":")
			tl.Header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
		case word == "reject":
			f := strings.SplitN(rest, " ", 3)
			r := Refusal{Field: f[0], Body: f[2]}
			r.Status, err = strconv.Atoi(f[1])
			tl.Refuse = append(tl.Refuse, r)
		default:
			err = fmt.Errorf("unknown line %q", line)
		}
		if err != nil {
			return nil, err
		}
	}
	return tl, nil
}

var (
	repeated = regexp.MustCompile(`^\*(\d+) `)
	within   = regexp.MustCompile(`<<(.+?)\*(\d+)>>`)
)

func (tl *Timeline) add(ms, rest string) error {
	n, err := strconv.Atoi(ms)
	if err != nil {
		return err
	}
	s := Step{At: time.Duration(n) * time.Millisecond}
	if act, ok := strings.CutPrefix(rest, "!"); ok {
		s.Act = act
		tl.Steps = append(tl.Steps, s)
		return nil
	}
	times := 1
	if m := repeated.FindStringSubmatch(rest); m != nil {
		times, _ = strconv.Atoi(m[1])
		rest = rest[len(m[0]):]
	}
	once, err := Unescape(rest)
	s.Bytes = bytes.Repeat(once, times)
	tl.Steps = append(tl.Steps, s)
	return err
}

// Unescape reads \n, \r, \t, \\, \xHH and <<repeats>>.
func Unescape(s string) ([]byte, error) {
	s = within.ReplaceAllStringFunc(s, func(m string) string {
		part := within.FindStringSubmatch(m)
		times, _ := strconv.Atoi(part[2])
		return strings.Repeat(part[1], times)
	})
	plain := map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '\\': '\\'}
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		if s[i] != 'x' {
			c, ok := plain[s[i]]
			if !ok {
				return nil, fmt.Errorf("unknown escape \\%c", s[i])
			}
			out = append(out, c)
			continue
		}
		b, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return nil, err
		}
		out, i = append(out, byte(b)), i+2
	}
	return out, nil
}

func (tl *Timeline) serve(w http.ResponseWriter, r *http.Request) {
	var fields map[string]any
	if err := json.NewDecoder(r.Body).Decode(&fields); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	io.Copy(io.Discard, r.Body) // only then does the server see the client go
	start := time.Now()
	for _, refusal := range tl.Refuse {
		if _, there := fields[refusal.Field]; there {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(refusal.Status)
			io.WriteString(w, refusal.Body)
			return
		}
	}
	for name, values := range tl.Header {
		value := values[0]
		if s, ok := strings.CutPrefix(value, "NOW+"); ok {
			n, _ := strconv.Atoi(s)
			value = time.Now().Add(time.Duration(n) * time.Second).UTC().Format(http.TimeFormat)
		}
		w.Header().Set(name, value)
	}
	tl.play(w, r, start)
}

func (tl *Timeline) play(w http.ResponseWriter, r *http.Request, start time.Time) {
	begun := false
	for _, s := range tl.Steps {
		select {
		case <-time.After(time.Until(start.Add(s.At))):
		case <-r.Context().Done():
			return
		}
		if !begun {
			begun = true
			w.WriteHeader(tl.Status)
		}
		switch s.Act {
		case "close":
			return
		case "abort":
			panic(http.ErrAbortHandler)
		case "reset":
			reset(w)
			return
		case "hold":
			<-r.Context().Done()
			return
		}
		w.Write(s.Bytes)
		w.(http.Flusher).Flush()
	}
}

// reset ends the connection of an answer with a TCP reset.
func reset(w http.ResponseWriter) {
	c, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	c.Close()
}
