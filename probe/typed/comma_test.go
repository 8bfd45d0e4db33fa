package typed

import (
	"errors"
	"strconv"
	"strings"
	"testing"
)

func TestThousands(t *testing.T) {
	for text, want := range map[string]float64{"1,048,576": 1048576, "1,024.5": 1024.5, "-1,024": -1024, "1,024k": 1024 * 1024, "999,999": 999999} {
		if got, err := Number(text); got != want || err != nil {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
}

// A comma that parts no thousands is no number: it may be a decimal point.
func TestCommas(t *testing.T) {
	for text, write := range map[string]string{
		"0,5": "write 0.5", "1,5k": "write 1.5k", "0,500": "write 0.500", "12,34": "write 12.34", "1,0": "write 1.0",
		"1234,567": "write 1234.567", ",5": "write .5", "1,2,3": "as in 1,024", "1,000,5": "as in 1,024", "1,5.5": "as in 1,024", "1,": "write 1.",
		"1,x": "as in 1,024", "1.5,000": "as in 1,024",
	} {
		got, err := Number(text)
		if _, ok := errors.AsType[Comma](err); !ok || !errors.Is(err, strconv.ErrSyntax) || !strings.Contains(err.Error(), write) {
			t.Errorf("%q: %v, %v; want %q in it", text, got, err, write)
		}
	}
}
