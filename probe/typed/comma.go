package typed

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// grouped is a number in which commas part the thousands.
var grouped = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?$`)

// Comma is the error of a number with a comma that parts no thousands: it may be
// meant as a decimal point. It is a strconv.ErrSyntax too.
type Comma struct{ Typed string }

// Error says what to write instead.
func (e Comma) Error() string {
	meant := strings.Replace(e.Typed, ",", ".", 1)
	if _, err := Number(meant); err == nil && strings.Count(meant, ".") == 1 && !strings.Contains(meant, ",") {
		return fmt.Sprintf("%q: a comma parts thousands here: write %s", e.Typed, meant)
	}
	return fmt.Sprintf("%q: a comma parts thousands here, as in 1,024: write a point before decimals", e.Typed)
}

func (Comma) Unwrap() error { return strconv.ErrSyntax }
