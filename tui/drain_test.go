package tui

import (
	"slices"
	"testing"
	"time"
)

// link is a terminal at the end of a slow line: what is written waits in a
// buffer of fixed size, and a write that finds it full waits too.
type link struct {
	rate   float64 // bytes per second; read by the far end
	room   float64
	queued float64
}

// write returns how long the write of n bytes takes.
func (l *link) write(n float64) time.Duration {
	l.queued += n
	if l.queued <= l.room {
		return 0
	}
	wait := time.Duration((l.queued - l.room) / l.rate * float64(time.Second))
	l.queued = l.room
	return wait
}

func (l *link) pass(d time.Duration) { l.queued = max(0, l.queued-l.rate*d.Seconds()) }

// stale is how old a frame is by the time it is seen.
func (l *link) stale() time.Duration {
	return time.Duration(l.queued / l.rate * float64(time.Second))
}

// play draws frames of 400 bytes for a while and returns how stale each was
// seen in the last half, and the number of frames.
func play(q *queue, l *link, length time.Duration) (stale []time.Duration, frames int) {
	now := time.Unix(0, 0)
	end := now.Add(length)
	for now.Before(end) {
		start := now
		waited := l.write(400)
		now = now.Add(waited)
		q.wrote(400, waited > 0, start, now)
		frames++
		if end.Sub(now) < length/2 {
			stale = append(stale, l.stale())
		}
		pause := max(moveEvery, q.pause(now))
		now = now.Add(pause)
		l.pass(pause)
	}
	return stale, frames
}

func TestFramesDontPileUpOnASlowLink(t *testing.T) {
	for _, rate := range []float64{500, 1000, 2000, 3900} {
		l := &link{rate: rate, room: 12 << 10}
		stale, frames := play(&queue{}, l, 20*time.Minute)
		slices.Sort(stale)
		if middle := stale[len(stale)/2]; middle > time.Second {
			t.Errorf("at %g bytes/s half of the frames are seen more than %v late", rate, middle)
		}
		t.Logf("%g bytes/s: stale p50 %v p90 %v, %d frames", rate, stale[len(stale)/2], stale[len(stale)*9/10], frames)
		if least := int(0.4 * 1200 * rate / 400); frames < least {
			t.Errorf("at %g bytes/s only %d frames were drawn, of at least %d that fit", rate, frames, least)
		}
	}
}

func TestAFastLinkIsNotSlowed(t *testing.T) {
	l := &link{rate: 100_000, room: 12 << 10}
	_, frames := play(&queue{}, l, time.Minute)
	if frames != 600 {
		t.Errorf("%d frames in a minute, want 600", frames)
	}
}

func TestALinkThatGetsFastIsUsedAgain(t *testing.T) {
	q, l := &queue{}, &link{rate: 1000, room: 12 << 10}
	play(q, l, time.Minute)
	l.rate = 1e6
	play(q, l, 40*time.Minute)
	if q.rate != 0 {
		t.Errorf("after 40 minutes on a fast link the rate is still taken to be %g bytes/s", q.rate)
	}
}

// A terminal that nobody read for a while is no slow one.
func TestAStallIsNoSlowLink(t *testing.T) {
	var q queue
	now := time.Unix(0, 0)
	q.wrote(3000, true, now, now.Add(15*time.Second))
	if p := q.pause(now.Add(15 * time.Second)); p != 0 {
		t.Errorf("after a stall of 15 s the next frame waits %v", p)
	}
}
