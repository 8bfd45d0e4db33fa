package prober

import (
	"context"
	"net/http"
	"time"

	"ttftop/probe"
	"ttftop/probe/endpoint"
)

// modelsTimeout bounds the question which models there are.
const modelsTimeout = 10 * time.Second

// findModels asks the endpoint for its models. Where a model is set already
// the answer comes beside the first probes; else it is waited for, again and
// again, and the first model is taken. It returns false where ctx ended first,
// or where a counted run finds none.
func (l *lane) findModels(ctx context.Context) bool {
	if k, _, _ := l.prober.knobs(l.index); k.Model != "" {
		l.flying.Go(func() {
			defer l.prober.guard()
			l.askModels(ctx)
		})
		return true
	}
	for try := 1; ctx.Err() == nil; try++ {
		names, err := l.askModels(ctx)
		if err == nil && len(names) > 0 {
			l.prober.choose(l.index, names[0])
			l.prober.emit(ctx, probe.Changed{At: time.Now(), Before: l.prober.Settings(), Settings: l.prober.Settings()})
			return true
		}
		text := "no model is named and the endpoint lists none: name one with -m MODEL"
		if err != nil {
			text = "no model is named and the endpoint's list can't be had (" + err.Error() + "): name one with -m MODEL"
		}
		l.prober.emit(ctx, probe.Notice{Target: l.index, Text: text})
		if l.prober.config.LadderFirst {
			return false
		}
		select {
		case <-time.After(backoff(try + 3)):
		case <-l.wake:
			if k, _, _ := l.prober.knobs(l.index); k.Model != "" {
				return true
			}
		case <-ctx.Done():
		}
	}
	return false
}

// askModels asks once and tells the answer.
func (l *lane) askModels(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, modelsTimeout)
	defer cancel()
	names, err := endpoint.ListModels(ctx, &http.Client{Transport: l.pool.Plain()}, l.target.Endpoint)
	if ctx.Err() == nil || err == nil {
		l.prober.hint(probe.Models{Target: l.index, Names: names, Err: err})
	}
	return names, err
}
