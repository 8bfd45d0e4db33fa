package sim

import "time"

// Go's timers on Linux wake up to a millisecond late, since the runtime sleeps
// in whole milliseconds while a process is idle. That is too coarse for steps
// of a few milliseconds, so the last stretch of a wait is slept by an alarm
// that the kernel keeps (a timerfd, late by some 40 µs).

// alarmCount bounds how many waits are precise at once; more waits than that
// make do with the runtime's timers.
const alarmCount = 64

// finalStretch is the part of a wait that an alarm sleeps.
const finalStretch = 1200 * time.Microsecond

// pacer waits for instants. The zero pacer uses the runtime's timers alone.
type pacer struct {
	alarms chan *alarm // those that are free; nil for none
}

// newPacer makes a pacer that is as precise as the system allows.
func newPacer() *pacer {
	p := &pacer{alarms: make(chan *alarm, alarmCount)}
	for range alarmCount {
		a, err := newAlarm()
		if err != nil {
			break // the runtime's timers are only coarser
		}
		p.alarms <- a
	}
	return p
}

// until waits for t, or for done: then it returns false.
func (p *pacer) until(done <-chan struct{}, t time.Time) bool {
	if p.alarms == nil {
		return wait(done, t)
	}
	if !wait(done, t.Add(-finalStretch)) {
		return false
	}
	select {
	case a := <-p.alarms:
		a.until(t)
		p.alarms <- a
	default:
	}
	return wait(done, t)
}

// close frees the alarms. No wait may be under way.
func (p *pacer) close() {
	for {
		select {
		case a := <-p.alarms:
			a.close()
		default:
			return
		}
	}
}

// wait waits for t with a timer of the runtime, or for done: then it returns
// false.
func wait(done <-chan struct{}, t time.Time) bool {
	select {
	case <-done:
		return false
	default:
	}
	d := time.Until(t)
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-done:
		return false
	}
}
