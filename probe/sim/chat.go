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

// generate answers the requests of an API.
func (s *Server) generate(by api) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		fault := s.faults.next(s.obeyed.Load().Levers)
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
		a, refused := s.answer(by, body)
		if refused != nil {
			refused.write(w, 0)
			return
		}
		a.fault = fault
		a.serve(w, r, arrived)
	}
}

// answer is a request that is answered.
type answer struct {
	*asked
	api     api
	server  *Server
	fleet   *fleet
	request *request
	fault   Fault
	number  uint64
	finish  string // why it ends
}

// answer reads a request body and prepares the answer, or says why not.
func (s *Server) answer(by api, body []byte) (*answer, *apiError) {
	q, refused := by.read(body, s.fixed.BlockTokens)
	if refused != nil {
		return nil, refused
	}
	name, _ := splitFault(q.Model)
	f := s.fleets[name]
	if f == nil {
		return nil, unknownModel(q.Model)
	}
	n, finish, refused := q.length(by, s.contextOf(f.model))
	if refused != nil {
		return nil, refused
	}
	req := &request{prompt: q.prompt, max: n, wake: make(chan struct{}, 1)}
	return &answer{asked: q, api: by, server: s, fleet: f, request: req, finish: finish}, nil
}

// serve queues the request and writes the answer.
func (a *answer) serve(w http.ResponseWriter, r *http.Request, arrived time.Time) {
	s := a.server
	a.number = s.numbers.Add(1)
	a.request.id = requestID(r.Header.Get("X-Request-Id"), s.fixed.Seed, a.number)
	a.request.streamed = a.Stream && a.fault.Kind == 0
	w.Header().Set("X-Request-Id", a.request.id)
	if !s.handle(r.Context(), a.request, arrived) {
		return
	}
	if !a.fleet.submit(a.request) {
		s.refusals.requests.Add(1)
		overloaded(s.obeyed.Load().MaxWaiting).write(w, time.Second)
		return
	}
	defer a.request.wrote()
	defer a.request.gone.Store(true)
	if a.Stream {
		a.serveStream(w, r)
	} else {
		a.serveWhole(w, r)
	}
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
		if a.request.refused.Load() {
			dropped().write(w, time.Second)
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
	choice := a.api.choice(text.String())
	choice["index"], choice["logprobs"], choice["finish_reason"] = 0, nil, a.finish
	body := map[string]any{
		"id": a.api.id + a.request.id, "object": a.api.whole, "created": a.request.arrived.Unix(), "model": a.Model,
		"choices": []any{choice}, "usage": a.usage(),
	}
	a.report(body, a.request.max)
	writeJSON(w, http.StatusOK, body)
}
