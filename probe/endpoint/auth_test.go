package endpoint

import (
	"net/http"
	"strings"
	"testing"

	"ttftop/probe"
)

func env(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestKeyFor(t *testing.T) {
	const own = "sk-own"
	base := func(url string) map[string]string {
		return map[string]string{"OPENAI_API_KEY": own, "OPENAI_BASE_URL": url, "MY_KEY": "mine"}
	}
	tests := []struct {
		name, url, keyEnv string
		env               map[string]string
		want, err         string
	}{
		{"its own service", "https://api.openai.com/v1", "", base(""), own, ""},
		{"in capitals, with port and dot", "https://API.OpenAI.com.:443/v1", "", base(""), own, ""},
		{"plain http", "http://api.openai.com/v1", "", base(""), "", ""},
		{"another port", "https://api.openai.com:8443/v1", "", base(""), "", ""},
		{"another host", "https://host/v1", "", base(""), "", ""},
		{"a host that ends alike", "https://api.openai.com.evil.example/v1", "", base(""), "", ""},
		{"a host that begins alike", "https://evil-api.openai.com/v1", "", base(""), "", ""},
		{"user info that looks like the host", "https://api.openai.com@evil.example/v1", "", base(""), "", ""},
		{"the host of OPENAI_BASE_URL", "https://gw.example/other/v1", "", base("https://gw.example/v1"), own, ""},
		{"and its own service beside it", "https://api.openai.com/v1", "", base("https://gw.example/v1"), own, ""},
		{"another host than OPENAI_BASE_URL", "https://host/v1", "", base("https://gw.example/v1"), "", ""},
		{"another port than OPENAI_BASE_URL", "http://localhost:9000/v1", "", base("http://localhost:8000/v1"), "", ""},
		{"the port of OPENAI_BASE_URL", "localhost:8000", "", base("http://localhost:8000/v1"), own, ""},
		{"from TLS to plain", "http://gw.example/v1", "", base("https://gw.example/v1"), "", ""},
		{"from plain to TLS", "https://gw.example/v1", "", base("http://gw.example/v1"), own, ""},
		{"a local server without a key", "http://localhost:8000/v1", "", map[string]string{"OPENAI_BASE_URL": "http://localhost:8000"}, "", ""},
		{"an OPENAI_BASE_URL that can't be read", "https://gw.example/v1", "", base("gw.example:x"), "", ""},
		{"Azure gets no OPENAI_API_KEY", "https://r.openai.azure.com", "", base(""), "", ""},
		{"a named variable", "https://host/v1", "MY_KEY", base(""), "mine", ""},
		{"a named variable instead of its own", "https://api.openai.com/v1", "MY_KEY", base(""), "mine", ""},
		{"OPENAI_API_KEY by name", "https://host/v1", "OPENAI_API_KEY", base(""), own, ""},
		{"a variable that is not set", "https://host/v1", "NO_SUCH_KEY", base(""), "", "NO_SUCH_KEY is not set"},
		{"quotes alone", "https://host/v1", "K", map[string]string{"K": ` "" `}, "", "K is not set or empty"},
		{"its own service without a key", "https://api.openai.com/v1", "", nil, "", "OPENAI_API_KEY"},
		{"a header instead", "https://u:p4ss@api.openai.com/v1", "", nil, "", ""},
		{"a header and the default key", "https://u:p4ss@api.openai.com/v1", "", base(""), "", ""},
		{"a header and a named key", "https://u:p4ss@host/v1", "MY_KEY", base(""), "", "give one of them"},
		{"user info beside Azure's key", "https://u:p4ss@r.openai.azure.com", "MY_KEY", base(""), "", "give one of them"},
		{"white space", "https://host/v1", "K", map[string]string{"K": " \tabc\r\n"}, "abc", ""},
		{"quotes", "https://host/v1", "K", map[string]string{"K": `"abc"`}, "abc", ""},
		{"single quotes and a newline", "https://host/v1", "K", map[string]string{"K": "'abc'\n"}, "abc", ""},
		{"typographic quotes", "https://host/v1", "K", map[string]string{"K": "“abc”"}, "abc", ""},
		{"a line break inside", "https://host/v1", "K", map[string]string{"K": "ab\ncd"}, "", "the key in K has a line break"},
		{"a line break inside OPENAI_API_KEY", "https://api.openai.com/v1", "", map[string]string{"OPENAI_API_KEY": "ab\r\ncd"}, "", "the key in OPENAI_API_KEY has a line break"},
		{"a key for a name", "https://host/v1", "sk-abc", nil, "", "not by the key itself"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := Parse(tt.url)
			if err != nil {
				t.Fatal(err)
			}
			key, err := KeyFor(e, tt.keyEnv, env(tt.env))
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Fatalf("error %v, want %q", err, tt.err)
			}
			if key.Reveal() != tt.want {
				t.Errorf("key %q, want %q", key.Reveal(), tt.want)
			}
		})
	}
}

