package endpoint

import (
	"encoding/base64"
	"strings"
	"testing"

	"ttftop/probe"
)

func TestParseReadsURLsAsPeopleWriteThem(t *testing.T) {
	tests := []struct{ raw, chat, models string }{
		{"http://127.0.0.1:8099/1-01/v1", "http://127.0.0.1:8099/1-01/v1/chat/completions", "http://127.0.0.1:8099/1-01/v1/models"},
		{"http://127.0.0.1:8099/1-01/v1/", "http://127.0.0.1:8099/1-01/v1/chat/completions", ""},
		{"http://127.0.0.1:8099/1-01/v1//", "http://127.0.0.1:8099/1-01/v1/chat/completions", ""},
		{"http://127.0.0.1:8099//1-01//v1", "http://127.0.0.1:8099/1-01/v1/chat/completions", ""},
		{"http://127.0.0.1:8099/1-01", "http://127.0.0.1:8099/1-01/v1/chat/completions", "http://127.0.0.1:8099/1-01/v1/models"},
		{"http://127.0.0.1:8099/1-01/v1/chat/completions", "http://127.0.0.1:8099/1-01/v1/chat/completions", "http://127.0.0.1:8099/1-01/v1/models"},
		{"http://127.0.0.1:8099/1-01/v1/chat/completions/", "http://127.0.0.1:8099/1-01/v1/chat/completions", ""},
		{"http://127.0.0.1:8099/1-01/v1?tenant=a", "http://127.0.0.1:8099/1-01/v1/chat/completions?tenant=a", "http://127.0.0.1:8099/1-01/v1/models?tenant=a"},
		{"http://host:8000?a=1&b", "http://host:8000/v1/chat/completions?a=1&b", ""},
		{"http://host:8000/v1#top", "http://host:8000/v1/chat/completions", ""},
		{"127.0.0.1:8099/1-01/v1", "http://127.0.0.1:8099/1-01/v1/chat/completions", ""},
		{"localhost:8099/v1", "http://localhost:8099/v1/chat/completions", ""},
		{"localhost", "http://localhost/v1/chat/completions", ""},
		{"api.localhost:1/v1", "http://api.localhost:1/v1/chat/completions", ""},
		{"[::1]:8099/v1", "http://[::1]:8099/v1/chat/completions", ""},
		{"0.0.0.0:8000", "http://0.0.0.0:8000/v1/chat/completions", ""},
		{"//localhost:8099/v1", "http://localhost:8099/v1/chat/completions", ""},
		{"  https://host/v1\n", "https://host/v1/chat/completions", ""},
		{`"https://host/v1"`, "https://host/v1/chat/completions", ""},
		{"<https://host/v1>", "https://host/v1/chat/completions", ""},
		{"\ufeffhttps://host/v1", "https://host/v1/chat/completions", ""},
		{"HTTPS://API.Example.COM:443/v1", "https://api.example.com/v1/chat/completions", ""},
		{"http://host:80", "http://host/v1/chat/completions", ""},
		{"http://host:443", "http://host:443/v1/chat/completions", ""},
		{"https://host:", "https://host/v1/chat/completions", ""},
		{"https://host:0443/v1", "https://host/v1/chat/completions", ""},
		{"https://host", "https://host/v1/chat/completions", "https://host/v1/models"},
		{"https://host/", "https://host/v1/chat/completions", ""},
		{"https://host/api", "https://host/api/v1/chat/completions", ""},
		{"https://host/openai", "https://host/openai/v1/chat/completions", ""},
		{"https://host/openai/v1", "https://host/openai/v1/chat/completions", ""},
		{"https://host/v1/models", "https://host/v1/chat/completions", "https://host/v1/models"},
		{"https://host/v1/completions", "https://host/v1/chat/completions", ""},
		{"https://host/models", "https://host/models/v1/chat/completions", ""},
		{"https://host/v1beta/openai/", "https://host/v1beta/openai/chat/completions", ""},
		{"https://host/v1/projects/p/endpoints/openapi", "https://host/v1/projects/p/endpoints/openapi/chat/completions", ""},
		{"https://host/api/v3", "https://host/api/v3/chat/completions", ""},
		{"https://host/api/paas/v4/", "https://host/api/paas/v4/chat/completions", ""},
		{"https://host/v1beta", "https://host/v1beta/chat/completions", ""},
		{"https://host/v1x", "https://host/v1x/v1/chat/completions", ""},
		{"https://host/chat/completions", "https://host/chat/completions", "https://host/models"},
		{"https://host/api/chat/completions", "https://host/api/chat/completions", "https://host/api/models"},
		{"https://host/a%2Fb/v1", "https://host/a%2Fb/v1/chat/completions", ""},
		{"https://host/a b/v1", "", ""},
		{"http://[::1]:8099/1-01/v1", "http://[::1]:8099/1-01/v1/chat/completions", ""},
		{"http://[0:0:0:0:0:0:0:1]:8099/v1", "http://[::1]:8099/v1/chat/completions", ""},
		{"http://[fe80::1%25lo]:8099/v1", "http://[fe80::1%25lo]:8099/v1/chat/completions", ""},
		{"http://[fe80::1%lo]:8099/v1", "http://[fe80::1%25lo]:8099/v1/chat/completions", ""},
		{"https://bücher.example/v1", "https://b%C3%BCcher.example/v1/chat/completions", ""},
	}
	for _, tt := range tests {
		e, err := Parse(tt.raw)
		if tt.chat == "" {
			if err == nil {
				t.Errorf("Parse(%q) gave %s, want an error", tt.raw, ChatURL(e, "m"))
			}
			continue
		}
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.raw, err)
			continue
		}
		if got := ChatURL(e, "m"); got != tt.chat {
			t.Errorf("Parse(%q): chat at %s, want %s", tt.raw, got, tt.chat)
		}
		if got := ModelsURL(e); tt.models != "" && got != tt.models {
			t.Errorf("Parse(%q): models at %s, want %s", tt.raw, got, tt.models)
		}
		if e.API != probe.OpenAI {
			t.Errorf("Parse(%q): API %s", tt.raw, e.API)
		}
		again, err := Parse(Display(e))
		if err != nil || ChatURL(again, "m") != tt.chat {
			t.Errorf("Parse(%q) is shown as %s, which is read as %v, %v", tt.raw, Display(e), again, err)
		}
	}
}

