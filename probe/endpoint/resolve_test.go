package endpoint

import (
	"maps"
	"testing"
)

func TestResolve(t *testing.T) {
	got, err := Resolve([]string{"API.example.com:443:203.0.113.7", "h:80:[2001:db8::1]", "h:81:2001:db8::2"})
	want := map[string]string{"api.example.com:443": "203.0.113.7:443", "h:80": "[2001:db8::1]:80", "h:81": "[2001:db8::2]:81"}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	for _, pin := range []string{"", "h", "h:80", "h:80:", "h:x:1.2.3.4", "h:0:1.2.3.4", "h:70000:1.2.3.4", ":80:1.2.3.4", "h:80:other.example.com"} {
		if _, err := Resolve([]string{pin}); err == nil {
			t.Errorf("%q is taken", pin)
		}
	}
}
