package scrape

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"time"

	"ttftop/probe"
	"ttftop/probe/endpoint"
)

const (
	// PageLimit is how long a page may take. A server answers within
	// milliseconds; one that does not is kept from its work.
	PageLimit = 2 * time.Second
	// maxMisses is the number of failures in a row after which no page is asked
	// for any more.
	maxMisses = 3
)

// ErrGone says that no page is asked for any more: the endpoint offers none
// that is understood. Where one had been read, or might have been, the error
// around it tells what happened to it.
var ErrGone = errors.New("no metrics page is read")

// errAbsent says that there is no page at one address: what is asked again is
// answered alike.
var errAbsent = errors.New("there is none")

// Reader reads the metrics page of one endpoint, wherever it is. Its first
// Read looks for the page; an endpoint without one is never asked again. It is
// not safe for concurrent use.
type Reader struct {
	client   *http.Client
	endpoint *probe.Endpoint
	urls     []string // where the page may be, for the wire alone; the first is asked
	found    bool
	misses   int
}

// NewReader makes a reader for an endpoint. The transport makes its connections
// and must not be that of the probes.
func NewReader(transport http.RoundTripper, e *probe.Endpoint) *Reader {
	return &Reader{
		client: &http.Client{
			Transport: transport,
			// A redirect could carry the key to another host.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		endpoint: e, urls: endpoint.MetricsURLs(e),
	}
}

// Gone reports that no page is asked for any more.
func (r *Reader) Gone() bool { return len(r.urls) == 0 }

// Read reads the page as it is now. Where ctx ends first the error is ctx's and
// says nothing of the page. An error that is ErrGone comes once with a
// sentence for a person where a page was known or was too slow to tell, and is
// plain where there never was one; any other may be over at the next call.
func (r *Reader) Read(ctx context.Context) (Sample, error) {
	for !r.Gone() {
		s, err := r.ask(ctx, r.urls[0])
		switch {
		case err == nil:
			r.found, r.misses, r.urls = true, 0, r.urls[:1]
			return s, nil
		case ctx.Err() != nil:
			return Sample{}, ctx.Err()
		case r.found && errors.Is(err, errAbsent):
			return Sample{}, r.end(err)
		case errors.Is(err, errAbsent), !r.found && errors.Is(err, ErrNothingKnown):
			r.urls = r.urls[1:]
			continue
		}
		if r.misses++; r.misses >= maxMisses {
			return Sample{}, r.end(err)
		}
		return Sample{}, err
	}
	return Sample{}, ErrGone
}

// end gives the page up.
func (r *Reader) end(err error) error {
	r.urls = nil
	return fmt.Errorf("%w: %w", ErrGone, err)
}

// ask reads the page at one address.
func (r *Reader) ask(ctx context.Context, at string) (Sample, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, PageLimit, fmt.Errorf("it takes longer than %v", PageLimit))
	defer cancel()
	req, err := endpoint.Get(ctx, r.endpoint, at)
	if err != nil {
		return Sample{}, errAbsent // an address that can't be asked
	}
	req.Header.Set("Accept", "text/plain")
	response, err := r.client.Do(req)
	if err != nil {
		return Sample{}, plain(ctx, err)
	}
	defer response.Body.Close()
	switch code := response.StatusCode; {
	case code == http.StatusOK:
	case code == http.StatusTooManyRequests, code >= 500 && code != http.StatusNotImplemented:
		return Sample{}, fmt.Errorf("it answers with status %d", code)
	default:
		return Sample{}, fmt.Errorf("%w: status %d", errAbsent, code)
	}
	if kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type")); err == nil && kind == "text/html" {
		return Sample{}, fmt.Errorf("%w: it is a page for a browser", errAbsent)
	}
	s, err := Parse(response.Body)
	if err != nil {
		return Sample{}, plain(ctx, err)
	}
	return s, nil
}

// plain is an error without the address, which may hold a key, and with the
// cause where the time was over.
func plain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var at *url.Error
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
