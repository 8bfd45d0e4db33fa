package prober

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"ttftop/probe/chat"
	"ttftop/probe/endpoint"
	"ttftop/probe/reported"
)

// nativeTimeout bounds the question whether the endpoint is an Ollama, which
// comes before the first probe.
const nativeTimeout = 2 * time.Second

// findNative asks once whether the endpoint is an Ollama, and then probes it by
// its native route, which reports the times that the other leaves out. A
// person's own request stays on the route that it was written for.
func (l *lane) findNative(ctx context.Context) {
	if l.prober.config.Template != nil || l.target.Endpoint.Simulated {
		return
	}
	asking, cancel := context.WithTimeout(ctx, nativeTimeout)
	defer cancel()
	version, ok := endpoint.OllamaVersion(asking, &http.Client{Transport: l.pool.Plain()}, l.target.Endpoint)
	if !ok {
		return
	}
	l.cutter.server = reported.Ollama
	l.countsUncached = countsUncached(version)
	if l.cutter.ignore {
		return // there is nothing to gain
	}
	shape := chat.NativeShape()
	l.shape.Store(&shape)
	l.notice(ctx, "an Ollama: probed by its native route, /api/chat, which reports its times")
}

// countsUncached reports whether an Ollama of a version leaves the prompt tokens
// that it found in its cache out of prompt_eval_count, as its runners did until
// 0.4. Builds of one's own call themselves 0.0.0.
func countsUncached(version string) bool {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(minor)
	return major == "0" && err == nil && n > 0 && n < 4
}
