package prober

import (
	"math/rand/v2"
	"sync"
	"time"

	"ttftop/probe"
	"ttftop/probe/schedule"
)

// pairing sends the probes of two lanes in pairs. A pair is released when both
// lanes are ready and it is due; then each lane takes its half. A lane that is
// paired with itself takes both. It is safe for concurrent use.
type pairing struct {
	poke func(target int)

	mu       sync.Mutex
	pairs    probe.Pairs
	schedule schedule.Schedule
	rate     float64 // of A, in pairs per second
	random   *rand.Rand
	number   int // of the last pair released
	dueAt    time.Time
	missed   int          // due times before it that a stall of this program has swallowed
	halves   [2]halfState // of that pair
	ready    [2]bool      // the lane could send an ordinary probe
	full     [2]bool      // but too many are in flight
	skip     bool         // so the present pair is not sent: one half without the other would be no pair
	blocked  bool         // no pair could be released for another reason than time
	left     map[int]bool // lanes that will never send again
}

// pairHalf is one half of a pair to be sent; the zero value is none.
type pairHalf struct {
	pair   int
	side   int  // 0 for A, 1 for B
	missed int  // due times before it that were swallowed
	skip   bool // it is not to be sent: too many probes are in flight on one side
	due    time.Time
}

// halfState is where one half of the present pair is.
type halfState int

const (
	halfEnded   halfState = iota // or nothing was released, or it will never be sent
	halfWaiting                  // until the other half has ended
	halfDue
	halfSent
)

func newPairing(seed uint64, poke func(target int)) *pairing {
	return &pairing{poke: poke, random: rand.New(rand.NewPCG(seed, 0x5061697273)), left: map[int]bool{}}
}

// set takes over which targets are paired. What is in flight is ended by the
// lanes; its pair is not gone on with.
func (p *pairing) set(pairs probe.Pairs) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if pairs == p.pairs {
		return
	}
	p.pairs, p.halves, p.ready = pairs, [2]halfState{}, [2]bool{}
	p.schedule, p.blocked = schedule.Schedule{}, false
}

// sides are those of a target: 0 for A, 1 for B, both where it is paired with
// itself, none where it is not paired.
func (p *pairing) sides(target int) []int {
	switch a, b := target == p.pairs.A, target == p.pairs.B; {
	case !p.pairs.On:
	case a && b:
		return []int{0, 1}
	case a:
		return []int{0}
	case b:
		return []int{1}
	}
	return nil
}

// paired reports whether a target is probed in pairs.
func (p *pairing) paired(target int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.sides(target)) > 0
}

// take says that a lane, whose rate is given, is ready, or would be if not too many
// probes were in flight, and gives it its half of the pair that is due. Where there is none, wait is how long there will be none
// if the lane is not poked before.
func (p *pairing) take(target int, rate float64, full bool, now time.Time) (h pairHalf, wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	sides := p.sides(target)
	for _, side := range sides {
		p.ready[side], p.full[side] = true, full
		if side == 0 {
			p.rate = rate
		}
	}
	if h, ok := p.due(sides); ok || len(sides) == 0 {
		return h, 0
	}
	wait = p.release(now)
	h, _ = p.due(sides)
	return h, wait
}

// due gives away the half of one of the sides that is to be sent now.
func (p *pairing) due(sides []int) (h pairHalf, ok bool) {
	for _, side := range sides {
		if p.halves[side] == halfDue {
			p.halves[side] = halfSent
			return pairHalf{p.number, side, p.missed, p.skip, p.dueAt}, true
		}
	}
	return h, false
}

// release lets the next pair go if both lanes are ready and it is due, and
// returns how long it will not be.
func (p *pairing) release(now time.Time) time.Duration {
	if !p.ready[0] || !p.ready[1] || p.busy() {
		p.blocked = true
		return idle
	}
	p.schedule.Set(p.rate, now)
	if p.blocked { // the schedule stood still on purpose: that is no lag
		p.schedule.Hold(now)
		p.blocked = false
	}
	if wait := p.schedule.Next().Sub(now); wait > 0 {
		return wait
	}
	p.number++
	p.dueAt, p.missed = p.schedule.Take(now)
	p.halves = [2]halfState{halfDue, halfDue}
	p.skip = p.full[0] || p.full[1]
	if p.pairs.Order == probe.BackToBack && !p.skip {
		p.halves[p.random.IntN(2)] = halfWaiting
	}
	p.poke(p.pairs.A)
	p.poke(p.pairs.B)
	return idle
}

// busy reports whether the present pair must come further before the next one
// is released.
func (p *pairing) busy() bool {
	for _, h := range p.halves {
		if h == halfDue || h == halfWaiting || h == halfSent && p.pairs.Order == probe.BackToBack {
			return true
		}
	}
	return false
}

// landed says that a side's half of a pair has ended: the other may begin.
func (p *pairing) landed(side, pair int, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.pairs.On || pair != p.number {
		return
	}
	p.halves[side] = halfEnded
	if p.halves[1-side] == halfWaiting {
		p.halves[1-side], p.dueAt = halfDue, now
	}
	p.pokeOther(side)
}

// unready says that a lane can't send for now. A half that it should have sent
// is lost, and so is one that waits for it: a pair whose halves are far apart
// is none.
func (p *pairing) unready(target int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, side := range p.sides(target) {
		p.ready[side] = false
		if h := p.halves[side]; h == halfDue || h == halfWaiting {
			p.lose(side)
		}
	}
}

// lost says that the half of a side that was taken could not be sent.
func (p *pairing) lost(side, pair int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pairs.On && pair > 0 && pair == p.number {
		p.lose(side)
	}
}

func (p *pairing) lose(side int) {
	p.halves[side] = halfEnded
	if p.halves[1-side] == halfWaiting {
		p.halves[1-side] = halfEnded
	}
	p.pokeOther(side)
}

// leave says that a lane will never send again.
func (p *pairing) leave(target int) {
	p.unready(target)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left[target] = true
	for _, side := range p.sides(target) {
		p.pokeOther(side)
	}
}

// over reports whether a lane has lost its partner for good and owes no half.
func (p *pairing) over(target int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	sides := p.sides(target)
	for _, side := range sides {
		if h := p.halves[side]; !p.left[p.partner(side)] || h == halfDue || h == halfWaiting {
			return false
		}
	}
	return len(sides) > 0
}

// partner is the target on the other side.
func (p *pairing) partner(side int) int {
	if side == 0 {
		return p.pairs.B
	}
	return p.pairs.A
}

func (p *pairing) pokeOther(side int) { p.poke(p.partner(side)) }
