package endpoint

import (
	"errors"

	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"ttftop/probe"
)

// host is the host and port of a URL.
type host struct {
	name string // lower case; an IPv6 address without brackets
	port string // "" where none is written
}

// readHost reads HOST, HOST:PORT, [IPv6] or [IPv6]:PORT. Its errors don't
// repeat the text: a password with a slash ends up here.
func readHost(text string) (host, error) {
	if text == "" || strings.HasPrefix(text, ":") && strings.Count(text, ":") == 1 {
		return host{}, errors.New("the URL has no host: write it as https://host/v1")
	}
	if strings.HasPrefix(text, "[") {
		return readBracketed(text)
	}
	if strings.Count(text, ":") > 1 {
		if strings.Trim(text, "0123456789abcdefABCDEF:.") == "" || strings.Contains(text, "%") {
			return host{}, errors.New("put IPv6 addresses in brackets, such as http://[::1]:8080/v1")
		}
		return host{}, errors.New("the host of the URL has more than one colon: write it as host:port")
	}
	name, port, _ := strings.Cut(text, ":")
	name, err := url.PathUnescape(name) // names in other scripts are escaped when printed
	if err != nil || !hostName(name) {
		return host{}, errors.New("the host of the URL has a character that no host name has: write it as host or host:port")
	}
	port, err = readPort(port)
	return host{strings.ToLower(name), port}, err
}

func readBracketed(text string) (host, error) {
	inner, rest, closed := strings.Cut(text[1:], "]")
	addr, err := netip.ParseAddr(strings.Replace(inner, "%25", "%", 1))
	if !closed || err != nil || !addr.Is6() || addr.Zone() != "" && !hostName(addr.Zone()) || rest != "" && rest[0] != ':' {
		return host{}, errors.New("what stands in brackets is no IPv6 address: write it as http://[::1]:8080/v1")
	}
	port, err := readPort(strings.TrimPrefix(rest, ":"))
	return host{addr.String(), port}, err
}

func readPort(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return "", errors.New("the port of the URL is no number from 1 to 65535: write it as host:port; in a password, write %2F for a slash, %3F for a question mark and %23 for a hash")
	}
	return strconv.FormatUint(n, 10), nil
}

// hostName reports whether the text can be a host name; names in other
// scripts than Latin are left to the resolver.
func hostName(text string) bool {
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_', r >= 0x80:
		default:
			return false
		}
	}
	return strings.Trim(text, ".") != ""
}

// text is the host as it stands in a URL of that scheme: IPv6 in brackets, a
// default port left out.
func (h host) text(scheme string) string {
	name := h.name
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	if h.port == "" || h.port == defaultPort(scheme) {
		return name
	}
	return name + ":" + h.port
}

func defaultPort(scheme string) string {
	if scheme == "https" {
		return "443"
	}
	return "80"
}

// loopback reports whether the host is this machine, for which http is the
// scheme people mean.
func (h host) loopback() bool { return probe.Loopback(h.name) }

// sameHost reports whether a key that is meant for b may go to a: the same
// name and port, and not from TLS to plain text.
func sameHost(a, b *url.URL) bool {
	name := func(u *url.URL) string { return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".") }
	port := func(u *url.URL) string {
		if u.Port() == defaultPort(u.Scheme) {
			return ""
		}
		return u.Port()
	}
	weaker := b.Scheme == "https" && a.Scheme != "https"
	return name(a) == name(b) && port(a) == port(b) && !weaker
}
