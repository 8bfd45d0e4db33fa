package ab

import "fmt"

// From so many failures or refusals, and such a share of them, on, they are told
// wherever the verdict is.
const (
	fewestNotable = 2
	leastNotable  = 0.05
)

func notable(n, of int) bool {
	return n >= fewestNotable && float64(n) >= leastNotable*float64(of)
}

// worse is the side that certainly fails more, 0 for A and 1 for B, 2 for neither:
// a sign test, like that of the differences, on the pairs in which one side alone
// failed.
func (c *Comparison) worse() int {
	low, high := c.failures.Ranks(c.onlyA + c.onlyB)
	switch {
	case c.onlyA >= high:
		return 0
	case c.onlyB >= low:
		return 1
	}
	return 2
}

// fails tells of a side that fails more than the other, or notably.
func (c *Comparison) fails() (all []string) {
	names := [2]string{c.config.A, c.config.B}
	side, verb := c.worse(), "fails more"
	for i := 1; i >= 0 && side == 2; i-- {
		if s := &c.sides[i]; notable(s.failed, s.ttft.N()) {
			side, verb = i, "fails"
		}
	}
	if side == 2 {
		return nil
	}
	s, other := &c.sides[side], &c.sides[1-side]
	return []string{fmt.Sprintf("%s %s: %d of %d probes, %s %d of %d; a failure ranks slower than every success",
		names[side], verb, s.failed, s.ttft.N(), names[1-side], other.failed, other.ttft.N())}
}

// refuses tells of probes that were refused.
func (c *Comparison) refuses() (all []string) {
	for i, name := range []string{c.config.A, c.config.B} {
		if s := &c.sides[i]; s.refusals() > 0 {
			all = append(all, fmt.Sprintf("%s refused %d of %d probes (%s): their pairs count for neither side",
				name, s.refusals(), s.refusals()+s.ttft.N(), s.refusedWith()))
		}
	}
	return all
}

// Failures says how many probes of a side failed.
func (s SideFigures) Failures() string { return fmt.Sprintf("%d of %d", s.Failed, s.Probes) }

// Refusals says how many probes of a side were refused, and with what.
func (s SideFigures) Refusals() string {
	text := fmt.Sprintf("%d of %d", s.Refused, s.Probes+s.Refused)
	if s.RefusedWith != "" {
		text += " (" + s.RefusedWith + ")"
	}
	return text
}

func (s SideFigures) failsNotably() bool { return s.FailsMore || notable(s.Failed, s.Probes) }

func (s SideFigures) refusedNotably() bool { return notable(s.Refused, s.Probes+s.Refused) }
