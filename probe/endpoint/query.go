package endpoint

import (
	"net/url"
	"strings"

	"ttftop/probe"
)

// queryHeader is the name under which an endpoint keeps its whole query among
// the headers when it holds a credential. No real header can have that name.
const queryHeader = "?"

const mask = "***"

// parameter is one piece of a query, in the order and spelling it was typed.
type parameter struct {
	raw         string
	name, value string // decoded
	bare        bool   // no equals sign
}

func splitQuery(raw string) []parameter {
	var out []parameter
	for piece := range strings.SplitSeq(strings.TrimLeft(raw, "?&"), "&") {
		if piece == "" {
			continue
		}
		name, value, found := strings.Cut(piece, "=")
		out = append(out, parameter{piece, unescape(name), unescape(value), !found})
	}
	return out
}

// unescape decodes a piece of a query, or leaves it as it is: a query is sent
// as typed even where it is badly escaped.
func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// secret is the text of the parameter that must not be shown, "" for none.
func (p parameter) secret() string {
	switch {
	case p.bare && keyish(p.name):
		return p.name
	case p.value != "" && (keyName(p.name) || keyish(p.value)):
		return p.value
	}
	return ""
}

// shown is the parameter with its secret masked.
func (p parameter) shown() string {
	if p.secret() == "" {
		return p.raw
	}
	if p.bare {
		return mask
	}
	name, _, _ := strings.Cut(p.raw, "=")
	return name + "=" + mask
}

// setQuery keeps the query of an endpoint: in Base, and where it holds a
// secret only masked there and whole among the headers.
func setQuery(e *probe.Endpoint, parameters []parameter) {
	var whole, shown []string
	secret := false
	for _, p := range parameters {
		whole = append(whole, p.raw)
		shown = append(shown, p.shown())
		secret = secret || p.secret() != ""
	}
	e.Base.RawQuery = strings.Join(shown, "&")
	if secret {
		setHeader(e, queryHeader, probe.NewSecret(strings.Join(whole, "&")))
	}
}
