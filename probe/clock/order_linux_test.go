package clock

import (
	"testing"
	"time"

	"ttftop/probe"
)

func TestInOrder(t *testing.T) {
	now := time.Now()
	const ms = time.Millisecond
	stamp := func(d time.Duration) Arrival {
		return Arrival{At: now.Round(0).Add(d), Read: now.Add(d + ms), Kind: probe.KernelClock}
	}
	user := func(d time.Duration) Arrival {
		return Arrival{At: now.Add(d), Read: now.Add(d), Kind: probe.UserClock}
	}
	next := stamp(0)
	for name, c := range map[string]struct {
		prev     Arrival
		wantKind probe.ClockKind
		wantWall time.Time
	}{
		"first":                     {Arrival{}, probe.KernelClock, next.At},
		"later":                     {stamp(-ms), probe.KernelClock, next.At},
		"same segment":              {stamp(0), probe.KernelClock, next.At},
		"waited behind a hole":      {stamp(ms / 2), probe.KernelClock, next.At.Add(ms / 2)},
		"after a user read":         {user(-ms), probe.KernelClock, next.At},
		"before a user read":        {user(ms / 2), probe.UserClock, next.At.Add(ms / 2)},
		"clock set back":            {stamp(time.Hour), probe.KernelClock, next.At},
		"clock set back, user read": {user(time.Hour), probe.KernelClock, next.At},
	} {
		got := inOrder(c.prev, next)
		if got.Kind != c.wantKind || !got.At.Round(0).Equal(c.wantWall) || got.Read != next.Read {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
