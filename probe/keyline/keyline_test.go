package keyline

import "testing"

func TestKey(t *testing.T) {
	l := Read([]byte("a = 1\n[[endpoints]]\n[endpoints.link]\nrt = 1\n[[endpoints]]\nlink = { rt = 2 }\nmodels = [{ size = 1 }]\n"))
	for _, c := range []struct {
		line       int
		last, want string
	}{
		{1, "a", "a"}, {4, "rt", "endpoints.link.rt"}, {6, "RT", "endpoints.link.rt"}, {7, "size", "endpoints.models.size"}, {7, "rt", ""}, {9, "a", ""},
	} {
		if got := l.Key(c.line, c.last); got != c.want {
			t.Errorf("%s on line %d is %q, want %q", c.last, c.line, got, c.want)
		}
	}
	for key, want := range map[string]int{"endpoints.1.link.rt": 6, "endpoints.1.models.0.size": 7, "endpoints.0.rtt": 2, "endpoints.1.link.edge": 6, "none": 0} {
		if got := l.Of(key); got != want {
			t.Errorf("%s is on line %d, want %d", key, got, want)
		}
	}
}
