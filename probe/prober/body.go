package prober

import (
	"bytes"

	"ttftop/probe/chat"
)

// withoutPrompt is the request of a shot as it is sent, without its prompt, so
// that each result can hold it: results of like requests share one.
func (l *lane) withoutPrompt(s shot) []byte {
	r := s.request
	if r.Prompt != "" {
		r.Prompt = chat.PromptPlace
	}
	body, err := r.Body(*s.shape)
	if err != nil {
		return nil
	}
	if !bytes.Equal(body, l.body) {
		l.body = body
	}
	return l.body
}
