package endpoint

import (
	"bytes"
	"context"
	"net/http"

	"ttftop/probe"
)

// ChatRequest is a request for a streamed chat answer, with the endpoint's key
// and headers.
func ChatRequest(ctx context.Context, e *probe.Endpoint, model string, body []byte) (*http.Request, error) {
	return post(ctx, e, ChatURL(e, model), "text/event-stream", body)
}

// OllamaRequest is ChatRequest for Ollama's native route, whose answers are
// lines of JSON.
func OllamaRequest(ctx context.Context, e *probe.Endpoint, body []byte) (*http.Request, error) {
	return post(ctx, e, address(e, ollamaChat(e), query(e)), "application/x-ndjson", body)
}

func post(ctx context.Context, e *probe.Endpoint, url, accept string, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	Authorize(req.Header, e)
	return req, nil
}
