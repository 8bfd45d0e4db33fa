package stream

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// said is what a server says of an error, in whatever shape.
type said struct {
	words  string // as they came, "" where none were found
	code   string // its own code, which may be a number
	class  string // its type, such as invalid_request_error
	excess Excess // numbers beside the words; zero where there are none
}

// maxNesting is how deep an error object is followed into another.
const maxNesting = 4

// readWords reads an error as a server wrote it: JSON of the shapes known, or
// text. There are always words, unless raw is blank.
func readWords(raw []byte) said {
	raw = bytes.TrimSpace(raw[:min(len(raw), bodyLimit)])
	s := readJSON(raw, 0)
	if s.words == "" {
		s.words = compact(raw)
	}
	return s
}

// readJSON finds the words of a JSON value, which are "" where there are none.
func readJSON(raw []byte, depth int) said {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || depth > maxNesting {
		return said{}
	}
	switch raw[0] {
	case '"':
		var words string
		_ = json.Unmarshal(raw, &words)
		return said{words: words}
	case '[':
		return readList(raw, depth)
	case '{':
		return readObject(raw, depth)
	}
	return said{}
}

// readList joins the words of a list: FastAPI's complaints, or Gemini's error in
// a list of one.
func readList(raw []byte, depth int) said {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return said{}
	}
	var whole said
	for _, one := range list[:min(len(list), 3)] {
		s := readJSON(one, depth+1)
		if s.words == "" {
			continue
		}
		if whole.words == "" {
			whole = s
		} else {
			whole.words += "; " + s.words
		}
	}
	return whole
}

// errorObject is every field of an error object that means something here.
type errorObject struct {
	Error    json.RawMessage `json:"error"`
	Errors   json.RawMessage `json:"errors"` // Cloudflare
	Detail   json.RawMessage `json:"detail"` // FastAPI
	Message  json.RawMessage `json:"message"`
	Msg      string          `json:"msg"` // one of FastAPI's complaints
	Loc      []any           `json:"loc"` // where it applies
	Code     any             `json:"code"`
	Type     string          `json:"type"`
	Status   string          `json:"status"`          // Gemini's type
	Prompt   count           `json:"n_prompt_tokens"` // llama.cpp
	Context  count           `json:"n_ctx"`           // llama.cpp
	Metadata struct {
		Raw string `json:"raw"` // OpenRouter: what the provider behind it said
	} `json:"metadata"`
}

func readObject(raw []byte, depth int) said {
	var o errorObject
	if json.Unmarshal(raw, &o) != nil && !json.Valid(raw) {
		return said{}
	}
	for _, inner := range []json.RawMessage{o.Error, o.Errors, o.Detail} {
		if !filled(inner) {
			continue
		}
		if s := readJSON(inner, depth+1); s.words != "" {
			if s.code == "" {
				s.code = codeText(o.Code)
			}
			if s.class == "" {
				s.class = o.Type
			}
			return s
		}
	}
	return o.read(raw, depth)
}

// read takes the words of the object itself. The standard shape is go-openai's;
// what that refuses is read loosely.
func (o *errorObject) read(raw []byte, depth int) said {
	s := said{code: codeText(o.Code), class: cmp.Or(o.Type, o.Status)}
	var api openai.APIError
	if json.Unmarshal(raw, &api) == nil && api.Message != "" {
		s.words = api.Message
	} else if s.words = readJSON(o.Message, depth+1).words; s.words == "" {
		s.words = o.complaint()
	}
	if s.words != "" && o.Metadata.Raw != "" {
		s.words += ": " + o.Metadata.Raw
	}
	if o.Prompt.N > 0 && o.Context.N > 0 {
		s.excess = Excess{Prompt: o.Prompt.N, Limit: o.Context.N}
	}
	return s
}

// complaint is FastAPI's message with the path that it applies to.
func (o *errorObject) complaint() string {
	if o.Msg == "" || len(o.Loc) == 0 {
		return o.Msg
	}
	var path []string
	for _, step := range o.Loc {
		path = append(path, fmt.Sprint(step))
	}
	return strings.Join(path, ".") + ": " + o.Msg
}

func codeText(code any) string {
	switch c := code.(type) {
	case string:
		return c
	case float64:
		return strconv.FormatFloat(c, 'f', -1, 64)
	}
	return ""
}

// codeBeside is the code that tells more than the HTTP status does: the type
// where the code is missing or repeats the status.
func (s said) codeBeside(status int) string {
	code := s.code
	if code == "" || code == strconv.Itoa(status) {
		code = s.class
	}
	return oneLine(code, codeLimit)
}

// blank reports whether there is nothing in the words that could be shown.
func (s said) blank() bool { return oneLine(s.words, messageLimit) == "" }

// sentence is the words as one line, with the numbers of a prompt that is too
// long put first.
func (s said) sentence() string {
	words := s.words
	if s.blank() {
		words = "an error without a message"
	}
	if e, ok := s.tooLong(); ok {
		words = fmt.Sprintf("%s (%s)", e, words)
	}
	return oneLine(words, messageLimit)
}

// compact is JSON without its white space, or text as it is.
func compact(raw []byte) string {
	raw = raw[:min(len(raw), DefaultTextLimit)]
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}
