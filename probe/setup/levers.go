package setup

import (
	"fmt"
	"maps"
	"sync"
	"time"

	"ttftop/probe"
	"ttftop/probe/sim"
)

// turnable lets the levers of simulated endpoints be turned, in the order of
// their targets.
func (pl *Plan) turnable(servers []*sim.Server) {
	for _, s := range servers {
		var all []probe.Lever
		for _, l := range s.Levers() {
			all = append(all, probe.Lever{Name: l.Name, Group: l.Group, About: l.About, Choices: l.Choices, Steps: l.Steps})
		}
		pl.Levers = append(pl.Levers, all)
		pl.Session.Prober.Settings.Levers = append(pl.Session.Prober.Settings.Levers, valuesOf(s.Levers()))
	}
	pl.Settle = func(target int, now probe.Levers, name, text string) (probe.Levers, error) {
		wanted := maps.Clone(now)
		wanted[name] = text
		would, err := servers[target].With(wanted)
		if err != nil {
			return nil, err
		}
		return valuesOf(would), nil
	}
	pl.Session.Prober.Turn = func(target int, levers probe.Levers) error { return servers[target].Turn(levers) }
	pl.Behind = behindOf(servers)
}

func valuesOf(levers []sim.Lever) probe.Levers {
	values := probe.Levers{}
	for _, l := range levers {
		values[l.Name] = l.Value
	}
	return values
}

// lookEvery is how often the lag is looked at: it is of many steps.
const lookEvery = time.Second

// behindOf says whether the machine keeps up with the servers, from time to
// time; it is safe for concurrent use.
func behindOf(servers []*sim.Server) func() string {
	var mu sync.Mutex
	var said string
	var next time.Time
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); !now.Before(next) {
			said, next = behind(servers, now), now.Add(lookEvery)
		}
		return said
	}
}

// behind is a sentence about the first server that the machine can't keep up
// with; "" where there is none.
func behind(servers []*sim.Server, now time.Time) string {
	for _, s := range servers {
		if l := s.LagSince(now.Add(-sim.LagNow)); l.Behind() {
			return fmt.Sprintf("this machine can't keep up with %s: times are its own, not the simulated server's (steps %s late, writes %s at p95)",
				s.Config().Name, millis(l.StepP95), millis(l.WriteP95))
		}
	}
	return ""
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/1e6) }
