package clock

import (
	"sync"

	"golang.org/x/sys/unix"
)

// enableStamps asks the kernel to stamp what the socket receives, in software
// (see Documentation/networking/timestamping.rst of the kernel).
func enableStamps(fd int) error {
	return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPING,
		unix.SOF_TIMESTAMPING_RX_SOFTWARE|unix.SOF_TIMESTAMPING_SOFTWARE)
}

// keepStamping holds one stamping socket open as long as the program runs.
// The kernel stamps packets only while some socket wants it, and switches that
// on a little after it is asked: without this socket the first packets of
// every connection made while no other was open could come unstamped. Where
// it fails that is all that is lost.
var keepStamping = sync.OnceFunc(func() {
	for _, family := range []int{unix.AF_INET, unix.AF_INET6} {
		fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			continue
		}
		if enableStamps(fd) == nil {
			return
		}
		unix.Close(fd)
	}
})
