package endpoint

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"ttftop/probe"
)

// longestVersion limits the answer to a question for the version, in bytes.
const longestVersion = 4 << 10

// OllamaVersion asks whether the endpoint is an Ollama, and which: false where it
// is another server, or none that answers. An Ollama tells its version at
// /api/version and nothing else there, and lists its models at /api/tags; other
// programs have one or the other.
//
// The client's transport decides on proxy and certificates; redirects are not
// followed, for they would carry the key to another host.
func OllamaVersion(ctx context.Context, c *http.Client, e *probe.Endpoint) (version string, ok bool) {
	if e.API == probe.Azure {
		return "", false
	}
	client := *c
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	about := ollamaObject(ctx, &client, e, "version", longestVersion)
	if len(about) != 1 || json.Unmarshal(about["version"], &version) != nil || version == "" {
		return "", false
	}
	var models []json.RawMessage
	tags := ollamaObject(ctx, &client, e, "tags", longestList)
	return version, json.Unmarshal(tags["models"], &models) == nil
}

// ollamaObject asks one of Ollama's own routes for an object, nil for none.
func ollamaObject(ctx context.Context, c *http.Client, e *probe.Endpoint, name string, limit int64) map[string]json.RawMessage {
	req, err := Get(ctx, e, address(e, with(besideVersion(e), "api", name), query(e)))
	if err != nil {
		return nil
	}
	response, err := c.Do(req)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil
	}
	var object map[string]json.RawMessage
	if json.NewDecoder(io.LimitReader(response.Body, limit)).Decode(&object) != nil {
		return nil
	}
	return object
}
