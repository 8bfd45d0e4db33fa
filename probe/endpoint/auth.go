package endpoint

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"ttftop/probe"
)

// Authorize sets what identifies the person to the endpoint: the key (as
// bearer, or in api-key for Azure) and the endpoint's own headers, which win.
func Authorize(h http.Header, e *probe.Endpoint) {
	if !e.Key.IsZero() {
		if e.API == probe.Azure {
			h.Set("Api-Key", e.Key.Reveal())
		} else {
			h.Set("Authorization", "Bearer "+e.Key.Reveal())
		}
	}
	for name, value := range e.Headers {
		if name != queryHeader {
			h.Set(name, value.Reveal())
		}
	}
}

// openAI is where OPENAI_API_KEY belongs without being asked for.
var openAI = &url.URL{Scheme: "https", Host: "api.openai.com"}

// OpenAIKey is the variable that holds the key of api.openai.com.
const OpenAIKey = "OPENAI_API_KEY"

// KeyFor finds the key that may be sent to an endpoint; zero for none.
//
// With keyEnv it is the value of that variable. Without, OPENAI_API_KEY is
// for api.openai.com and the host of OPENAI_BASE_URL alone (the same name and
// port, and never by plain http where the other is https), and not where the
// endpoint's own headers authorize already.
//
// White space and quotes around the key are removed. A variable that is not
// set, a name that is no name, a key that can't be sent, two credentials for
// one header, and api.openai.com without any key are errors; none repeats a key.
func KeyFor(e *probe.Endpoint, keyEnv string, getenv func(string) string) (probe.Secret, error) {
	if keyEnv != "" {
		return namedKey(e, keyEnv, getenv)
	}
	if authorized(e) || !openAIKeyAllowed(e, getenv) {
		return probe.Secret{}, nil
	}
	key, err := cleanKey(getenv(OpenAIKey))
	if err != nil {
		return probe.Secret{}, fmt.Errorf("the key in OPENAI_API_KEY %w", err)
	}
	if key == "" && sameHost(e.Base, openAI) {
		return probe.Secret{}, errors.New("api.openai.com needs a key: put it into OPENAI_API_KEY, or name the variable that holds it with --key-env (key_env in a configuration file)")
	}
	return probe.NewSecret(key), nil
}

func namedKey(e *probe.Endpoint, keyEnv string, getenv func(string) string) (probe.Secret, error) {
	if NotVariable(keyEnv) {
		return probe.Secret{}, errors.New("a key is given by the name of the environment variable that holds it, such as MY_API_KEY, not by the key itself")
	}
	if authorized(e) {
		return probe.Secret{}, fmt.Errorf("the key of %s and a header or the URL's user name and password would both authorize: give one of them", keyEnv)
	}
	key, err := cleanKey(getenv(keyEnv))
	if err != nil {
		return probe.Secret{}, fmt.Errorf("the key in %s %w", keyEnv, err)
	}
	if key == "" {
		return probe.Secret{}, fmt.Errorf("the environment variable %s is not set or empty: put the key into it", keyEnv)
	}
	return probe.NewSecret(key), nil
}

// authorized reports whether the endpoint's own headers take the place of its key.
func authorized(e *probe.Endpoint) bool {
	_, authorization := e.Headers["Authorization"]
	_, apiKey := e.Headers["Api-Key"]
	return authorization || apiKey && e.API == probe.Azure
}

// openAIKeyAllowed reports whether OPENAI_API_KEY may be sent to the endpoint.
// An OPENAI_BASE_URL that can't be read allows nothing.
func openAIKeyAllowed(e *probe.Endpoint, getenv func(string) string) bool {
	if sameHost(e.Base, openAI) {
		return true
	}
	base, err := Parse(getenv("OPENAI_BASE_URL"))
	return err == nil && sameHost(e.Base, base.Base)
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// NotVariable reports whether a text can't be the name of an environment
// variable, or looks like a key that was given instead of one and so must not
// be repeated.
func NotVariable(text string) bool {
	digits := 0
	for _, r := range text {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	lower := strings.ToUpper(text) != text
	return !envName.MatchString(text) || digits >= 8 || lower && keyish(text)
}

// cleanKey removes what copying leaves around a key.
func cleanKey(raw string) (string, error) {
	key := trimQuotes(raw)
	if strings.ContainsFunc(key, unicode.IsControl) {
		return "", errors.New("has a line break or another control character inside: it must be one line")
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r > unicode.MaxASCII }) {
		return "", errors.New("has a character that no key has: copy it again")
	}
	return key, nil
}

// trimQuotes removes white space, quotes and a byte-order mark from both ends.
func trimQuotes(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`“”‘’\ufeff", r)
	})
}
