package prober

import (
	"context"
	"net/http"
	"strings"
	"time"

	"ttftop/probe"
	"ttftop/probe/endpoint"
	"ttftop/probe/prompt"
	"ttftop/probe/reported"
	"ttftop/probe/stream"
)

// land takes a shot that has ended: it is sent again in another shape, or
// becomes a result, some time later where a page of metrics is read for it.
func (l *lane) land(ctx context.Context, s shot) {
	if l.readMetrics(ctx, &s) {
		return
	}
	if l.aloft[s.epoch]--; l.aloft[s.epoch] == 0 {
		delete(l.aloft, s.epoch)
	}
	switch s.kind {
	case probe.Calibration:
		l.rungs--
	case probe.Sentinel:
		l.sentinels.inFlight--
	}
	if l.retry(ctx, s) || l.retryAck(ctx, s) {
		return
	}
	r := l.result(s)
	l.sentinels.landed(s.kind, &r)
	l.learnt(ctx, s, l.cutter.cut(&r, s.outcome, s.scraped, l.undisturbed(s), l.ladderOf(s.knobs.Model).climbed()))
	l.metrics.answers = l.metrics.answers || r.Dialect != "" && r.Dialect != s.scraped.Dialect
	l.tellCloses(ctx, s.knobs)
	conceal(&r, l.secrets)
	l.account(s, &r)
	l.finish(ctx, r)
	if s.pair > 0 {
		l.prober.pairing.landed(s.side, s.pair, time.Now())
	}
	l.prober.emit(ctx, l.prober.meter.Spent())
	if s.kind == probe.Warmup && r.Failure == nil && ctx.Err() == nil {
		l.askTrivial(ctx)
	}
	if s.kind == probe.Calibration || s.kind == probe.Warmup {
		l.prober.emit(ctx, probe.Calibrating{Target: l.index, Left: l.ladder.left(), Total: l.ladder.total()})
	}
	now := time.Now()
	l.persist(ctx, s.kind, r.Failure, now)
	if l.hold.take(limiting(&r), s.begun, now) && !l.gone {
		l.tellHold(ctx, now)
		l.schedule.Hold(l.hold.until)
	}
}

// learnt tells what a probe has taught.
func (l *lane) learnt(ctx context.Context, s shot, found lesson) {
	if found.changed != "" {
		ladder := l.ladderOf(s.knobs.Model)
		ladder.repeats = 0
		ladder.renew(time.Now())
	}
	if l.prober.turnedLevers(l.index) {
		found.changed = "" // the person knows
	}
	for _, text := range []string{found.alias, found.changed, found.unsaid, found.belied} {
		if text != "" {
			l.notice(ctx, text)
		}
	}
}

// finish tells a result, with the baseline of what is probed now.
func (l *lane) finish(ctx context.Context, r probe.Result) {
	k, _, _ := l.prober.knobs(l.index)
	l.prober.emit(ctx, probe.Finished{Result: r, Fit: l.cutter.fit(k)})
}

// retry sends a refused request again without the parameter that the endpoint
// does not take. The refusal is no probe.
func (l *lane) retry(ctx context.Context, s shot) bool {
	if s.outcome.Refusal == nil || ctx.Err() != nil || l.prober.meter.Exhausted() {
		return false
	}
	shape, sentence, ok := s.shape.Adapt(s.outcome.Result.Status, s.outcome.Refusal, s.request.Ask)
	if !ok {
		return false
	}
	if s.shape == l.shape.Load() { // else another refusal has changed it meanwhile
		l.shape.Store(&shape)
		l.notice(ctx, sentence)
	}
	l.sendAgain(ctx, s)
	return true
}

