package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// defaultOutput is how many tokens an answer has where the request sets no
// limit.
const defaultOutput = 256

// chatRequest is what the simulator reads of a chat completion request; other
// fields are ignored, as sampling makes no difference here.
type chatRequest struct {
	Model               string        `json:"model"`
	Messages            []chatMessage `json:"messages"`
	Stream              bool          `json:"stream"`
	MaxTokens           *int          `json:"max_tokens"`
	MaxCompletionTokens *int          `json:"max_completion_tokens"`
	StreamOptions       struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	TimingsPerToken bool `json:"timings_per_token"` // llama.cpp
}

type chatMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// parseChat reads a request body.
func parseChat(body []byte) (*chatRequest, *apiError) {
	var q chatRequest
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, badJSON(err)
	}
	switch {
	case q.Model == "":
		return nil, badRequest("model", "The request names no model: set \"model\" to one of GET /v1/models.")
	case len(q.Messages) == 0:
		return nil, badRequest("messages", "The request has no messages: set \"messages\" to at least one {\"role\":…,\"content\":…}.")
	}
	if n := q.limit(); n != nil && *n < 1 {
		return nil, badRequest("max_tokens", "max_tokens is %d: it must be at least 1.", *n)
	}
	return &q, nil
}

// badJSON says what is wrong with a body, and where.
func badJSON(err error) *apiError {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return badRequest("", "The body is not JSON: %v, at byte %d.", syntax, syntax.Offset)
	case errors.As(err, &kind):
		return badRequest(kind.Field, "%q is a JSON %s where the API has another type.", kind.Field, kind.Value)
	}
	return badRequest("", "The body is not JSON: %v.", err)
}

// limit is the output limit that the request sets, nil for none.
func (q *chatRequest) limit() *int {
	if q.MaxCompletionTokens != nil {
		return q.MaxCompletionTokens
	}
	return q.MaxTokens
}

// chat is the text of the messages.
func (q *chatRequest) chat() ([]message, *apiError) {
	chat := make([]message, len(q.Messages))
	for i, m := range q.Messages {
		text, err := contentText(m.Content)
		if err != nil {
			return nil, badRequest(fmt.Sprintf("messages[%d].content", i), "The content of message %d can't be read: %v.", i, err)
		}
		chat[i] = message{role: m.Role, text: text}
	}
	return chat, nil
}

// contentText is the text of a message's content: a string, null, or an array
// of parts of which those of type text count.
func contentText(raw json.RawMessage) (string, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return "", nil
	}
	if raw[0] == '"' {
		var text string
		err := json.Unmarshal(raw, &text)
		return text, err
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return "", errors.New("it must be a string or an array of {\"type\":\"text\",\"text\":…}")
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Type != "text" {
			return "", fmt.Errorf("parts of type %q are not supported, only text", p.Type)
		}
		b.WriteString(p.Text)
	}
	return b.String(), nil
}

// output is how many tokens the answer to a prompt has, and why it ends there.
func (q *chatRequest) output(prompt, context int) (n int, finish string, refused *apiError) {
	if prompt >= context {
		return 0, "", tooLong(context, prompt)
	}
	limit := q.limit()
	if limit == nil {
		return min(defaultOutput, context-prompt), "stop", nil
	}
	if prompt+*limit > context {
		return 0, "", tooMuch(context, prompt, *limit)
	}
	return *limit, "length", nil
}
