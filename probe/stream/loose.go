package stream

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The types below decode what servers send in several shapes. Their
// UnmarshalJSON never fails: a shape that is not known leaves them empty, so
// that no field can cost an event.

// count is a number of tokens: a whole number, also as a float or in quotes. A
// fraction is no count.
type count Count

// maxCount is above any count that can be meant.
const maxCount = 1 << 40

func (c *count) UnmarshalJSON(b []byte) error {
	text := string(bytes.Trim(b, `"`))
	f, err := strconv.ParseFloat(text, 64)
	if err == nil && !strings.ContainsAny(text, "xXpP_") && f >= 0 && f <= maxCount && f == math.Trunc(f) {
		*c = count{N: int(f), OK: true}
	}
	return nil
}

// present is true for a value that holds something.
type present bool

func (p *present) UnmarshalJSON(b []byte) error {
	*p = present(filled(b))
	return nil
}

// filled reports whether a JSON value is anything but null, false, zero or empty.
func filled(b []byte) bool {
	b = bytes.TrimSpace(b)
	if len(b) == 0 {
		return false
	}
	switch b[0] {
	case 'n', 'f':
		return false
	case '"':
		return len(b) > 2
	case '{', '[':
		return len(bytes.TrimSpace(b[1:len(b)-1])) > 0
	case 't':
		return true
	}
	f, err := strconv.ParseFloat(string(b), 64)
	return err != nil || f != 0
}

// content is the text of a message: a string, or a list of parts of which some
// may be thinking (Mistral).
type content struct{ text, thinking string }

func (c *content) empty() bool { return c.text == "" && c.thinking == "" }

func (c *content) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '"':
		c.text = unquote(b)
	case '{':
		var one part
		_ = json.Unmarshal(b, &one)
		c.add(one)
	case '[':
		var list [maxParts]part
		_ = json.Unmarshal(b, &list)
		for _, one := range list {
			c.add(one)
		}
	}
	return nil
}

func (c *content) add(p part) {
	if p.Type == "thinking" || p.Type == "reasoning" {
		c.thinking += string(p.Text)
	} else {
		c.text += string(p.Text)
	}
	c.thinking += string(p.Thinking)
}

type part struct {
	Type     string `json:"type"`
	Text     plain  `json:"text"`
	Thinking plain  `json:"thinking"`
}

// plain is text in a part: a string, or a list of objects with text. It is not
// a content again, so that nesting can't cost time.
type plain string

func (p *plain) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '"':
		*p = plain(unquote(b))
	case '[':
		var list [maxParts]struct {
			Text string `json:"text"`
		}
		_ = json.Unmarshal(b, &list)
		for _, one := range list {
			*p += plain(one.Text)
		}
	}
	return nil
}

// details is true for a list of reasoning details (OpenRouter) of which one
// carries something generated.
type details bool

func (d *details) UnmarshalJSON(b []byte) error {
	var list [maxParts]struct {
		Text    present `json:"text"`
		Summary present `json:"summary"`
		Data    present `json:"data"`
		Content present `json:"content"`
	}
	_ = json.Unmarshal(b, &list)
	for _, one := range list {
		if one.Text || one.Summary || one.Data || one.Content {
			*d = true
		}
	}
	return nil
}

// unquote decodes a JSON string; the common one, without escapes, by a copy.
func unquote(b []byte) string {
	if inner := b[1 : len(b)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var s string
	_ = json.Unmarshal(b, &s)
	return s
}