// result puts together what the attempt found and what was asked of it.
func (l *lane) result(s shot) probe.Result {
	r := s.outcome.Result
	r.Seq, r.Target, r.Kind, r.Epoch, r.Knobs, r.Pair, r.Side = s.seq, l.index, s.kind, s.epoch, s.knobs, s.pair, s.side
	r.Body, r.PromptChars = l.withoutPrompt(s), len(s.text.Content)
	r.Lag = max(0, s.outcome.Start.Sub(s.due)-r.Lost)
	r.Engine = l.metrics.engine(&s)
	r.PromptTokens = s.text.Guess
	if n := s.outcome.Answer.Prompt; n.OK && n.N > 0 && l.possible(&r, s, n.N) {
		l.countPrompt(&r, s, n.N)
	} else if r.TTFT().OK {
		r.Flagged(probe.FlagApproximate)
	}
	if l.otherModel(r.Model, s.knobs.Model) {
		r.Flagged(probe.FlagOtherModel)
	}
	if s.trivial == l.trivial.Load() && toProxyOnly(&r, s.trivial.took()) { // else the path was turned meanwhile
		r.Flagged(probe.FlagProxyOnly)
	}
	if s.outcome.Header != nil && reported.FromCache(s.outcome.Header) {
		r.Flagged(probe.FlagFromCache)
	}
	if f := r.Failure; f != nil && f.Status == http.StatusUnauthorized && l.keyless() {
		f.Message += " (no key was sent: name the environment variable that holds it with --key-env)"
	}
	r.Ack = l.acknowledgement(s)
	if r.Failure != nil && r.Failure.Status == http.StatusNotFound {
		r.Failure.Message += l.tried(s.knobs.Model)
	}
	return r
}

// possible reports whether the endpoint's count of a prompt can be, and flags
// one that can't.
func (l *lane) possible(r *probe.Result, s shot, n int) bool {
	if l.countsUncached && s.knobs.Cache == probe.Warm || s.request.Template != nil || !prompt.Impossible(n, r.PromptChars) {
		return true
	}
	r.Flagged(probe.FlagAbsurdReport)
	return false
}

// countPrompt takes the endpoint's count of a prompt.
func (l *lane) countPrompt(r *probe.Result, s shot, n int) {
	if l.countsUncached && s.knobs.Cache == probe.Warm {
		r.PromptTokens = max(s.text.Guess, n)
		r.CachedTokens, r.CachedTold = r.PromptTokens-n, true
		r.Flagged(probe.FlagApproximate)
		return
	}
	r.PromptTokens, r.PromptExact = n, true
	if s.request.Template == nil && !l.builder.Learn(s.knobs.Model, s.text, n) {
		r.Flagged(probe.FlagPromptCut)
	}
}

// keyless reports whether requests carry no key at all.
func (l *lane) keyless() bool {
	h := http.Header{}
	endpoint.Authorize(h, l.target.Endpoint)
	return h.Get("Authorization") == "" && h.Get("Api-Key") == ""
}

// tried is what is added to a 404: the URL, and how else it might be written.
func (l *lane) tried(model string) string {
	e := l.target.Endpoint
	if l.shape.Load().Native() {
		return " (asked " + endpoint.DisplayOllamaChat(e) + ")"
	}
	if len(e.Tried) > 0 {
		return " (" + strings.Join(e.Tried, "; ") + ")"
	}
	return " (asked " + endpoint.DisplayChat(e, model) + ")"
}

// otherModel reports whether the answer names another model than the one asked
// for. An Azure deployment has a name of its own. Of what the answer says there is left
// what fits to be shown, so what was asked for is held against it in the same form.
func (l *lane) otherModel(got, asked string) bool {
	return got != "" && asked != "" && l.target.Endpoint.API != probe.Azure && !sameModel(got, stream.Name(asked))
}

// account keeps the books of a finished request: tokens, the count, the ladder.
func (l *lane) account(s shot, r *probe.Result) {
	f := r.Failure
	sent, received := s.ackTokens()
	if r.Status != 0 && f == nil || r.TTFT().OK {
		sent, received = sent+r.PromptTokens, received+r.OutputTokens
	}
	l.prober.spend(s.reserved, sent, received)
	limited := f != nil && f.Kind == probe.FailRateLimit
	if s.kind == probe.Ordinary && limited {
		l.started-- // a rate limit takes nothing from the count: the probe is made up for
	}
	ladder := l.ladderOf(s.knobs.Model)
	since := !s.begun.Before(ladder.since)
	ladder.tried = ladder.tried || since
	switch {
	case f == nil:
		ladder.warm = ladder.warm || since
	case s.kind == probe.Calibration && limited:
		ladder.again(s.knobs.PromptTokens)
	case s.kind == probe.Calibration && permanent(f):
		ladder.refused(s.knobs.PromptTokens)
	}
}

// tellHold tells that the lane waits, or goes on.
func (l *lane) tellHold(ctx context.Context, now time.Time) {
	e := probe.Held{Target: l.index}
	if l.hold.active(now) {
		e.Until, e.Reason = l.hold.until, l.hold.reason
	}
	if e != l.holdTold {
		l.holdTold = e
		l.prober.emit(ctx, e)
	}
}
