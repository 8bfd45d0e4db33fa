package tally

import (
	"time"

	"ttftop/probe"
)

// What a client keeps of what was asked is judged over the last recent, and at
// least over enough due probes; paces bounds what is remembered for it.
const (
	recent = 10 * time.Second
	enough = 10
	paces  = 64
)

// Kept is what was achieved of what was asked for. Nothing asked is nothing
// missed: then both are 0.
type Kept struct{ Asked, Achieved float64 }

// Share is the achieved part, 1 where nothing was asked.
func (k Kept) Share() float64 {
	if k.Asked <= 0 {
		return 1
	}
	return k.Achieved / k.Asked
}

// pace is how the client has kept up with one target.
type pace []probe.Pace

func (p *pace) take(e probe.Pace) {
	*p = append(*p, e)
	*p = (*p)[max(0, len(*p)-paces):]
}

// since is the newest of what is remembered that is old enough to judge by, or
// the oldest.
func (p pace) since() probe.Pace {
	last := p[len(p)-1]
	for i := len(p) - 1; i > 0; i-- {
		if last.At.Sub(p[i].At) >= recent && last.Due-p[i].Due >= enough {
			return p[i]
		}
	}
	return p[0]
}

// Rate is how many probes a second were sent of those that were due in the last
// seconds, at the present rate.
func (t *Target) Rate(perSecond float64) Kept {
	if len(t.pace) == 0 {
		return Kept{}
	}
	from, to := t.pace.since(), t.pace[len(t.pace)-1]
	if to.Due-from.Due < enough {
		return Kept{}
	}
	return Kept{perSecond, perSecond * float64(to.Sent-from.Sent) / float64(to.Due-from.Due)}
}

// Pressure is how many load streams were in flight of those asked for, on
// average over the last seconds; nothing where none are asked for now.
func (t *Target) Pressure(now int) Kept {
	if len(t.pace) == 0 || now <= 0 {
		return Kept{}
	}
	from, to := t.pace.since(), t.pace[len(t.pace)-1]
	return meanStreams(from, to)
}

// Overall is the same of the whole session: probes that were due and sent, and
// load streams on average.
func (t *Target) Overall() (probes, pressure Kept) {
	if len(t.pace) == 0 {
		return Kept{}, Kept{}
	}
	to := t.pace[len(t.pace)-1]
	return Kept{float64(to.Due), float64(to.Sent)}, meanStreams(probe.Pace{}, to)
}

func meanStreams(from, to probe.Pace) Kept {
	over := (to.Loaded - from.Loaded).Seconds()
	if over <= 0 {
		return Kept{}
	}
	return Kept{(to.Asked - from.Asked).Seconds() / over, (to.InFlight - from.InFlight).Seconds() / over}
}

// lateness is how late the client was over the session.
type lateness struct {
	told, busy int
	worst      time.Duration
}

// LateFrom is the lag of this program, or its delay in reading, from which it
// could colour a figure.
const LateFrom = 5 * time.Millisecond

func (l *lateness) take(lag time.Duration) {
	l.told++
	l.worst = max(l.worst, lag)
	if lag > LateFrom {
		l.busy++
	}
}

// Lateness is the share of the session in which this program was late enough to
// colour a figure, and the worst of it.
func (t *Tally) Lateness() (share float64, worst time.Duration) {
	if t.lateness.told == 0 {
		return 0, 0
	}
	return float64(t.lateness.busy) / float64(t.lateness.told), t.lateness.worst
}

// ReadDelay is how late the last ordinary probe was read, at worst.
func (t *Tally) ReadDelay() time.Duration { return t.readDelay }
