package endpoint

import (
	"cmp"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"ttftop/probe"
)

// shortestSecret is the length in bytes below which a text is not redacted:
// masking every "ab" would make messages unreadable and hide nothing.
const shortestSecret = 4

// Secrets is every text that must never be shown for this endpoint: its key,
// the values of its headers and what they are made of, and the credentials
// that were in its URL (user info, key-like query parameters), each also in
// the spellings of URLs and JSON. The longest come first, so that replacing
// them in order leaves no rest. Texts of fewer than 4 bytes are left out.
func Secrets(e *probe.Endpoint) []string {
	s := secretSet{}
	s.add(e.Key.Reveal())
	for name, value := range e.Headers {
		switch name {
		case queryHeader:
			s.addQuery(value.Reveal())
		case "Cookie":
			s.addCookies(value.Reveal())
		default:
			s.addHeader(value.Reveal())
		}
	}
	all := make([]string, 0, len(s))
	for text := range s {
		all = append(all, text)
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	return all
}

// Redact masks the endpoint's secrets in a text.
func Redact(e *probe.Endpoint, text string) string {
	for _, secret := range Secrets(e) {
		text = strings.ReplaceAll(text, secret, mask)
	}
	return text
}

type secretSet map[string]bool

func (s secretSet) add(text string) {
	for _, spelling := range []string{
		text, url.QueryEscape(text), url.PathEscape(text), url.User(text).String(),
		strings.ReplaceAll(text, "/", `\/`),
	} {
		if len(spelling) >= shortestSecret {
			s[spelling] = true
		}
	}
}

// addHeader adds a header's value and, of "Bearer abc", the abc; of Basic
// also the name and the password inside.
func (s secretSet) addHeader(value string) {
	s.add(value)
	scheme, token, found := strings.Cut(value, " ")
	token = strings.TrimSpace(token)
	if !found || strings.Contains(token, " ") {
		return
	}
	s.add(token)
	if !strings.EqualFold(scheme, "Basic") {
		return
	}
	if plain, err := base64.StdEncoding.DecodeString(token); err == nil {
		s.add(string(plain))
		name, password, _ := strings.Cut(string(plain), ":")
		s.add(name)
		s.add(password)
	}
}

func (s secretSet) addCookies(value string) {
	s.add(value)
	for cookie := range strings.SplitSeq(value, ";") {
		if _, v, found := strings.Cut(cookie, "="); found {
			s.add(strings.Trim(v, ` "`))
		}
	}
}

func (s secretSet) addQuery(query string) {
	for _, p := range splitQuery(query) {
		if secret := p.secret(); secret != "" {
			s.add(secret)
			_, raw, _ := strings.Cut(p.raw, "=")
			s.add(raw)
		}
	}
}

// keyWords are found in the names of parameters that carry credentials.
var keyWords = []string{"key", "token", "secret", "passw", "pwd", "auth", "credential", "signature", "jwt"}

// keyName reports whether a parameter of that name carries a credential, such
// as api-key, access_token or sig. Rather too many than too few: a masked
// value is sent all the same.
func keyName(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "sig", "sas", "code", "pass":
		return true
	}
	return slices.ContainsFunc(keyWords, func(w string) bool { return strings.Contains(name, w) })
}

// keyish reports whether a text looks like a key, whatever it is called: one
// long word of letters and digits.
func keyish(text string) bool {
	letters, digits := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		case !strings.ContainsRune("-_.~+/=", r):
			return false
		}
	}
	return len(text) >= 20 && letters > 0 && digits > 0
}
