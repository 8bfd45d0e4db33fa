package tally

import (
	"time"

	"ttftop/probe"
)

// packed is a waterfall in a fraction of its memory: the names and sources,
// which most probes of a target share, are kept once.
type packed struct {
	form   *form
	values []time.Duration // each segment's length; of an estimated one the ends of its interval too
}

// form is the names and sources of a waterfall's segments.
type form struct{ segments []probe.Segment } // without their durations

// pack takes a waterfall. Its form is that of before where they are alike.
func pack(w probe.Waterfall, before *form) packed {
	if len(w) == 0 {
		return packed{}
	}
	n := len(w)
	for i := range w {
		if w[i].Source == probe.Estimated {
			n += 2
		}
	}
	p := packed{form: before, values: make([]time.Duration, 0, n)}
	if !before.fits(w) {
		p.form = &form{}
		for _, s := range w {
			p.form.segments = append(p.form.segments, probe.Segment{Name: s.Name, Source: s.Source})
		}
	}
	for _, s := range w {
		p.values = append(p.values, s.Duration)
		if s.Source == probe.Estimated {
			p.values = append(p.values, s.Lo, s.Hi)
		}
	}
	return p
}

func (f *form) fits(w probe.Waterfall) bool {
	if f == nil || len(f.segments) != len(w) {
		return false
	}
	for i, s := range f.segments {
		if s.Name != w[i].Name || s.Source != w[i].Source {
			return false
		}
	}
	return true
}

// waterfall is what was packed.
func (p packed) waterfall() probe.Waterfall {
	if p.form == nil {
		return nil
	}
	w := append(probe.Waterfall(nil), p.form.segments...)
	rest := p.values
	for i := range w {
		w[i].Duration = rest[0]
		rest = rest[1:]
		if w[i].Source == probe.Estimated {
			w[i].Lo, w[i].Hi = rest[0], rest[1]
			rest = rest[2:]
		}
	}
	return w
}
