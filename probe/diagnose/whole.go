package diagnose

import "ttftop/probe"

// keepsWhole are the flags of probes whose server time stays in one piece, and
// why that is and what to do: what the prompt's length would tell, it doesn't tell
// of them.
var keepsWhole = []struct {
	flag              probe.Flag
	cure, note, brief string
}{
	{probe.FlagBuffered, "turn buffering off on the way (proxy_buffering, gzip)", "all tokens came in one read: the wait is that for the whole answer", "all tokens at once: turn buffering off"},
	{probe.FlagFromCache, "turn the cache off, or ask past it", "the replies came from a cache, not from the model", "replies from a cache: turn it off"},
	{probe.FlagSilentCache, "compare it with unique prompts (--cache bust)", "part of the prompt was cached, and the server does not say how much", "cached, unsaid: try unique prompts"},
	{probe.FlagModelLoad, "keep the model loaded", "the model was loaded first, which is no part of a prompt's cost", "model loaded first: keep it loaded"},
	{probe.FlagHiddenReasoning, "lower the reasoning effort", "the model reasoned first, without showing it", "hidden reasoning: lower its effort"},
	{probe.FlagOtherModel, "name the model that is to answer", "the answers name ever other models: nothing is learnt of any", "ever other models answer: name one"},
}

// whyWhole is the flag that keeps the server time of most probes in one piece; ""
// for none.
func whyWhole(probes []*probe.Result) probe.Flag {
	for _, k := range keepsWhole {
		n := 0
		for _, r := range probes {
			if r.Has(k.flag) {
				n++
			}
		}
		if 2*n > len(probes) {
			return k.flag
		}
	}
	return ""
}

// wholeRules are the rules for such probes.
func wholeRules() []rule {
	var list []rule
	for _, k := range keepsWhole {
		list = append(list, rule{
			name: "server, " + string(k.flag), cure: k.cure, note: k.note, brief: k.brief,
			when: func(c clue) bool { return c.part == probe.ServerPart && c.known.Whole == k.flag },
		})
	}
	return list
}
