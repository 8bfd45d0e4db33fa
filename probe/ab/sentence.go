package ab

import (
	"fmt"
	"strings"
)

// Sentence is the verdict in one sentence that can be pasted anywhere:
// "eu-west is faster than us-east: TTFT median −38 ms (−21 … −52), −12 % (−7 …
// −16), 84 pairs, 95 % at any time of looking". Of the faster one, the
// difference to the slower; otherwise that of B to A. A side that fails or is
// refused notably is named in it.
func (v Verdict) Sentence() string {
	return v.claim() + ", " + v.howMany()
}

func (v Verdict) claim() string {
	names := v.labels()
	a, b := names[0], names[1]
	switch {
	case v.Pairs == 0:
		return fmt.Sprintf("nothing can be said yet of %s and %s%s%s", a, b, v.silence(), v.but())
	case !v.told():
		return v.ofFailures()
	}
	switch v.Outcome {
	case BFaster:
		return fmt.Sprintf("%s is faster than %s: TTFT median %s, %s%s", b, a, v.Diff.Difference(" ms"), v.Ratio, v.but())
	case AFaster:
		return fmt.Sprintf("%s is faster than %s: TTFT median %s, %s%s", a, b, v.Diff.turned().Difference(" ms"), v.Ratio.turned(), v.but())
	case Same:
		return fmt.Sprintf("%s and %s are the same to within %s: %s%s", a, b, percent(v.Margin), v.compared(), v.but())
	case AFailsMore, BFailsMore:
		worse := 0
		if v.Outcome == BFailsMore {
			worse = 1
		}
		return fmt.Sprintf("%s fails more than %s, %s against %s, and takes as long to within %s: %s", names[worse], names[1-worse],
			v.Sides[worse].Failures(), v.Sides[1-worse].Failures(), percent(v.Margin), v.compared())
	}
	return fmt.Sprintf("it can't be said yet whether %s or %s is faster: %s%s", a, b, v.compared(), v.but())
}

// compared is the difference of B to A in words.
func (v Verdict) compared() string {
	names := v.labels()
	return fmt.Sprintf("%s compared with %s, TTFT median %s, %s", names[1], names[0], v.Diff.Difference(" ms"), v.Ratio)
}

// told reports whether there is a median difference to tell: where a side fails in
// half of the pairs there is none.
func (v Verdict) told() bool { return v.Diff.Estimate.OK && v.Ratio.known() }

// ofFailures is the claim where failures alone decide.
func (v Verdict) ofFailures() string {
	names, better := v.labels(), 0
	if v.Outcome == BFaster {
		better = 1
	}
	text, all := "it can't be said yet whether %s or %s is faster: %[1]s failed %[3]s, %[2]s failed %[4]s", [2]int{0, 1}
	if v.Outcome == AFaster || v.Outcome == BFaster {
		text, all = "%s is faster than %s, which failed %[4]s (%[1]s failed %[3]s)", [2]int{better, 1 - better}
	}
	return fmt.Sprintf(text, names[all[0]], names[all[1]], v.Sides[all[0]].Failures(), v.Sides[all[1]].Failures())
}

// labels are the names of A and B, with their letters where one could be taken for
// the other.
func (v Verdict) labels() [2]string {
	a, b := v.A, v.B
	if strings.HasPrefix(a, b) || strings.HasPrefix(b, a) {
		return [2]string{a + " (A)", b + " (B)"}
	}
	return [2]string{a, b}
}

// but tells what a median hides: ", but eu-west failed 29 of 131".
func (v Verdict) but() string {
	var all []string
	for i, s := range v.Sides {
		name := v.labels()[i]
		if s.failsNotably() {
			all = append(all, name+" failed "+s.Failures())
		}
		if s.refusedNotably() {
			all = append(all, name+" was refused "+s.Refusals())
		}
	}
	if len(all) == 0 {
		return ""
	}
	return ", but " + strings.Join(all, " and ")
}

// silence names the sides that have not answered at all.
func (v Verdict) silence() string {
	var all []string
	for i, s := range v.Sides {
		if s.Silent != "" {
			all = append(all, v.labels()[i]+" has not answered: "+s.Silent)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return ": " + strings.Join(all, "; ")
}

func (v Verdict) howMany() string {
	text := Count(v.Pairs, "pair")
	if v.Beside > 0 {
		text += fmt.Sprintf(" and %d left out", v.Beside)
	}
	if v.Skipped > 0 {
		text += fmt.Sprintf(" (%d skipped)", v.Skipped)
	}
	if v.Outcome == Undecided && v.told() {
		if v.More > 0 {
			text += fmt.Sprintf(", about %d more would settle it at the present spread", roughly(v.More))
		} else {
			text += ", and more won't settle it at this spread"
		}
	}
	return text + fmt.Sprintf(", %s at any time of looking", percent(v.Confidence))
}
