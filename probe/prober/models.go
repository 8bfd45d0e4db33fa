package prober

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"ttftop/probe"
	"ttftop/probe/attempt"
	"ttftop/probe/endpoint"
	"ttftop/probe/reported"
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
	models, err := endpoint.ListModels(asking, &http.Client{Transport: l.pool.Plain()}, l.target.Endpoint)
	l.ownedBy(models)
	names := showable(models, l.secrets)
	if err == nil && len(names) == 0 {
		err = errors.New("every model in the endpoint's list is named after its key: name another with -m MODEL")
	}
	var failure *probe.Failure
	if err != nil {
		failure = attempt.Failed(ctx, err, l.secrets)
	}
	if ctx.Err() == nil {
		l.prober.emit(ctx, probe.Models{Target: l.index, Names: names, Failure: failure})
	}
	if failure == nil {
		l.listed.take(names)
		l.poke()
	}
	return names, failure
}

// ownedBy notes the server that the list of models points to.
func (l *lane) ownedBy(models []endpoint.Model) {
	owners := make([]string, len(models))
	for i, m := range models {
		owners[i] = m.Owner
	}
	if server := reported.Identify(nil, owners); server != "" {
		l.byList.Store(&server)
	}
}

// recognize takes the server for the one that the list of models points to,
// where nothing has told yet.
func (l *lane) recognize() {
	if server := l.byList.Load(); server != nil && l.cutter.server == "" {
		l.cutter.server = *server
	}
}

// showable leaves out the names that repeat a secret: a masked one can't be
// asked for.
func showable(models []endpoint.Model, secrets []string) []string {
	var names []string
	for _, m := range models {
		if stream.Redact(m.Name, secrets...) == m.Name {
			names = append(names, m.Name)
		}
	}
	return names
}
