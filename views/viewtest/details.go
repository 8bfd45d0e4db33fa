package viewtest

import (
	"ttftop/probe"
	"ttftop/probe/whatif"
	"ttftop/views"
)

// Details are situations of a person who looks closely at the waterfalls.
func Details() []Scene {
	return []Scene{
		{"truth", Estimated(func(s *views.Snapshot) { s.Truth = true })},
		{"intervals", Estimated(func(s *views.Snapshot) { s.Intervals = true })},
		{"inspect", with(Demo(), func(s *views.Snapshot) { s.Inspect = &views.Inspect{} })},
		{"inspect_truth", Estimated(func(s *views.Snapshot) {
			s.Truth, s.Inspect = true, &views.Inspect{Segment: probe.Queue, Explain: true}
		})},
		{"inspect_uncut", with(Uncut(), func(s *views.Snapshot) { s.Inspect = &views.Inspect{Explain: true} })},
		{"handoff", HandedOff()},
		{"inspect_handoff", with(HandedOff(), func(s *views.Snapshot) { s.Inspect = &views.Inspect{} })},
		{"whatif", Projected(nil)},
		{"whatif_uncut", Projected(func(k *whatif.Known) {
			k.P50, k.P95 = Uncut().Targets[0].Last.Waterfall, nil
		})},
		{"inspect_first", with(First(), func(s *views.Snapshot) { s.Inspect = &views.Inspect{Explain: true} })},
	}
}

// Estimated is the demo cut without the servers' reports, never seen idle.
func Estimated(change func(*views.Snapshot)) views.Snapshot {
	s := Demo()
	s.IgnoreReported = true
	near, far := &s.Targets[0], &s.Targets[1]
	near.P50, far.P50 = supposed(8.2, 2.4, 3.1, 85.2, 9.3), supposed(96.1, 2.9, 18.4, 88.7, 9.9)
	near.Last.Waterfall, far.Last.Waterfall = supposed(8.2, 2.5, 9.8, 85.1, 9.3), supposed(96.2, 3, 31.5, 88.9, 9.9)
	near.P50Least = true
	near.Last.Known.Flags = []probe.Flag{probe.FlagAtLeast}
	return with(s, change)
}

func with(s views.Snapshot, change func(*views.Snapshot)) views.Snapshot {
	if change != nil {
		change(&s)
	}
	return s
}
