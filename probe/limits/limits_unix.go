//go:build unix

package limits

import "golang.org/x/sys/unix"

// openFiles is the number of files that this program may have open.
func openFiles() (uint64, bool) {
	var r unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &r); err != nil {
		return 0, false
	}
	return uint64(r.Cur), true
}
