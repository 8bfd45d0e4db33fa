package stream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/net/html"

	"ttftop/probe"
)

// bodyLimit is how much of a body is looked at, in bytes.
const bodyLimit = 1 << 20

// Body reads an answer that is no event stream: an HTTP error in any of the
// shapes that servers send, or a success that is JSON or a web page. The failure
// is never nil. Its message is one line of at most 300 characters without
// control characters, but it is the server's text: pass it through Redact.
func Body(status int, contentType string, body []byte) *probe.Failure {
	body = body[:min(len(body), bodyLimit)]
	kind := mediaType(contentType)
	s := readBody(kind, body)
	f := &probe.Failure{Kind: probe.FailStatus, Status: status, Code: s.codeBeside(status)}
	switch {
	case status == http.StatusTooManyRequests:
		f.Kind = probe.FailRateLimit
		f.Message = refusal(status, s)
	case status >= 200 && status < 300:
		f.Kind = probe.FailProtocol
		f.Message = notAStream(kind, body, s)
	default:
		f.Message = refusal(status, s)
	}
	f.Message = oneLine(f.Message, messageLimit)
	return f
}

// refusal is the message of an HTTP error: what the status means here, then the
// server's words.
func refusal(status int, s said) string {
	if s.blank() {
		s.words = http.StatusText(status)
		if s.words == "" {
			s.words = "no message"
		}
	}
	words := s.sentence()
	if _, tooLong := s.tooLong(); tooLong {
		return words
	}
	switch status {
	case http.StatusUnauthorized:
		return "key rejected: " + words
	case http.StatusForbidden:
		return "key rejected, or it may not do this: " + words
	case http.StatusNotFound:
		return "no such model or URL: " + words
	case http.StatusServiceUnavailable:
		if strings.Contains(strings.ToLower(words), "loading model") {
			return "the model is still being loaded: " + words
		}
	}
	return words
}

// notAStream is the message of a success that can't be measured.
func notAStream(kind string, body []byte, s said) string {
	if kind == "" {
		kind = "no content type"
	}
	m := fmt.Sprintf("not an event stream (%s): ", kind)
	var whole struct {
		Choices present `json:"choices"`
		Message present `json:"message"`
		Error   present `json:"error"`
	}
	switch err := json.Unmarshal(body, &whole); {
	case len(bytes.TrimSpace(body)) == 0:
		return m + "the answer is empty"
	case err == nil && !bool(whole.Error) && bool(whole.Choices):
		return m + "the answer came in one piece, the server did not stream it"
	case s.blank():
		return m + "the answer has no text"
	}
	return m + s.sentence()
}

// readBody finds the words of a body by what it is rather than by what its
// header says.
func readBody(kind string, body []byte) said {
	body = bytes.TrimSpace(trimBOM(body))
	switch {
	case len(body) == 0:
		return said{}
	case strings.Contains(kind, "html"), body[0] == '<':
		return said{words: pageTitle(body)}
	case bytes.HasPrefix(body, []byte("data:")), bytes.HasPrefix(body, []byte("event:")):
		return readEvent(body)
	}
	return readWords(body)
}

// readEvent reads an error that was sent as an event beside an HTTP error.
func readEvent(body []byte) said {
	for line := range bytes.Lines(body) {
		if v, ok := bytes.CutPrefix(line, []byte("data:")); ok && len(bytes.TrimSpace(v)) > 0 {
			return readWords(v)
		}
	}
	return readWords(body)
}

// pageTitle is the title of a web page, else its first heading, else its first
// words.
func pageTitle(page []byte) string {
	var title, heading, first, inside string
	for t := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch t.Next() {
		case html.ErrorToken:
			for _, words := range []string{title, heading, first} {
				if words != "" {
					return words
				}
			}
			return ""
		case html.StartTagToken:
			name, _ := t.TagName()
			inside = string(name)
		case html.EndTagToken:
			inside = ""
		case html.TextToken:
			words := strings.TrimSpace(string(t.Text()))
			switch {
			case words == "" || inside == "style" || inside == "script":
			case inside == "title" && title == "":
				title = words
			case inside == "h1" && heading == "":
				heading = words
			case first == "":
				first = words
			}
		}
	}
}
