package tui

import (
	"ttftop/probe"
	"ttftop/probe/reported"
	"ttftop/views"
)

// marks are the instants of a probe that are no segments.
func marks(t probe.Timeline) views.Marks {
	return views.Marks{Headers: t.Headers, FirstEvent: t.FirstEvent, FirstReasoning: t.FirstReasoning, FirstAnswer: t.FirstAnswer}
}

// known is what the cut of a probe rests on.
func known(r *probe.Result) views.Known {
	return views.Known{
		Server: r.Server, Dialect: r.Dialect, Leave: reported.Server(r.Server).HeadersLeave(), Clock: r.Clock,
		RTT: r.RTT.OK, Reused: r.Reused, Proxy: r.Proxy, Flags: r.Flags,
	}
}
