package tui

import (
	"slices"

	"ttftop/probe"
)

// anyHas reports whether any of the results carries a flag.
func anyHas(list []*probe.Result, flag probe.Flag) bool {
	return slices.ContainsFunc(list, func(r *probe.Result) bool { return r.Has(flag) })
}

// flagTexts says what a person must know of a probe's answer, in sentences or in
// a few words each; those that are short already have none.
func flagTexts(flags []probe.Flag, said map[probe.Flag]string) []string {
	var texts []string
	for _, f := range flags {
		if _, ok := flagSentences[f]; ok {
			texts = append(texts, said[f])
		}
	}
	return texts
}

// everyFlagText says each flag in a sentence, those too that a lane leaves out.
func everyFlagText(flags []probe.Flag) []string {
	var texts []string
	for _, f := range flags {
		text, ok := flagSentences[f]
		if !ok {
			text = quietSentences[f]
		}
		texts = append(texts, string(f)+": "+text)
	}
	return texts
}

// quietSentences are those of flags that are told of a single probe alone.
var quietSentences = map[probe.Flag]string{
	probe.FlagApproximate: "the endpoint counts no tokens, or not credibly: the lengths are the client's guess",
	probe.FlagTruncated:   "the stream ended without a finish_reason or [DONE]",
}

var flagSentences = map[probe.Flag]string{
	probe.FlagOtherModel:      "another model answered than the one asked for",
	probe.FlagPromptCut:       "the server cut the prompt: the length asked for was not run",
	probe.FlagFromCache:       "the reply came from a cache, not from the model",
	probe.FlagCached:          "part of the prompt was cached, though it was unique",
	probe.FlagSilentCache:     "part of the prompt was cached, as its time shows; the server does not say so",
	probe.FlagBuffered:        "all tokens came in one read: something on the way holds them back",
	probe.FlagReportMismatch:  "the server's own times contradict those measured: not used",
	probe.FlagAbsurdReport:    "the server reports a time or a token count that can't be: none of its report is used",
	probe.FlagHiddenReasoning: "reasoning was counted but not streamed",
	probe.FlagModelLoad:       "the model was loaded first",
	probe.FlagClockStep:       "the clock was set, or this program stood still: the probe is kept out of the figures",
	probe.FlagLateRead:        "this program read the first token late: the time is an upper bound, kept out of the figures",
	probe.FlagAtLeast:         "no clear idle level was seen: the queue is at least this",
	probe.FlagAtMost:          "waits or a slower server, not told apart yet: the queue is at most this",
	probe.FlagProxyOnly:       "network: to proxy only, the endpoint is farther away",
	probe.FlagConnClosed:      "the server had closed the connection: a new one was made",
}

// flagBriefs are the same for a lane with little room: at most 40 characters.
var flagBriefs = map[probe.Flag]string{
	probe.FlagOtherModel:      "another model answered",
	probe.FlagPromptCut:       "the server cut the prompt",
	probe.FlagFromCache:       "the reply came from a cache",
	probe.FlagCached:          "the unique prompt was partly cached",
	probe.FlagSilentCache:     "part of the prompt was cached, unsaid",
	probe.FlagBuffered:        "all tokens came in one read",
	probe.FlagReportMismatch:  "the server's own times don't fit",
	probe.FlagAbsurdReport:    "an absurd report: not used",
	probe.FlagHiddenReasoning: "reasoning not streamed",
	probe.FlagModelLoad:       "model loaded first",
	probe.FlagClockStep:       "clock set or stood still: probe kept out",
	probe.FlagLateRead:        "read late here: probe kept out",
	probe.FlagAtLeast:         "never seen idle: queue at least this",
	probe.FlagAtMost:          "waits or a slower server: not told apart",
	probe.FlagProxyOnly:       "network: to the proxy only",
	probe.FlagConnClosed:      "closed by the server: new connection",
}
