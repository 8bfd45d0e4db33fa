package clock

// attender is a connection that can be read by a thread which waits for its
// bytes inside the kernel.
type attender interface{ attend(on bool) }

// Attend says whether somebody measures what c brings from now on. Where the
// system can (Linux, on TCP), a thread then waits for the bytes inside the
// kernel and copies each piece as it comes, with its own stamp, however busy
// this program is; otherwise pieces that wait for a busy program are merged and
// carry the stamp of the newest. It costs a thread as long as a Read waits, and
// Read may return up to 10 ms late, with arrivals that are none the later.
//
// A deadline that is set while such a Read waits is noticed within a second.
// Attend may be called at any time from any goroutine, and does
// nothing to a connection that can't.
func Attend(c Conn, on bool) {
	if a, ok := c.(attender); ok {
		a.attend(on)
	}
}
