package views

import (
	"math"

	"ttftop/probe/quantile"
	"ttftop/themes"
)

// quantileOf is a quantile of the figures with its name.
type quantileOf struct {
	name string
	q    float64
	quantile.Estimate
}

// quantilesOf are those that the views of a distribution mark.
func quantilesOf(f *Figures) []quantileOf {
	return []quantileOf{{"50", .5, f.P50}, {"95", .95, f.P95}, {"99", .99, f.P99}}
}

// timeReach is the logarithmic axis of TTFT for all targets: around their
// ranked probes, and quantiles beyond a limit at its end. False where there is
// no success at all.
func timeReach(targets []Target, ticks int) (reach, bool) {
	least, most := math.Inf(1), 0.0
	for i := range targets {
		t := &targets[i]
		if n := len(t.Ranked); n > 0 {
			least, most = min(least, nanoseconds(t.Ranked[0])), max(most, nanoseconds(t.Ranked[n-1]))
		}
	}
	if most == 0 {
		return reach{}, false
	}
	return logReach(least, most, ticks), true
}

// timeAxis draws the ticks of a TTFT axis over w cells from column x on.
func (s *sheet) timeAxis(x, y, w int, r reach) {
	s.fill(x, y, w, s.sym.AxisFloor, themes.Border)
	end := x - 1
	for i, v := range r.ticks {
		label := short(v / 1e6)
		if i == len(r.ticks)-1 && v >= r.hi {
			label += " ms"
		}
		at := x + r.at(v, w) - cells(label)/2
		at = min(max(at, x), x+w-cells(label))
		if at > end {
			end = s.text(at, y, label, themes.Dim)
		}
	}
}

// EpochName says which epoch the figures are of: "epoch 3, since prompt 256 →
// 512, B since epoch 1" where the last change turned nothing of B's.
func EpochName(snap Snapshot) string {
	name := epochOf(snap.Epoch)
	since := "the start"
	for i := len(snap.Changes) - 1; i >= 0; i-- {
		if c := snap.Changes[i]; c.Epoch == snap.Epoch && !c.Note {
			since = c.Text
			break
		}
	}
	name += ", since " + since
	for i := range snap.Targets {
		if e := snap.Targets[i].Epoch; e != snap.Epoch {
			name += ", " + letter(i) + " since " + epochOf(e)
		}
	}
	return name
}

func epochOf(n int) string { return "epoch " + Count(int64(max(n, 0))) }

// noSuccess is what a view of a distribution says while it has nothing to show.
func noSuccess(snap Snapshot) string {
	if snap.unnamed() {
		return noModel
	}
	for i := range snap.Targets {
		if snap.Targets[i].Censored > 0 {
			return "not yet: no probe of this epoch has succeeded"
		}
	}
	return "not yet: no probe of this epoch has ended"
}

// noModel is why there is no probe where no target has a model.
const noModel = "no probe is sent: no model is known (m, or -m MODEL)"

// unnamed reports whether no target has a model to probe.
func (s *Snapshot) unnamed() bool {
	for i := range s.Targets {
		if s.Targets[i].Model != "" {
			return false
		}
	}
	return len(s.Targets) > 0
}
