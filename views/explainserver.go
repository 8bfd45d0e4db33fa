package views

import (
	"strconv"

	"ttftop/probe"
)

// undivided says why server time of another kind stays whole, and what helps.
var undivided = []struct {
	flag      probe.Flag
	why, cure string
}{
	{probe.FlagModelLoad, "the model was loaded first", "keep the model in memory between requests."},
	{probe.FlagHiddenReasoning, "reasoning was counted that was never streamed", "less reasoning, or an endpoint that streams it."},
	{probe.FlagBuffered, "all tokens came in one read, so something held them back", "turn off buffering in whatever stands between."},
	{probe.FlagSilentCache, "part of the prompt was cached, nobody says how much", "unique prompts (c), which meet no cache."},
	{probe.FlagLateRead, "this program read the first token late, so it is an upper bound", "less load on this machine."},
	{probe.FlagFromCache, "the reply came from a cache and not from a model", "unique prompts (c), so that a model answers."},
}

// whole is why the server time can't be cut.
func (g ground) whole() string {
	for _, u := range undivided {
		if g.known.Has(u.flag) {
			return "it is measured and can't be cut, as " + u.why
		}
	}
	text := "it is measured and can't be cut yet: "
	switch {
	case g.known.Has(probe.FlagReportMismatch):
		text += "what " + g.server() + " reports doesn't fit into it, and "
	case g.snap.IgnoreReported && g.known.Dialect != "":
		text += "what " + g.server() + " reports is left aside, and "
	case g.known.Dialect != "":
		text += "what " + g.server() + " reports is not enough, and "
	default:
		text += "the server reports nothing, and "
	}
	l := g.target.Ladder
	switch {
	case l.Total > 0 && l.Done < l.Total:
		return text + "calibration is at " + strconv.Itoa(l.Done) + " of " + strconv.Itoa(l.Total)
	case !g.target.Fit.Fixed.OK:
		return text + "the baseline needs two prompt lengths on a quiet endpoint"
	}
	return text + "the baseline doesn't reach this prompt, or the stream shows no decode step"
}
