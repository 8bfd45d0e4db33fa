package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/quantile"
	"ttftop/views"
)

func TestTurnSLO(t *testing.T) {
	for _, c := range []struct{ name, keys, want string }{
		{"it begins at a usual limit", "s", "p95=500ms"},
		{"longer", "s s s", "p95=800ms"},
		{"shorter", "s S", "p95=400ms"},
		{"off below the shortest", "s S S S S S S S", "off"},
		{"undo", "s s u", "p95=500ms"},
		{"undo to none", "s u", "off"},
		{"a bare time", "s S enter 6 5 0 enter", "p95=650ms"},
		{"a time with its unit", "s enter 1 . 2 s enter", "p95=1.2s"},
		{"another quantile stays beside it", "s enter p 9 9 = 1 s enter", "p95=500ms +1"},
		{"the same quantile is replaced", "s enter p 9 5 = 1 s enter", "p95=1s"},
		{"another metric", "s S enter t p o t = 4 0 m s enter", "p95=400ms +1"},
		{"off", "s enter o f f enter", "off"},
	} {
		p := sitAt(t, atSimulator)
		p.press(c.keys)
		if got := p.m.row()[knobSLO].Value; got != c.want || p.m.dialog != nil {
			t.Errorf("%s: %s: %q, want %q", c.name, c.keys, got, c.want)
		}
		if got := sloValue(p.last().SLO); got != c.want {
			t.Errorf("%s: the engine has %q", c.name, got)
		}
	}
}

// It begins above the p95 that there is.
func TestSLOBeginsNearTheFigure(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.engineDoes(func(st *state) {
		st.targets[0].Figures.P95 = quantile.Estimate{At: 1200 * time.Millisecond, OK: true, N: 30}
	})
	p.press("s")
	if got := sloValue(p.m.settings.SLO); got != "p95=1.5s" {
		t.Error(got)
	}
}

func TestSLOEntrySaysWhatIsWrong(t *testing.T) {
	p := sitAt(t, atSimulator)
	p.press("s enter f a s t enter")
	if d := p.m.dialog; d == nil || !strings.Contains(d.Error, `"fast" is no length of time`) {
		t.Errorf("%+v", d)
	}
}

// The limits of the TTFT reach the chart, with the share of each target; a
// failure that ranks is without, and a change of the SLO is no epoch.
func TestLimitsOfTheChart(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a"))
	after := settingsFor(w.targets)
	after.SLO = []probe.SLO{
		{Metric: probe.TPOTMetric, Quantile: 0.5, Limit: time.Second},
		{Metric: probe.TTFTMetric, Quantile: 0.95, Limit: 150 * ms},
	}
	w.ended(nil)
	w.tell(probe.Changed{At: w.start, Before: settingsFor(w.targets), Settings: after})
	w.ended(func(r *probe.Result) { r.Timeline.FirstToken = probe.At(151 * ms) })
	w.ended(fails(probe.Failure{Kind: probe.FailTimeout}))
	w.ended(fails(probe.Failure{Kind: probe.FailRateLimit}))
	m := model{targets: w.targets, settings: after, state: w.at(time.Second)}
	got := m.snapshot().Limits
	if len(got) != 1 || got[0].SLO != after.SLO[1] || !slices.Equal(got[0].Shares, []views.Share{{N: 1, Of: 3}}) {
		t.Errorf("%+v", got)
	}
	if len(m.state.changes) != 0 {
		t.Errorf("marks %+v", m.state.changes)
	}
}
