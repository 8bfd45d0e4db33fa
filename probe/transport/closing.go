package transport

import "time"

// atOnce is how soon after an answer a server closes that does so after each.
const atOnce = 50 * time.Millisecond

// closing is what is known of when the server closes connections.
type closing struct {
	last  time.Duration // how long it kept the one that it closed last
	times int           // how often in a row it was about as long
}

// saw notes that the server has closed a connection that was idle for so long.
func (c *closing) saw(idle time.Duration) {
	if idle < atOnce {
		idle = 0
	}
	if c.times > 0 && (idle > c.last*3/2 || c.last > idle*3/2) {
		c.times = 0 // a server that is started anew closes all of them, whatever their age
	}
	c.last = idle
	c.times++
}

// closes notes that the server closes a connection after its answer.
func (p *Pool) closes() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closing.saw(0)
}

// Closes tells how long the server keeps an idle connection before it closes it,
// 0 where it closes each after its answer; false before that was seen twice.
func (p *Pool) Closes() (idle time.Duration, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closing.last, p.closing.times >= 2
}

// ended reports whether the server has ended the connection. Where this program is
// late, net/http gives up a good one. Under TLS the end may be a message that looks
// like any other from below: there it is taken to be the server's.
func (l *link) ended() bool { return l.tls != nil || l.out.ended.Load() }