func TestParseRefusals(t *testing.T) {
	tests := []struct{ raw, want string }{
		{"", "the URL is empty"},
		{"  ", "the URL is empty"},
		{`""`, "the URL is empty"},
		{"https://", "no host"},
		{"https:///v1", "no host"},
		{"http://:8080/v1", "no host"},
		{"/v1", "no host"},
		{"https://ho st/v1", "a space"},
		{"https://host/v1\x00", "control character"},
		{"https://host/v1\nX: y", "control character"},
		{"host/v1", "write https:// in front"},
		{"gpu1:8000/v1", "write https:// in front"},
		{"192.0.2.1:8000", "write https:// in front"},
		{"localhost.evil.example/v1", "write https:// in front"},
		{"//host/v1", "write https:// in front"},
		{"http://::1:8099/v1", "put IPv6 addresses in brackets"},
		{"::1:8099/v1", "put IPv6 addresses in brackets"},
		{"http://fe80::1%25lo:8099/v1", "put IPv6 addresses in brackets"},
		{"http://localhost:80:80/v1", "more than one colon"},
		{"http://[127.0.0.1]/v1", "no IPv6 address"},
		{"http://[::1", "no IPv6 address"},
		{"http://[::1]8080/v1", "no IPv6 address"},
		{"http://[::1]:x/v1", "port"},
		{"http://host:99999/v1", "1 to 65535"},
		{"http://host:0/v1", "1 to 65535"},
		{"http://host:eight/v1", "1 to 65535"},
		{"http://ho^st/v1", "no host name"},
		{"http://.../v1", "no host name"},
		{"unix:///tmp/llm.sock", "unix sockets are not supported"},
		{"unix:/tmp/llm.sock", "unix sockets are not supported"},
		{"ftp://host/v1", "write http:// or https://"},
		{"https:/host/v1", "mistyped scheme"},
		{"https//host/v1", "mistyped scheme"},
		{"https:host/v1", "mistyped scheme"},
		{`https:\\host\v1`, "mistyped scheme"},
		{"https://host/%zz", "%25"},
		{"https://u%zz@host/v1", "%25"},
	}
	for _, tt := range tests {
		e, err := Parse(tt.raw)
		if err == nil {
			t.Errorf("Parse(%q) gave %s, want an error with %q", tt.raw, Display(e), tt.want)
		} else if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Parse(%q): %v, want %q", tt.raw, err, tt.want)
		}
	}
}

