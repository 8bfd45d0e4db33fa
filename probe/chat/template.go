package chat

import (
	"encoding/json"
	"fmt"
	"os"
)

// Template is a person's own chat request. What can't be turned by a knob is
// sent as it stands.
type Template struct {
	request  map[string]any
	messages []any
}

// LoadTemplate reads a chat request from a JSON file.
func LoadTemplate(path string) (*Template, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the request file can't be read: %w", err)
	}
	t, err := ParseTemplate(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// ParseTemplate reads a chat request: a JSON object with messages.
func ParseTemplate(data []byte) (*Template, error) {
	var request map[string]any
	if err := json.Unmarshal(data, &request); err != nil {
		return nil, fmt.Errorf("not a chat request in JSON (%v): write an object such as {\"messages\": [{\"role\": \"user\", \"content\": \"Hello\"}]}", err)
	}
	messages, ok := request["messages"].([]any)
	if !ok || len(messages) == 0 {
		return nil, fmt.Errorf("the request has no messages: write \"messages\": [{\"role\": \"user\", \"content\": \"Hello\"}]")
	}
	for i, m := range messages {
		if _, ok := m.(map[string]any); !ok {
			return nil, fmt.Errorf("message %d is no object: write {\"role\": \"user\", \"content\": \"Hello\"}", i+1)
		}
	}
	if n, ok := request["n"].(float64); ok && n > 1 {
		return nil, fmt.Errorf("the request asks for %g answers at once (n): leave n out, since the first token of one answer is measured", n)
	}
	return &Template{request: request, messages: messages}, nil
}

// Model is the model the request names, "" for none.
func (t *Template) Model() string {
	m, _ := t.request["model"].(string)
	return m
}

// MaxTokens is the limit the request sets, 0 for none.
func (t *Template) MaxTokens() int {
	for _, name := range []string{maxTokens, maxCompletionTokens} {
		if n, ok := t.request[name].(float64); ok {
			return int(n)
		}
	}
	return 0
}

// fields applies the knobs: model and output tokens are set, the stream with
// usage is asked for, and the prompt of r is put before the first message's
// text, so that no prefix cache knows it.
func (t *Template) fields(r Request) map[string]any {
	fields := clone(t.request)
	fields["model"] = r.Model
	fields["stream"] = true
	if _, own := fields["stream_options"]; !own {
		fields["stream_options"] = map[string]any{"include_usage": true}
	}
	delete(fields, maxCompletionTokens)
	if r.MaxTokens > 0 {
		fields[maxTokens] = r.MaxTokens
	}
	if r.Prompt != "" {
		first := clone(t.messages[0].(map[string]any))
		first["content"] = before(r.Prompt, first["content"])
		fields["messages"] = append([]any{first}, t.messages[1:]...)
	}
	return fields
}

// before puts text in front of a message's content, a string or a list of parts.
func before(text string, content any) any {
	switch c := content.(type) {
	case []any:
		return append([]any{map[string]any{"type": "text", "text": text}}, c...)
	case string:
		return text + "\n" + c
	default:
		return text
	}
}
