package prober

import (
	"context"
	"net/http"
	"time"

	"ttftop/probe"
	"ttftop/probe/attempt"
	"ttftop/probe/chat"
)

// ack is the request to the fast model of a handoff: the same prompt, sent
// together with the request for the answer.
type ack struct {
	request chat.Request
	shape   *chat.Shape // that it was last sent in
	outcome attempt.Outcome
}

// requests is how many requests a shot makes.
func (s *shot) requests() int {
	if s.ack != nil {
		return 2
	}
	return 1
}

// handOff gives a shot its request to the fast model. Ordinary probes have one,
// and the warm-up, so that both models are loaded and their parameters known;
// the others serve the baseline of the model that answers.
func (l *lane) handOff(s *shot) {
	if l.target.Handoff == "" || s.kind != probe.Ordinary && s.kind != probe.Warmup {
		return
	}
	s.ack = &ack{request: s.request}
	s.ack.request.Model = l.target.Handoff
}

// flyAck sends the request to the fast model, where there is one. What it
// returns waits for the end of it, and is called beside the lane.
func (l *lane) flyAck(ctx context.Context, s *shot, header http.Header) (wait func()) {
	if s.ack == nil {
		return func() {}
	}
	if l.ackShape == nil {
		l.ackShape = l.shape.Load()
	}
	a := &ack{request: s.ack.request, shape: l.ackShape}
	s.ack = a
	of, begun, ended := *s, time.Now(), make(chan struct{})
	body, err := a.request.Body(*a.shape)
	l.flying.Go(func() {
		defer close(ended)
		defer l.prober.guard()
		if err != nil {
			a.outcome.Start = begun
			a.outcome.Result.Failure = &probe.Failure{Kind: probe.FailClient, Message: err.Error()}
			return
		}
		a.outcome = l.attempt(ctx, of.knobs, errand{a.request.Model, a.shape, body, header, func(step probe.Step, at time.Duration) {
			if step == probe.StepToken {
				l.prober.hint(probe.Reached{Seq: of.seq, Target: l.index, Step: probe.StepAck, At: begun.Sub(of.begun) + at})
			}
		}})
	})
	return func() { <-ended }
}

// retryAck is retry for the request to the fast model: both requests are sent
// again, since a pair has one due time.
func (l *lane) retryAck(ctx context.Context, s shot) bool {
	if s.ack == nil || s.ack.outcome.Refusal == nil || ctx.Err() != nil || l.prober.meter.Exhausted() {
		return false
	}
	shape, sentence, ok := s.ack.shape.Adapt(s.ack.outcome.Result.Status, s.ack.outcome.Refusal, s.ack.request.Ask)
	if !ok {
		return false
	}
	if s.ack.shape == l.ackShape {
		l.ackShape = &shape
		l.notice(ctx, s.ack.request.Model+": "+sentence)
	}
	l.sendAgain(ctx, s)
	return true
}

// sendAgain sends the requests of a shot once more. What they have cost so far is
// spent; what they may cost stays reserved.
func (l *lane) sendAgain(ctx context.Context, s shot) {
	sent, received := tokensOf(&s.outcome, s.text.Guess)
	ackSent, ackReceived := s.ackTokens()
	l.prober.spend(0, sent+ackSent, received+ackReceived)
	s.due, s.read = time.Now(), nil // a page that was read after it was about what is discarded
	l.fly(ctx, s)
}

// tokensOf is what a request has cost, with a guess at its prompt.
func tokensOf(o *attempt.Outcome, guess int) (sent, received int) {
	r := &o.Result
	if !r.TTFT().OK && (r.Status == 0 || r.Failure != nil) {
		return 0, 0
	}
	if n := o.Answer.Prompt; n.OK && n.N > 0 {
		guess = n.N
	}
	return guess, r.OutputTokens
}

// ackTokens is what the acknowledgement of a shot has cost.
func (s *shot) ackTokens() (sent, received int) {
	if s.ack == nil {
		return 0, 0
	}
	return tokensOf(&s.ack.outcome, s.text.Guess)
}

// acknowledgement is what came of the request to the fast model; nil where none
// was sent.
func (l *lane) acknowledgement(s shot) *probe.Ack {
	if s.ack == nil {
		return nil
	}
	o := &s.ack.outcome
	a := &probe.Ack{
		Model: s.ack.request.Model, Named: o.Result.Model, TTFT: o.Result.TTFT(), Status: o.Result.Status,
		PromptExact: o.Answer.Prompt.OK && o.Answer.Prompt.N > 0, OutputExact: o.Result.OutputExact,
		Flags: o.Result.Flags, Failure: o.Result.Failure,
	}
	a.PromptTokens, a.OutputTokens = s.ackTokens()
	if a.TTFT.OK {
		a.At = probe.At(max(0, a.TTFT.At+o.Start.Sub(s.outcome.Start)))
	}
	if l.otherModel(a.Named, a.Model) {
		a.Flags = append(a.Flags, probe.FlagOtherModel)
	}
	return a
}

// limiting is the failure that the pace of a target depends on: the answer's,
// or that of an acknowledgement which was refused for want of leave.
func limiting(r *probe.Result) *probe.Failure {
	if a := r.Ack; r.Failure == nil && a != nil && a.Failure != nil && a.Failure.Kind == probe.FailRateLimit {
		return a.Failure
	}
	return r.Failure
}
