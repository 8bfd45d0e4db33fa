package prober

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"ttftop/probe"
	"ttftop/probe/endpoint"
	"ttftop/probe/reported"
)

// land takes a shot that has ended: it is sent again in another shape, or
// becomes a result.
func (l *lane) land(ctx context.Context, s shot) {
	l.inFlight--
	if l.retry(ctx, s) {
		return
	}
	r := l.result(s)
	l.cutter.cut(&r, s.outcome, s.alone)
	l.account(ctx, s, &r)
	l.prober.emit(ctx, probe.Finished{Result: r})
	l.prober.emit(ctx, l.prober.meter.Spent())
	if s.kind == probe.Calibration || s.kind == probe.Warmup {
		l.prober.emit(ctx, probe.Calibrating{Target: l.index, Left: l.ladder.left(), Total: len(rungs)})
	}
}

// retry sends a refused request again without the parameter that the endpoint
// does not take. The refusal is no probe.
func (l *lane) retry(ctx context.Context, s shot) bool {
	if s.outcome.Refusal == nil || ctx.Err() != nil {
		return false
	}
	shape, sentence, ok := l.shape.Load().Adapt(s.outcome.Result.Status, s.outcome.Refusal, s.request.Ask)
	if !ok {
		return false
	}
	l.shape.Store(&shape)
	l.prober.emit(ctx, probe.Notice{Target: l.index, Text: sentence})
	l.fly(ctx, s)
	return true
}

// result puts together what the attempt found and what was asked of it.
func (l *lane) result(s shot) probe.Result {
	r := s.outcome.Result
	r.Seq, r.Target, r.Kind, r.Epoch, r.Knobs = s.seq, l.index, s.kind, s.epoch, s.knobs
	r.Lag = max(0, s.outcome.Start.Sub(s.due))
	r.SentTokens = s.text.Guess
	r.PromptTokens = s.text.Guess
	if n := s.outcome.Answer.Prompt; n.OK {
		r.PromptTokens, r.PromptExact = n.N, true
		if s.request.Template == nil && !l.builder.Learn(s.knobs.Model, s.text, n.N) {
			r.Flagged(probe.FlagPromptCut)
		}
	} else if r.TTFT().OK {
		r.Flagged(probe.FlagApproximate)
	}
	if l.otherModel(r.Model, s.knobs.Model) {
		r.Flagged(probe.FlagOtherModel)
	}
	if s.outcome.Header != nil && reported.FromCache(s.outcome.Header) {
		r.Flagged(probe.FlagFromCache)
	}
	if r.Failure != nil && r.Failure.Status == http.StatusNotFound {
		r.Failure.Message += l.tried(s.knobs.Model)
	}
	return r
}

// tried is what is added to a 404: the URL, and how else it might be written.
func (l *lane) tried(model string) string {
	e := l.target.Endpoint
	if len(e.Tried) > 0 {
		return " (" + strings.Join(e.Tried, "; ") + ")"
	}
	return " (asked " + endpoint.DisplayChat(e, model) + ")"
}

// otherModel reports whether the answer names another model than the one asked
// for: not a dated version of it, and not the same with its maker's name. An
// Azure deployment has a name of its own.
func (l *lane) otherModel(got, asked string) bool {
	if got == "" || asked == "" || l.target.Endpoint.API == probe.Azure {
		return false
	}
	last := func(s string) string { return strings.ToLower(s[strings.LastIndexByte(s, '/')+1:]) }
	g, a := last(got), last(asked)
	return !strings.HasPrefix(g, a) && !strings.HasPrefix(a, g)
}

// account keeps the books of a finished request: tokens, backoff, refusals.
func (l *lane) account(ctx context.Context, s shot, r *probe.Result) {
	if r.Status != 0 && r.Failure == nil || r.TTFT().OK {
		l.prober.meter.Add(r.PromptTokens, r.OutputTokens)
	}
	if r.Failure == nil {
		l.warm = true
		l.refused = 0
	}
	l.refuse(s, r.Failure)
	if l.hold.take(r.Failure, time.Now()) {
		l.tellHold(ctx)
		l.schedule.Hold(l.hold.until)
	}
}

// refuse counts the refusals that no waiting mends. A counted run gives up on
// the target; the ladder goes on with shorter prompts.
func (l *lane) refuse(s shot, f *probe.Failure) {
	if f == nil || f.Kind == probe.FailCanceled {
		return
	}
	if s.kind == probe.Calibration && f.Kind == probe.FailStatus {
		l.ladder.refused(s.knobs.PromptTokens)
	}
	if l.prober.config.Count == 0 && !l.prober.config.LadderFirst {
		return
	}
	permanent := slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusBadRequest, http.StatusUnprocessableEntity}, f.Status)
	switch {
	case f.Kind == probe.FailRateLimit && f.RetryAfter > patience:
		l.gone = true
	case permanent && s.kind != probe.Calibration:
		l.refused++
		l.gone = l.refused >= giveUpAfter
	case s.kind == probe.Warmup:
		l.refused++
		l.gone = l.refused >= giveUpAfter
	}
}

// tellHold tells that the lane waits, or goes on.
func (l *lane) tellHold(ctx context.Context) {
	if l.hold.until.After(time.Now()) {
		l.prober.emit(ctx, probe.Held{Target: l.index, Until: l.hold.until, Reason: l.hold.reason})
		return
	}
	l.prober.emit(ctx, probe.Held{Target: l.index})
}
