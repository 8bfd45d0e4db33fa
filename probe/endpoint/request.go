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
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, ChatURL(e, model), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	Authorize(req.Header, e)
	return req, nil
}
