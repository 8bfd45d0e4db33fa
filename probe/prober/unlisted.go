package prober

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"ttftop/probe"
	"ttftop/probe/nearest"
)

// listing is what an endpoint lists, once that is known, and which of the models
// that are asked for it was found not to list. Its methods are safe for concurrent
// use.
type listing struct {
	mu    sync.Mutex
	names []string // nil while they are not known
	told  map[string]bool
}

func (l *listing) take(names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.names = names
}

// mostMeant is how many models are named in place of one that isn't listed.
const mostMeant = 3

// doubt says once for each model that it is not listed, and which may be meant; ""
// where there is nothing to say.
func (l *listing) doubt(model string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if model == "" || l.names == nil || l.told[model] || slices.ContainsFunc(l.names, func(name string) bool { return sameModel(name, model) }) {
		return ""
	}
	if l.told == nil {
		l.told = map[string]bool{}
	}
	l.told[model] = true
	text := fmt.Sprintf("the endpoint lists no model %q", model)
	if meant := nearest.Few(model, l.names, mostMeant); len(meant) > 0 {
		text += ": did you mean " + strings.Join(meant, " or ") + "?"
	} else {
		some := l.names[:min(mostMeant, len(l.names))]
		text += ", but " + strings.Join(some, ", ")
		if more := len(l.names) - len(some); more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		text += "."
	}
	return text + " It is asked for all the same"
}

// doubtNames tells of the models asked for that the endpoint doesn't list: some
// answer to such names, so they are probed. An Azure resource lists models, and is
// asked for deployments.
func (l *lane) doubtNames(ctx context.Context, model string) {
	if l.target.Endpoint.API == probe.Azure {
		return
	}
	for _, name := range []string{model, l.target.Handoff} {
		if text := l.listed.doubt(name); text != "" {
			l.notice(ctx, text)
		}
	}
}
