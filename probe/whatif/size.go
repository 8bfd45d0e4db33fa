package whatif

import (
	"regexp"
	"strconv"
)

// billions finds the parameters in a model's name: "llama-3.1-70b-instruct".
// Names of mixtures ("8x7b", "30b-a3b") tell more than one size.
var (
	billions = regexp.MustCompile(`(?i)(?:^|[^0-9a-z.])([0-9]+(?:\.[0-9]+)?)b(?:$|[^0-9a-z])`)
	mixture  = regexp.MustCompile(`(?i)[0-9]x[0-9]|(?:^|[^0-9a-z])a[0-9.]+b`)
)

// size is the parameters that a model's name tells, in billions; 0 for none.
func size(name string) float64 {
	found := billions.FindStringSubmatch(name)
	if found == nil || mixture.MatchString(name) {
		return 0
	}
	n, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		return 0
	}
	return n
}

// smaller is the largest of the models that is smaller than the present one,
// and its share of the parameters; half and no name where the names don't tell.
func smaller(present string, models []string) (ratio float64, name string) {
	now, best := size(present), 0.0
	for _, m := range models {
		if n := size(m); n < now && n > best {
			best, name = n, m
		}
	}
	if name == "" {
		return 0.5, ""
	}
	return best / now, name
}
