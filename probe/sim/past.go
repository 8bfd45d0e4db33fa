package sim

import "bytes"

// Requests that look at the simulator or turn it: no part of what is simulated.
var controlPaths = [][]byte{[]byte("/sim"), []byte("/metrics"), []byte("/health")}

// controls reports whether bytes from a client begin a request for control. Such
// a request and its answer go past the link where the server itself delays its
// connections: a link that is turned too far must not lock out who turns it back.
func controls(begin []byte) bool {
	_, target, ok := bytes.Cut(begin[:min(len(begin), 64)], []byte(" "))
	for _, path := range controlPaths {
		rest, found := bytes.CutPrefix(target, path)
		if ok && found && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '?') {
			return true
		}
	}
	return false
}
