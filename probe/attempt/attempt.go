// Package attempt makes one measured request and tells what came of it: its
// timeline, its tokens, what the server says of itself, and why it failed if
// it did. It does not cut the waterfall.
package attempt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"ttftop/probe"
	"ttftop/probe/clock"
	"ttftop/probe/endpoint"
	"ttftop/probe/reported"
	"ttftop/probe/stream"
	"ttftop/probe/transport"
)

// refusalLimit is how much of an answer that is no stream is read.
const refusalLimit = 64 << 10

// clockStep is the disagreement of the wall and the monotonic clock from which
// a probe is not trusted.
const clockStep = time.Millisecond

// standstill is how long this program must have stood still for a probe not to
// be trusted; for one that ran into a time-out, half the time-out is enough.
const standstill = time.Second

// Spec is one request to make.
type Spec struct {
	Pool     *transport.Pool
	Endpoint *probe.Endpoint
	Model    string
	Native   bool // by Ollama's own route
	Body     []byte
	Output   int         // output tokens asked for: a stream far beyond them is cut; 0 for any
	Header   http.Header // more headers, may be nil
	Conn     probe.Conn
	Timeout  time.Duration // of each wait
	On       func(probe.Step, time.Duration)
	Stood    func(since time.Time) time.Duration // how long this program stood still at most; nil where nobody watches
}

// Outcome is what came of it. Result holds what is known without a prompt to
// compare with: the caller adds the identity, the prompt and the cut.
type Outcome struct {
	Start   time.Time
	Result  probe.Result
	Answer  stream.Answer
	Header  http.Header // of the response, nil without one
	Refusal []byte      // body of an answer that is no stream
}

// Run makes the request. It returns when the answer has ended, one of the
// waits is over, or ctx has ended; nothing it started is left running.
func Run(ctx context.Context, s Spec) Outcome {
	ctx, guard := newGuard(ctx, s.Timeout)
	defer guard.stop()
	r := &run{spec: s, guard: guard, secrets: endpoint.Secrets(s.Endpoint)}
	r.do(ctx)
	return r.out
}

// run is the state of one attempt.
type run struct {
	spec    Spec
	guard   *guard
	secrets []string
	out     Outcome
}

func (r *run) do(ctx context.Context) {
	req, err := r.request(ctx)
	if err != nil {
		r.out.Start = time.Now()
		r.out.Result.Failure = Failed(ctx, &probe.Failure{Kind: probe.FailClient, Message: plain(err)}, r.secrets)
		return
	}
	e, err := r.spec.Pool.Do(req, r.spec.Conn, r.step)
	defer e.Abort()
	r.describe(e)
	if err == nil {
		err = r.read(ctx, e)
	}
	if err != nil && r.out.Result.Failure == nil {
		r.out.Result.Failure = Failed(ctx, err, r.secrets)
	}
	if f := r.out.Result.Failure; f != nil && f.Phase == probe.PhaseHeaders {
		r.before(f, e)
	}
	r.finish(e)
}

// before mends the name of a wait that was over before that for the headers had
// begun.
func (r *run) before(f *probe.Failure, e *transport.Exchange) {
	switch t := e.Timeline; {
	case !t.GotConn.OK:
		f.Message = fmt.Sprintf("no connection after %v", r.spec.Timeout)
	case e.Sending:
		f.Phase = probe.PhaseSend
		f.Message = fmt.Sprintf("the request was still being sent after %v", r.spec.Timeout)
		if t.ConnectDone.OK {
			f.Message += fmt.Sprintf(", %v of them connecting", t.GotConn.At.Round(100*time.Microsecond))
		}
	}
}

func (r *run) step(step probe.Step, at time.Duration) {
	if r.spec.On != nil {
		r.spec.On(step, at)
	}
}

func (r *run) request(ctx context.Context) (*http.Request, error) {
	req, err := r.post(ctx)
	if err != nil {
		return nil, err
	}
	for name, values := range r.spec.Header {
		if _, own := req.Header[name]; !own {
			req.Header[name] = values
		}
	}
	return req, nil
}

