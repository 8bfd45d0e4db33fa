package probe

import (
	"net/url"
	"testing"
)

func TestOrderFor(t *testing.T) {
	at := func(text string, simulated bool) *Endpoint {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return &Endpoint{Base: u, Simulated: simulated}
	}
	for _, c := range []struct {
		a, b string
		want Order
	}{
		{"http://127.0.0.1:1", "http://127.0.0.1:2", BackToBack}, {"http://127.0.0.1:1", "http://localhost:2", BackToBack}, {"http://[::1]:1", "http://LOCALHOST.:2", BackToBack},
		{"http://127.0.0.1:1", "http://127.0.0.2:1", BackToBack}, {"http://0.0.0.0:1", "http://x.localhost:1", BackToBack},
		{"https://a.example/v1", "https://A.example./v2", BackToBack}, {"https://a.example", "https://b.example", Together}, {"http://127.0.0.1", "https://a.example", Together},
	} {
		if got := OrderFor(at(c.a, false), at(c.b, false)); got != c.want {
			t.Errorf("%s and %s: %s", c.a, c.b, got)
		}
	}
	if got := OrderFor(at("http://127.0.0.1:1", true), at("http://127.0.0.1:2", true)); got != Together {
		t.Errorf("simulated ones, each with hardware of its own: %s", got)
	}
}
