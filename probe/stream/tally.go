package stream

// tally collects the counts of tokens that a server tells: usage of the OpenAI
// routes, and the counts beside it that stand in where there is no usage. Every
// count keeps its last value; a zero never replaces more.
type tally struct {
	prompt, completion, cached, reasoning, total count // usage

	serverPrompt, serverCached, serverOutput count // the server's own counts

	first          int // running output tokens when the first token came, 0 if not told
	firstReasoning int // reasoning tokens among them
}

// add takes the counts of one event; first is true for the first token event.
func (t *tally) add(c *chunk, first bool) {
	if c.XGroq != nil && c.XGroq.Usage != nil {
		t.addUsage(c.XGroq.Usage)
	}
	if c.Usage != nil {
		t.addUsage(c.Usage)
	}
	if c.Timings != nil {
		t.addTimings(c.Timings, c.Progress != nil)
	}
	if c.Progress != nil {
		t.serverPrompt.take(c.Progress.Total)
		t.serverCached.take(c.Progress.Cache)
	}
	if c.Perf != nil {
		t.serverCached.take(c.Perf.cached())
	}
	t.serverPrompt.take(c.PromptEval)
	t.serverOutput.take(c.Eval)
	if first {
		t.addFirst(c)
	}
}

func (t *tally) addUsage(u *usage) {
	t.prompt.take(u.prompt())
	t.completion.take(u.completion())
	t.cached.take(u.cached())
	t.reasoning.take(u.reasoning())
	t.total.take(u.Total)
}

// addTimings takes llama.cpp's counts. During the prompt they are not final.
func (t *tally) addTimings(m *timings, running bool) {
	t.serverOutput.take(m.Predicted)
	t.serverCached.take(m.Cache)
	if m.Prompt.OK && !running {
		t.serverPrompt.take(count{N: m.Prompt.N + m.Cache.N, OK: true})
	}
}

// addFirst notes how many tokens the first token event brought, which a server
// tells that reports usage or timings continuously.
func (t *tally) addFirst(c *chunk) {
	switch {
	case c.Usage != nil && c.Usage.completion().N > 0:
		t.first = c.Usage.completion().N
		t.firstReasoning = c.Usage.reasoning().N
	case c.Timings != nil:
		t.first = c.Timings.Predicted.N
	}
}

func (c *count) take(n count) {
	if n.OK && (n.N > 0 || !c.OK) {
		*c = n
	}
}
