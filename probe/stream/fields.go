package stream

import (
	"bytes"
	"encoding/json"
	"errors"
)

// field takes one line of an SSE stream.
func (p *Parser) field(line []byte) {
	if len(line) == 0 {
		p.endEvent()
		return
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "": // a comment
	case "id", "retry":
	case "event":
		p.named = string(bytes.TrimSpace(value)) == "error"
	case "data":
		p.payload(bytes.TrimSpace(value))
	case "error": // llama.cpp before September 2025
		p.fail(readWords(value))
	default:
		p.loose(line)
	}
}

// payload takes one data line. An event is folded as soon as its JSON is whole:
// waiting for the blank line after it would be late, or for ever.
func (p *Parser) payload(v []byte) {
	switch {
	case len(v) == 0:
	case string(v) == "[DONE]":
		p.done = true
		p.share()
	case p.data.open():
		p.join(v)
	case v[0] == ':': // a comment that a proxy wrapped in data
		p.answer.Skipped++
	case p.named && v[0] != '{':
		p.fail(readWords(v))
	case v[0] != '{':
		p.skip(v)
	default:
		if ok, whole := p.decode(v); ok {
			p.fold(v)
		} else if whole {
			p.skip(v)
		} else {
			p.join(v)
		}
	}
}

// join adds a data line to an event that is not whole yet.
func (p *Parser) join(v []byte) {
	if len(p.data.buf)+1+len(v) > p.maxLine {
		p.tooLong()
		return
	}
	p.data.add(v)
	if !p.data.closed() {
		return
	}
	if ok, _ := p.decode(p.data.buf); ok {
		p.fold(p.data.buf)
	} else {
		p.skip(p.data.buf)
	}
	p.data.reset()
}

// endEvent takes the blank line after an event: what is not whole by now never
// will be.
func (p *Parser) endEvent() {
	if p.data.open() {
		p.skip(p.data.buf)
		p.data.reset()
	}
	p.named = false
}

// loose takes a line of an SSE stream that has no known field. Only a bare JSON
// error is of use.
func (p *Parser) loose(line []byte) {
	if v := bytes.TrimSpace(line); len(v) > 0 && v[0] == '{' {
		if ok, _ := p.decode(v); ok {
			if s, bad := p.reported(v); bad {
				p.fail(s)
				return
			}
		}
	}
	p.skip(line)
}

// object takes one line of an NDJSON stream.
func (p *Parser) object(line []byte) {
	v := bytes.TrimSpace(line)
	if len(v) == 0 {
		return
	}
	if ok, _ := p.decode(v); ok && v[0] == '{' {
		p.fold(v)
	} else {
		p.skip(v)
	}
}

// decode reads v into the chunk. A field of an unexpected type is left empty and
// is no error, nor is a number that is not finite. Where v is not valid JSON,
// whole tells whether more lines could make it so.
func (p *Parser) decode(v []byte) (ok, whole bool) {
	if ok, whole = p.decodeStrictly(v); !ok && (bytes.Contains(v, []byte("NaN")) || bytes.Contains(v, []byte("Infinity"))) {
		return p.decodeStrictly(QuoteNonFinite(v))
	}
	return ok, whole
}

func (p *Parser) decodeStrictly(v []byte) (ok, whole bool) {
	p.chunk = chunk{}
	err := json.Unmarshal(v, &p.chunk)
	if err == nil {
		return true, true
	}
	if _, loose := errors.AsType[*json.UnmarshalTypeError](err); loose {
		return true, true
	}
	syntax, _ := errors.AsType[*json.SyntaxError](err)
	return false, syntax == nil || syntax.Offset < int64(len(v))
}

// skip counts a line that is no event, and keeps the first of them in case that
// nothing else ever comes.
func (p *Parser) skip(line []byte) {
	p.answer.Skipped++
	if p.events == 0 && !p.stray.full {
		p.stray.add(string(line[:min(len(line), DefaultTextLimit)]))
		p.stray.add("\n")
	}
}
