//go:build !linux

package clock

import "net"

// stamp always refuses: only Linux stamps what a stream socket receives.
func stamp(*net.TCPConn) (Conn, bool) { return nil, false }
