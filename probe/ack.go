package probe

// Ack is the acknowledgement of a handoff: what a fast model made of the same
// prompt, sent at the same due time on a connection of its own. It is no part
// of the answer, and no figure of the answer holds anything of it.
type Ack struct {
	Model string // asked for
	Named string // as the response names it, "" where it does not

	At   Mark // its first token, from the start of the request for the answer
	TTFT Mark // the same from the start of its own request

	PromptTokens, OutputTokens int
	PromptExact, OutputExact   bool // the endpoint's own counts
	Status                     int
	Flags                      []Flag
	Failure                    *Failure // nil for a success
}

// AckGap is the time from the acknowledgement to the answer, below 0 where the
// answer came first; not OK where one of the two did not come.
func (r *Result) AckGap() Mark {
	a := r.Ack
	if a == nil || a.Failure != nil || !a.At.OK || r.Failure != nil || !r.TTFT().OK {
		return Mark{}
	}
	return At(r.TTFT().At - a.At.At)
}