func (r *run) post(ctx context.Context) (*http.Request, error) {
	if r.spec.Native {
		return endpoint.OllamaRequest(ctx, r.spec.Endpoint, r.spec.Body)
	}
	return endpoint.ChatRequest(ctx, r.spec.Endpoint, r.spec.Model, r.spec.Body)
}

// describe notes what is known once the headers are there, or won't come.
func (r *run) describe(e *transport.Exchange) {
	res := &r.out.Result
	r.out.Start = e.Base.Time()
	res.At = r.out.Start
	res.Timeline = e.Timeline
	res.Address, res.Proxy, res.Reused, res.Fresh, res.Lost = e.Address, e.Proxy, e.Reused, e.Fresh, e.Lost
	res.Names, res.Protocol = e.Names, e.Protocol
	if e.TLS != nil {
		res.TLS, res.Resumed = e.TLS.Version, e.TLS.Resumed
	}
	res.Clock = probe.UserClock
	if e.Closed {
		res.Flagged(probe.FlagConnClosed)
	}
	if e.Response == nil {
		return
	}
	r.out.Header = e.Response.Header
	res.Status = e.Response.StatusCode
	res.Headers = reported.Interesting(e.Response.Header)
	res.RequestID = requestID(e.Response.Header)
}

// requestID is the name the server gives the request, in the headers that
// servers use for it.
func requestID(h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Request-Id", "Apim-Request-Id", "X-Generation-Id", "X-Litellm-Call-Id"} {
		if id := stream.Name(h.Get(name)); id != "" {
			return id
		}
	}
	return ""
}

// read takes the body: a stream of events, or an answer that is none.
func (r *run) read(ctx context.Context, e *transport.Exchange) error {
	r.guard.enter(probe.PhaseFirstToken, 0)
	r.path(e) // a connection that fails tells nothing any more
	kind := e.Response.Header.Get("Content-Type")
	format, ok := stream.FormatOf(kind)
	ok = ok || kind == "" // what does not say what it is, is read as what was asked for
	if e.Response.StatusCode >= 300 || !ok {
		return r.refusal(e)
	}
	p := stream.New(stream.Options{Format: format})
	f := &feeder{run: r, from: e, to: p}
	err := f.feed()
	if err == io.EOF {
		err = nil
	}
	kept := err == nil
	if err != nil && p.Answer().FinishReason != "" {
		err = nil // the answer was whole: how the connection ended after it is no matter
	}
	p.End(err)
	answer := p.Answer()
	r.take(answer)
	r.judge(f.lateFirst(answer))
	r.out.Result.Coalesced = answer.Coalesced() || f.late && answer.EndShared
	r.path(e)
	if kept {
		e.Keep()
	}
	if err != nil && (isFailure(err) || ctx.Err() != nil) {
		// The feeder says it better, or a wait was over or the person quit, which
		// is not the stream's fault: do names the failure.
		r.out.Result.Failure = nil
	}
	return err
}

func isFailure(err error) bool {
	_, ok := errors.AsType[*probe.Failure](err)
	return ok
}

// refusal reads an answer that is no event stream.
func (r *run) refusal(e *transport.Exchange) error {
	body, err := io.ReadAll(io.LimitReader(e, refusalLimit))
	if err != nil && len(body) == 0 {
		return err
	}
	if endpoint.Redirects(e.Response) {
		r.out.Result.Failure = endpoint.Redirected(r.spec.Endpoint, e.Response)
		e.Keep()
		return nil
	}
	r.out.Refusal = body
	f := stream.Body(e.Response.StatusCode, e.Response.Header.Get("Content-Type"), body)
	if _, ok := stream.PromptTooLong(body); ok {
		f.Code = probe.CodeTooLong
	}
	if after, ok := stream.RetryAfter(e.Response.Header.Get("Retry-After"), time.Now()); ok {
		f.RetryAfter = after
	}
	f.Message = stream.Redact(f.Message, r.secrets...)
	r.out.Result.Failure = f
	e.Keep()
	return nil
}

