package attempt

import (
	"time"

	"ttftop/probe"
	"ttftop/probe/stream"
)

const (
	// besides is how many tokens a chat template, tools and a prompt of the
	// server's own may add to a request.
	besides = 64 << 10
	// quickest is what a token of one stream takes at least; the quickest hosted
	// services need some three times as long.
	quickest = 20 * time.Microsecond
)

// MostPrompt is the number of prompt tokens beyond which an endpoint's count of
// a request of so many bytes can't be: no token is shorter than a byte.
func MostPrompt(body int) int { return body + besides }

// MostOutput is the same for the tokens of an answer that took so long, when so
// many were asked for or seen to come.
func MostOutput(known int, took time.Duration) int { return known + int(max(0, took)/quickest) }

// believable takes the counts that can't be out of an answer, and reports
// whether there were any.
func believable(a *stream.Answer, prompt, output int) bool {
	absurd := false
	for _, c := range []struct {
		count *stream.Count
		most  int
	}{{&a.Prompt, prompt}, {&a.Cached, prompt}, {&a.Completion, output}, {&a.Generated, output}, {&a.Reasoning, output}} {
		if c.count.N > c.most || c.count.N < 0 {
			*c.count = stream.Count{}
			absurd = true
		}
	}
	if a.HiddenReasoning && !a.Reasoning.OK {
		a.HiddenReasoning = false
	}
	if n, _ := a.OutputTokens(); a.FirstTokens > max(1, n) || a.FirstTokens < 0 {
		a.FirstTokens = 1
	}
	return absurd
}

// doubt flags an answer whose counts can't be, and leaves them out.
func (r *run) doubt(a *stream.Answer) {
	known := max(r.spec.Output, a.TokenEvents)
	if believable(a, MostPrompt(len(r.spec.Body)), MostOutput(known, time.Since(r.out.Start))) {
		r.out.Result.Flagged(probe.FlagAbsurdReport)
	}
}