func TestParseMovesUserInfoIntoAHeader(t *testing.T) {
	tests := []struct{ raw, user string }{
		{"https://anna:p4ss@host/v1", "anna:p4ss"},
		{"https://anna:p%40ss@host/v1", "anna:p@ss"},
		{"https://anna:p@ss@host/v1", "anna:p@ss"},
		{"https://token@host/v1", "token:"},
		{"https://:only@host/v1", ":only"},
	}
	for _, tt := range tests {
		e, err := Parse(tt.raw)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.raw, err)
			continue
		}
		want := "Basic " + base64.StdEncoding.EncodeToString([]byte(tt.user))
		if got := e.Headers["Authorization"].Reveal(); got != want || e.Base.User != nil {
			t.Errorf("Parse(%q): Authorization %q, want %q; user info %v", tt.raw, got, want, e.Base.User)
		}
		if Display(e) != "https://host/v1" {
			t.Errorf("Parse(%q) is shown as %s", tt.raw, Display(e))
		}
	}
	for _, raw := range []string{"https://@host/v1", "https://:@host/v1", "https://host/v1"} {
		if e, err := Parse(raw); err != nil || len(e.Headers) != 0 {
			t.Errorf("Parse(%q): %v, headers %v", raw, err, e.Headers)
		}
	}
}

func TestTriedSaysHowTheURLWasRead(t *testing.T) {
	tests := []struct{ raw, asked, instead string }{
		{"http://h/1-01", "asked http://h/1-01/v1/chat/completions (/v1 was added)", "http://h/1-01/chat/completions"},
		{"http://h/v1", "asked http://h/v1/chat/completions", "http://h/chat/completions"},
		{"http://h/v1/v1", "asked http://h/v1/v1/chat/completions", "http://h/v1/chat/completions"},
		{"http://h/v1/models", "asked http://h/v1/chat/completions (/models was taken off its end)", "http://h/chat/completions"},
		{"http://h/x/chat/completions", "asked http://h/x/chat/completions (a full path is taken as typed)", "http://h/x/v1/chat/completions"},
		{"http://h/v1beta/openai", "asked http://h/v1beta/openai/chat/completions", "http://h/v1beta/openai/v1/chat/completions"},
	}
	for _, tt := range tests {
		e, err := Parse(tt.raw)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.raw, err)
			continue
		}
		if len(e.Tried) != 2 || e.Tried[0] != tt.asked || e.Tried[1] != "if that is wrong, try "+tt.instead {
			t.Errorf("Parse(%q): tried %q, want %q and %q", tt.raw, e.Tried, tt.asked, tt.instead)
		}
		other, err := Parse(tt.instead)
		if err != nil || ChatURL(other, "m") != tt.instead {
			t.Errorf("what is suggested for %q is read otherwise: %v, %v", tt.raw, other, err)
		}
	}
}

func TestTriedMasksTheQuery(t *testing.T) {
	e, err := Parse("https://host/v1?tenant=a&api-key=" + testKey)
	if err != nil {
		t.Fatal(err)
	}
	want := "asked https://host/v1/chat/completions?tenant=a&api-key=***"
	if e.Tried[0] != want {
		t.Errorf("tried %q, want %q", e.Tried[0], want)
	}
}

func FuzzParse(f *testing.F) {
	for _, raw := range []string{
		"http://127.0.0.1:8099/1-01/v1?tenant=a", "localhost:8099/v1", "http://[fe80::1%25lo]:8099/v1",
		"https://anna:p4ss@host/v1?key=abcd", "https://r.openai.azure.com/openai/deployments/ft:x/chat/completions?api-version=2024-10-21",
		"https://host/openai/deployments/%2e%2e?x=%zz", "https:host", "::", "[", "https://r.services.ai.azure.com/models",
	} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		e, err := Parse(raw)
		if err != nil {
			return
		}
		if e.Base.User != nil || e.Base.Scheme != "http" && e.Base.Scheme != "https" || e.Base.Host == "" || len(e.Tried) == 0 {
			t.Fatalf("Parse(%q) gave %#v", raw, e.Base)
		}
		if !strings.Contains(ChatURL(e, "m"), "/chat/completions") {
			t.Fatalf("Parse(%q): chat at %s", raw, ChatURL(e, "m"))
		}
		if _, secret := e.Headers[queryHeader]; secret {
			return
		}
		again, err := Parse(Display(e))
		if err != nil || ChatURL(again, "m") != ChatURL(e, "m") || again.API != e.API {
			t.Fatalf("Parse(%q) is shown as %q, which is read as %v: %v", raw, Display(e), again, err)
		}
	})
}
