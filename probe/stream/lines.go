package stream

import "bytes"

// spareBuffer is how much buffer is kept from one line to the next.
const spareBuffer = 64 << 10

type lineState int

const (
	partLine  lineState = iota // the end of the line has not come
	wholeLine                  // the line is whole
	longLine                   // the line is longer than allowed
)

// lines cuts bytes that come in pieces of any size into lines.
type lines struct {
	max    int
	cr     bool   // a carriage return ends a line too
	buf    []byte // the line so far
	given  bool   // buf was handed out whole
	skipLF bool   // the last line ended in CR: a line feed right after belongs to it
}

// next takes bytes off b up to the end of a line, or all of them. The line comes
// without its end and is valid until the next call.
func (l *lines) next(b []byte) (line, rest []byte, state lineState) {
	l.recycle()
	if l.skipLF && len(b) > 0 {
		l.skipLF = false
		if b[0] == '\n' {
			return nil, b[1:], partLine
		}
	}
	i := l.end(b)
	if i < 0 {
		if len(l.buf)+len(b) > l.max {
			return nil, nil, longLine
		}
		l.buf = append(l.buf, b...)
		return nil, nil, partLine
	}
	if len(l.buf)+i > l.max {
		return nil, nil, longLine
	}
	l.skipLF = b[i] == '\r'
	rest = b[i+1:]
	if len(l.buf) == 0 {
		return b[:i], rest, wholeLine
	}
	l.buf = append(l.buf, b[:i]...)
	l.given = true
	return l.buf, rest, wholeLine
}

// last returns a line whose end never came.
func (l *lines) last() []byte {
	l.recycle()
	l.given = true
	return l.buf
}

func (l *lines) end(b []byte) int {
	if l.cr {
		return bytes.IndexAny(b, "\r\n")
	}
	return bytes.IndexByte(b, '\n')
}

// recycle empties the buffer once its line has been used; a huge one is let go.
func (l *lines) recycle() {
	if !l.given {
		return
	}
	l.given = false
	l.buf = emptied(l.buf)
}

// emptied keeps the room of a buffer for the next use unless it is huge.
func emptied(b []byte) []byte {
	if cap(b) > spareBuffer {
		return nil
	}
	return b[:0]
}

func trimBOM(b []byte) []byte { return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")) }
