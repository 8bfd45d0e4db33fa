package endpoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"ttftop/probe"
)

const testKey = "sk-TESTKEY-0000-do-not-print"

// formatted is a value in every way that a program prints a struct.
func formatted(v any) string {
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v"} {
		fmt.Fprintf(&out, verb+"\n", v)
	}
	if b, err := json.Marshal(v); err == nil {
		out.Write(b)
	}
	slog.New(slog.NewTextHandler(&out, nil)).Info("text", "v", v)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("json", "v", v)
	return out.String()
}

// secretly gives an endpoint every kind of secret at once.
func secretly(t *testing.T) *probe.Endpoint {
	t.Helper()
	e, err := Parse("https://TESTKEY-user:TESTKEY-pass@host/v1?tenant=a&api-key=TESTKEY-query&k=TESTKEY-0123456789abcdef&sk-TESTKEY-0000000000")
	if err != nil {
		t.Fatal(err)
	}
	name, value, err := Header("X-Auth: TESTKEY-header")
	if err != nil {
		t.Fatal(err)
	}
	if err := AddHeader(e, name, value); err != nil {
		t.Fatal(err)
	}
	e.Key = probe.NewSecret(testKey)
	return e
}

func TestFormattedEndpointShowsNoSecret(t *testing.T) {
	e := secretly(t)
	for _, v := range []any{e, *e, probe.Target{Name: "a", Endpoint: e}, []*probe.Endpoint{e}, e.Base, *e.Base, e.Headers, e.Tried, Display(e)} {
		text := formatted(v)
		for _, leak := range []string{"TESTKEY", "VEVTVEtFW"} { // plain and in base64
			if strings.Contains(text, leak) {
				t.Errorf("%T shows %s:\n%s", v, leak, text)
			}
		}
	}
}

func TestQueryCredentialsAreSentAndMasked(t *testing.T) {
	e := secretly(t)
	const query = "?tenant=a&api-key=TESTKEY-query&k=TESTKEY-0123456789abcdef&sk-TESTKEY-0000000000"
	if got, want := ChatURL(e, "m"), "https://host/v1/chat/completions"+query; got != want {
		t.Errorf("chat at %s, want %s", got, want)
	}
	if got, want := ModelsURL(e), "https://host/v1/models"+query; got != want {
		t.Errorf("models at %s, want %s", got, want)
	}
	if got, want := DisplayChat(e, "m"), "https://host/v1/chat/completions?tenant=a&api-key=***&k=***&***"; got != want {
		t.Errorf("chat is shown at %s, want %s", got, want)
	}
	if got, want := Display(e), "https://host/v1?tenant=a&api-key=***&k=***&***"; got != want {
		t.Errorf("shown as %s, want %s", got, want)
	}
}

func TestKeyLikeNames(t *testing.T) {
	tests := map[string]bool{
		"api-key": true, "api_key": true, "apikey": true, "key": true, "KEY": true, "token": true, "access_token": true,
		"auth": true, "sig": true, "subscription-key": true, "x-api-key": true, "client_secret": true, "password": true, "code": true,
		"tenant": false, "api-version": false, "region": false, "design": false, "model": false,
	}
	for name, want := range tests {
		if got := keyName(name); got != want {
			t.Errorf("keyName(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestSecretsHasEveryText(t *testing.T) {
	e, err := Parse("https://anna:p%40ss@host/v1?key=a%2Fbcd&token=plain")
	if err != nil {
		t.Fatal(err)
	}
	e.Key = probe.NewSecret("k/ey+1")
	for name, value := range map[string]string{"X-Token": "Token abcdef", "Cookie": `id=cookie1; x="cookie2"`, "X-Short": "abc"} {
		if err := AddHeader(e, name, probe.NewSecret(value)); err != nil {
			t.Fatal(err)
		}
	}
	got := Secrets(e)
	for _, want := range []string{
		"k/ey+1", "k%2Fey%2B1", `k\/ey+1`, "anna", "p@ss", "p%40ss", "anna:p@ss", "Basic YW5uYTpwQHNz", "YW5uYTpwQHNz",
		"a/bcd", "a%2Fbcd", "plain", "Token abcdef", "abcdef", "cookie1", "cookie2",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	if slices.Contains(got, "abc") || slices.Contains(got, "") {
		t.Errorf("too short a text in %q", got)
	}
	if !slices.IsSortedFunc(got, func(a, b string) int { return len(b) - len(a) }) {
		t.Errorf("not the longest first: %q", got)
	}
	if text := Redact(e, "key k/ey+1 of anna:p@ss, k%2Fey%2B1"); text != "key *** of ***, ***" {
		t.Errorf("redacted to %q", text)
	}
}

func TestSecretsOfAPlainEndpoint(t *testing.T) {
	e, err := Parse("https://host/v1?tenant=acme")
	if err != nil {
		t.Fatal(err)
	}
	if got := Secrets(e); len(got) != 0 {
		t.Errorf("secrets %q", got)
	}
	if _, there := e.Headers[queryHeader]; there {
		t.Error("a query without a credential is kept as a secret")
	}
}

func TestErrorsShowNoSecret(t *testing.T) {
	errs := map[string]error{}
	for _, raw := range []string{
		testKey, "https://" + testKey + ":x:y/v1", "https://u:" + testKey + "/x@host/v1", "https://u:" + testKey + "?@host/v1",
		"https://u:TESTKEY%zz@host/v1", "https://host/%zz?key=" + testKey, "ftp://u:" + testKey + "@host", testKey + "://host",
		"https://ho st?key=" + testKey, "https://[" + testKey + "]/v1", "https://host:" + testKey + "/v1", "https:" + testKey + "@host",
		"https://r.openai.azure.com/" + testKey, "https://r.openai.azure.com?api-version=" + testKey,
	} {
		_, errs["Parse "+raw] = Parse(raw)
	}
	for _, line := range []string{testKey, testKey + ":", testKey + ": \x01", "Bearer " + testKey + ": x", "X-A: " + testKey + "\r\nB: c", "Host: " + testKey} {
		_, _, errs["Header "+line] = Header(line)
	}
	e, err := Parse("https://host/v1")
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{testKey + "\nx", testKey + "\u00e9"} {
		_, errs["KeyFor "+value] = KeyFor(e, "MY_KEY", func(string) string { return value })
	}
	for _, name := range []string{testKey, "gsk_TESTKEYabcdefghij0123456789", "TESTKEY0123456789", "AB TESTKEY"} {
		_, errs["KeyFor "+name] = KeyFor(e, name, func(string) string { return "" })
	}
	twice := secretly(t)
	errs["AddHeader"] = AddHeader(twice, "X-Auth", probe.NewSecret(testKey))
	_, errs["KeyFor twice"] = KeyFor(twice, "MY_KEY", func(string) string { return testKey })
	for what, err := range errs {
		if err == nil {
			t.Errorf("%s: no error", what)
		} else if text := strings.ToUpper(formatted(err)); strings.Contains(text, "TESTKEY") {
			t.Errorf("%s: the error shows the secret: %s", what, text)
		}
	}
}
