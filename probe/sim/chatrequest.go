package sim

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// chatRequest is a chat completion request.
type chatRequest struct {
	asked
	chatOnly
	Messages            []chatMessage `json:"messages"`
	MaxCompletionTokens *int          `json:"max_completion_tokens"`
}

type chatMessage struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	ToolCalls json.RawMessage `json:"tool_calls"`
}

// readChat reads the body of a chat completion request.
func readChat(body []byte, blockTokens int) (*asked, *apiError) {
	var q chatRequest
	if refused := decode(body, &q); refused != nil {
		return nil, refused
	}
	if n := q.MaxCompletionTokens; n != nil {
		q.MaxTokens = n
	}
	if refused := cmp.Or(q.asked.check(), q.chatOnly.check()); refused != nil {
		return nil, refused
	}
	if len(q.Messages) == 0 {
		return nil, badRequest("messages", "The request has no messages: set \"messages\" to at least one {\"role\":…,\"content\":…}.")
	}
	chat, refused := q.chat()
	if refused != nil {
		return nil, refused
	}
	q.prompt = newPrompt(chat, blockTokens)
	return &q.asked, nil
}

// chat is the text of the messages.
func (q *chatRequest) chat() ([]message, *apiError) {
	chat := make([]message, len(q.Messages))
	for i, m := range q.Messages {
		if refused := m.check(i); refused != nil {
			return nil, refused
		}
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
