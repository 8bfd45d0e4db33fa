package chat

import (
	"encoding/json"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// The parameters that servers are known to disagree about.
const (
	maxTokens           = "max_tokens"
	maxCompletionTokens = "max_completion_tokens"
)

// droppable parameters may be left out without changing what is measured.
var droppable = []string{"stream_options", "temperature"}

// Shape is what one endpoint was found to take. The zero value is the plain
// shape. It is a value: Adapt returns a new one.
type Shape struct {
	native           bool     // Ollama's own route
	completionTokens bool     // max_completion_tokens in place of max_tokens
	left             []string // parameters left out
}

// Adapt reads the refusal of a request (HTTP status and body) and returns the
// shape to try next, with a sentence for the person. It returns false where
// the refusal is not about a parameter that can be changed, or where that was
// tried already.
func (s Shape) Adapt(status int, refusal []byte, ask map[string]any) (Shape, string, bool) {
	if s.native {
		return s.leaveNative(status, refusal)
	}
	if status != 400 && status != 422 {
		return s, "", false
	}
	named := func(name string) bool { return names(refusal, name) }
	switch {
	case !s.completionTokens && !s.leaves(maxTokens) && named(maxTokens):
		s.completionTokens = true
		return s, "the endpoint refuses max_tokens: max_completion_tokens is sent in its place", true
	case s.completionTokens && !s.leaves(maxTokens) && named(maxCompletionTokens):
		// It refused both in turn: the answer's length is the server's choice.
		s = s.without(maxTokens)
		return s, "the endpoint refuses max_completion_tokens too: no limit is sent", true
	case !s.completionTokens && named(maxCompletionTokens):
		return s, "", false
	}
	for name := range ask {
		if !s.leaves(name) && named(name) {
			return s.without(name), "the endpoint refuses " + name + ": it is left out", true
		}
	}
	for _, name := range droppable {
		if !s.leaves(name) && named(name) {
			return s.without(name), "the endpoint refuses " + name + ": it is left out", true
		}
	}
	return s, "", false
}

func (s Shape) leaves(name string) bool { return slices.Contains(s.left, name) }

func (s Shape) without(name string) Shape {
	s.left = append(slices.Clone(s.left), name)
	return s
}

// apply changes the fields of a request to the shape.
func (s Shape) apply(fields map[string]any) {
	if s.completionTokens {
		if limit, ok := fields[maxTokens]; ok {
			delete(fields, maxTokens)
			fields[maxCompletionTokens] = limit
		}
	}
	if s.leaves(maxTokens) {
		delete(fields, maxTokens)
		delete(fields, maxCompletionTokens)
	}
	for _, name := range s.left {
		delete(fields, name)
	}
}

// names reports whether a refusal is about the parameter: by OpenAI's param
// field, else by its name in the text. "max_tokens" is not found inside
// another word.
func names(refusal []byte, name string) bool {
	var answer openai.ErrorResponse
	if json.Unmarshal(refusal, &answer) == nil && answer.Error != nil && answer.Error.Param != nil && *answer.Error.Param != "" {
		param, _, _ := strings.Cut(*answer.Error.Param, ".")
		return param == name
	}
	text := string(refusal)
	for {
		i := strings.Index(text, name)
		if i < 0 {
			return false
		}
		end := i + len(name)
		if (i == 0 || !wordByte(text[i-1])) && (end == len(text) || !wordByte(text[end])) {
			return true
		}
		text = text[end:]
	}
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
