package tui

import (
	"slices"
	"strings"
	"time"

	"ttftop/probe"
	"ttftop/probe/slo"
)

// usualRank and usualLimit are those of an SLO of which nothing is said.
const (
	usualRank  = "p95"
	usualLimit = 500 * time.Millisecond
)

// sloLadder is the limits that the knob goes up and down, in milliseconds.
var sloLadder = []float64{50, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1500, 2000, 3000, 5000, 10000, 20000, 30000}

// turnedSLO is the place of the SLO that the knob turns, the first of the
// TTFT; −1 where there is none.
func turnedSLO(all []probe.SLO) int {
	return slices.IndexFunc(all, func(s probe.SLO) bool { return s.Metric == probe.TTFTMetric })
}

// sloValue is the SLO as the row of knobs shows it: the one that the knob
// turns, and how many there are besides.
func sloValue(all []probe.SLO) string {
	at := turnedSLO(all)
	switch {
	case len(all) == 0:
		return "off"
	case at < 0:
		at = 0
	}
	text := all[at].String()
	if more := len(all) - 1; more > 0 {
		text += " +" + number(float64(more))
	}
	return text
}

// turnSLO makes the limit longer or shorter. It begins near what the TTFT is
// now, p95, and ends below its shortest step.
func turnSLO(s *probe.Settings, up bool, p95 probe.Mark) {
	at := turnedSLO(s.SLO)
	if at < 0 {
		start := usualLimit
		if p95.OK {
			start = millis(along(sloLadder, float64(p95.At)/1e6, true))
		}
		s.SLO = append(s.SLO, probe.SLO{Metric: probe.TTFTMetric, Quantile: 0.95, Limit: start})
		return
	}
	now := float64(s.SLO[at].Limit) / 1e6
	next := along(sloLadder, now, up)
	if next == now && !up {
		s.SLO = slices.Delete(s.SLO, at, at+1)
		return
	}
	s.SLO[at].Limit = millis(next)
}

// sloTold says what a typed SLO did to those that there were.
func sloTold(before, after []probe.SLO) string {
	only := func(of, not []probe.SLO) string {
		var texts []string
		for _, s := range of {
			if !slices.Contains(not, s) {
				texts = append(texts, s.String())
			}
		}
		return strings.Join(texts, ", ")
	}
	added, gone := only(after, before), only(before, after)
	switch {
	case len(after) == 0:
		return "slo is off"
	case added == "":
		return "slo is " + sloValue(after)
	case gone != "":
		return "slo is " + added + ", in place of " + gone
	case len(before) == 0:
		return "slo is " + added
	}
	return "slo is " + added + " besides " + only(before, nil) + "; off takes all away"
}

func millis(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }

// parseSLO takes a typed SLO in place of the one that limits the same; a time
// alone is the limit of the one that the knob turns, and "off" or nothing takes
// them all away.
func parseSLO(s *probe.Settings, text string) error {
	text = strings.TrimSpace(text)
	if text == "" || strings.EqualFold(text, "off") {
		s.SLO = nil
		return nil
	}
	if !strings.ContainsAny(text, "=≤") {
		rank := usualRank
		if at := turnedSLO(s.SLO); at >= 0 {
			rank = s.SLO[at].Rank()
		}
		if strings.Trim(text, "0123456789.") == "" {
			text += "ms"
		}
		text = rank + "=" + text
	}
	typed, err := slo.Parse(text)
	if err != nil {
		return err
	}
	if at := slices.IndexFunc(s.SLO, func(o probe.SLO) bool { return slo.Same(o, typed) }); at >= 0 {
		s.SLO[at] = typed
	} else {
		s.SLO = append(s.SLO, typed)
	}
	return nil
}
