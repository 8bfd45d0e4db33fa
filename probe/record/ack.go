package record

import "ttftop/probe"

// Ack is the acknowledgement of a handoff: what a fast model made of the same
// prompt. Nothing of it is in the other fields of the probe, which are those of
// the answer.
type Ack struct {
	Model      string       `json:"model"`   // asked for
	At         *Millis      `json:"at_ms"`   // its first token, from the start of the request for the answer
	TTFT       *Millis      `json:"ttft_ms"` // the same from the start of its own request
	Gap        *Millis      `json:"gap_ms"`  // from it to the first token of the answer; below 0 where the answer came first
	Prompt     int          `json:"prompt_tokens"`
	PromptFrom string       `json:"prompt_tokens_source"`
	Output     int          `json:"output_tokens"`
	OutputFrom string       `json:"output_tokens_source"`
	Status     int          `json:"status"`
	Flags      []probe.Flag `json:"flags"`
	Error      *Error       `json:"error"`
}

// fromAck is the record of an acknowledgement; nil for none.
func fromAck(r *probe.Result) *Ack {
	a := r.Ack
	if a == nil {
		return nil
	}
	flags := a.Flags
	if flags == nil {
		flags = []probe.Flag{}
	}
	return &Ack{
		Model: a.Model, At: mark(a.At), TTFT: mark(a.TTFT), Gap: mark(r.AckGap()),
		Prompt: a.PromptTokens, PromptFrom: from(a.PromptExact), Output: a.OutputTokens, OutputFrom: from(a.OutputExact),
		Status: a.Status, Flags: flags, Error: fromFailure(a.Failure),
	}
}
