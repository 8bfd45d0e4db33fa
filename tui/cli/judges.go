package cli

import (
	"cmp"
	"time"

	"ttftop/probe"
	"ttftop/probe/kept"
	"ttftop/probe/session"
	"ttftop/probe/tally"
	"ttftop/themes"
	"ttftop/views"
)

// judges look while a session runs whether the SLOs given by flag are kept, those of
// each target by themselves. No judges judge nothing.
type judges [][]*kept.Judge

// judges has them listen to a session.
func (c *runCmd) judges(s *session.Config) judges {
	if len(c.SLO) == 0 {
		return nil
	}
	all := make(judges, len(s.Prober.Targets))
	for i := range all {
		for _, slo := range s.Prober.Settings.SLO {
			all[i] = append(all[i], kept.New(slo, c.config("", "").Confidence))
		}
	}
	before := s.On
	s.On = func(e probe.Event, t *tally.Tally) {
		before(e, t)
		switch e := e.(type) {
		case probe.Started:
			for _, j := range all[e.Target] {
				j.Began(e)
			}
		case probe.Finished:
			for _, j := range all[e.Result.Target] {
				j.Take(&e.Result)
			}
		}
	}
	return all
}

// settled reports whether no more probes are needed to tell.
func (all judges) settled() bool {
	for _, of := range all {
		for _, j := range of {
			if !j.Settled() {
				return false
			}
		}
	}
	return true
}

// line is what is said of an SLO of a target, behind its figures.
func (all judges) line(target, slo int, theme themes.Theme) string {
	if all == nil {
		return ""
	}
	return views.PlainState(all[target][slo], theme)
}

// end records what was found, and says with which status to end where nothing else
// went wrong.
func (all judges) end(s *session.Config) error {
	var worst error
	for i, of := range all {
		for _, j := range of {
			name := s.Prober.Targets[i].Name
			for _, w := range s.Records {
				if err := w.Write(j.Record(name, time.Now())); err != nil {
					return status{exitLost, "what became of the SLOs could not be written: " + err.Error()}
				}
			}
			switch {
			case j.State() == kept.Broken:
				worst = status{exitBroken, "the SLO " + j.SLO.String() + " is broken at " + name}
			case j.State() == kept.Undecided && worst == nil:
				worst = status{exitUndecided, "whether the SLO " + j.SLO.String() + " is kept at " + name + " is undecided"}
			}
		}
	}
	return worst
}

// worse is the one of two ends that a pipeline must not miss: what is certainly bad
// before what is undecided.
func worse(a, b error) error {
	if s, ok := a.(status); ok && s.code == exitUndecided {
		return cmp.Or(b, a)
	}
	return cmp.Or(a, b)
}
