package prober

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"ttftop/probe"
	"ttftop/probe/attempt"
	"ttftop/probe/chat"
	"ttftop/probe/prompt"
)

// ownTag is the length of the unique text that is put before a person's own
// request, in tokens.
const ownTag = 16

// send writes the prompt of a shot and starts it.
func (l *lane) send(ctx context.Context, s shot) {
	s.seq = int(l.prober.seq.Add(1))
	s.text, s.request = l.write(s.knobs)
	l.handOff(&s)
	s.reserved = s.requests() * (s.text.Guess + s.knobs.MaxTokens)
	if !l.prober.meter.Reserve(s.reserved) {
		l.prober.pairing.lost(s.side, s.pair)
		l.checkBudget(ctx)
		return
	}
	l.recognize()
	s.request.Ask = l.cutter.server.Ask()
	l.fly(ctx, s)
}

// write makes the request of a probe or a load stream. A person's own request
// is as long as it is: its tokens are guessed until the endpoint counts them.
func (l *lane) write(k probe.Knobs) (prompt.Text, chat.Request) {
	r := chat.Request{Model: k.Model, MaxTokens: k.MaxTokens, Template: l.prober.config.Template}
	var text prompt.Text
	switch {
	case r.Template == nil:
		text = l.builder.Build(k.Model, k.PromptTokens, k.Cache, k.CacheShare)
	case k.Cache == probe.Bust:
		text = l.builder.Build(k.Model, ownTag, probe.Bust, 0)
	}
	r.Prompt = text.Content
	if r.Template != nil {
		text.Guess += l.prober.templateTokens
	}
	return text, r
}

// fly makes the request of a shot in a goroutine that ends in ended.
func (l *lane) fly(ctx context.Context, s shot) {
	l.metrics.giveWay()
	s.begun, s.trivial = time.Now(), l.trivial.Load()
	s.alone = l.beginning(s.begun) && s.ack == nil
	l.aloft[s.epoch]++
	switch s.kind {
	case probe.Calibration:
		l.rungs++
	case probe.Sentinel:
		l.sentinels.inFlight++
	}
	l.prober.emit(ctx, probe.Started{Seq: s.seq, Target: l.index, Kind: s.kind, Epoch: s.epoch, Pair: s.pair, Side: s.side, At: s.begun})
	s.shape = l.shape.Load()
	body, err := s.request.Body(*s.shape)
	header := http.Header{}
	for name, value := range l.cutter.server.AskHeaders() {
		header.Set(name, value)
	}
	acknowledged := l.flyAck(ctx, &s, header)
	l.flying.Go(func() {
		defer l.prober.guard()
		if err != nil {
			s.outcome.Start = s.begun
			s.outcome.Result = probe.Result{At: s.begun, Failure: &probe.Failure{Kind: probe.FailClient, Message: err.Error()}}
		} else {
			s.outcome = l.attempt(ctx, s.knobs, errand{s.knobs.Model, s.shape, body, header, func(step probe.Step, at time.Duration) {
				l.prober.hint(probe.Reached{Seq: s.seq, Target: l.index, Step: step, At: at})
			}})
		}
		acknowledged()
		l.ended <- s
	})
}

// errand is one request to one model.
type errand struct {
	model  string
	shape  *chat.Shape // that the body is in
	body   []byte
	header http.Header
	on     func(probe.Step, time.Duration)
}

// attempt makes a request at the knobs. It runs beside the lane: it reads
// nothing that the lane writes.
func (l *lane) attempt(ctx context.Context, k probe.Knobs, e errand) attempt.Outcome {
	o := attempt.Run(ctx, attempt.Spec{
		Pool: l.pool, Endpoint: l.target.Endpoint, Model: e.model, Native: e.shape.Native(), Body: e.body, Output: k.MaxTokens, Header: e.header,
		Conn: k.Conn, Timeout: l.prober.config.Timeout, Stood: l.prober.self.Stood, On: e.on,
	})
	l.metrics.ends.add(l.index, e.model)
	return o
}

// skip records a probe that was due while too many were in flight.
func (l *lane) skip(ctx context.Context, s shot, now time.Time) {
	r := probe.Result{
		Seq: int(l.prober.seq.Add(1)), At: now, Target: l.index, Kind: s.kind, Epoch: s.epoch, Knobs: s.knobs, Pair: s.pair, Side: s.side, Lag: now.Sub(s.due),
		Failure: &probe.Failure{Kind: probe.FailSkipped, Message: fmt.Sprintf("skipped: %d probes are in flight already: probe at a lower rate", MaxInFlight)},
	}
	l.finish(ctx, r)
}

// charactersPerToken is the usual guess for a text whose tokenizer is unknown.
const charactersPerToken = 4

// guessTokens is about how many tokens a person's own request has, 0 for none.
func guessTokens(t *chat.Template) int {
	if t == nil {
		return 0
	}
	body, err := chat.Request{Template: t}.Body(chat.Shape{})
	if err != nil {
		return 0
	}
	return len(body) / charactersPerToken
}
