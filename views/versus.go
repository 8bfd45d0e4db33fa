package views

import (
	"fmt"
	"strings"
	"time"

	"ttftop/probe"
	"ttftop/probe/ab"
	"ttftop/themes"
)

// Versus is a comparison of two targets, as far as it has come.
type Versus struct {
	Verdict ab.Verdict
	Pairs   probe.Pairs        // as they are sent, or were last sent
	Sides   [2]int             // indexes of A and B among the targets
	Since   string             // what it began anew with, "" for the first beginning
	Full    bool               // it takes no more pairs
	TTFT    [2][]time.Duration // of their successes, ascending
	History []ab.Moment        // the pairs, oldest first
}

// ComparePanel shows which of two targets is faster and whether it may be believed
// yet: the verdict, both distributions on one axis, the paired differences with
// the band that holds their median, the figures of both sides, and what doubt
// there is.
//
//	eu-west is faster than us-east: TTFT median −38 ms (−21 … −52), …
//	why: closer, not faster: network −41 ms
//	A us-east  ▂▆█▇▅▃▁
//	B eu-west ▁▅█▃▁
//	          └200──B────A──400 ms
//	 +50│ A faster      ⢀  ⡀
//	   0│──────────⠁────────⠂─────
//	 −50│░░░░░░░░░░░░░░░░░░░░░░░░░
//	    └pair 1              84
//	ms         p50              p95      p99  failed
//	A us-east  311 (301 … 325)  (≥ 358)    –  0 of 84
//	B eu-west  …
//	B − A      −38 (−21 … −52)  …
//	network −41 (−39 … −43)  prefill +3.1 (−1.0 … +7.2)
//	! one side is cached: …
//
// A tall panel has the table of all figures in place of the short one.
func ComparePanel(snap Snapshot, width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	v := snap.Versus
	if v == nil {
		s.howToCompare(len(snap.Targets))
		return s.String()
	}
	p := comparePlan(v, s)
	y := s.verdict(v, p.words)
	y = s.distributions(v, y, p.strip)
	y = s.differences(v, y, p.plot)
	y = s.compareFigures(v, p, y)
	s.doubts(p.doubts, y)
	return s.String()
}

// howToCompare says what to do where nothing is compared yet.
func (s *sheet) howToCompare(targets int) {
	lines := []string{"No pairs are sent: press e to begin, or a and b to choose the sides."}
	if targets < 2 {
		lines = []string{
			"One target alone: there is nothing to compare it with. Start with",
			"",
			"  ttftop URL_A URL_B                  two endpoints",
			"  ttftop --ab-models M1 M2 URL        two models of one",
			"",
			"or press e to compare it with itself: what differs then is chance.",
		}
	}
	for y, line := range lines {
		s.text(1, y, clipLine(line, s.w-1, s.sym), themes.Text)
	}
}

// CompareTitle is the name of the panel and how far it has come: how many pairs,
// how they are sent, and what is asked of the verdict.
func CompareTitle(snap Snapshot) (name, remark string) {
	if snap.Versus == nil {
		return "A/B", ""
	}
	return "A/B", snap.Versus.how("e goes on")
}

// how says how far a comparison has come and how its pairs are sent. goesOn is
// what has more of them sent.
func (v *Versus) how(goesOn string) string {
	parts := []string{plural(int64(v.Verdict.Pairs), "pair") + " " + strings.ReplaceAll(string(v.Pairs.Order), "-", " ")}
	if v.Verdict.Beside > 0 {
		parts = append(parts, fmt.Sprintf("%s beside", Count(int64(v.Verdict.Beside))))
	}
	switch {
	case v.Full:
		parts = append(parts, "full: no more are taken")
	case !v.Pairs.On:
		parts = append(parts, "stopped: "+goesOn)
	}
	parts = append(parts, v.Verdict.Terms())
	if v.Since != "" {
		parts = append(parts, "anew since "+v.Since)
	}
	return strings.Join(parts, ", ")
}

// verdict writes the sentence and its reason, and returns the line after them.
func (s *sheet) verdict(v *Versus, words []string) int {
	tok := themes.Strong
	if v.Verdict.Outcome == ab.Undecided {
		tok = themes.Text
	}
	for y, line := range words {
		s.text(0, y, line, tok)
	}
	return len(words)
}

// doubts writes the warnings.
func (s *sheet) doubts(lines []string, y int) {
	for i, line := range lines {
		s.text(0, y+i, line, themes.Warn)
	}
}
