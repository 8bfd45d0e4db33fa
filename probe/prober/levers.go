package prober

import (
	"context"
	"maps"

	"ttftop/probe"
)

// turnLevers turns the levers to s. One that can't be turned stays as it was, in
// s too, and that is told.
func (p *Prober) turnLevers(ctx context.Context, s *probe.Settings) {
	now := p.Settings().Levers
	if p.config.Turn == nil || len(s.Levers) != len(now) {
		s.Levers = now
		return
	}
	for i, levers := range s.Levers {
		turned := maps.Clone(levers)
		maps.DeleteFunc(turned, func(name, value string) bool { return now[i][name] == value })
		if len(turned) == 0 {
			continue
		}
		if err := p.config.Turn(i, turned); err != nil {
			s.Levers[i] = now[i]
			p.emit(ctx, probe.Notice{Target: i, Text: "the levers stay as they were: " + err.Error()})
			continue
		}
		p.lanes[i].trivial.Store(new(trivial)) // the path may be another
	}
}

// turnedLevers reports whether this epoch began with a turn of a target's levers.
func (p *Prober) turnedLevers(target int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, before := p.settings.Levers, p.before.Levers
	return target < min(len(now), len(before)) && !maps.Equal(now[target], before[target])
}
