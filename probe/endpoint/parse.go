package endpoint

import (
	"encoding/base64"
	"errors"
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"ttftop/probe"
)

// Parse reads a base URL as people write it: with or without /v1, slashes at
// its end, the full path of chat completions, a query, a user name and
// password, or white space around it; loopback hosts also without a scheme.
//
// Base comes back normalised (lower-case host, no default port, path up to
// /v1, no user info, values of key-like query parameters masked), API says
// which dialect the URL stands for, and Tried how it was read. User info
// becomes an Authorization header. Name, Region and Key are left to the caller.
//
// Errors are sentences that say what to write instead and never repeat the
// URL, which may hold a credential.
func Parse(raw string) (*probe.Endpoint, error) {
	text, err := tidy(raw)
	if err != nil {
		return nil, err
	}
	scheme, rest, err := splitScheme(text)
	if err != nil {
		return nil, err
	}
	authority, tail := cutAuthority(rest)
	user, hostport := cutUser(authority)
	host, err := readHost(hostport)
	if err != nil {
		return nil, err
	}
	if scheme == "" {
		if !host.loopback() {
			return nil, errors.New("the URL has no scheme: write https:// in front of it, or http:// for a server without TLS")
		}
		scheme = "http"
	}
	e := &probe.Endpoint{API: probe.OpenAI, Base: &url.URL{Scheme: scheme, Host: host.text(scheme)}}
	if err := setUser(e, user); err != nil {
		return nil, err
	}
	if err := setTail(e, host, tail); err != nil {
		return nil, err
	}
	return e, nil
}

// tidy removes what copying leaves around a URL.
func tidy(raw string) (string, error) {
	text := trimQuotes(raw)
	if strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">") {
		text = strings.TrimSpace(text[1 : len(text)-1])
	}
	if text == "" {
		return "", errors.New("the URL is empty: write the base URL of an endpoint, such as https://host/v1")
	}
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return "", errors.New("the URL has a space or a control character inside: write it as one word, with %20 for a space")
	}
	return text, nil
}

var (
	schemeForm = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9+.-]*)://`)
	nearScheme = regexp.MustCompile(`^(?i)https?(:/([^/]|$)|:[^/0-9]|//|;/)`)
)

// splitScheme returns the scheme in lower case, "" where there is none.
func splitScheme(text string) (scheme, rest string, err error) {
	if m := schemeForm.FindStringSubmatch(text); m != nil {
		scheme, rest = strings.ToLower(m[1]), text[len(m[0]):]
	}
	switch {
	case scheme == "http", scheme == "https":
		return scheme, rest, nil
	case scheme == "unix", strings.HasPrefix(strings.ToLower(text), "unix:"):
		return "", "", errors.New("unix sockets are not supported: let the server listen on a port and write http://localhost:PORT/v1")
	case scheme != "":
		return "", "", errors.New("the scheme of the URL is not supported: write http:// or https://")
	case nearScheme.MatchString(text):
		return "", "", errors.New("the URL begins with a mistyped scheme: write http:// or https://")
	}
	return "", strings.TrimPrefix(text, "//"), nil
}

// cutAuthority splits what follows the scheme into the authority and the
// path, query and fragment.
func cutAuthority(rest string) (authority, tail string) {
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		return rest[:i], rest[i:]
	}
	return rest, ""
}

// cutUser splits an authority at its last @, since passwords are often written
// without escapes.
func cutUser(authority string) (user, hostport string) {
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		return authority[:i], authority[i+1:]
	}
	return "", authority
}

// setUser moves the user info of a URL into an Authorization header.
func setUser(e *probe.Endpoint, user string) error {
	if user == "" || user == ":" {
		return nil
	}
	name, password, _ := strings.Cut(user, ":")
	name, err1 := url.PathUnescape(name)
	password, err2 := url.PathUnescape(password)
	if err1 != nil || err2 != nil {
		return errors.New("the user name or password in the URL has a stray percent sign: write %25 for one")
	}
	basic := base64.StdEncoding.EncodeToString([]byte(name + ":" + password))
	setHeader(e, "Authorization", probe.NewSecret("Basic "+basic))
	return nil
}

// setTail reads the path and the query, and with them the dialect.
func setTail(e *probe.Endpoint, host host, tail string) error {
	u, err := url.Parse("http://host" + tail)
	if err != nil {
		return errors.New("the path of the URL has a stray percent sign: write %25 for one")
	}
	parameters := splitQuery(u.RawQuery)
	segments := pathSegments(u.EscapedPath())
	if host.azure() || isDeploymentPath(segments) {
		return setAzure(e, host, segments, parameters)
	}
	p := readPath(segments)
	setPath(e.Base, p.segments)
	setQuery(e, parameters)
	e.Tried = p.tried(e)
	return nil
}

// setPath sets a path given as escaped segments.
func setPath(u *url.URL, segments []string) {
	escaped := joinPath(segments)
	if plain, err := url.PathUnescape(escaped); err == nil {
		u.Path, u.RawPath = plain, escaped
	}
}

func joinPath(segments []string) string {
	if len(segments) == 0 {
		return ""
	}
	return "/" + strings.Join(segments, "/")
}

// pathSegments splits an escaped path; doubled slashes and one at the end are
// dropped.
func pathSegments(escaped string) []string {
	return strings.FieldsFunc(escaped, func(r rune) bool { return r == '/' })
}
