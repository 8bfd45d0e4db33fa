package tui

import (
	"ttftop/probe"
	"ttftop/views"
)

// standings are how the SLOs stand at each target.
func (m *model) standings() []views.Standing {
	var all []views.Standing
	for _, s := range m.settings.SLO {
		of := views.Standing{SLO: s}
		shares := m.state.shares[s]
		for i := range m.state.targets {
			var share views.Share
			if i < len(shares) {
				share = shares[i]
			}
			of.Met = append(of.Met, metBy(s, &m.state.targets[i].Figures, share))
		}
		all = append(all, of)
	}
	return all
}

// metBy reports whether figures meet an SLO; share are the probes within its limit,
// where that is one of the TTFT.
func metBy(s probe.SLO, f *views.Figures, share views.Share) views.Met {
	known := func(ok, met bool) views.Met {
		switch {
		case !ok:
			return views.MetUnknown
		case met:
			return views.MetYes
		}
		return views.MetNo
	}
	switch s.Metric {
	case probe.TTFTMetric:
		return known(share.Of > 0, float64(share.N) >= s.Quantile*float64(share.Of))
	case probe.Per1kMetric:
		return known(f.Per1k.OK, f.Per1k.At <= s.Limit)
	case probe.TPOTMetric:
		return known(f.TPOT.OK, f.TPOT.At <= s.Limit)
	case probe.FailuresMetric:
		n, of := f.Failures()
		return known(of > 0, float64(n) <= s.Share*float64(of))
	}
	return views.MetUnknown
}
