package clock

import (
	"testing"
	"time"

	"ttftop/probe"
)

func TestOffset(t *testing.T) {
	base := Start()
	at := base.Time()
	const ms = time.Millisecond
	kernel := func(wall, read time.Duration) Arrival {
		return Arrival{At: at.Round(0).Add(wall), Read: at.Add(read), Kind: probe.KernelClock}
	}
	user := func(d time.Duration) Arrival {
		return Arrival{At: at.Add(d), Read: at.Add(d), Kind: probe.UserClock}
	}
	for name, c := range map[string]struct {
		arrival Arrival
		want    time.Duration
	}{
		"kernel":                           {kernel(5*ms, 9*ms), 5 * ms},
		"user":                             {user(9 * ms), 9 * ms},
		"kernel, before the start":         {kernel(-time.Hour, 9*ms), 0},
		"user, before the start":           {user(-ms), 0},
		"kernel, clock set ahead":          {kernel(time.Hour, 9*ms), 9 * ms},
		"kernel, no reading known":         {Arrival{At: at.Round(0).Add(5 * ms), Kind: probe.KernelClock}, 5 * ms},
		"kernel stamp with monotonic time": {Arrival{At: at.Add(5 * ms), Read: at.Add(9 * ms), Kind: probe.KernelClock}, 5 * ms},
	} {
		if got := base.Offset(c.arrival); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestOffsetAfterStep has the wall clock set back by a second after the start:
// wall differences show it, monotonic ones don't.
func TestOffsetAfterStep(t *testing.T) {
	now := time.Now()
	base := Base{start: now, wall: now.Round(0).Add(time.Second)}
	if got := base.Offset(Arrival{At: now.Add(time.Millisecond), Kind: probe.UserClock}); got != time.Millisecond {
		t.Errorf("a user arrival is at %v", got)
	}
	if got := base.Offset(Arrival{At: now.Round(0), Kind: probe.KernelClock}); got != 0 {
		t.Errorf("a kernel arrival is at %v", got)
	}
}

func TestStep(t *testing.T) {
	now := time.Now()
	end := now.Add(time.Minute)
	for _, step := range []time.Duration{0, time.Millisecond, -time.Millisecond, time.Hour, -time.Hour} {
		base := Base{start: now, wall: now.Round(0).Add(-step)} // as if it were set by step since
		if got := base.Step(end); got != step.Abs() {
			t.Errorf("a step by %v shows as %v", step, got)
		}
	}
	if got := StartAt(now).Step(end.Round(0)); got != 0 {
		t.Errorf("without a monotonic reading the step is %v", got)
	}
}

func TestSince(t *testing.T) {
	now := time.Now()
	base := Base{start: now, wall: now.Round(0).Add(-time.Hour)}
	if got := base.Since(now.Add(time.Second)); got != time.Second {
		t.Errorf("%v", got)
	}
	if got := base.Since(now.Add(-time.Second)); got != -time.Second {
		t.Errorf("%v", got)
	}
}

func TestDelay(t *testing.T) {
	now := time.Now()
	late := Arrival{At: now.Round(0), Read: now.Add(time.Millisecond), Kind: probe.KernelClock}
	if got := late.Delay(); got != time.Millisecond {
		t.Errorf("%v", got)
	}
	late.Read = now.Add(-time.Millisecond) // the clock was set back in between
	if got := late.Delay(); got != 0 {
		t.Errorf("%v", got)
	}
}
