package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// sampling is how tokens are chosen, by either API. It makes no difference to the
// words of the simulator, and is checked all the same.
type sampling struct {
	Temperature      *float64                   `json:"temperature"`
	TopP             *float64                   `json:"top_p"`
	PresencePenalty  *float64                   `json:"presence_penalty"`
	FrequencyPenalty *float64                   `json:"frequency_penalty"`
	Seed             *int64                     `json:"seed"`
	LogitBias        map[string]json.RawMessage `json:"logit_bias"`
	Stop             json.RawMessage            `json:"stop"`
	User             string                     `json:"user"`
}

// check finds values that no server takes, or that would change the answer.
func (s *sampling) check() *apiError {
	for _, f := range []struct {
		name        string
		is          *float64
		least, most float64
	}{
		{"temperature", s.Temperature, 0, 2}, {"top_p", s.TopP, 0, 1},
		{"presence_penalty", s.PresencePenalty, -2, 2}, {"frequency_penalty", s.FrequencyPenalty, -2, 2},
	} {
		if f.is != nil && !(*f.is >= f.least && *f.is <= f.most) {
			return badRequest(f.name, "%s is %s: set it to %v to %v.", f.name, plainly(*f.is), f.least, f.most)
		}
	}
	if len(s.LogitBias) > 0 {
		return notDone("logit_bias")
	}
	return s.checkStop()
}

// mostStops is how many stop sequences a request may have, as with OpenAI.
const mostStops = 4

// checkStop refuses what is no stop sequence, and one that may come: answers are
// lower case words with spaces between them, and are not searched.
func (s *sampling) checkStop() *apiError {
	if absent(s.Stop) {
		return nil
	}
	var stops []string
	if one := ""; json.Unmarshal(s.Stop, &one) == nil {
		stops = []string{one}
	} else if json.Unmarshal(s.Stop, &stops) != nil || len(stops) > mostStops {
		return badRequest("stop", "stop must be a string or an array of up to %d strings.", mostStops)
	}
	other := func(r rune) bool { return r != ' ' && (r < 'a' || r > 'z') }
	for _, stop := range stops {
		if !strings.ContainsFunc(stop, other) {
			return badRequest("stop", "stop is %q, which may be a part of an answer: this server gives answers of the length asked for. Leave it out, and set max_tokens.", stop)
		}
	}
	return nil
}

// chatOnly are the fields of a chat that ask for what the simulator doesn't do.
type chatOnly struct {
	Tools          json.RawMessage `json:"tools"`
	ToolChoice     json.RawMessage `json:"tool_choice"`
	Functions      json.RawMessage `json:"functions"`
	FunctionCall   json.RawMessage `json:"function_call"`
	ResponseFormat json.RawMessage `json:"response_format"`
	Logprobs       bool            `json:"logprobs"`
	TopLogprobs    *int            `json:"top_logprobs"`
	Modalities     []string        `json:"modalities"`
	Audio          json.RawMessage `json:"audio"`
}

// check refuses what would change the answer, or the count of its prompt.
func (c *chatOnly) check() *apiError {
	for _, f := range []struct {
		name     string
		is       json.RawMessage
		harmless []string
	}{
		{"tools", c.Tools, []string{"[]"}}, {"tool_choice", c.ToolChoice, []string{`"none"`, `"auto"`}},
		{"functions", c.Functions, []string{"[]"}}, {"function_call", c.FunctionCall, []string{`"none"`, `"auto"`}},
		{"audio", c.Audio, nil},
	} {
		if !absent(f.is) && !slices.Contains(f.harmless, string(f.is)) {
			return notDone(f.name)
		}
	}
	switch {
	case c.Logprobs:
		return notDone("logprobs")
	case c.TopLogprobs != nil && *c.TopLogprobs != 0:
		return notDone("top_logprobs")
	case slices.ContainsFunc(c.Modalities, func(m string) bool { return m != "text" }):
		return notDone("modalities")
	}
	return c.checkFormat()
}

func (c *chatOnly) checkFormat() *apiError {
	if absent(c.ResponseFormat) {
		return nil
	}
	var format struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(c.ResponseFormat, &format) != nil || format.Type == "" {
		return badRequest("response_format", "response_format must be an object with a type, such as {\"type\":\"text\"}.")
	}
	if format.Type != "text" {
		return badRequest("response_format", "response_format is %q: this server answers in text alone. Leave it out, or set it to {\"type\":\"text\"}.", format.Type)
	}
	return nil
}

// roles are those of messages that the simulator counts.
var roles = []string{"system", "developer", "user", "assistant"}

// check refuses a message that there can't be, number i from 0.
func (m *chatMessage) check(i int) *apiError {
	if !slices.Contains(roles, m.Role) {
		return badRequest(fmt.Sprintf("messages[%d].role", i), "The role of message %d is %q: set it to one of %s.", i, m.Role, strings.Join(roles, ", "))
	}
	if !absent(m.ToolCalls) && string(m.ToolCalls) != "[]" {
		return notDone(fmt.Sprintf("messages[%d].tool_calls", i))
	}
	return nil
}

// notDone refuses a field that would change the answer.
func notDone(field string) *apiError {
	return badRequest(field, "%s is not supported by this server, whose answers are plain text: leave it out.", field)
}

// absent reports whether a field isn't there, or null.
func absent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }
