package tui

import (
	"reflect"
	"time"

	"ttftop/themes"
	"ttftop/views"
)

// cache keeps the lines of panels that did not change since they were drawn.
type cache struct {
	drawn map[panel]drawnPanel
}

// drawnPanel is a panel as it was last drawn, and all that it was drawn from.
type drawnPanel struct {
	from  views.Snapshot
	place Place
	theme themes.Theme
	lines []string
}

// screen is the screen of a snapshot with what has not changed taken from
// before. A nil cache draws everything.
func (c *cache) screen(s views.Snapshot, zoom panel, width, height int, th themes.Theme) string {
	if c == nil {
		return screen(s, zoom, width, height, th, draw)
	}
	return screen(s, zoom, width, height, th, c.lines)
}

// lines is a drawer.
func (c *cache) lines(s views.Snapshot, p Place, th themes.Theme) []string {
	from := relevant(s, p)
	d, ok := c.drawn[p.Panel]
	if ok && sameSize(d.place, p) && d.theme == th && reflect.DeepEqual(d.from, from) {
		return d.lines
	}
	if c.drawn == nil {
		c.drawn = map[panel]drawnPanel{}
	}
	d = drawnPanel{from, p, th, draw(from, p, th)}
	c.drawn[p.Panel] = d
	return d.lines
}

func sameSize(a, b Place) bool { return a.W == b.W && a.H == b.H && a.Title == b.Title }

// relevant is a snapshot without what a panel certainly doesn't show: what it
// might show stays, so that a cached panel is never out of date.
func relevant(s views.Snapshot, p Place) views.Snapshot {
	s.Dialog, s.Page = nil, nil
	if p.Panel != panelInspector {
		s.Inspect = nil
	}
	if p.Panel != panelWhatIf {
		s.WhatIf = nil
	}
	if p.Panel != panelHeader && p.Panel != panelCompare && p.Panel != panelSummary {
		s.Versus = nil
	}
	if p.Panel != panelStatus {
		s.Standings = nil
	}
	if p.Panel != panelLevers {
		s.Levers = nil
	}
	if p.Panel != panelTour {
		s.Tour = nil
	}
	switch p.Panel {
	case panelTour:
		effect := s.Effect
		s.Now = 0
		leave(&s, func(t views.Target) views.Target {
			return views.Target{P50: t.P50, P50Least: t.P50Least, P50Most: t.P50Most}
		})
		s.Effect = effect
	case panelHeader:
		s.Now = s.Now.Truncate(time.Second)
		leave(&s, func(t views.Target) views.Target { return views.Target{Name: t.Name} })
	case panelCompare:
		s.Now = 0
		leave(&s, func(views.Target) views.Target { return views.Target{} })
	case panelProbes:
		s.Now = 0
		table := s.Probes
		leave(&s, func(t views.Target) views.Target { return views.Target{Name: t.Name, Model: t.Model} })
		s.Probes = table
	case panelChart:
		s.Now = views.ChartNow(s, p.W)
		leave(&s, func(t views.Target) views.Target { return views.Target{Points: t.Points} })
	case panelFigures, panelHistogram, panelECDF, panelScaling, panelFits:
		s.Now = 0
		leave(&s, func(t views.Target) views.Target {
			return views.Target{Name: t.Name, Region: t.Region, Model: t.Model, Handoff: t.Handoff, Figures: t.Figures, Ladder: t.Ladder,
				Ranked: t.Ranked, Censored: t.Censored, Costs: t.Costs, Fit: t.Fit, Epoch: t.Epoch}
		})
	case panelStatus, panelKnobs, panelFooter:
		s.Now, s.Probes = 0, nil
		s.Targets = each(s.Targets, func(t views.Target) views.Target { return views.Target{Clock: t.Clock} })
	case panelWaterfalls:
		s.Now = 0
		leave(&s, lane)
	case panelDiagnosis:
		s.Now = 0
		leave(&s, func(t views.Target) views.Target { return views.Target{Diagnosis: t.Diagnosis} })
	case panelInspector:
		s.Now, s.Epoch, s.Limits, s.Changes = 0, 0, nil, nil
		leave(&s, lane)
	case panelWhatIf:
		s.Now, s.Epoch, s.Limits, s.Changes = 0, 0, nil, nil
		leave(&s, func(t views.Target) views.Target { return views.Target{Name: t.Name, Model: t.Model} })
	case panelLevers:
		s = views.Snapshot{Levers: s.Levers}
	case panelEffect:
		s.Now, s.Probes = 0, nil
		s.Status = views.Status{Notices: s.Status.Notices, Fresh: s.Status.Fresh}
		s.Targets = each(s.Targets, func(t views.Target) views.Target { return views.Target{Name: t.Name} })
	case panelFinding:
		s.Now, s.Probes = 0, nil
		s.Status = views.Status{Notices: s.Status.Notices, Fresh: s.Status.Fresh}
		s.Targets = each(s.Targets, func(t views.Target) views.Target { return views.Target{Diagnosis: t.Diagnosis} })
	default: // the summary
		s.Now = 0
		if p := s.Probes; p != nil {
			s.Probes = &views.ProbeList{Filter: p.Filter, Typing: p.Typing}
		}
		s.Targets = each(s.Targets, lane)
	}
	return s
}

// lane is what a lane may show of a target.
func lane(t views.Target) views.Target {
	t.Points, t.Costs, t.Ranked = nil, nil, nil
	return t
}

// leave drops all that no panel of charts, tables and names shows, and leaves a
// part of each target.
func leave(s *views.Snapshot, part func(views.Target) views.Target) {
	s.Status, s.Knobs, s.Effect, s.Probes = views.Status{}, nil, nil, nil
	s.Targets = each(s.Targets, part)
}

func each(targets []views.Target, part func(views.Target) views.Target) []views.Target {
	list := make([]views.Target, len(targets))
	for i := range targets {
		list[i] = part(targets[i])
	}
	return list
}
