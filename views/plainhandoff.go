package views

import (
	"fmt"

	"ttftop/probe"
	"ttftop/probe/tally"
	"ttftop/themes"
)

// plainAck is the remark about a probe's acknowledgement; none where it was not
// handed off.
func plainAck(r *probe.Result, sym *themes.Symbols) []string {
	switch a := r.Ack; {
	case a == nil:
		return nil
	case a.Failure != nil:
		return []string{"no ack: " + Clean(a.Failure.Error(), sym.ASCII)}
	case r.AckGap().At < 0:
		return []string{"ack " + mark(a.At, sym) + " after the answer"}
	default:
		return []string{"ack " + mark(a.At, sym)}
	}
}

// plainHandoff is the line of a summary about the acknowledgements.
func plainHandoff(h *tally.Handoff, sym *themes.Symbols) string {
	line := fmt.Sprintf("  acknowledged by %s: TTFT p50 %s, p95 %s ms; the answer after it p50 %s, p95 %s ms; %s without", Clean(h.Model, sym.ASCII),
		estimate(h.P50, sym), estimate(h.P95, sym), gapCell(h.GapP50, sym), gapCell(h.GapP95, sym), percent(h.Failed, h.Probes, sym))
	if h.Late > 0 {
		line += ", " + Count(int64(h.Late)) + " after the answer"
	}
	return line
}
