package stream

import (
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestRedact(t *testing.T) {
	const key = "sk-TESTKEY-0000-do-not-print"
	const odd = `p&ss "w<rd>/+%é` // changes under every escaping
	quoted, _ := json.Marshal(odd)
	for _, c := range []struct {
		name, text string
		secrets    []string
		want       string
	}{
		{"none", "Incorrect API key", nil, "Incorrect API key"},
		{"empty secret", "Incorrect API key", []string{""}, "Incorrect API key"},
		{"not there", "Incorrect API key", []string{key}, "Incorrect API key"},
		{"whole", "Incorrect API key provided: " + key + ". Check.", []string{key}, "Incorrect API key provided: ***. Check."},
		{"alone", key, []string{key}, "***"},
		{"twice", key + " " + key, []string{key}, "*** ***"},
		{"glued", key + key, []string{key}, "***"},
		{"in a word", "x" + key + "y", []string{key}, "x***y"},
		{"beginning", "key sk-TESTKEY-00**** is wrong", []string{key}, "key *** is wrong"},
		{"eight bytes of the beginning", "sk-TESTK!", []string{key}, "***!"},
		{"seven bytes of the beginning", "sk-TEST!", []string{key}, "sk-TEST!"},
		{"end", "key ****-do-not-print is wrong", []string{key}, "key ******* is wrong"},
		{"seven bytes of the end", "…t-print", []string{key}, "…t-print"},
		{"eight bytes of the end", "…ot-print", []string{key}, "…***"},
		{"both ends", "sk-TESTKEY…not-print", []string{key}, "***…***"},
		{"white space around", "key " + key + ".", []string{" " + key + "\n"}, "key ***."},
		{"as the name of a metric", "sk-testkey_0000_Do-Not-Print;dur=5", []string{key}, "***;dur=5"},
		{"two secrets", "Bearer abcd and efgh", []string{"abcd", "efgh"}, "Bearer *** and ***"},
		{"one in the other", "abcdefgh12345678", []string{"efgh1234", "abcdefgh12345678"}, "***"},
		{"JSON", `{"key":` + string(quoted) + `}`, []string{odd}, `{"key":"***"}`},
		{"JSON, plainer", `{"key":"p&ss \"w<rd>/+%é"}`, []string{odd}, `{"key":"***"}`},
		{"query", "https://h/?key=" + url.QueryEscape(odd) + "&x", []string{odd}, "https://h/?key=***&x"},
		{"path", "https://h/" + url.PathEscape(odd) + "/x", []string{odd}, "https://h/***/x"},
		{"HTML", "<p>" + html.EscapeString(odd) + "</p>", []string{odd}, "<p>***</p>"},
		{"short", "key x7f! and x7f!s", []string{"x7f!"}, "key *** and ***s"},
		{"very short", "max x, x. axe", []string{"x"}, "max ***, ***. axe"},
		{"dummy", "an EMPTY key", []string{"EMPTY"}, "an *** key"},
		{"half a character before", "xĠbcdefgh!", []string{"àbcdefgh"}, "x***!"},
		{"no half characters", "key ééééé!", []string{"éééé\u00e8ö"}, "key ***!"},
	} {
		got := Redact(c.text, c.secrets...)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if !utf8.ValidString(got) {
			t.Errorf("%s: %q is no UTF-8", c.name, got)
		}
	}
}

// TestRedactEveryCut masks every beginning and end of a key from eight bytes on.
func TestRedactEveryCut(t *testing.T) {
	const key = "sk-TESTKEY-0000-do-not-print"
	for n := minEcho; n <= len(key); n++ {
		for _, part := range []string{key[:n], key[len(key)-n:]} {
			if got := Redact("(“"+part+"”)", key); got != "(“***”)" {
				t.Errorf("%q: %q", part, got)
			}
		}
	}
}

// TestRedactBody is the way of a key that a server repeats to the screen.
func TestRedactBody(t *testing.T) {
	const key = "sk-TESTKEY-0000-do-not-print"
	s := loadScript(t, "testdata/cases/6-03.tl")
	f := Body(s.Status, s.Header.Get("Content-Type"), s.body())
	got := Redact(f.Message, key)
	if strings.Contains(got, "TESTKEY") || got != "key rejected: Incorrect API key provided: ***. Check your dashboard." {
		t.Error(got)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 500e6, time.UTC)
	for header, want := range map[string]time.Duration{
		"0": 0, "7": 7 * time.Second, " 7 ": 7 * time.Second, "0.5": 500 * time.Millisecond, "411480": 411480 * time.Second,
		"31536000": 7 * 24 * time.Hour, "99999999999999999999": 7 * 24 * time.Hour, strings.Repeat("9", 300): 7 * 24 * time.Hour, "Sat, 01 Jan 9999 00:00:00 GMT": 7 * 24 * time.Hour,
		"Mon, 30 Nov 2026 12:00:07 GMT":  6500 * time.Millisecond,
		"Monday, 30-Nov-26 12:00:07 GMT": 6500 * time.Millisecond,
		"Mon Nov 30 12:00:07 2026":       6500 * time.Millisecond,
		"Mon, 30 Nov 2026 11:00:00 GMT":  0, // passed
	} {
		if got, ok := RetryAfter(header, now); !ok || got != want {
			t.Errorf("%q: %v %v, want %v", header, got, ok, want)
		}
	}
	for _, junk := range []string{"", " ", "soon", "-5", "+5", "7s", "1e3", "NaN", "Inf", "0x10", "1.2.3", ".", strings.Repeat("9", 400),
		"None", "Mon, 30 Nov 2026 12:00:07 CET", "7, 8"} {
		if got, ok := RetryAfter(junk, now); ok || got != 0 {
			t.Errorf("%q: %v", junk, got)
		}
	}
}

func TestRedactMasksWhatLooksLikeAKey(t *testing.T) {
	for in, want := range map[string]string{
		"Incorrect API key provided: sk-TESTKEY-0000-do-not-print. Check": "Incorrect API key provided: ***. Check",
		"sk-proj-ab**********************wxyz is not valid":               "*** is not valid",
		"header Authorization: Bearer abcdefghijklmnop.qrs was refused":   "header Authorization: *** was refused",
		"ask the sk-learn team about task-oriented-programming":           "ask the sk-learn team about task-oriented-programming",
		"bearer of news": "bearer of news",
	} {
		if got := Redact(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestRedactKnowsOtherCases(t *testing.T) {
	const secret = "My-Secret-0000-Token"
	for _, in := range []string{"x my-secret-0000-token y", "x MY-SECRET-0000-TOKEN y"} {
		if got := Redact(in, secret); got != "x *** y" {
			t.Errorf("%q became %q", in, got)
		}
	}
}
