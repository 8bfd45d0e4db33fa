package transport

import (
	"context"
	"math"
	"time"

	"ttftop/probe/clock"
)

// Aim says for which probes a pool keeps idle connections ready. The zero Aim
// keeps none.
type Aim struct {
	Rate float64 // probes per second
	Most int     // probes that may be in flight
}

// A spare connection that the server closes before a probe has used it is not
// worth much: the next is made after a rest, doubled up to the limit. The same
// holds for one that can't be made.
const (
	firstRest = 30 * time.Second
	lastRest  = 10 * time.Minute
)

// spare is how many idle connections are to be ready beside out that are in
// use, where a new one takes so long to make:
//
//	1 + rate·takes                            one, and what starts while one is made
//	1 + (most − out)·(1 − 1/(rate·takes))     where starts outrun the making
//
// whichever is more, rounded up, and no more than may yet start. Connections
// are made one after the other, so that where rate·takes is above 1 what is
// ready must last until the most that may be in flight are.
func (a Aim) spare(out int, takes time.Duration) int {
	room := a.Most - out
	if room <= 0 {
		return 0
	}
	starts := a.Rate * takes.Seconds() // while one connection is made
	n := starts
	if starts > 1 {
		n = max(n, float64(room)*(1-1/starts))
	}
	return min(1+int(math.Ceil(min(n, float64(room)))), room)
}

// Aim sets for which probes idle connections are kept ready by Tend.
func (p *Pool) Aim(a Aim) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a != p.aim {
		p.aim = a
		p.attend(time.Now())
		p.poke()
	}
}

// attend has the idle connection that is used next attended to before it is: a
// busy program would come to it late. The caller holds mu.
func (p *Pool) attend(now time.Time) {
	next := -1
	if len(p.idle) > 0 && p.aim != (Aim{}) {
		next = p.next(now)
	}
	for i, l := range p.idle {
		clock.Attend(l.conn, i == next)
	}
}

// Tend makes idle connections, one after the other, until as many are there as
// Aim asks for, and again whenever some are missing; it returns when ctx ends.
// The first connection is left to a request: how long that took tells how many
// are needed, and a host that can't be reached is not dialed twice.
func (p *Pool) Tend(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		wait, missing := p.missing(time.Now())
		if missing && wait <= 0 {
			p.makeOne(ctx)
			continue
		}
		timer.Stop()
		if missing {
			timer.Reset(wait)
		}
		select {
		case <-ctx.Done():
		case <-p.wake:
		case <-timer.C:
		}
	}
}

// missing reports whether an idle connection is to be made, and after which
// wait.
func (p *Pool) missing(now time.Time) (wait time.Duration, missing bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reap(now)
	if p.closed || p.takes == 0 || len(p.idle) >= p.aim.spare(p.out, p.takes) {
		return 0, false
	}
	return p.restUntil.Sub(now), true
}

// makeOne makes an idle connection. A failure is told by the probe that meets
// it.
func (p *Pool) makeOne(ctx context.Context) {
	l, err := p.connect(ctx, newTrace(clock.Start(), nil))
	p.mu.Lock()
	unwanted := err == nil && (p.closed || p.aim == Aim{})
	switch {
	case err != nil:
		p.rest(time.Now())
	case !unwanted:
		p.lost = false
		p.lay(l)
	}
	p.mu.Unlock()
	if unwanted {
		l.http.Close()
	}
}

// reap drops the idle connections that the server has closed, and learns from
// them how long it keeps one. The caller holds mu.
func (p *Pool) reap(now time.Time) {
	open := p.idle[:0]
	for _, l := range p.idle {
		if l.http.Err() == nil {
			open = append(open, l)
			continue
		}
		p.lost = true
		p.keeps = now.Sub(l.since)
		p.closing.saw(p.keeps)
		if !l.used {
			p.rest(now)
		}
	}
	clear(p.idle[len(open):])
	p.idle = open
}

// rest puts the making of spare connections off. The caller holds mu.
func (p *Pool) rest(now time.Time) {
	if now.Before(p.restUntil) {
		return // several were closed together
	}
	p.resting = min(max(2*p.resting, firstRest), lastRest)
	p.restUntil = now.Add(p.resting)
}

// needed ends the rest where a spare connection has been of use, or would have
// been: a probe began while another was in flight. The caller holds mu.
func (p *Pool) needed(l *link) {
	switch {
	case l != nil && !l.used:
		p.resting, p.restUntil = 0, time.Time{}
	case p.out > 1 && len(p.idle) == 0:
		p.restUntil = time.Time{}
	}
}

// next is the index of the idle connection to use. They take turns, so that
// none is idle for long; those that are more than needed are left to age, and
// those that the server is about to close are passed over for the newest. The
// caller holds mu, and there is one.
func (p *Pool) next(now time.Time) int {
	newest := len(p.idle) - 1
	i := min(max(len(p.idle)-max(p.aim.spare(p.out, p.takes), 1), 0), newest)
	for p.keeps > 0 && i < newest && now.Sub(p.idle[i].since) > p.keeps*3/4 {
		i++
	}
	return i
}

// poke has Tend look again.
func (p *Pool) poke() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}
