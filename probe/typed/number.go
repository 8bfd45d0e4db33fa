// Package typed reads what people type.
package typed

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number reads a number as people type it: "8192", "8,192", "8k", "1.5k".
// k is 1,024 where the number before it is whole, as in the names of context
// lengths, and 1,000 otherwise. There is no -0. The error is a Comma, or
// strconv.ErrRange for one that is too large, else strconv.ErrSyntax.
func Number(text string) (float64, error) {
	digits := strings.TrimSpace(strings.ToLower(text))
	rest, kilo := strings.CutSuffix(digits, "k")
	if strings.Contains(rest, ",") {
		if !grouped.MatchString(rest) {
			return 0, Comma{strings.TrimSpace(text)}
		}
		rest = strings.ReplaceAll(rest, ",", "")
	}
	times := 1.0
	switch {
	case kilo && strings.Contains(rest, "."):
		times = 1000
	case kilo:
		times = 1024
	}
	v, err := strconv.ParseFloat(rest, 64)
	if err == nil && math.IsInf(v*times, 0) {
		err = strconv.ErrRange
	}
	if err == nil && math.IsNaN(v) {
		err = strconv.ErrSyntax
	}
	if err != nil {
		return 0, fmt.Errorf("%q is no number: %w", text, err)
	}
	return v*times + 0, nil // -0 + 0 is 0
}
