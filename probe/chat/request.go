// Package chat writes the body of a chat request as an endpoint takes it:
// servers differ in the parameters they refuse, so a Shape remembers what each
// one was found to take.
//
// Start with Request.Body; give a refusal to Shape.Adapt and send again.
package chat

import (
	"encoding/json"
	"fmt"
	"maps"

	openai "github.com/sashabaranov/go-openai"
)

// PromptPlace stands for the prompt where a request is kept without it.
const PromptPlace = "⟨prompt⟩"

// Request is one chat request before it is written.
type Request struct {
	Model     string
	Prompt    string // the user's message; with a Template the text put before its first message, may be empty
	MaxTokens int
	Ask       map[string]any // extra fields that make a known server report its times
	Template  *Template      // a person's own request, nil for none
}

// Body writes the request as JSON, streaming and with usage as far as the
// shape allows.
func (r Request) Body(s Shape) ([]byte, error) {
	if s.native {
		return written(r.ollamaFields())
	}
	fields, err := r.fields()
	if err != nil {
		return nil, err
	}
	for name, value := range r.Ask {
		if _, own := fields[name]; !own {
			fields[name] = value
		}
	}
	s.apply(fields)
	return written(fields)
}

func written(fields map[string]any) ([]byte, error) {
	body, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("the request can't be written as JSON: %w", err)
	}
	return body, nil
}

func (r Request) fields() (map[string]any, error) {
	if r.Template != nil {
		return r.Template.fields(r), nil
	}
	data, err := json.Marshal(openai.ChatCompletionRequest{
		Model:         r.Model,
		Messages:      []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleUser, Content: r.Prompt}},
		Stream:        true,
		StreamOptions: &openai.StreamOptions{IncludeUsage: true},
	})
	if err != nil {
		return nil, err
	}
	fields := map[string]any{}
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	if r.MaxTokens > 0 {
		fields[maxTokens] = r.MaxTokens
	}
	return fields, nil
}

func clone(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return maps.Clone(m)
}
