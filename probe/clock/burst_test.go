package clock

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// This is the server of the benchmark. It runs in a process of its own and
// keeps the truth: the instant before each write.

// burst is one order to the server: as soon as that many requests wait, write
// a token to each of them in one go, and again Tokens−1 times, Gap apart, and
// the end of the stream as long after the last.
type burst struct {
	Streams, Tokens int
	Gap             time.Duration
}

// truth is the server's log of one burst: for each stream the instants of its
// tokens' writes, in nanoseconds of the wall clock.
type truth [][]int64

// tokenLine is one token's chunk, as short as it gets in an event stream.
const tokenLine = "data: x\n"

// serveBursts says its address on out, then answers each burst that it reads
// from in with a truth, until in ends.
func serveBursts(in io.Reader, out io.Writer) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, "listen:", err)
		os.Exit(1)
	}
	answers := json.NewEncoder(out)
	answers.Encode(l.Addr().String())
	waiting := make(chan stream)
	go acceptStreams(l, waiting)
	orders := json.NewDecoder(in)
	for {
		var b burst
		if orders.Decode(&b) != nil {
			return // and the process ends with all its connections
		}
		answers.Encode(b.run(waiting))
	}
}

// stream is a request that waits for its tokens.
type stream struct {
	net.Conn
	index int
}

func acceptStreams(l net.Listener, waiting chan<- stream) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			for r := bufio.NewReader(c); ; {
				request, err := http.ReadRequest(r)
				if err != nil {
					return
				}
				index, _ := strconv.Atoi(strings.TrimPrefix(request.URL.Path, "/"))
				io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
				waiting <- stream{c, index}
			}
		}()
	}
}

// run writes the burst. It has a thread to itself so that little comes between
// the clock and the write.
func (b burst) run(waiting <-chan stream) truth {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	streams := make([]stream, b.Streams)
	log := make(truth, b.Streams)
	for range b.Streams {
		s := <-waiting
		streams[s.index] = s
		log[s.index] = make([]int64, b.Tokens)
	}
	chunk := fmt.Appendf(nil, "%x\r\n%s\r\n", len(tokenLine), tokenLine)
	next := time.Now().Add(b.Gap) // the client settles down to read
	for k := range b.Tokens {
		time.Sleep(time.Until(next))
		next = next.Add(b.Gap)
		for i, s := range streams {
			log[i][k] = time.Now().UnixNano()
			s.Write(chunk)
		}
	}
	// The end comes apart from the last token. Right behind it, it would lend a
	// token that waits unread its own, later stamp: a known limit.
	time.Sleep(time.Until(next))
	for _, s := range streams {
		io.WriteString(s, "0\r\n\r\n")
	}
	return log
}
