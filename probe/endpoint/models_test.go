package endpoint

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ttftop/probe"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve starts a server and gives the endpoint and a client for it.
func serve(t *testing.T, path string, h http.HandlerFunc) (*probe.Endpoint, *http.Client) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	e, err := Parse(server.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	return e, server.Client()
}

func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func TestListModels(t *testing.T) {
	tests := []struct {
		name, body string
		want       []string
	}{
		{"as given", `{"object":"list","data":[{"id":"b","object":"model","created":1,"owned_by":"x"},{"id":"a"}]}`, []string{"b", "a"}},
		{"each once, none without a name", `{"data":[{"id":"a"},{"id":""},{},{"id":"a"},{"id":"b"}]}`, []string{"a", "b"}},
		{"created as a float", `{"data":[{"id":"a","created":1.7e9},{"id":"b","created":"2024-01-01"}]}`, []string{"a", "b"}},
		{"a bare array", `[{"id":"a"},{"id":"b"}]`, []string{"a", "b"}},
		{"a bare array of names", `["a","b"]`, []string{"a", "b"}},
		{"under models", `{"models":[{"name":"a"},{"name":"b"}]}`, []string{"a", "b"}},
		{"both", `{"models":[{"name":"a"}],"object":"list","data":[{"id":"b"}]}`, []string{"b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, client := serve(t, "/v1", answer(200, tt.body))
			got, err := ListModels(t.Context(), client, e)
			if err != nil || !slices.Equal(names(got), tt.want) {
				t.Errorf("%q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func names(models []Model) (names []string) {
	for _, m := range models {
		names = append(names, m.Name)
	}
	return names
}

func TestListModelsTellsTheOwners(t *testing.T) {
	e, client := serve(t, "/v1", answer(200, `{"data":[{"id":"a","owned_by":"vllm"},{"id":"b"},{"id":"c","owned_by":7},{"id":"d","owned_by":null},{"name":"e","owned_by":"me"}]}`))
	got, err := ListModels(t.Context(), client, e)
	if want := []Model{{"a", "vllm"}, {"b", ""}, {"c", ""}, {"d", ""}, {"e", "me"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

func TestListModelsSendsWhatIsNeeded(t *testing.T) {
	tests := []struct{ path, want, header, value string }{
		{"/v1?tenant=a&api-key=" + testKey, "/v1/models?tenant=a&api-key=" + testKey, "Authorization", "Bearer " + testKey},
		{"/1-01", "/1-01/v1/models", "Authorization", "Bearer " + testKey},
		{"/gw/openai/deployments/gpt-3.5-turbo?api-version=2024-06-01&a=b", "/gw/openai/models?a=b&api-version=2024-06-01", "Api-Key", testKey},
	}
	for _, tt := range tests {
		var url, value, own string
		e, client := serve(t, tt.path, func(w http.ResponseWriter, r *http.Request) {
			url, value, own = r.URL.String(), r.Header.Get(tt.header), r.Header.Get("X-Own")
			io.WriteString(w, `{"data":[{"id":"m"}]}`)
		})
		e.Key = probe.NewSecret(testKey)
		setHeader(e, "X-Own", probe.NewSecret("yes"))
		if _, err := ListModels(t.Context(), client, e); err != nil {
			t.Errorf("%s: %v", tt.path, err)
		}
		if url != tt.want || value != tt.value || own != "yes" {
			t.Errorf("%s: asked %s with %s %q, X-Own %q; want %s with %q", tt.path, url, tt.header, value, own, tt.want, tt.value)
		}
	}
}

func TestListModelsFailures(t *testing.T) {
	tests := []struct {
		name   string
		status int
		body   string
		keyed  bool
		kind   probe.FailureKind
		want   string
	}{
		{"key rejected", 401, `{"error":{"message":"Incorrect API key provided: ` + testKey + `."}}`, true, probe.FailStatus, "HTTP 401: the key was rejected"},
		{"no key", 401, `{"error":{"message":"no"}}`, false, probe.FailStatus, "HTTP 401: the endpoint needs a key: name"},
		{"forbidden", 403, `{"error":{"message":"no access for ` + testKey + `"}}`, true, probe.FailStatus, "HTTP 403: no access for ***"},
		{"no such path", 404, "404 page not found", false, probe.FailStatus, "/v1/models?token=***: check the URL"},
		{"what was tried", 404, "404 page not found", false, probe.FailStatus, "asked http://127.0.0.1"},
		{"method", 405, "", false, probe.FailStatus, "no model list at"},
		{"rate limit", 429, `{"error":{"message":"slow down","code":"x"}}`, false, probe.FailRateLimit, "HTTP 429: slow down"},
		{"rate limit without a word", 429, "", false, probe.FailRateLimit, "HTTP 429: too many requests"},
		{"detail", 400, `{"detail":"Extra parameters"}`, false, probe.FailStatus, "HTTP 400: Extra parameters"},
		{"error as a text", 500, `{"error":"boom"}`, false, probe.FailStatus, "HTTP 500: boom"},
		{"HTML 502", 502, "<html><body>Bad Gateway " + testKey, true, probe.FailStatus, "HTTP 502: a web page"},
		{"empty 503", 503, "", false, probe.FailStatus, "HTTP 503: service unavailable"},
		{"control characters", 500, "a\x1b[31mb\nc\u202ed " + testKey[:5] + "\x00" + testKey[5:], true, probe.FailStatus, "HTTP 500: a[31mb cd ***"},
		{"long", 500, strings.Repeat("x", 1000), false, probe.FailStatus, "x…"},
		{"HTML 200", 200, "<!DOCTYPE html><html>", false, probe.FailProtocol, "a web page"},
		{"no JSON", 200, "hello", false, probe.FailProtocol, "no model list"},
		{"null", 200, "null", false, probe.FailProtocol, "no model list"},
		{"empty", 200, "", false, probe.FailProtocol, "no model list"},
		{"an error inside a 200", 200, `{"error":{"message":"x"}}`, false, probe.FailProtocol, "no model list"},
		{"no models", 200, `{"data":[]}`, false, probe.FailProtocol, "lists no models"},
		{"too long", 200, strings.Repeat(" ", longestList+1), false, probe.FailProtocol, "longer than 16 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, client := serve(t, "/v1?token="+testKey, answer(tt.status, tt.body))
			if tt.keyed {
				e.Key = probe.NewSecret(testKey)
			}
			_, err := ListModels(t.Context(), client, e)
			checkFailure(t, err, tt.kind, tt.want)
		})
	}
}

func checkFailure(t *testing.T, err error, kind probe.FailureKind, want string) {
	t.Helper()
	f, ok := errors.AsType[*probe.Failure](err)
	if !ok {
		t.Fatalf("%T %v, want a *probe.Failure", err, err)
	}
	if f.Kind != kind || !strings.Contains(f.Error(), want) {
		t.Errorf("%s %q, want %s %q", f.Kind, f, kind, want)
	}
	if strings.Contains(formatted(err), "TESTKEY") || strings.ContainsAny(f.Message, "\n\r\x1b") || len(f.Message) > 2000 {
		t.Errorf("not fit to be shown: %q", f.Message)
	}
}

func TestListModelsDoesNotFollowRedirects(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the key went on: %v", r.Header)
	}))
	t.Cleanup(elsewhere.Close)
	e, client := serve(t, "/v1", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL+"/v1/models?key="+testKey, http.StatusFound)
	})
	setHeader(e, "Api-Key", probe.NewSecret(testKey))
	_, err := ListModels(t.Context(), client, e)
	checkFailure(t, err, probe.FailStatus, "redirects to "+elsewhere.URL+": write")
	if client.CheckRedirect != nil {
		t.Error("the caller's client was changed")
	}
}

func TestListModelsTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(answer(200, `{"data":[{"id":"m"}]}`))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	e, err := Parse(server.URL + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	with := func(c *tls.Config) *http.Client {
		transport := &http.Transport{TLSClientConfig: c}
		t.Cleanup(transport.CloseIdleConnections)
		return &http.Client{Transport: transport}
	}
	_, err = ListModels(t.Context(), with(nil), e)
	checkFailure(t, err, probe.FailTLS, "unknown authority; give its authority with --cacert FILE, or skip the check with --insecure")

	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())
	if got, err := ListModels(t.Context(), with(&tls.Config{RootCAs: pool}), e); err != nil || len(got) != 1 {
		t.Errorf("with its authority: %v, %v", got, err)
	}
	_, err = ListModels(t.Context(), with(&tls.Config{RootCAs: pool, ServerName: "other.example"}), e)
	checkFailure(t, err, probe.FailTLS, "not other.example")

	plain, client := serve(t, "/v1", answer(200, ""))
	plain.Base.Scheme = "https"
	_, err = ListModels(t.Context(), client, plain)
	checkFailure(t, err, probe.FailTLS, "does not speak TLS: write http://")
}

// failing is a transport that fails as the network would.
type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

func TestListModelsUnreached(t *testing.T) {
	e, err := Parse("https://u:TESTKEY-pass@host:8443/v1?key=" + testKey)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		err  error
		kind probe.FailureKind
		want string
	}{
		{&net.DNSError{Err: "no such host", Name: "host", IsNotFound: true}, probe.FailDNS, "no such host: host"},
		{context.DeadlineExceeded, probe.FailTimeout, "host:8443 gave no answer in time"},
		{context.Canceled, probe.FailCanceled, "canceled"},
		{errors.New("something with " + testKey), probe.FailConnect, "something with ***"},
		{&url.Error{Op: "Get", URL: "https://host?key=" + testKey, Err: errors.New("odd")}, probe.FailConnect, "odd"},
	}
	for _, tt := range tests {
		_, err := ListModels(t.Context(), &http.Client{Transport: failing{tt.err}}, e)
		checkFailure(t, err, tt.kind, tt.want)
	}
}

func TestListModelsRefusedConnection(t *testing.T) {
	server := httptest.NewServer(nil)
	address := server.Listener.Addr().String()
	server.Close()
	e, err := Parse("http://" + address)
	if err != nil {
		t.Fatal(err)
	}
	_, err = ListModels(t.Context(), &http.Client{}, e)
	checkFailure(t, err, probe.FailConnect, address+" refused the connection")

	// The same through a proxy that is not there, with a password.
	far, err := Parse("http://far.example/v1")
	if err != nil {
		t.Fatal(err)
	}
	proxy := &url.URL{Scheme: "http", Host: address, User: url.UserPassword("u", "TESTKEY")}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	_, err = ListModels(t.Context(), client, far)
	checkFailure(t, err, probe.FailConnect, "the proxy "+address+" refused the connection")
}

func TestListModelsEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e, client := serve(t, "/v1", func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	_, err := ListModels(ctx, client, e)
	checkFailure(t, err, probe.FailCanceled, "canceled")
}
