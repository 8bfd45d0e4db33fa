package tui

import (
	"math"
	"strings"
	"sync"
	"time"
)

// linePace is how often the lines of probes that went well are said. Its methods are
// safe for concurrent use; the zero value says all of them.
type linePace struct {
	mu    sync.Mutex
	every time.Duration
	said  map[int]time.Time // the last line, by target
}

// never is the pace at which none is said.
const never time.Duration = math.MaxInt64

// set changes how often lines are said: 0 for all of them.
func (p *linePace) set(every time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.every, p.said = every, map[int]time.Time{}
}

// due reports whether a line of a target is to be said now, and counts it as said.
func (p *linePace) due(target int, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.every == 0 {
		return true
	}
	if last, ok := p.said[target]; p.every == never || ok && now.Sub(last) < p.every {
		return false
	}
	p.said[target] = now
	return true
}

// quiet says no line of a probe that goes well.
func (p *plain) quiet(string) bool {
	p.pace.set(never)
	p.voice.say("quiet: notices, answers and failures alone; loud goes back")
	return false
}

// loud says a line of each probe.
func (p *plain) loud(string) bool {
	p.pace.set(0)
	p.voice.say("a line for each probe")
	return false
}

// every says a line of each target once in a time.
func (p *plain) every(text string) bool {
	d, ok := typedTime(text)
	if !ok {
		p.voice.say("write how often, such as every 10s; or quiet, or loud")
		return false
	}
	p.pace.set(d)
	p.voice.say("a line of each target every %v, and failures; loud goes back", d)
	return false
}

// typedTime is a time as it is typed for a command, a day at most: "30s", "2 m".
func typedTime(text string) (time.Duration, bool) {
	d, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	return d, err == nil && d > 0 && d <= 24*time.Hour
}
