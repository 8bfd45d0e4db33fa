package prober

import (
	"context"
	"net/http"
	"time"

	"ttftop/probe"
	"ttftop/probe/attempt"
	"ttftop/probe/chat"
)

// ownTag is the length of the unique text that is put before a person's own
// request, in tokens.
const ownTag = 16

// send writes the prompt of a shot and starts it.
func (l *lane) send(ctx context.Context, s shot) {
	s.seq = int(l.prober.seq.Add(1))
	s.request = chat.Request{Model: s.knobs.Model, MaxTokens: s.knobs.MaxTokens, Ask: l.cutter.server.Ask(), Template: l.prober.config.Template}
	switch {
	case s.request.Template == nil:
		s.text = l.builder.Build(s.knobs.Model, s.knobs.PromptTokens, s.knobs.Cache, s.knobs.CacheShare)
	case s.knobs.Cache == probe.Bust:
		s.text = l.builder.Build(s.knobs.Model, ownTag, probe.Bust, 0)
	}
	s.request.Prompt = s.text.Content
	l.fly(ctx, s)
}

// fly makes the request of a shot in a goroutine that ends in ended.
func (l *lane) fly(ctx context.Context, s shot) {
	s.alone = l.inFlight == 0 && l.load.State().InFlight == 0
	l.inFlight++
	s.begun = time.Now()
	l.prober.emit(ctx, probe.Started{Seq: s.seq, Target: l.index, Kind: s.kind, Epoch: s.epoch, At: s.begun})
	body, err := s.request.Body(*l.shape.Load())
	if s.knobs.Conn == probe.WarmConn {
		defer l.flying.Go(func() {
			defer l.prober.guard()
			l.pool.Ready(ctx)
		})
	}
	l.flying.Go(func() {
		defer l.prober.guard()
		if err != nil {
			s.outcome.Start = s.begun
			s.outcome.Result = probe.Result{At: s.begun, Failure: &probe.Failure{Kind: probe.FailClient, Message: err.Error()}}
		} else {
			s.outcome = l.attempt(ctx, s, body)
		}
		l.ended <- s
	})
}

func (l *lane) attempt(ctx context.Context, s shot, body []byte) attempt.Outcome {
	header := http.Header{}
	for name, value := range l.cutter.server.AskHeaders() {
		header.Set(name, value)
	}
	return attempt.Run(ctx, attempt.Spec{
		Pool: l.pool, Endpoint: l.target.Endpoint, Model: s.knobs.Model, Body: body, Header: header,
		Conn: s.knobs.Conn, Timeout: l.prober.config.Timeout,
		On: func(step probe.Step, at time.Duration) {
			l.prober.hint(probe.Reached{Seq: s.seq, Target: l.index, Step: step, At: at})
		},
	})
}

// skip records a probe that was due while too many were in flight.
func (l *lane) skip(ctx context.Context, s shot, now time.Time) {
	r := probe.Result{
		Seq: int(l.prober.seq.Add(1)), At: now, Target: l.index, Kind: s.kind, Epoch: s.epoch, Knobs: s.knobs, Lag: now.Sub(s.due),
		Failure: &probe.Failure{Kind: probe.FailSkipped, Message: "skipped: 16 probes are in flight already"},
	}
	l.prober.emit(ctx, probe.Finished{Result: r})
}
