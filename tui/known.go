package tui

import (
	"slices"
	"strings"

	"ttftop/probe"
	"ttftop/probe/reported"
	"ttftop/views"
)

// marks are the instants of a probe that are no segments.
func marks(r *probe.Result) views.Marks {
	t := r.Timeline
	m := views.Marks{Headers: t.Headers, FirstEvent: t.FirstEvent, FirstReasoning: t.FirstReasoning, FirstAnswer: t.FirstAnswer}
	if r.Ack != nil && r.Ack.Failure == nil {
		m.Ack = r.Ack.At
	}
	return m
}

// known is what the cut of a probe rests on.
func known(r *probe.Result) views.Known {
	return views.Known{
		Server: r.Server, Dialect: r.Dialect, Leave: reported.Server(r.Server).HeadersLeave(), Clock: r.Clock,
		RTT: r.RTT.OK, Reused: r.Reused, Proxy: r.Proxy, Link: linkText(r), Basis: r.Basis, Flags: r.Flags,
	}
}

// ackTexts says in a sentence what a person must know of an acknowledgement.
func ackTexts(a *probe.Ack) []string {
	if a == nil || !slices.Contains(a.Flags, probe.FlagOtherModel) {
		return nil
	}
	return []string{"another model acknowledged than the one asked for"}
}

// linkText is the connection of a probe in full.
func linkText(r *probe.Result) string {
	if r.Address == "" {
		return ""
	}
	text := connection(r)
	if len(r.Names) > 0 {
		text += "; the name resolved to " + strings.Join(r.Names, " ")
	}
	return text
}
