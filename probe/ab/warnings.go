package ab

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ttftop/probe"
)

const (
	sharesApart  = 0.2  // difference of the shares of probes that met a cache, or a kept connection
	lengthsApart = 0.02 // difference of prompt lengths, as a share
	tokensApart  = 2    // and at least so many tokens
)

// warnings are the reasons why a difference may come from how the two were
// measured, in sentences.
func (c *Comparison) warnings() (all []string) {
	a, b := &c.sides[0], &c.sides[1]
	add := func(wrong bool, format string, values ...any) {
		if wrong {
			all = append(all, fmt.Sprintf(format, values...))
		}
	}
	if a.answered > 0 && b.answered > 0 {
		clockA, clockB := most(a.clocks), most(b.clocks)
		add(clockA != clockB, "the clocks differ: arrivals at %s are stamped by the %s, those at %s by the %s", c.config.A, clockName(clockA), c.config.B, clockName(clockB))
		all = append(all, c.otherSources()...)
		add(apart(a.cached, a, b.cached, b), "one side is cached: %d of %d prompts at %s, %d of %d at %s",
			a.cached, a.answered, c.config.A, b.cached, b.answered, c.config.B)
		add(apart(a.reused, a, b.reused, b), "connections differ: %d of %d were kept ones at %s, %d of %d at %s",
			a.reused, a.answered, c.config.A, b.reused, b.answered, c.config.B)
		na, nb := middle(&a.prompts), middle(&b.prompts)
		add(math.Abs(na-nb) > max(tokensApart, lengthsApart*max(na, nb)), "the prompts differ in length: %s counts %.0f tokens, %s counts %.0f", c.config.A, na, c.config.B, nb)
		all = append(all, c.otherTokens())
		add(!c.config.TwoModels && !maps.Equal(a.models, b.models), "the models differ: %s at %s, %s at %s", names(a.models), c.config.A, names(b.models), c.config.B)
	}
	if a.ttft.N() > 0 && b.ttft.N() > 0 {
		add(true, "%s", c.otherKnobs())
	}
	add(a.turned, "knobs were turned while %s was probed: its figures mix different settings", c.config.A)
	add(b.turned, "knobs were turned while %s was probed: its figures mix different settings", c.config.B)
	all = append(all, c.fails()...)
	all = append(all, c.refuses()...)
	add(c.skipped > 0, "%s skipped: too many probes were in flight at once; that is this program's bound, and a lower --rate avoids it", Count(c.skipped, c.what()))
	add(c.config.Unpaired, "the probes were not sent in pairs but are matched in the order they were sent: a change that hit one run alone counts as a difference, so the verdict is only as good as both runs were steady")
	add(c.alone > 0, "%s without a partner of the other side: counted for the quantiles of its own side alone", Count(c.alone, "probe"))
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// lettersApart is how many more characters, as a share, a token of one side may
// have.
const lettersApart = 0.1

// otherTokens tells that the same number of tokens is not the same text.
func (c *Comparison) otherTokens() string {
	a, b := middle(&c.sides[0].letters), middle(&c.sides[1].letters)
	more, most, least := c.config.B, a, b // where the same text is more tokens
	if b > a {
		more, most, least = c.config.A, b, a
	}
	if least == 0 || most <= (1+lettersApart)*least {
		return ""
	}
	return fmt.Sprintf("the tokenizers differ: a token is %.1f characters at %s and %.1f at %s, so what is compared is the same number of tokens; the same text is %.2g times as many at %s",
		a, c.config.A, b, c.config.B, most/least, more)
}

// what is compared one by one.
func (c *Comparison) what() string {
	if c.config.Unpaired {
		return "probe"
	}
	return "pair"
}

// apart reports whether something is much more frequent at one side.
func apart(na int, a *side, nb int, b *side) bool {
	return math.Abs(float64(na)/float64(a.answered)-float64(nb)/float64(b.answered)) > sharesApart
}

func clockName(k probe.ClockKind) string {
	if k == probe.KernelClock {
		return "kernel"
	}
	return "clock after the read"
}

func names(set map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(set)), ", ")
}

// otherSources tells of parts that are estimated for one side alone.
func (c *Comparison) otherSources() (all []string) {
	for i, p := range parts {
		a, b := most(c.sides[0].sources[i]), most(c.sides[1].sources[i])
		if c.sides[0].spent(i) && c.sides[1].spent(i) && (a == probe.Estimated) != (b == probe.Estimated) {
			all = append(all, fmt.Sprintf("%s is %s at %s and %s at %s", p, a, c.config.A, b, c.config.B))
		}
	}
	return all
}

// otherKnobs tells what was asked of the two sides differently.
func (c *Comparison) otherKnobs() string {
	a, b := c.sides[0].asked, c.sides[1].asked
	var differ []string
	for _, k := range []struct {
		name string
		a, b any
	}{
		{"prompt tokens", a.PromptTokens, b.PromptTokens}, {"output tokens", a.MaxTokens, b.MaxTokens}, {"batch pressure", a.Pressure, b.Pressure},
		{"cache", a.Cache, b.Cache},
	} {
		if k.a != k.b {
			differ = append(differ, fmt.Sprintf("%s %v and %v", k.name, k.a, k.b))
		}
	}
	if len(differ) == 0 {
		return ""
	}
	return fmt.Sprintf("%s and %s were probed differently: %s", c.config.A, c.config.B, strings.Join(differ, ", "))
}
