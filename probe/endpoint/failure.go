package endpoint

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"unicode"

	openai "github.com/sashabaranov/go-openai"

	"ttftop/probe"
)

// listFailure says in one line why there is no model list.
func listFailure(e *probe.Endpoint, err error) *probe.Failure {
	if f, ok := errors.AsType[*probe.Failure](err); ok {
		return f
	}
	// This first: it may wrap an APIError that could not be read.
	if r, ok := errors.AsType[*openai.RequestError](err); ok {
		return refused(e, r.HTTPStatusCode, bodyText(r.Body))
	}
	if a, ok := errors.AsType[*openai.APIError](err); ok {
		return refused(e, a.HTTPStatusCode, a.Message)
	}
	return unreached(e, err)
}

// refused is an answer with an error status.
func refused(e *probe.Endpoint, status int, text string) *probe.Failure {
	f := &probe.Failure{Kind: probe.FailStatus, Status: status}
	text = oneLine(e, text)
	switch {
	case status == http.StatusUnauthorized && e.Key.IsZero() && !authorized(e):
		f.Message = "the endpoint needs a key: name the environment variable that holds it with --key-env (key_env in a configuration file)"
	case status == http.StatusUnauthorized:
		f.Message = "the key was rejected" // the server's text may repeat part of it
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		f.Message = fmt.Sprintf("no model list at %s: check the URL, or name a model with -m; chat completions: %s",
			shown(e, modelsPath(e)), strings.Join(e.Tried, "; "))
	case status == http.StatusTooManyRequests:
		f.Kind = probe.FailRateLimit
		f.Message = orElse(text, "too many requests: try again later")
	default:
		f.Message = orElse(text, strings.ToLower(http.StatusText(status)))
	}
	return f
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// Redirects reports whether an answer sends the request elsewhere.
func Redirects(resp *http.Response) bool {
	return resp.StatusCode >= 300 && resp.StatusCode < 400
}

// Redirected is the failure of an answer that sends the request elsewhere. Only
// the scheme and the host are told: a path or a query may repeat a credential.
func Redirected(e *probe.Endpoint, resp *http.Response) *probe.Failure {
	message := "the endpoint redirects without saying where: check the URL"
	if to, err := resp.Location(); err == nil && to.Host != "" {
		message = "the endpoint redirects to " + oneLine(e, to.Scheme+"://"+to.Host) + ": write the URL of the place itself, for a key is not sent on"
	}
	return &probe.Failure{Kind: probe.FailStatus, Status: resp.StatusCode, Message: message}
}

// unreached is an attempt without an answer.
func unreached(e *probe.Endpoint, err error) *probe.Failure {
	kind, message := probe.FailConnect, ""
	var timeout net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return &probe.Failure{Kind: probe.FailCanceled, Message: "canceled"}
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return &probe.Failure{Kind: probe.FailTimeout, Phase: probe.PhaseHeaders, Message: e.Base.Host + " gave no answer in time"}
	case errors.Is(err, http.ErrSchemeMismatch):
		kind, message = probe.FailTLS, e.Base.Host+" does not speak TLS: write http:// instead of https://"
	case errors.Is(err, syscall.ECONNREFUSED):
		message = refusedBy(err) + " refused the connection: is the server running, and is the port right?"
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		kind, message = probe.FailDNS, "no such host: "+dns.Name
	}
	if text := tlsText(err); text != "" {
		kind, message = probe.FailTLS, text
	}
	if message == "" {
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err // without the URL, which holds the query
		}
		message = err.Error()
	}
	return &probe.Failure{Kind: kind, Message: oneLine(e, message)}
}

// refusedBy is the address that refused, and whether it is a proxy's.
func refusedBy(err error) string {
	op, ok := errors.AsType[*net.OpError](err)
	if !ok {
		return "the server"
	}
	proxy := ""
	if op.Op == "proxyconnect" {
		proxy = "the proxy "
		if inner, ok := errors.AsType[*net.OpError](op.Err); ok {
			op = inner
		}
	}
	if op.Addr == nil {
		return proxy + "the server"
	}
	return proxy + op.Addr.String()
}

// tlsText is the cause of a certificate that was not accepted, "" where it was
// not that.
func tlsText(err error) string {
	cert, ok := errors.AsType[*tls.CertificateVerificationError](err)
	if !ok {
		return ""
	}
	cause := cert.Err.Error()
	if _, unknown := errors.AsType[x509.UnknownAuthorityError](err); unknown {
		cause = "it is signed by an unknown authority"
	}
	return "the certificate is not trusted: " + strings.TrimPrefix(cause, "x509: ") +
		"; give its authority with --cacert FILE, or skip the check with --insecure"
}

// bodyText finds the message in an error body that is not OpenAI's.
func bodyText(body []byte) string {
	var flat struct{ Detail, Message, Error any }
	if json.Unmarshal(body, &flat) == nil {
		for _, v := range []any{flat.Detail, flat.Message, flat.Error} {
			if text, ok := v.(string); ok && text != "" {
				return text
			}
		}
	}
	text := strings.TrimSpace(string(body))
	if strings.HasPrefix(text, "<") {
		return "a web page instead of an answer"
	}
	return text
}

// longestText limits what is shown of a server's text, in characters.
const longestText = 200

// oneLine makes a text fit to be shown: no secrets, no control characters, one
// line, not long.
func oneLine(e *probe.Endpoint, text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(Redact(e, text), ""))
	// Again, since dropping characters may have joined the parts of a secret.
	runes := []rune(Redact(e, strings.Join(strings.Fields(text), " ")))
	if len(runes) > longestText {
		return string(runes[:longestText-1]) + "…"
	}
	return string(runes)
}