// take notes what the stream held.
func (r *run) take(a stream.Answer) {
	r.doubt(&a)
	r.out.Answer = a
	res := &r.out.Result
	t := &res.Timeline
	t.FirstEvent, t.FirstToken, t.LastToken = a.FirstEvent, a.FirstToken, a.LastToken
	t.FirstReasoning, t.FirstAnswer = a.FirstReasoning, a.FirstAnswer
	t.Tokens = a.Tokens
	res.Model, res.FinishReason = stream.Redact(a.Model, r.secrets...), a.FinishReason
	res.Text = stream.Redact(a.Text, r.secrets...)
	res.OutputTokens, res.OutputExact = a.OutputTokens()
	res.FirstTokens = a.FirstTokens
	if a.HiddenReasoning {
		res.Flagged(probe.FlagHiddenReasoning)
	}
	if f := a.Failure; f != nil {
		f.Message = stream.Redact(f.Message, r.secrets...)
		res.Failure = f
		if a.Truncated {
			res.Flagged(probe.FlagTruncated)
		}
	}
}

// judge says whose fault it is where tokens came together: late tells that this
// program read the first one late.
func (r *run) judge(late bool) {
	res := &r.out.Result
	n := len(res.Timeline.Tokens)
	switch {
	case late && res.Failure == nil:
		res.Flagged(probe.FlagLateRead)
	case late:
	case n > 1 && res.OneRead(), n == 1 && res.OutputTokens > 1:
		res.Flagged(probe.FlagBuffered)
	}
}

// finish notes what is known at the end, whichever it was.
func (r *run) finish(e *transport.Exchange) {
	res := &r.out.Result
	now := time.Now()
	if !res.Timeline.Done.OK {
		res.Timeline.Done = probe.At(e.Base.Since(now))
	}
	if why := r.untrusted(e.Base, now); why != "" {
		res.Flagged(probe.FlagClockStep)
		if f := res.Failure; f != nil && (f.Kind == probe.FailTimeout || f.Kind == probe.FailStream) {
			res.Failure = &probe.Failure{Kind: probe.FailClient, Message: why + ": what the probe met (" + f.Message + ") is no fault of the endpoint"}
		}
	}
}

// untrusted is why the times of the probe say nothing of the endpoint, "" where
// they do.
func (r *run) untrusted(base clock.Base, now time.Time) string {
	if base.Step(now) > clockStep {
		return "the clock was set during the probe, or the machine slept"
	}
	if r.spec.Stood == nil {
		return ""
	}
	limit := standstill
	if f := r.out.Result.Failure; f != nil && f.Kind == probe.FailTimeout {
		limit = min(limit, r.spec.Timeout/2)
	}
	if stood := r.spec.Stood(base.Time()); stood >= limit {
		return fmt.Sprintf("this program stood still for %v during the probe", stood.Round(100*time.Millisecond))
	}
	return ""
}

// path asks the kernel for the round trip and the retransmissions; where it
// doesn't know, the handshake of the connection stands in.
func (r *run) path(e *transport.Exchange) {
	res := &r.out.Result
	if info, err := e.Info(); err == nil && info.Known {
		res.Retransmits = info.Retransmits
		if info.MinRTT > 0 {
			res.RTT = probe.At(info.MinRTT)
			return
		}
	}
	if t := res.Timeline; t.ConnectDone.OK && !res.RTT.OK {
		res.RTT = probe.At(t.ConnectDone.Sub(t.ConnectStart))
	}
}

// stamp notes the clock of an arrival and how late it was read.
func (r *run) stamp(a clock.Arrival, at time.Duration) {
	res := &r.out.Result
	res.Clock = a.Kind
	if a.Kind == probe.KernelClock {
		res.ReadDelay = max(res.ReadDelay, a.Delay())
	}
	res.Timeline.Done = probe.At(at)
}
