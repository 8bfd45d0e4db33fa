package views

import (
	"strings"
	"time"

	"ttftop/themes"
)

// farLimit is how many times the highest point a limit may be for the axis of
// TTFT to reach up to it; one beyond is told at the top.
const farLimit = 3

// reachLimits is how high the axis must go for the limits that it can show.
func reachLimits(most time.Duration, limits []Limit) time.Duration {
	high := most
	for _, l := range limits {
		if most == 0 || l.SLO.Limit/farLimit <= most {
			high = max(high, min(l.SLO.Limit, longestAxis))
		}
	}
	return high
}

// limitLines draws a line at the limit of each SLO, below everything else.
func (s *sheet) limitLines(snap Snapshot, f frame) {
	for _, l := range snap.Limits {
		if l.SLO.Limit <= f.y.Top {
			s.fill(f.x, f.dot(l.SLO.Limit)/dotsDown, f.w, s.sym.Limit, themes.Good)
		}
	}
}

// limitTexts writes on each line, from the left, which SLO it is and the share
// of the probes of this epoch that are within it: "p95 ≤ 600 ms  A 98 %". One
// beyond the axis is written at its top, and one whose line is taken after the one
// that has it, or else on the next line.
func (s *sheet) limitTexts(snap Snapshot, f frame) {
	free := 0 // the first line from the top for those beyond the axis
	if f.hasChange(snap, min(max(snap.Now, 0), longestAxis)) && f.rows > 2 {
		free = 1
	}
	ends := make([]int, f.rows)
	for _, l := range snap.Limits {
		y, text := 0, limitName(l, s.sym)
		if l.SLO.Limit <= f.y.Top {
			y = min(max(f.dot(l.SLO.Limit)/dotsDown, 0), f.rows-1)
		} else {
			y, text = min(free, f.rows-1), s.sym.Above+" "+text
		}
		room := f.w - 4
		for _, row := range []int{y, y + 1, y - 1} {
			if row >= 0 && row < f.rows && ends[row]+2+cells(text) <= room {
				y = row
				break
			}
		}
		ends[y] = s.limitText(l, text, f, y, ends[y])
	}
}

// limitText writes one of them from a column of the plot on, and returns the one
// after it.
func (s *sheet) limitText(l Limit, text string, f frame, y, from int) int {
	x := s.text(f.x+1+from, y, " "+clip(text, f.w-4-from, s.sym)+" ", themes.Good)
	for i, share := range l.Shares {
		item := letter(i) + " " + within(share, s.sym) + " "
		if share.Of == 0 || x+cells(item) > f.x+f.w-1 {
			continue
		}
		tok := themes.Good
		if float64(share.N) < l.SLO.Quantile*float64(share.Of) {
			tok = themes.Bad
		}
		x = s.text(x, y, item, tok)
	}
	return x - f.x
}

// limitName is an SLO as the screen tells it: "p95 ≤ 600 ms".
func limitName(l Limit, sym *themes.Symbols) string {
	return l.SLO.Rank() + " ≤ " + Duration(l.SLO.Limit, sym)
}

// within is the share of the probes that are within a limit; only when all are
// it reads 100 %.
func within(share Share, sym *themes.Symbols) string {
	text := percent(share.N, share.Of, sym)
	if share.N < share.Of && strings.HasPrefix(text, "100") {
		return ">99 %"
	}
	return text
}
