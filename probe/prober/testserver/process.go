package testserver

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// playing is set in a process that plays the server of a benchmark.
const playing = "TTFTOP_TEST_PLAYS_SERVER"

// Plays reports whether this process is one that Process started: its TestMain
// calls Play and returns.
func Plays() bool { return os.Getenv(playing) != "" }

// Play serves until standard input ends, and says on standard output where.
func Play(handler http.HandlerFunc) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr())
	go http.Serve(listener, handler)
	io.Copy(io.Discard, os.Stdin)
}

// Process starts this test binary once more to play the server, so that it is
// not held up by what the benchmark does, and returns the base URL of its API.
func Process(b testing.TB) *url.URL {
	b.Helper()
	server := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^$")
	server.Env = append(os.Environ(), playing+"=1")
	stdin, _ := server.StdinPipe()
	stdout, _ := server.StdoutPipe()
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		stdin.Close()
		server.Wait()
	})
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return &url.URL{Scheme: "http", Host: strings.TrimSpace(address), Path: "/v1"}
}
