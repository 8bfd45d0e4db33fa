package clock

import (
	"slices"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// control is one control message of that kind, with a body of zeros.
func control(kind int32, size int) []byte {
	b := make([]byte, unix.CmsgSpace(size))
	h := (*unix.Cmsghdr)(unsafe.Pointer(&b[0]))
	h.Level, h.Type = unix.SOL_SOCKET, kind
	h.SetLen(unix.CmsgLen(size))
	return b
}

func TestStampIn(t *testing.T) {
	const want = 1_700_000_000_123_456_789
	const three = 3 * int(unsafe.Sizeof(unix.Timespec{}))
	stamped := control(unix.SCM_TIMESTAMPING, three)
	*(*unix.Timespec)(unsafe.Pointer(&stamped[unix.CmsgLen(0)])) = unix.NsecToTimespec(want)
	other := control(unix.SO_RXQ_OVFL, 4)
	for name, c := range map[string]struct {
		oob []byte
		ok  bool
	}{
		"none":          {nil, false},
		"stamp":         {stamped, true},
		"after another": {slices.Concat(other, stamped), true},
		"another":       {other, false},
		"all zero":      {control(unix.SCM_TIMESTAMPING, three), false},
		"too short":     {control(unix.SCM_TIMESTAMPING, 4), false},
		"cut":           {stamped[:len(stamped)-8], false},
		"half a header": {stamped[:5], false},
	} {
		at, ok := stampIn(c.oob)
		if ok != c.ok || ok && !at.Equal(time.Unix(0, want)) {
			t.Errorf("%s: %v, %v", name, at, ok)
		}
	}
}