func TestVariableNames(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "my_key", "K", "_x", "AZURE_OPENAI_API_KEY_2", "my_company_openai_api_key"} {
		if NotVariable(name) {
			t.Errorf("%s is taken for a key", name)
		}
	}
}

func TestAuthorize(t *testing.T) {
	e := &probe.Endpoint{API: probe.OpenAI, Key: probe.NewSecret("abc"), Headers: map[string]probe.Secret{
		"X-Tenant": probe.NewSecret("acme"), queryHeader: probe.NewSecret("key=1234"),
	}}
	h := http.Header{}
	Authorize(h, e)
	if h.Get("Authorization") != "Bearer abc" || h.Get("X-Tenant") != "acme" || len(h) != 2 {
		t.Errorf("headers %v", h)
	}
	e.Headers["Authorization"] = probe.NewSecret("Basic xyz")
	Authorize(h, e)
	if h.Get("Authorization") != "Basic xyz" {
		t.Errorf("the endpoint's own header does not win: %v", h)
	}
	h = http.Header{}
	if Authorize(h, &probe.Endpoint{}); len(h) != 0 {
		t.Errorf("without a key: %v", h)
	}
}

func TestHeader(t *testing.T) {
	tests := []struct{ line, name, value, err string }{
		{"X-Tenant: acme", "X-Tenant", "acme", ""},
		{"x-tenant:acme", "X-Tenant", "acme", ""},
		{" x-tenant :  a: b ", "X-Tenant", "a: b", ""},
		{"X-A: tab\there", "X-A", "tab\there", ""},
		{"X-A", "", "", "no colon"},
		{": x", "", "", "no header name"},
		{"X A: x", "", "", "no header name"},
		{"X-A:", "", "", "X-A has no value"},
		{"X-A: a\nX-B: b", "", "", "line break"},
		{"host: evil", "", "", "Host is set by the program"},
		{"content-length: 5", "", "", "Content-Length is set by the program"},
		{"Accept-Encoding: gzip", "", "", "Accept-Encoding is set by the program"},
	}
	for _, tt := range tests {
		name, value, err := Header(tt.line)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("Header(%q): %v, want %q", tt.line, err, tt.err)
			}
		} else if err != nil || name != tt.name || value.Reveal() != tt.value {
			t.Errorf("Header(%q) = %q, %q, %v", tt.line, name, value.Reveal(), err)
		}
	}
}

func TestAddHeaderTwice(t *testing.T) {
	e := &probe.Endpoint{}
	if err := AddHeader(e, "X-A", probe.NewSecret("1")); err != nil {
		t.Fatal(err)
	}
	if err := AddHeader(e, "X-A", probe.NewSecret("2")); err == nil || !strings.Contains(err.Error(), "X-A is given twice") {
		t.Errorf("error %v", err)
	}
	if e.Headers["X-A"].Reveal() != "1" {
		t.Error("the first value is lost")
	}
}
