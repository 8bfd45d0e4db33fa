package sim

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
)

// api is one of the two ways in which text is asked for.
type api struct {
	input        string // the field with the prompt
	output       int    // tokens of an answer where the request sets no limit
	id           string // what identifiers begin with
	whole, chunk string // kinds of object: of an answer, of a piece of one
	role         bool   // a stream begins with a chunk that only names the role
	open, close  string // what stands around the text in the choice of a chunk
	nothing      string // the choice of a chunk without text has this
	choice       func(text string) map[string]any
	read         func(body []byte, blockTokens int) (*asked, *apiError)
}

var (
	// chatAPI is POST /v1/chat/completions.
	chatAPI = api{
		input: "messages", output: 256, id: "chatcmpl-", whole: "chat.completion", chunk: "chat.completion.chunk",
		role: true, open: `"delta":{"content":"`, close: `"}`, nothing: `"delta":{}`,
		choice: func(text string) map[string]any {
			return map[string]any{"message": map[string]any{"role": "assistant", "content": text}}
		},
		read: readChat,
	}
	// textAPI is POST /v1/completions.
	textAPI = api{
		input: "prompt", output: 16, id: "cmpl-", whole: "text_completion", chunk: "text_completion",
		open: `"text":"`, close: `"`, nothing: `"text":""`,
		choice: func(text string) map[string]any { return map[string]any{"text": text} },
		read:   readText,
	}
)

// asked is what the simulator reads of a request by either API; fields that it does
// not know are ignored.
type asked struct {
	sampling
	Model         string `json:"model"`
	Stream        bool   `json:"stream"`
	MaxTokens     *int   `json:"max_tokens"`
	N             *int   `json:"n"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	TimingsPerToken bool `json:"timings_per_token"` // llama.cpp

	prompt prompt
}

// check finds what is missing, or can't be had, by either API.
func (q *asked) check() *apiError {
	switch {
	case q.Model == "":
		return badRequest("model", "The request names no model: set \"model\" to one of GET /v1/models.")
	case q.MaxTokens != nil && *q.MaxTokens < 1:
		return badRequest("max_tokens", "max_tokens is %d: it must be at least 1.", *q.MaxTokens)
	}
	return cmp.Or(one("n", q.N), q.sampling.check())
}

// one refuses a number of answers other than one.
func one(field string, n *int) *apiError {
	switch {
	case n == nil || *n == 1:
		return nil
	case *n < 1:
		return badRequest(field, "%s is %d: it must be at least 1.", field, *n)
	}
	return badRequest(field, "%s is %d: this server gives one answer to a request. Leave %s out, or send the request %d times.", field, *n, field, *n)
}

// length is how many tokens the answer has, and why it ends there.
func (q *asked) length(of api, context int) (n int, finish string, refused *apiError) {
	prompt := q.prompt.tokens
	if prompt >= context {
		return 0, "", tooLong(of.input, context, prompt)
	}
	if q.MaxTokens == nil {
		return min(of.output, context-prompt), "stop", nil
	}
	if *q.MaxTokens > context-prompt {
		return 0, "", tooMuch(of.input, context, prompt, *q.MaxTokens)
	}
	return *q.MaxTokens, "length", nil
}

// decode reads a body.
func decode(body []byte, to any) *apiError {
	err := json.Unmarshal(body, to)
	if err == nil {
		return nil
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return badRequest("", "The body is not JSON: %v, at byte %d.", syntax, syntax.Offset)
	case errors.As(err, &kind) && kind.Field == "":
		return badRequest("", "The body is a JSON %s: it must be an object.", kind.Value)
	case errors.As(err, &kind):
		field := embedded.ReplaceAllString(kind.Field, "") // where it stands in the structures here
		return badRequest(field, "%s is a JSON %s: it must be %s.", field, kind.Value, wantedKind(kind))
	}
	return badRequest("", "The body is not JSON: %v.", err)
}

// embedded are the names that structures within a request have here alone.
var embedded = regexp.MustCompile(`^((asked|sampling|chatOnly)\.)+`)

// wantedKind is the type of JSON that a field must have.
func wantedKind(e *json.UnmarshalTypeError) string {
	switch e.Type.Kind() {
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "an array"
	default:
		return "an object"
	}
}
