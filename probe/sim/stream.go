package sim

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// serveStream answers with server-sent events: every token in a write of its
// own, a chat's role chunk in that of the first one, and at the end the finish
// chunk, the usage chunk where it was asked for, and [DONE].
func (a *answer) serveStream(w http.ResponseWriter, r *http.Request) {
	s := a.newStream(w, r.Context())
	if a.headersWhen() == onAcceptance {
		s.sendHeaders()
	}
	sent := 0
	for sent < a.request.max {
		if sent == int(a.request.ready.Load()) && !a.await(s.ctx) {
			return
		}
		if a.request.refused.Load() {
			s.refuse()
			return
		}
		if a.request.started.Load() && a.headersWhen() == onSlot {
			s.sendHeaders()
		}
		for sent < int(a.request.ready.Load()) {
			n := a.burst(sent)
			if !a.fault.strike(s.ctx, sent) || !s.tokens(sent, n) {
				return
			}
			sent += n
		}
		a.request.wrote()
	}
	if a.fault.strike(s.ctx, sent) {
		s.end()
	}
}

// burst is how many tokens the next chunk has: with speculative decoding all
// that there are, as they come in one step, but not beyond a fault.
func (a *answer) burst(sent int) int {
	if a.server.obeyed.Load().Speculation.Draft == 0 {
		return 1
	}
	n := int(a.request.ready.Load()) - sent
	if to := a.fault.After - sent; to > 0 {
		n = min(n, to)
	}
	return n
}

// headersWhen says at which point the response headers leave.
func (a *answer) headersWhen() headerTime {
	if a.fault.Kind == FaultLateHeaders {
		return withToken
	}
	switch a.server.fixed.Dialect {
	case DialectVLLM:
		return onAcceptance
	case DialectLlama:
		return onSlot
	}
	return withToken
}

type headerTime int

const (
	withToken headerTime = iota
	onAcceptance
	onSlot
)

// stream writes the chunks of one answer. All but the token's text is formatted
// once.
type stream struct {
	*answer
	ctx      context.Context
	w        http.ResponseWriter
	flusher  *http.ResponseController
	sentHead bool
	buf      []byte
	head     []byte // of every chunk, up to the choices
	tail     []byte // of a token's chunk, after its text
}

func (a *answer) newStream(w http.ResponseWriter, ctx context.Context) *stream {
	s := &stream{answer: a, ctx: ctx, w: w, flusher: http.NewResponseController(w)}
	s.head = []byte(`data: {"id":` + quote(a.api.id+a.request.id) + `,"object":` + quote(a.api.chunk) + `,"created":` +
		strconv.FormatInt(a.request.arrived.Unix(), 10) + `,"model":` + quote(a.Model) + `,"choices":[`)
	s.tail = []byte(a.api.close + `,"logprobs":null,"finish_reason":null}]`)
	return s
}

// quote is a text as JSON.
func quote(text string) string {
	b, _ := json.Marshal(text) // a string can't fail
	return string(b)
}

// sendHeaders sends the response headers, once.
func (s *stream) sendHeaders() {
	if s.sentHead {
		return
	}
	s.setHeaders()
	s.w.WriteHeader(http.StatusOK)
	s.flusher.Flush()
}

func (s *stream) setHeaders() {
	s.sentHead = true
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	if s.server.fixed.Dialect == DialectLlama {
		h.Set("X-Accel-Buffering", "no")
	}
}

// tokens writes n tokens in one chunk, from number i on, which counts from 0,
// and sees it off. It returns false if the client is gone.
func (s *stream) tokens(i, n int) bool {
	s.buf = s.buf[:0]
	if i == 0 {
		if !s.sentHead {
			s.setHeaders()
		}
		if s.api.role {
			s.role()
		}
	}
	s.buf = append(s.buf, s.head...)
	s.buf = append(s.buf, `{"index":0,`+s.api.open...)
	for k := range n {
		s.buf = append(s.buf, s.word(i+k)...) // words need no escaping
	}
	s.buf = append(s.buf, s.tail...)
	if s.server.fixed.Dialect == DialectLlama && s.TimingsPerToken {
		extra := make(map[string]any)
		s.report(extra, i+n)
		s.add(extra)
	}
	s.buf = append(s.buf, "}\n\n"...)
	return s.flush()
}

// role appends the chunk that only names the role.
func (s *stream) role() {
	content := `""`
	if s.server.fixed.Dialect == DialectLlama {
		content = "null"
	}
	s.buf = append(s.buf, s.head...)
	s.buf = append(s.buf, `{"index":0,"delta":{"role":"assistant","content":`+content+`},"logprobs":null,"finish_reason":null}]}`+"\n\n"...)
}

// end writes what follows the last token, in one write.
func (s *stream) end() {
	s.buf = append(s.buf[:0], s.head...)
	s.buf = append(s.buf, `{"index":0,`+s.api.nothing+`,"logprobs":null,"finish_reason":"`+s.finish+`"}]`...)
	extra := make(map[string]any)
	if s.StreamOptions.IncludeUsage {
		s.buf = append(s.buf, "}\n\n"...)
		s.buf = append(s.buf, s.head...)
		s.buf = append(s.buf, ']')
		extra["usage"] = s.usage()
	}
	if s.StreamOptions.IncludeUsage || s.server.fixed.Dialect == DialectLlama {
		s.report(extra, s.request.max)
	}
	s.add(extra)
	s.buf = append(s.buf, "}\n\ndata: [DONE]\n\n"...)
	s.flush()
}

// refuse ends a stream without a token: with an error for an answer, or where
// its headers have left with an event that tells it, as vLLM does.
func (s *stream) refuse() {
	if !s.sentHead {
		dropped().write(s.w, time.Second)
		return
	}
	s.buf = append(s.buf[:0], "data: "+text(dropped().body())+"\n\ndata: [DONE]\n\n"...)
	s.flush()
}

// add appends fields to the object that the buffer ends in.
func (s *stream) add(fields map[string]any) {
	if len(fields) == 0 {
		return
	}
	b, _ := json.Marshal(fields) // numbers and texts can't fail
	s.buf = append(s.buf, ',')
	s.buf = append(s.buf, b[1:len(b)-1]...)
}

// flush sends the buffer in one write.
func (s *stream) flush() bool {
	if _, err := s.w.Write(s.buf); err != nil {
		return false
	}
	return s.flusher.Flush() == nil
}
