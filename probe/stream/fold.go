package stream

import "ttftop/probe"

// fold adds the event in p.chunk, decoded from raw, to the answer.
func (p *Parser) fold(raw []byte) {
	p.events++
	if p.events == 1 {
		p.answer.FirstEvent = probe.At(p.at)
	}
	if s, bad := p.reported(raw); bad {
		p.fail(s)
		return
	}
	c := &p.chunk
	p.describe(c)
	got := p.generated(c)
	first := got.any() && !p.answer.FirstToken.OK
	if got.any() {
		p.stamp(got)
	} else {
		p.share()
	}
	p.tally.add(c, first)
	p.kept.keep(raw, first, c)
	p.finish(c)
}

// reported tells whether the event in p.chunk says that something failed.
// Servers do so in five shapes: an error object, an error string, a flat object
// (SGLang), an event named error, and x_groq.error; OpenRouter adds a
// finish_reason.
func (p *Parser) reported(raw []byte) (said, bool) {
	c := &p.chunk
	switch {
	case filled(c.Error), c.Object == "error", p.named:
		return readWords(raw), true
	case c.XGroq != nil && filled(c.XGroq.Error):
		return readWords(c.XGroq.Error), true
	}
	for i := range c.Choices {
		if c.Choices[i].FinishReason == "error" {
			return said{words: "the server ended the answer with finish_reason error"}, true
		}
	}
	return said{}, false
}

func (p *Parser) fail(s said) {
	p.erred = true
	p.failed = &probe.Failure{Kind: probe.FailStream, Message: s.sentence(), Code: s.codeBeside(0)}
}

// describe notes who answered.
func (p *Parser) describe(c *chunk) {
	if p.answer.ID == "" {
		p.answer.ID = oneLine(c.ID, nameLimit)
	}
	if p.answer.Model == "" {
		p.answer.Model = oneLine(c.Model, nameLimit)
	}
}

// channels tells what kinds of generated text an event carries.
type channels struct{ answer, reasoning bool }

func (k channels) any() bool { return k.answer || k.reasoning }

// generated finds the generated text of an event, which is what makes it a token
// event, and keeps it. White space counts. A role, null, an empty string,
// progress, filter results and usage don't.
func (p *Parser) generated(c *chunk) channels {
	var k channels
	if p.format == NDJSON {
		p.fromDelta(&c.Message, &k)
		p.fromContent(&c.Response, &k)
		p.fromReasoning(&c.Thinking, &k)
		return k
	}
	for i := range c.Choices {
		p.fromDelta(&c.Choices[i].Delta, &k)
		p.fromContent(&c.Choices[i].Text, &k)
	}
	return k
}

func (p *Parser) fromDelta(d *delta, k *channels) {
	p.fromContent(&d.Content, k)
	p.fromContent(&d.Refusal, k)
	// Some servers send the same reasoning under both names: keep it once.
	if !d.Reasoning.empty() {
		p.fromReasoning(&d.Reasoning, k)
	} else {
		p.fromReasoning(&d.ReasoningContent, k)
	}
	p.fromReasoning(&d.Thinking, k)
	k.reasoning = k.reasoning || bool(d.ReasoningDetails)
	k.answer = k.answer || d.FunctionCall.begun() || bool(d.Audio.Data || d.Audio.Transcript)
	for i := range d.ToolCalls {
		k.answer = k.answer || d.ToolCalls[i].Function.begun() || d.ToolCalls[i].Custom.begun()
	}
}

func (p *Parser) fromContent(c *content, k *channels) {
	if c.text != "" {
		k.answer = true
		p.text.add(c.text)
	}
	if c.thinking != "" {
		k.reasoning = true
		p.reason.add(c.thinking)
	}
}

func (p *Parser) fromReasoning(c *content, k *channels) {
	if !c.empty() {
		k.reasoning = true
		p.reason.add(c.text)
		p.reason.add(c.thinking)
	}
}

// stamp notes the arrival of a token event.
func (p *Parser) stamp(k channels) {
	a, now := &p.answer, probe.At(p.at)
	if !a.FirstToken.OK {
		a.FirstToken = now
	}
	if k.reasoning && !a.FirstReasoning.OK {
		a.FirstReasoning = now
	}
	if k.answer && !a.FirstAnswer.OK {
		a.FirstAnswer = now
	}
	a.LastToken, a.EndShared = now, false
	a.TokenEvents++
	arrival := probe.Arrival{At: p.at, Read: p.read}
	if len(a.Tokens) < p.maxMarks {
		a.Tokens = append(a.Tokens, arrival)
	} else {
		a.Tokens[len(a.Tokens)-1] = arrival
	}
}

// share notes an event that is no token in the read of the last one.
func (p *Parser) share() {
	if k := p.answer.Tokens; len(k) > 0 && k[len(k)-1].Read == p.read {
		p.answer.EndShared = true
	}
}

// finish notes the end of the answer, after which usage may still come.
func (p *Parser) finish(c *chunk) {
	if p.format == NDJSON {
		p.done = c.Done
		p.finishReason(c.DoneReason)
		return
	}
	for i := range c.Choices {
		p.finishReason(c.Choices[i].FinishReason)
	}
}

func (p *Parser) finishReason(why string) {
	if p.answer.FinishReason == "" {
		p.answer.FinishReason = oneLine(why, nameLimit)
	}
}
