package stream

import (
	"mime"
	"strings"
)

// Format is how events are told apart in a body.
type Format int

// The formats.
const (
	SSE    Format = iota // text/event-stream, https://html.spec.whatwg.org/multipage/server-sent-events.html
	NDJSON               // one JSON object per line, as Ollama's own routes answer
)

// FormatOf reads a Content-Type header. It is false where that is no event
// stream, so that the body belongs to Body.
func FormatOf(contentType string) (Format, bool) {
	switch mediaType(contentType) {
	case "text/event-stream":
		return SSE, true
	case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines":
		return NDJSON, true
	}
	return SSE, false
}

// mediaType is the type of a Content-Type header without its parameters, in
// lower case; junk is returned as one clean line.
func mediaType(contentType string) string {
	if t, _, err := mime.ParseMediaType(contentType); err == nil {
		return t
	}
	t, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(oneLine(t, 80))
}
