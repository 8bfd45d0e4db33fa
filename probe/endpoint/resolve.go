package endpoint

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// Resolve reads what is to be dialed in place of names: "host:port:address",
// as curl writes it, with IPv6 addresses in brackets or not. It returns
// "ip:port" by "host:port".
func Resolve(pins []string) (map[string]string, error) {
	to := map[string]string{}
	for _, pin := range pins {
		host, rest, _ := strings.Cut(pin, ":")
		port, address, found := strings.Cut(rest, ":")
		ip, err := netip.ParseAddr(strings.Trim(address, "[]"))
		if !found || host == "" || err != nil || !isPort(port) {
			return nil, fmt.Errorf("%q pins no address: write host:port:address, such as api.example.com:443:203.0.113.7", pin)
		}
		to[net.JoinHostPort(strings.ToLower(host), port)] = net.JoinHostPort(ip.String(), port)
	}
	return to, nil
}

func isPort(s string) bool {
	var n uint16
	_, err := fmt.Sscanf(s, "%d", &n)
	return err == nil && n > 0 && fmt.Sprint(n) == s
}
