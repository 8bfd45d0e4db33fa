package attempt

import (
	"errors"
	"io"
	"testing"
)

// What broke a connection stands first, without the library that found it.
func TestLostLeadsWithTheCause(t *testing.T) {
	for text, want := range map[string]string{
		"net/http: HTTP/1.x transport connection broken: malformed MIME header line: nonsense": "malformed MIME header line: nonsense (connection lost)",
		"http2: client connection lost": "client connection lost",
		"net/http: ":                    "net/http: (connection lost)",
		"no route to host":              "no route to host (connection lost)",
	} {
		if got := lost(errors.New(text)).Message; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := lost(io.EOF).Message; got != "connection lost: it ended in the middle" {
		t.Errorf("%q", got)
	}
}
