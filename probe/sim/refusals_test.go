package sim

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// What would change the answer, and isn't done, is refused with the name of the
// parameter; what makes no difference is taken.
func TestWhatIsNotDone(t *testing.T) {
	const chat, text = "/v1/chat/completions", "/v1/completions"
	inBubble(t, roundConfig(), func(t *testing.T, b *bench) {
		for _, tt := range []struct{ path, field, param, says string }{
			{chat, `"tools":[{"type":"function","function":{"name":"f"}}]`, "tools", "not supported"},
			{chat, `"tools":"f"`, "tools", "not supported"},
			{chat, `"tool_choice":"required"`, "tool_choice", "not supported"},
			{chat, `"functions":[{"name":"f"}]`, "functions", "not supported"},
			{chat, `"function_call":{"name":"f"}`, "function_call", "not supported"},
			{chat, `"logprobs":true`, "logprobs", "not supported"},
			{chat, `"logprobs":"x"`, "logprobs", "must be true or false"},
			{chat, `"top_logprobs":3`, "top_logprobs", "not supported"},
			{chat, `"response_format":{"type":"json_schema","json_schema":{}}`, "response_format", "in text alone"},
			{chat, `"response_format":"json"`, "response_format", "must be an object with a type"},
			{chat, `"modalities":["text","audio"]`, "modalities", "not supported"},
			{chat, `"audio":{"voice":"x"}`, "audio", "not supported"},
			{chat, `"stop":5`, "stop", "a string or an array of up to 4 strings"},
			{chat, `"stop":["a","b","c","d","e"]`, "stop", "up to 4"},
			{chat, `"stop":["\n"," the"]`, "stop", "may be a part of an answer"},
			{chat, `"temperature":"x"`, "temperature", "temperature is a JSON string: it must be a number"},
			{chat, `"temperature":3`, "temperature", "set it to 0 to 2"},
			{chat, `"top_p":-1`, "top_p", "set it to 0 to 1"},
			{chat, `"seed":1.5`, "seed", "a whole number"},
			{chat, `"presence_penalty":9`, "presence_penalty", "set it to -2 to 2"},
			{chat, `"logit_bias":{"5":100}`, "logit_bias", "not supported"},
			{chat, `"logit_bias":5`, "logit_bias", "must be an object"},
			{chat, `"user":5`, "user", "must be a string"},
			{chat, `"messages":[{"role":"wizard","content":"hi"}]`, "messages[0].role", `"wizard": set it to one of system,`},
			{chat, `"messages":[{"content":"hi"}]`, "messages[0].role", `is ""`},
			{chat, `"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"1"}]}]`, "messages[1].tool_calls", "not supported"},
			{text, `"logprobs":3`, "logprobs", "not supported"},
			{text, `"stop":"end"`, "stop", "may be a part"},
			{text, `"temperature":"x"`, "temperature", "must be a number"},
			{chat, `"tools":[],"tool_choice":"auto","logprobs":false,"top_logprobs":0,"response_format":{"type":"text"},"modalities":["text"],"stop":["\n\n","###"],"temperature":0.7,"top_p":1,"seed":-4,"logit_bias":{},"user":"me","unknown":1`, "", ""},
			{chat, `"tools":null,"tool_choice":"none","response_format":null,"stop":null,"logprobs":null,"messages":[{"role":"developer","content":"be brief"},{"role":"assistant","content":null,"tool_calls":[]}]`, "", ""},
			{text, `"logprobs":null,"stop":"\n","temperature":2`, "", ""},
		} {
			input := `"messages":[{"role":"user","content":"hi"}],`
			switch {
			case tt.path == text:
				input = `"prompt":"hi",`
			case strings.Contains(tt.field, `"messages"`):
				input = ""
			}
			response, body := b.ask(http.MethodPost, tt.path, `{"model":"m","max_tokens":2,`+input+tt.field+`}`)
			var e struct {
				Error struct{ Message, Param string }
			}
			if err := json.Unmarshal([]byte(body), &e); err != nil {
				t.Fatal(err)
			}
			if want := map[bool]int{true: 200, false: 400}[tt.param == ""]; response.StatusCode != want || e.Error.Param != tt.param || !strings.Contains(e.Error.Message, tt.says) {
				t.Errorf("%s: %d %s", tt.field, response.StatusCode, body)
			}
		}
	})
}

// Every path that there is, is named where there is none.
func TestPathsAreNamed(t *testing.T) {
	inBubble(t, roundConfig(), func(t *testing.T, b *bench) {
		if status, body := b.get("/"); status != 404 || !strings.Contains(body, "/v1/models, /v1/models/NAME, ") {
			t.Errorf("%d %s", status, body)
		}
	})
}
