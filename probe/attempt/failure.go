package attempt

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"ttftop/probe"
	"ttftop/probe/stream"
	"ttftop/probe/transport"
)

// Failed names what went wrong on the way to or from an endpoint, without the
// secrets.
func Failed(ctx context.Context, err error, secrets []string) *probe.Failure {
	f := named(ctx, err)
	f.Message = stream.Redact(f.Message, secrets...)
	return f
}

func named(ctx context.Context, err error) *probe.Failure {
	var own *probe.Failure
	if errors.As(context.Cause(ctx), &own) || errors.As(err, &own) {
		return &probe.Failure{Kind: own.Kind, Phase: own.Phase, Message: own.Message, Status: own.Status, Code: own.Code, RetryAfter: own.RetryAfter}
	}
	if ctx.Err() != nil {
		return &probe.Failure{Kind: probe.FailCanceled, Message: "canceled"}
	}
	if f := hostFailure(err); f != nil {
		return f
	}
	var connect *transport.ConnectError
	if errors.As(err, &connect) {
		return connectFailure(connect)
	}
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" { // by net/http itself
		return connectFailure(&transport.ConnectError{Err: err})
	}
	return lost(err)
}

// hostFailure is a limit of this machine, which no server is to blame for.
func hostFailure(err error) *probe.Failure {
	switch {
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return &probe.Failure{Kind: probe.FailClient, Message: "too many open files on this machine: raise the limit with ulimit -n, or lower the batch pressure"}
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return &probe.Failure{Kind: probe.FailClient, Message: "no local port is free on this machine: lower the rate or the batch pressure"}
	}
	return nil
}

func connectFailure(e *transport.ConnectError) *probe.Failure {
	kind, message := connectSentence(e.Err)
	if e.Proxy != "" {
		message = "proxy " + e.Proxy + ": " + message
	}
	return &probe.Failure{Kind: kind, Message: message}
}

func connectSentence(err error) (probe.FailureKind, string) {
	var dns *net.DNSError
	if errors.As(err, &dns) {
		if dns.IsNotFound {
			return probe.FailDNS, "no such host: " + dns.Name
		}
		return probe.FailDNS, "the name " + dns.Name + " can't be resolved: " + dns.Err
	}
	if message := tlsSentence(err); message != "" {
		return probe.FailTLS, message
	}
	where := address(err)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return probe.FailConnect, where + "connection refused: nothing listens there"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return probe.FailConnect, where + "unreachable from this machine"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF):
		return probe.FailConnect, where + "the other end closed the connection at once"
	}
	return probe.FailConnect, where + "can't connect: " + plain(err)
}

// tlsSentence explains a failed handshake, or is "" for another failure.
func tlsSentence(err error) string {
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var header tls.RecordHeaderError
	var alert tls.AlertError
	var verify *tls.CertificateVerificationError
	switch {
	case errors.As(err, &authority):
		return "TLS: the certificate is signed by an unknown authority: name its file with --cacert FILE, or skip the check with --insecure"
	case errors.As(err, &host):
		return "TLS: " + plain(host) + ": use the name in the certificate, or skip the check with --insecure"
	case errors.As(err, &invalid):
		return "TLS: " + plain(invalid)
	case errors.As(err, &header):
		return "TLS: the answer is no TLS: write http:// if the server speaks plain HTTP"
	case errors.As(err, &alert):
		return "TLS: the server refused the handshake: " + plain(alert)
	case errors.As(err, &verify):
		return "TLS: " + plain(verify)
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "TLS: the server speaks plain HTTP: write http://"
	}
	return ""
}

// lost is a connection that broke after it was made.
func lost(err error) *probe.Failure {
	message := cause(err)
	if !strings.Contains(message, "connection lost") {
		message += " (connection lost)"
	}
	switch {
	case errors.Is(err, syscall.ECONNRESET):
		message = "connection lost: reset by the other end"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		message = "connection lost: it ended in the middle"
	case errors.Is(err, syscall.EPIPE):
		message = "connection lost: the other end closed it while the request was sent"
	}
	return &probe.Failure{Kind: probe.FailStream, Message: message}
}

// cause is what an error says without the names of the libraries and layers that
// it came through, which stand in front.
func cause(err error) string {
	text := plain(err)
	for cut := true; cut; {
		cut = false
		for _, layer := range []string{"net/http: ", "http: ", "http2: ", "HTTP/1.x transport connection broken: ", "textproto: ", "net/textproto: "} {
			if rest, ok := strings.CutPrefix(text, layer); ok && rest != "" {
				text, cut = rest, true
			}
		}
	}
	return text
}

// address is where a connection was tried, with a colon after it.
func address(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Addr != nil {
		return op.Addr.String() + ": "
	}
	return ""
}

// plain is an error's text on one line.
func plain(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}
