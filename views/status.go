package views

import (
	"math"
	"slices"
	"strings"
	"time"

	"ttftop/probe"
	"ttftop/probe/tally"
	"ttftop/themes"
)

// StatusPanel is the line of counts: probes, failures, tokens spent, the clock
// and the record; with the newest notices above it where there are lines, or how
// the SLOs stand.
func StatusPanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	notices := notices(&snap.Status)
	for y, i := s.h-2, len(notices)-1; y >= 0 && i >= 0; y, i = y-1, i-1 {
		s.notice(1, y, s.w-2, notices[i])
	}
	if s.w < standingsFrom {
		snap.Standings = nil
	}
	if s.h > 1 && len(notices) == 0 {
		s.standings(snap.Standings, s.h-2)
		snap.Standings = nil
	}
	s.statusBits(snap, s.h-1)
	return s.String()
}

// Footer is the line of the keys that matter most. Where not all fit, those
// before the last two are left out, from the end: the last two, as a rule help
// and quit, are what a person can't do without. A fresh notice has the place of the
// others.
func Footer(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	items := make([][]span, len(snap.Status.Keys))
	for i, k := range snap.Status.Keys {
		items[i] = keyItem(k, s.sym)
	}
	x := 1
	if fresh := snap.Status.Fresh; fresh != "" {
		items = items[max(len(items)-2, 0):]
		room := s.w - 2 - itemsWidth(items) - gap
		x = s.notice(x, s.h-1, room, fresh) + gap
	}
	for len(items) > 1 && itemsWidth(items) > s.w-1-x {
		i := max(len(items)-3, 0)
		items = append(items[:i], items[i+1:]...)
	}
	for _, item := range items {
		x = s.spans(x, s.h-1, item...) + gap
	}
	return s.String()
}

// keyItem is a key and what it does.
func keyItem(k KeyHelp, sym *themes.Symbols) []span {
	return []span{{clip(keyName(k.Key, sym), 12, sym), themes.Accent}, {" " + clip(k.Does, 40, sym), themes.Dim}}
}

// keyName is a key as it can be shown.
func keyName(key string, sym *themes.Symbols) string {
	if sym.ASCII {
		return asciiKeys.Replace(key)
	}
	return key
}

// asciiKeys spells the names of keys.
var asciiKeys = strings.NewReplacer("←→", "left/right", "↑↓", "up/down", "←", "left", "→", "right", "↑", "up", "↓", "down")

// amount formats a rate or a mean of streams: "9.6", "0".
func amount(v float64) string {
	if !(v > 0) || math.IsInf(v, 0) {
		return "0"
	}
	return short(v)
}

// PlainKept says in lines what was not achieved of what was asked for over a
// session: probes that were due and sent, and load streams on average. There
// are none where all was.
func PlainKept(probes, pressure tally.Kept) []string {
	var lines []string
	if probes.Share() < rateKept {
		lines = append(lines, "  "+Count(int64(probes.Achieved))+" of "+plural(int64(probes.Asked), "due probe")+" sent: the others were skipped, or this machine was late")
	}
	if pressure.Share() < pressureKept {
		lines = append(lines, "  load streams: "+amount(pressure.Achieved)+" in flight on average, "+amount(pressure.Asked)+" asked for")
	}
	return lines
}

// PlainBeside says in lines which probes of a session say nothing of the
// endpoint, and why; none where all do.
func PlainBeside(b tally.Beside) []string {
	var lines []string
	add := func(n int, of, why string) {
		if n > 0 {
			lines = append(lines, "  "+plural(int64(n), of)+" "+why)
		}
	}
	add(b.Unsent, "due probe", "never sent: this program was late")
	add(b.LateReads, "probe", "kept out of the figures: this program read the first token late")
	add(b.Steps, "probe", "kept out of the figures: the clock was set, or this program stood still")
	return lines
}

// PlainProxyOnly says that the network of a summary is that to a proxy alone,
// where the flags of the last probe do; else it is "".
func PlainProxyOnly(flags []probe.Flag) string {
	if !slices.Contains(flags, probe.FlagProxyOnly) {
		return ""
	}
	return "  " + proxyOnly
}

// PlainBusy says in which share of the session this program was late enough to
// colour a figure, and the worst of it.
func PlainBusy(share float64, worst time.Duration, th themes.Theme) string {
	return "this machine was busy for " + percent(int(math.Ceil(share*100)), 100, th.Symbols) + " of the time, up to " + Duration(worst, th.Symbols) + " late: measured figures may be too high"
}
