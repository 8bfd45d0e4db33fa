package endpoint

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"ttftop/probe"
)

// ownedHeaders belong to the connection, or would change what is measured.
var ownedHeaders = []string{
	"Host", "Content-Length", "Content-Type", "Transfer-Encoding", "Connection",
	"Upgrade", "Te", "Trailer", "Accept-Encoding", "Expect",
}

// headerName is a token of RFC 9110 section 5.6.2.
var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// Header reads 'Name: value'. The name comes back in canonical form. Errors
// don't repeat the value, nor a line that is no header.
func Header(line string) (name string, value probe.Secret, err error) {
	before, after, found := strings.Cut(line, ":")
	if !found {
		return "", probe.Secret{}, errors.New("a header is written 'Name: value', and this one has no colon")
	}
	return CheckHeader(before, after)
}

// CheckHeader is Header for a name and a value that are apart already.
func CheckHeader(rawName, rawValue string) (name string, value probe.Secret, err error) {
	name = strings.TrimSpace(rawName)
	if !headerName.MatchString(name) {
		return "", probe.Secret{}, errors.New("what stands before the colon is no header name: write 'Name: value', the name of letters, digits and hyphens")
	}
	name = http.CanonicalHeaderKey(name)
	if slices.Contains(ownedHeaders, name) {
		return "", probe.Secret{}, fmt.Errorf("%s is set by the program itself: leave it away", headerTitle(name))
	}
	text := strings.TrimSpace(rawValue)
	if text == "" {
		return "", probe.Secret{}, fmt.Errorf("%s has no value: write 'Name: value'", headerTitle(name))
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r != '\t' && unicode.IsControl(r) }) {
		return "", probe.Secret{}, fmt.Errorf("%s has a line break or another control character in its value: it must be one line", headerTitle(name))
	}
	return name, probe.NewSecret(text), nil
}

// headerTitle names a header in an error, unless it looks like a key that
// stands where the name should be.
func headerTitle(name string) string {
	if keyish(name) {
		return "a header"
	}
	return "the header " + name
}

// setHeader keeps a header of the endpoint.
func setHeader(e *probe.Endpoint, name string, value probe.Secret) {
	if e.Headers == nil {
		e.Headers = map[string]probe.Secret{}
	}
	e.Headers[name] = value
}

// AddHeader keeps one more header that is sent with every request. The name is
// as Header returns it; one that is there already is an error, since one of
// the two would be lost.
func AddHeader(e *probe.Endpoint, name string, value probe.Secret) error {
	if _, there := e.Headers[name]; there {
		if name == "Authorization" {
			return errors.New("the header Authorization is given twice: once as a header or as a user name and password in the URL is enough")
		}
		return fmt.Errorf("%s is given twice: give it once", headerTitle(name))
	}
	setHeader(e, name, value)
	return nil
}
