package clock

import (
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// When Go's scheduler is late, so is a goroutine that reads: between two of its
// system calls it waits for its turn, and what comes meanwhile is merged in the
// kernel. So a vigil waits, copies and waits again within one stretch in which
// the scheduler takes it to be in a system call, as package syscall has it for
// a single one: the kernel alone wakes it. What runs there must not grow the
// stack, allocate or write pointers.

const (
	// pieces is how many a vigil takes at most: response headers, a chunk that
	// names the role, the first token, and one to tell it from the next.
	pieces = 4
	// pieceSize is that of the buffers of all but the first.
	pieceSize = 64 << 10
	// settle is how long a vigil waits for more once it has something: as long
	// as a busy scheduler would keep the next read waiting.
	settle = 10 * time.Millisecond
	// beat is how long it waits for the first piece before it sees to deadlines: in
	// the moment between two vigils a busy scheduler may keep a piece waiting.
	beat = time.Second
)

// vigil waits for pieces of a stream and keeps them until they are read.
type vigil struct {
	poll    unix.PollFd
	first   unix.Timespec // how long to wait for the first piece
	more    unix.Timespec // and for the next
	timeout unix.Timespec
	pieces  [pieces]piece
	n       int           // pieces there are; the last may be the end or an error
	empty   unix.Timespec // wall clock when there were no more, where fewer than pieces came

	info unix.TCPInfo
	size uint32 // of it

	next, taken int // piece to be read next, and bytes taken of it already
	buffers     [pieces][]byte
}

// piece is what one recvmsg gave, and when.
type piece struct {
	received
	msg    message
	copied unix.Timespec // wall clock, right after it
	waited bool          // there was nothing at first
	had    uint32        // segments that had come then
	has    uint32        // and after it
	before turns         // of the thread, before it waited
	after  turns         // and with the piece in its hands
}

// clear drops the pieces.
func (v *vigil) clear() {
	v.n, v.next, v.taken = 0, 0, 0
	v.buffers[0] = nil
}

// done reports whether all pieces have been read.
func (v *vigil) done() bool { return v == nil || v.next == v.n }

// ended reports whether the last piece is the end of the stream or an error.
func (v *vigil) ended() bool { return v.n > 0 && v.pieces[v.n-1].n == 0 }

// read takes what is next of the pieces. It is only called when there are some.
func (v *vigil) read(p []byte) (int, *received) {
	i := v.next
	got := &v.pieces[i].received
	n := copy(p, v.buffers[i][v.taken:got.n])
	v.taken += n
	if v.taken == got.n {
		v.next, v.taken = i+1, 0
	}
	return n, got
}

// vigils keeps the buffers for the next probe.
var vigils = sync.Pool{New: func() any {
	v := new(vigil)
	for i := range v.buffers[1:] {
		v.buffers[1+i] = make([]byte, pieceSize)
	}
	return v
}}

//go:linkname entersyscallblock runtime.entersyscallblock
func entersyscallblock()

//go:linkname exitsyscall runtime.exitsyscall
func exitsyscall()

// keep waits for as long as that for pieces of the stream at fd, the first of
// which goes to p. It returns with none when the time is over.
func (v *vigil) keep(fd uintptr, p []byte, wait time.Duration) {
	v.clear()
	v.buffers[0] = p
	for i := range v.pieces {
		v.pieces[i].waited = false
		v.pieces[i].msg.aim(v.buffers[i])
		v.pieces[i].msg.control()
	}
	v.poll = unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}
	v.first = unix.NsecToTimespec(int64(max(wait, 0)))
	v.more = unix.NsecToTimespec(int64(settle))
	v.inKernel(fd)
}

// inKernel is the part that no other goroutine can hold up.
//
//go:nosplit
//go:norace
func (v *vigil) inKernel(fd uintptr) {
	entersyscallblock()
	wait := v.first
	for i := range v.pieces {
		p := &v.pieces[i]
		if !v.take(fd, p, wait) {
			wall(&v.empty)
			break
		}
		wall(&p.copied)
		if p.waited {
			p.after.look()
			p.has = v.segments(fd)
		}
		v.n++
		if p.errno != 0 || p.n == 0 {
			break
		}
		wait = v.more
	}
	exitsyscall()
}

// take takes the next piece, and returns false when there was none in time.
//
//go:nosplit
//go:norace
func (v *vigil) take(fd uintptr, p *piece, wait unix.Timespec) bool {
	for {
		had := v.segments(fd)
		n, _, errno := unix.RawSyscall(unix.SYS_RECVMSG, fd, uintptr(unsafe.Pointer(&p.msg.hdr)), unix.MSG_DONTWAIT)
		if errno == 0 {
			p.n, p.errno = int(n), 0
			return true
		}
		ready := uintptr(0)
		if errno == unix.EAGAIN {
			p.waited, p.had = true, had
			p.before.look()
			v.timeout = wait // the kernel may write what is left of it
			ready, _, errno = unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&v.poll)), 1, uintptr(unsafe.Pointer(&v.timeout)), 0, 0, 0)
			if errno == 0 && ready == 0 {
				return false
			}
		}
		if errno != 0 && errno != unix.EINTR {
			p.n, p.errno = 0, errno
			return true
		}
	}
}

// segments is the number of segments with data that have come, 0 where the
// kernel is too old to count them.
//
//go:nosplit
//go:norace
func (v *vigil) segments(fd uintptr) uint32 {
	v.size = unix.SizeofTCPInfo
	unix.RawSyscall6(unix.SYS_GETSOCKOPT, fd, unix.IPPROTO_TCP, unix.TCP_INFO, uintptr(unsafe.Pointer(&v.info)), uintptr(unsafe.Pointer(&v.size)), 0)
	return v.info.Data_segs_in
}

// wall sets t to the time of day, which the stamps are in.
//
//go:nosplit
//go:norace
func wall(t *unix.Timespec) {
	unix.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_REALTIME, uintptr(unsafe.Pointer(t)), 0)
}
