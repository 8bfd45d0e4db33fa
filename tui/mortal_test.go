//go:build unix

package tui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"
)

// mortal is a server of the chat API that can die and come back on the same
// port.
type mortal struct {
	t       *testing.T
	answer  http.HandlerFunc // nil for tokens
	address string
	server  *http.Server
	served  chan struct{}
}

func (e *mortal) listen() {
	e.t.Helper()
	address := e.address
	if address == "" {
		address = "127.0.0.1:0"
	}
	var l net.Listener
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		var err error
		if l, err = net.Listen("tcp", address); err == nil {
			break
		}
		if time.Now().After(deadline) {
			e.t.Fatal(err)
		}
	}
	e.address = l.Addr().String()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"tiny","object":"model"}]}`)
	})
	chat := e.answer
	if chat == nil {
		chat = tokens
	}
	mux.HandleFunc("POST /v1/chat/completions", chat)
	server, served := &http.Server{Handler: mux}, make(chan struct{})
	e.server, e.served = server, served
	go func() {
		defer close(served)
		server.Serve(l)
	}()
	e.t.Cleanup(e.die)
}

func (e *mortal) die() {
	e.server.Close()
	<-e.served
}

// tokens streams as many tokens as a request asks for.
func tokens(w http.ResponseWriter, r *http.Request) {
	var body bytes.Buffer
	if _, err := body.ReadFrom(r.Body); err != nil {
		return
	}
	var ask struct {
		MaxTokens int `json:"max_tokens"`
	}
	if err := json.Unmarshal(body.Bytes(), &ask); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	say := func(format string, args ...any) {
		fmt.Fprintf(w, "data: "+format+"\n\n", args...)
		w.(http.Flusher).Flush()
	}
	for range max(1, ask.MaxTokens) {
		time.Sleep(2 * time.Millisecond)
		say(`{"id":"1","object":"chat.completion.chunk","model":"tiny","choices":[{"index":0,"delta":{"content":"so "}}]}`)
	}
	say(`{"id":"1","object":"chat.completion.chunk","model":"tiny","choices":[{"index":0,"delta":{},"finish_reason":"length"}]}`)
	say(`{"id":"1","object":"chat.completion.chunk","model":"tiny","choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`,
		body.Len()/4, ask.MaxTokens)
	say("[DONE]")
}
