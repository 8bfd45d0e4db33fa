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

// timeline is what a server does after a request: the lines of a .tl file, as
// package stream's tests describe them.
type timeline struct {
	status int
	header http.Header
	steps  []step
	refuse []refusal
}

// step is one write, or the end that act names.
type step struct {
	at    time.Duration
	bytes []byte
	act   string // close, abort, reset, hold
}

// refusal answers a request that has a field.
type refusal struct {
	field  string
	status int
	body   string
}

// Replay serves the timeline in a file, in real time, for every chat request.
func Replay(t testing.TB, file string) *httptest.Server {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tl, err := parse(string(text))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
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

func parse(text string) (*timeline, error) {
	tl := &timeline{status: http.StatusOK, header: http.Header{"Content-Type": {"text/event-stream"}}}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		word, rest, _ := strings.Cut(line, " ")
		var err error
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(word, "@"):
			err = tl.add(word[1:], rest)
		case word == "status":
			tl.status, err = strconv.Atoi(rest[:3])
		case word == "header":
			name, value, _ := strings.Cut(rest, ":")
			tl.header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
		case word == "reject":
			f := strings.SplitN(rest, " ", 3)
			r := refusal{field: f[0], body: f[2]}
			r.status, err = strconv.Atoi(f[1])
			tl.refuse = append(tl.refuse, r)
		default:
			err = fmt.Errorf("unknown line %q", line)
		}
		if err != nil {
			return nil, err
		}
	}
	return tl, nil
}

var repeated = regexp.MustCompile(`^\*(\d+) `)

func (tl *timeline) add(ms, rest string) error {
	n, err := strconv.Atoi(ms)
	if err != nil {
		return err
	}
	s := step{at: time.Duration(n) * time.Millisecond}
	if act, ok := strings.CutPrefix(rest, "!"); ok {
		s.act = act
		tl.steps = append(tl.steps, s)
		return nil
	}
	times := 1
	if m := repeated.FindStringSubmatch(rest); m != nil {
		times, _ = strconv.Atoi(m[1])
		rest = rest[len(m[0]):]
	}
	once, err := unescape(rest)
	s.bytes = bytes.Repeat(once, times)
	tl.steps = append(tl.steps, s)
	return err
}

// unescape reads \n, \r, \t, \\ and \xHH.
func unescape(s string) ([]byte, error) {
	plain := map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '\\': '\\'}
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		if s[i] != 'x' {
			out = append(out, plain[s[i]])
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

func (tl *timeline) serve(w http.ResponseWriter, r *http.Request) {
	var fields map[string]any
	if err := json.NewDecoder(r.Body).Decode(&fields); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	io.Copy(io.Discard, r.Body) // only then does the server see the client go
	start := time.Now()
	for _, refusal := range tl.refuse {
		if _, there := fields[refusal.field]; there {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(refusal.status)
			io.WriteString(w, refusal.body)
			return
		}
	}
	for name, values := range tl.header {
		value := values[0]
		if s, ok := strings.CutPrefix(value, "NOW+"); ok {
			n, _ := strconv.Atoi(s)
			value = time.Now().Add(time.Duration(n) * time.Second).UTC().Format(http.TimeFormat)
		}
		w.Header().Set(name, value)
	}
	tl.play(w, r, start)
}

func (tl *timeline) play(w http.ResponseWriter, r *http.Request, start time.Time) {
	begun := false
	for _, s := range tl.steps {
		select {
		case <-time.After(time.Until(start.Add(s.at))):
		case <-r.Context().Done():
			return
		}
		if !begun {
			begun = true
			w.WriteHeader(tl.status)
		}
		switch s.act {
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
		w.Write(s.bytes)
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
