package endpoint

import (
	"net/http"
	"slices"
	"testing"

	"ttftop/probe"
)

func TestBesideTheVersion(t *testing.T) {
	for _, c := range []struct {
		url     string
		metrics []string
		ollama  string
	}{
		{"http://127.0.0.1:8000/v1", []string{"http://127.0.0.1:8000/metrics"}, "http://127.0.0.1:8000/api/chat"},
		{"http://127.0.0.1:8000", []string{"http://127.0.0.1:8000/metrics"}, "http://127.0.0.1:8000/api/chat"},
		{"https://gw.example.com/team/v1", []string{"https://gw.example.com/team/metrics", "https://gw.example.com/metrics"}, "https://gw.example.com/team/api/chat"},
		{"https://gw.example.com/v1beta/openai", []string{"https://gw.example.com/metrics"}, "https://gw.example.com/api/chat"},
		{"https://gw.example.com/own/chat/completions", []string{"https://gw.example.com/own/metrics", "https://gw.example.com/metrics"}, "https://gw.example.com/own/api/chat"},
	} {
		e, err := Parse(c.url)
		if err != nil {
			t.Fatal(err)
		}
		if got := MetricsURLs(e); !slices.Equal(got, c.metrics) {
			t.Errorf("%s: metrics at %v, want %v", c.url, got, c.metrics)
		}
		if got := DisplayOllamaChat(e); got != c.ollama {
			t.Errorf("%s: Ollama's chat at %v, want %v", c.url, got, c.ollama)
		}
	}
}

// A key in the query goes where the others go, and is not shown.
func TestBesideTheVersionWithAKeyInTheQuery(t *testing.T) {
	e, err := Parse("http://h:1/v1?api_key=verysecretkey1")
	if err != nil {
		t.Fatal(err)
	}
	if got := MetricsURLs(e); !slices.Equal(got, []string{"http://h:1/metrics?api_key=verysecretkey1"}) {
		t.Errorf("metrics at %v", got)
	}
	if got := DisplayOllamaChat(e); got != "http://h:1/api/chat?api_key=***" {
		t.Errorf("shown as %q", got)
	}
}

func TestNoMetricsOfAzure(t *testing.T) {
	if got := MetricsURLs(&probe.Endpoint{API: probe.Azure}); got != nil {
		t.Errorf("got %v", got)
	}
}

func TestOllamaRequest(t *testing.T) {
	e, err := Parse("http://h:1/v1")
	if err != nil {
		t.Fatal(err)
	}
	e.Key = probe.NewSecret("the-key")
	req, err := OllamaRequest(t.Context(), e, []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if req.Method != http.MethodPost || req.URL.String() != "http://h:1/api/chat" || req.Header.Get("Accept") != "application/x-ndjson" ||
		req.Header.Get("Authorization") != "Bearer the-key" || req.ContentLength != 2 {
		t.Errorf("got %+v", req)
	}
}
