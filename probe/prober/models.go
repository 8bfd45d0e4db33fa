package prober

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"ttftop/probe"
	"ttftop/probe/attempt"
	"ttftop/probe/endpoint"
	"ttftop/probe/stream"
)

// modelsTimeout bounds the question which models there are.
const modelsTimeout = 10 * time.Second

// findModels asks the endpoint for its models. Where a model is set already
// the answer comes beside the first probes; else it is waited for, again and
// again, and the first model is taken. It returns false where ctx ended first,
// or where a counted run finds none.
func (l *lane) findModels(ctx context.Context) bool {
	if l.named() {
		l.flying.Go(func() {
			defer l.prober.guard()
			l.askModels(ctx)
		})
		return true
	}
	var hope persistence
	said := ""
	for try := 1; ; try++ {
		names, failure := l.askModels(ctx)
		switch {
		case ctx.Err() != nil:
			return false
		case failure == nil:
			l.prober.choose(ctx, l.index, names[0])
			return true
		case l.named():
			return true
		}
		if text := unnamed(failure); text != said {
			said = text
			l.prober.emit(ctx, probe.Notice{Target: l.index, Text: stream.Redact(text, l.secrets...), Lasts: true})
		}
		if l.prober.headless() && (permanent(failure) || hope.take(probe.Warmup, failure, time.Now()) != "") {
			return false
		}
		if l.waitForName(ctx, max(firstBackoff, backoff(try), failure.RetryAfter)) {
			return ctx.Err() == nil
		}
	}
}

// named reports whether the target has a model.
func (l *lane) named() bool {
	k, _, _ := l.prober.knobs(l.index)
	return k.Model != ""
}

// unnamed says why there is no model to probe.
func unnamed(f *probe.Failure) string {
	hint := " (name one with -m MODEL)"
	if strings.Contains(f.Message, "with -m") {
		hint = ""
	}
	return "no model is named" + hint + ", and the endpoint's list can't be had: " + f.Error()
}

// waitForName waits for a while, or until ctx ends or a person has chosen a
// model: then it returns true.
func (l *lane) waitForName(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			return false
		case <-ctx.Done():
			return true
		case <-l.wake:
			if l.named() {
				return true
			}
		}
	}
}

// askModels asks once and tells the answer: at least one name, or why there is
// none.
func (l *lane) askModels(ctx context.Context) ([]string, *probe.Failure) {
	asking, cancel := context.WithTimeout(ctx, modelsTimeout)
	defer cancel()
	names, err := endpoint.ListModels(asking, &http.Client{Transport: l.pool.Plain()}, l.target.Endpoint)
	if names = showable(names, l.secrets); err == nil && len(names) == 0 {
		err = errors.New("every model in the endpoint's list is named after its key: name another with -m MODEL")
	}
	if ctx.Err() == nil {
		l.prober.emit(ctx, probe.Models{Target: l.index, Names: names, Err: err})
	}
	if err == nil {
		return names, nil
	}
	return nil, attempt.Failed(ctx, err, l.secrets)
}

// showable leaves out the names that repeat a secret: a masked one can't be
// asked for.
func showable(names, secrets []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return stream.Redact(name, secrets...) != name })
}
