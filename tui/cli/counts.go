package cli

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/alecthomas/kong"

	"ttftop/probe/typed"
)

// mostCount is the largest number up to which a float64 holds every whole one.
const mostCount = 1 << 53

// count has the flags of the type "count" take whole numbers as the knobs do: 8k,
// 8,192.
var count = kong.NamedMapper("count", kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
	var text string
	if err := ctx.Scan.PopValueInto("number", &text); err != nil {
		return err
	}
	v, err := typed.Number(text)
	if comma, ok := errors.AsType[typed.Comma](err); ok {
		return comma
	}
	if err != nil || v != math.Trunc(v) || math.Abs(v) > mostCount {
		return fmt.Errorf("%q: write a whole number such as 512 or 8k", text)
	}
	if target.Kind() == reflect.Pointer {
		target.Set(reflect.New(target.Type().Elem()))
		target = target.Elem()
	}
	target.SetInt(int64(v))
	return nil
}))
