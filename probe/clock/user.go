package clock

import (
	"net"
	"time"

	"ttftop/probe"
)

// userConn takes the clock after the read.
type userConn struct{ link }

func newUserConn(c net.Conn) *userConn {
	u := new(userConn)
	u.open(c)
	return u
}

// Read implements net.Conn.
func (c *userConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		now := time.Now()
		c.arrived(Arrival{At: now, Read: now, Kind: probe.UserClock})
	}
	return n, err
}
