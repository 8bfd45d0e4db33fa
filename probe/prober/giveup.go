package prober

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"ttftop/probe"
)

// giveUpAfter is the number of refusals in a row (a wrong key, an unknown
// model) after which a counted run stops waiting for a target.
const giveUpAfter = 3

// patience is how long a counted run waits for leave: for a rate limit to end,
// or for a server to have loaded its model.
const patience = 10 * time.Minute

// persistence says when a counted run gives up a target that does not answer.
type persistence struct {
	refusals int       // in a row, of those that no waiting mends
	waiting  time.Time // since when the endpoint only asks to wait, zero where it doesn't
}

// take folds in the end of a probe and returns, once there is no hope, how long
// there was. A failure of an ordinary probe that waiting may mend
// uses up the count, so that it needs no limit here.
func (p *persistence) take(kind probe.Kind, f *probe.Failure, now time.Time) string {
	switch {
	case f == nil:
		*p = persistence{}
	case f.Kind == probe.FailCanceled:
	case f.RetryAfter > patience:
		return fmt.Sprintf(", since it asks to wait %v", f.RetryAfter.Round(time.Second))
	case f.Kind == probe.FailRateLimit, kind == probe.Warmup && loading(f):
		if p.waiting.IsZero() {
			p.waiting = now
		}
		if waited := now.Sub(p.waiting); waited > patience {
			return fmt.Sprintf(" after waiting for %v", waited.Round(time.Second))
		}
	case kind == probe.Calibration:
	case permanent(f), kind == probe.Warmup:
		p.refusals++
		if p.refusals >= giveUpAfter {
			return fmt.Sprintf(" after %d tries", p.refusals)
		}
	default:
		*p = persistence{}
	}
	return ""
}

// loading reports whether a server may not be ready yet, or not for this
// moment: waiting may mend it.
func loading(f *probe.Failure) bool { return f.Kind == probe.FailStatus && f.Status >= 500 }

// permanent reports whether the endpoint will answer the same request alike.
func permanent(f *probe.Failure) bool {
	if f.Kind != probe.FailStatus || f.Status >= 500 {
		return false
	}
	switch f.Status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly:
		return false
	}
	return true
}

// persist gives a target up in a run that is to end by itself, and says why.
func (l *lane) persist(ctx context.Context, kind probe.Kind, f *probe.Failure, now time.Time) {
	if !l.prober.headless() || l.gone {
		return
	}
	if why := l.persistence.take(kind, f, now); why != "" {
		l.gone = true
		l.notice(ctx, "given up"+why+": "+f.Error())
	}
}
