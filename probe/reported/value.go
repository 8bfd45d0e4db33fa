package reported

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// maxText bounds a text kept from a server, in bytes.
const maxText = 200

// decimal is what a decimal number is written with.
const decimal = "0123456789+-.eE"

// verdict is what became of a value that should be a number.
type verdict int

const (
	unsaid verdict = iota // absent, null, empty or "None"
	fine
	absurd
)

// number reads a value as a server wrote it: a JSON number, or a text in a
// header or in an object of texts.
func number(v any) (float64, verdict) {
	var text string
	switch v := v.(type) {
	case nil:
		return 0, unsaid
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimSpace(v)
		switch strings.ToLower(text) {
		case "", "none", "null":
			return 0, unsaid
		}
	default:
		return 0, absurd
	}
	if strings.Trim(text, decimal) != "" {
		return 0, absurd // hexadecimal and grouped digits are numbers in Go alone
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, absurd
	}
	return n, fine
}

// scalar turns a value into one that a record can hold: a finite number, a
// bool or a bounded text without control characters. It is false for null and
// for anything nested.
func scalar(v any) (any, bool) {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Float64(); err == nil {
			return n, true
		}
		return clean(v.String()), true
	case string:
		return clean(v), true
	case bool:
		return v, true
	}
	return nil, false
}

// clean bounds a text and takes out what could disturb a terminal.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "")
}
