package typed

import (
	"errors"
	"math"
	"strconv"
	"testing"
)

func TestNumber(t *testing.T) {
	for text, want := range map[string]float64{
		"8192": 8192, "8,192": 8192, " 8K ": 8192, "1.5k": 1500, "0.25": 0.25, "-3": -3, "1e3": 1000, "-0": 0, "-0k": 0,
	} {
		if got, err := Number(text); err != nil || got != want || math.Signbit(got) != (want < 0) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]error{
		"": strconv.ErrSyntax, "k": strconv.ErrSyntax, "many": strconv.ErrSyntax, "nan": strconv.ErrSyntax, "8kk": strconv.ErrSyntax,
		"inf": strconv.ErrRange, "1e999": strconv.ErrRange, "-1e308k": strconv.ErrRange,
	} {
		if got, err := Number(text); !errors.Is(err, want) {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
}
