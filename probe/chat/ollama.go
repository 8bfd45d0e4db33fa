package chat

import (
	"net/http"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// NativeShape is the shape of a request to Ollama's own route, /api/chat, whose
// answers tell times that its OpenAI-compatible route leaves out.
func NativeShape() Shape { return Shape{native: true} }

// Native reports whether the shape is that of Ollama's own route.
func (s Shape) Native() bool { return s.native }

// OpenAI is the shape for the OpenAI-compatible route of the same endpoint.
func (s Shape) OpenAI() Shape {
	s.native = false
	return s
}

// ollamaFields is the request as Ollama's own route takes it: the same message
// and limit as on the other route, since other options would make the server
// load the model anew (ollama docs/api). A Template has no such form.
func (r Request) ollamaFields() map[string]any {
	fields := map[string]any{
		"model":    r.Model,
		"messages": []any{map[string]any{"role": openai.ChatMessageRoleUser, "content": r.Prompt}},
		"stream":   true,
	}
	if r.MaxTokens > 0 {
		fields["options"] = map[string]any{"num_predict": r.MaxTokens}
	}
	return fields
}

// leaveNative goes back to the OpenAI-compatible route where a refusal says that
// the native one is not there or not open to everyone. A 404 that names the
// model is not about the route.
func (s Shape) leaveNative(status int, refusal []byte) (Shape, string, bool) {
	switch status {
	case http.StatusNotFound:
		if strings.Contains(strings.ToLower(string(refusal)), "model") {
			return s, "", false
		}
	case http.StatusMethodNotAllowed, http.StatusNotImplemented, http.StatusUnauthorized, http.StatusForbidden:
	default:
		return s, "", false
	}
	return s.OpenAI(), "Ollama's native route /api/chat is refused (" + http.StatusText(status) + "): its /v1 route is probed, which reports no times", true
}
