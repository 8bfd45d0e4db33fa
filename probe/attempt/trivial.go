package attempt

import (
	"context"
	"io"
	"net/http"
	"time"

	"ttftop/probe"
	"ttftop/probe/endpoint"
	"ttftop/probe/transport"
)

// Trivial is the time that the endpoint takes to begin its answer to a request
// that costs it nothing, the list of its models: from the last byte sent to the
// first received, round trip included.
func Trivial(ctx context.Context, pool *transport.Pool, e *probe.Endpoint) (time.Duration, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint.ModelsURL(e), nil)
	if err != nil {
		return 0, err
	}
	endpoint.Authorize(req.Header, e)
	x, err := pool.Do(req, probe.WarmConn, nil)
	defer x.Abort()
	if err != nil {
		return 0, err
	}
	// What is left of a long list costs the connection, and nothing else.
	if _, err := io.CopyN(io.Discard, x, refusalLimit); err == io.EOF {
		x.Keep()
	}
	return x.Timeline.FirstByte.Sub(x.Timeline.Sent), nil
}
