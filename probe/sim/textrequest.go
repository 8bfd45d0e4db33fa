package sim

import (
	"encoding/json"
	"strconv"
)

// textRequest is a completion request, without a chat.
type textRequest struct {
	asked
	Prompt json.RawMessage `json:"prompt"`
	BestOf *int            `json:"best_of"`
	Echo   bool            `json:"echo"`
	Suffix string          `json:"suffix"`

	Logprobs *int `json:"logprobs"`
}

// readText reads the body of a completion request.
func readText(body []byte, blockTokens int) (*asked, *apiError) {
	var q textRequest
	if refused := decode(body, &q); refused != nil {
		return nil, refused
	}
	if refused := q.check(); refused != nil {
		return nil, refused
	}
	if q.Logprobs != nil {
		return nil, notDone("logprobs")
	}
	if refused := one("best_of", q.BestOf); refused != nil {
		return nil, refused
	}
	switch {
	case q.Echo:
		return nil, badRequest("echo", "echo is true: this server doesn't give the prompt back. Leave echo out.")
	case q.Suffix != "":
		return nil, badRequest("suffix", "suffix is not supported: leave it out.")
	}
	p, refused := textPrompt(q.Prompt, blockTokens)
	if refused != nil {
		return nil, refused
	}
	q.prompt = p
	return &q.asked, nil
}

// textPrompt is a prompt without a chat template: a string, an array of token
// numbers, or an array of one of these.
func textPrompt(raw json.RawMessage, blockTokens int) (prompt, *apiError) {
	if len(raw) == 0 || string(raw) == "null" {
		return prompt{}, badRequest("prompt", "The request has no prompt: set \"prompt\" to a string.")
	}
	h := hasher{size: blockTokens}
	h.special("begin", templateBegin)
	if h.input(raw) {
		return h.prompt, nil
	}
	var several []json.RawMessage
	if json.Unmarshal(raw, &several) == nil && len(several) != 1 {
		return prompt{}, badRequest("prompt", "There are %d prompts: this server takes one in a request.", len(several))
	}
	if len(several) == 0 || !h.input(several[0]) {
		return prompt{}, badRequest("prompt", "The prompt must be a string or an array of token numbers.")
	}
	return h.prompt, nil
}

// input adds a string, or an array of token numbers; false where it is neither.
func (h *hasher) input(raw json.RawMessage) bool {
	var text string
	var numbers []int
	switch {
	case json.Unmarshal(raw, &text) == nil:
		for t := range tokens(text) {
			h.add(t)
		}
	case json.Unmarshal(raw, &numbers) == nil && len(numbers) > 0:
		for _, n := range numbers {
			h.add("\xfe" + strconv.Itoa(n)) // no text has this byte
		}
	default:
		return false
	}
	return true
}
