package ab

import (
	"fmt"
	"math"
	"strings"

	"ttftop/probe"
)

// Sentence is the verdict in one sentence that can be pasted anywhere:
// "eu-west is faster than us-east: TTFT median −38 ms (−21 … −52), −12 % (−7 …
// −16), 84 pairs, 95 % at any time of looking". Of the faster one, the
// difference to the slower; otherwise B − A.
func (v Verdict) Sentence() string {
	return v.claim() + ", " + v.howMany()
}

func (v Verdict) claim() string {
	switch v.Outcome {
	case BFaster:
		return fmt.Sprintf("%s is faster than %s: TTFT median %s, %s", v.B, v.A, v.Diff.Difference(" ms"), v.Ratio)
	case AFaster:
		return fmt.Sprintf("%s is faster than %s: TTFT median %s, %s", v.A, v.B, v.Diff.turned().Difference(" ms"), v.Ratio.turned())
	case Same:
		return fmt.Sprintf("%s and %s are the same to within %s: TTFT median of the difference %s, %s", v.A, v.B, percent(v.Margin), v.Diff.Difference(" ms"), v.Ratio)
	}
	if v.Pairs == 0 {
		return fmt.Sprintf("nothing can be said yet of %s and %s", v.A, v.B)
	}
	return fmt.Sprintf("it can't be said yet whether %s or %s is faster: TTFT median of %s − %s %s, %s", v.A, v.B, v.B, v.A, v.Diff.Difference(" ms"), v.Ratio)
}

func (v Verdict) howMany() string {
	text := count(v.Pairs, "pair")
	if v.Outcome == Undecided && v.Pairs > 0 {
		if v.More > 0 {
			text += fmt.Sprintf(", about %d more would settle it at the present spread", roughly(v.More))
		} else {
			text += ", and no number of pairs in reach would settle it at the present spread"
		}
	}
	return text + fmt.Sprintf(", %s at any time of looking", percent(v.Confidence))
}

// told is the least share of the largest part that is worth a word.
const told = 0.05

// Why cuts the difference of the sentence by segment: "why: closer, not faster:
// network −41, prefill +3.1". Each figure is a median of its own: they need
// not add up. It is "" where nothing is cut.
func (v Verdict) Why() string {
	largest := 0.0
	for _, p := range v.Parts {
		if d := math.Abs(ms(p.Estimate, 0)); d > largest {
			largest = d
		}
	}
	var figures []string
	for _, p := range v.Parts {
		if e := ms(v.way(p.Span).Estimate, 0); e != 0 && math.Abs(e) >= told*largest {
			figures = append(figures, fmt.Sprintf("%s %s", p.Part, number(e, decimals(e), true)))
		}
	}
	if len(figures) == 0 {
		return ""
	}
	return "why: " + v.kind() + strings.Join(figures, ", ") + " ms"
}

// way turns a difference the way the sentence tells it.
func (v Verdict) way(s Span) Span {
	if v.Outcome == AFaster {
		return s.turned()
	}
	return s
}

// kind says whether the faster one is closer or its server is faster, as far as
// the intervals are certain of it.
func (v Verdict) kind() string {
	if v.Outcome != AFaster && v.Outcome != BFaster {
		return ""
	}
	network := Span{}
	for _, p := range v.Parts {
		if p.Part == probe.NetworkPart {
			network = v.way(p.Span)
		}
	}
	switch closer, quicker := network.sign() < 0, v.way(v.Server).sign() < 0; {
	case closer && quicker:
		return "closer, and its server is faster: "
	case closer && v.way(v.Server).sign() > 0:
		return "closer, though its server is slower: "
	case closer && v.littleOf(v.way(v.Server)):
		return "closer, not faster: "
	case closer:
		return "closer: "
	case quicker && network.sign() > 0:
		return "its server is faster, though it is farther away: "
	case quicker:
		return "its server is faster: "
	}
	return ""
}

// little is the share of a difference below which a part of it is no cause.
const little = 0.2

// littleOf reports whether a part certainly makes less than a fifth of the
// difference that the sentence tells.
func (v Verdict) littleOf(part Span) bool {
	whole := v.way(v.Diff).Estimate
	return whole.OK && part.Lo.OK && float64(part.Lo.At) > little*float64(whole.At)
}

// sign is −1 or 1 where the interval lies on one side of zero, else 0.
func (s Span) sign() int {
	switch {
	case s.Hi.OK && s.Hi.At < 0:
		return -1
	case s.Lo.OK && s.Lo.At > 0:
		return 1
	}
	return 0
}
