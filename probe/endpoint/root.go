package endpoint

import (
	"context"
	"net/http"
	"slices"

	"ttftop/probe"
)

// MetricsURLs is where a server's metrics page may be, the likeliest first, for
// the wire alone: beside the version in the endpoint's path, where servers put
// it, and at the root of the host where that is another place. It is empty for
// Azure, which has none. All are on the endpoint's own host and port.
func MetricsURLs(e *probe.Endpoint) []string {
	if e.API == probe.Azure {
		return nil
	}
	beside := address(e, with(besideVersion(e), "metrics"), query(e))
	root := address(e, []string{"metrics"}, query(e))
	return slices.Compact([]string{beside, root})
}

// DisplayOllamaChat is the address of Ollama's native route for screens,
// records and errors: without secrets.
func DisplayOllamaChat(e *probe.Endpoint) string { return shown(e, ollamaChat(e)) }

func ollamaChat(e *probe.Endpoint) []string { return with(besideVersion(e), "api", "chat") }

// besideVersion is the path of an endpoint before the version in it.
func besideVersion(e *probe.Endpoint) []string {
	segments := baseSegments(e)
	if i := slices.IndexFunc(segments, isVersion); i >= 0 {
		return segments[:i]
	}
	return segments
}

// Get is a request for something beside the chat, with the endpoint's key and
// headers. The URL is one that this package made for the same endpoint.
func Get(ctx context.Context, e *probe.Endpoint, url string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	Authorize(req.Header, e)
	return req, nil
}
