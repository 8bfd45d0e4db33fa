package sim

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// maxBody bounds a request: the longest prompt that makes sense, twice over.
const maxBody = 64 << 20

// chat answers POST /v1/chat/completions.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	fault := s.faults.next()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	arrived := time.Now()
	if err != nil {
		badRequest("", "The body can't be read: %v.", err).write(w, 0)
		return
	}
	asked, err := faultAsked(r, body)
	if err != nil {
		badRequest("", "The fault asked for can't be had: %v.", err).write(w, 0)
		return
	}
	if asked.Kind != 0 {
		fault = asked.faster(s.fixed.Speed)
	}
	if fault.Kind == FaultStatus {
		faultError(fault.Status).write(w, fault.RetryAfter)
		return
	}
	a, refused := s.answer(body)
	if refused != nil {
		refused.write(w, 0)
		return
	}
	a.number = s.numbers.Add(1)
	a.request.id = requestID(r.Header.Get("X-Request-Id"), s.fixed.Seed, a.number)
	a.fault = fault
	a.request.streamed = a.stream && fault.Kind == 0
	w.Header().Set("X-Request-Id", a.request.id)
	if !s.handle(r.Context(), a.request, arrived) {
		return
	}
	if !a.fleet.pick().submit(a.request) {
		overloaded().write(w, time.Second)
		return
	}
	defer a.request.wrote()
	defer a.request.gone.Store(true)
	if a.stream {
		a.serveStream(w, r)
	} else {
		a.serveWhole(w, r)
	}
}

// answer is a chat request that is answered.
type answer struct {
	*chatRequest
	server  *Server
	fleet   *fleet
	request *request
	fault   Fault
	number  uint64
	stream  bool
	finish  string // why it ends
}

// answer reads a request body and prepares the answer, or says why not.
func (s *Server) answer(body []byte) (*answer, *apiError) {
	q, refused := parseChat(body)
	if refused != nil {
		return nil, refused
	}
	name, _ := splitFault(q.Model)
	f := s.fleets[name]
	if f == nil {
		return nil, unknownModel(q.Model)
	}
	chat, refused := q.chat()
	if refused != nil {
		return nil, refused
	}
	p := newPrompt(chat, s.fixed.BlockTokens)
	n, finish, refused := q.output(p.tokens, s.fixed.ContextTokens)
	if refused != nil {
		return nil, refused
	}
	req := &request{prompt: p, max: n, wake: make(chan struct{}, 1)}
	return &answer{chatRequest: q, server: s, fleet: f, request: req, stream: q.Stream, finish: finish}, nil
}

// handle takes the time that the handling of a request takes. It returns false
// if the client went away.
func (s *Server) handle(ctx context.Context, r *request, arrived time.Time) bool {
	r.arrived = arrived
	r.queued = arrived.Add(s.fixed.Handling + time.Duration(r.prompt.tokens)*s.fixed.HandlingPerToken)
	if !s.pace.until(ctx.Done(), r.queued) {
		return false
	}
	if now := time.Now(); now.Sub(r.queued) > handlingSlack {
		r.queued = now // reading the prompt took longer than what it stands for
	}
	return true
}

// handlingSlack is how late the end of handling may be noticed and still count
// as punctual.
const handlingSlack = time.Millisecond

// requestID is the client's own identifier, if it is fit to be sent back, or a
// new one.
func requestID(asked string, seed, number uint64) string {
	unfit := func(r rune) bool { return r <= ' ' || r > '~' }
	if asked != "" && len(asked) <= 128 && strings.IndexFunc(asked, unfit) < 0 {
		return asked
	}
	return fmt.Sprintf("sim-%x-%d", seed, number)
}

// await waits until the engine has something new. It returns false if the
// client went away or the server is closed.
func (a *answer) await(ctx context.Context) bool {
	select {
	case <-a.request.wake:
		return true
	case <-ctx.Done():
		return false
	}
}

// serveWhole answers with one JSON body once all tokens are there.
func (a *answer) serveWhole(w http.ResponseWriter, r *http.Request) {
	for int(a.request.ready.Load()) < a.request.max {
		if !a.await(r.Context()) {
			return
		}
	}
	if !a.fault.strike(r.Context(), a.fault.After) {
		return
	}
	var text strings.Builder
	for i := range a.request.max {
		text.WriteString(a.word(i))
	}
	body := map[string]any{
		"id": "chatcmpl-" + a.request.id, "object": "chat.completion", "created": a.request.arrived.Unix(), "model": a.Model,
		"choices": []any{map[string]any{
			"index": 0, "message": map[string]any{"role": "assistant", "content": text.String()},
			"logprobs": nil, "finish_reason": a.finish,
		}},
		"usage": a.usage(),
	}
	a.report(body, a.request.max)
	writeJSON(w, http.StatusOK, body)
}
