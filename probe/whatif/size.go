package whatif

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// billions finds the parameters in a model's name: "llama-3.1-70b-instruct".
// Names of mixtures ("8x7b", "30b-a3b") tell more than one size.
var (
	billions = regexp.MustCompile(`(?i)(?:^|[^0-9a-z.])([0-9]+(?:\.[0-9]+)?)b(?:$|[^0-9a-z])`)
	mixture  = regexp.MustCompile(`(?i)[0-9]x[0-9]|(?:^|[^0-9a-z])a[0-9.]+b`)
)

// size is the parameters that a model's name tells, in billions, and the least
// and the most that such a name is rounded from: a "1b" may have 1.24. 0 for none.
func size(name string) span {
	found := billions.FindStringSubmatch(name)
	if found == nil || mixture.MatchString(name) {
		return span{}
	}
	n, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		return span{}
	}
	_, digits, _ := strings.Cut(found[1], ".")
	half := 0.5 * math.Pow10(-len(digits))
	return span{n, max(0, n-half), n + half}
}

// smaller is the largest of the models that is smaller than the present one,
// and its share of the parameters; half and no name where the names don't tell.
func smaller(present string, models []string) (ratio span, name string) {
	now, best := size(present), span{}
	for _, m := range models {
		if n := size(m); n.mid < now.mid && n.mid > best.mid {
			best, name = n, m
		}
	}
	if name == "" {
		return exactly(0.5), ""
	}
	return span{best.mid / now.mid, best.lo / now.hi, min(1, best.hi/now.lo)}, name
}
