package views

import (
	"math"
	"strconv"
	"strings"
	"time"

	"ttftop/probe"
	"ttftop/probe/quantile"
	"ttftop/themes"
)

// Duration formats a duration with three significant digits and its unit, µs,
// ms or s: "420 µs", "94.2 ms", "1.23 s". A negative one keeps its sign.
func Duration(d time.Duration, sym *themes.Symbols) string {
	if d < 0 {
		return sym.Minus + Duration(-max(d, -math.MaxInt64), sym)
	}
	switch ns := float64(d); {
	case d == 0:
		return "0 ms"
	case ns < 999.5e3:
		return digits(ns/1e3) + " " + sym.Micro
	case ns < 999.5e6:
		return digits(ns/1e6) + " ms"
	default:
		return digits(ns/1e9) + " s"
	}
}

// millis formats a duration as a number of milliseconds without its unit, for
// columns whose head says ms: "0.42", "94.2", "1,234".
func millis(d time.Duration, sym *themes.Symbols) string {
	if d < 0 {
		return sym.Minus + millis(-max(d, -math.MaxInt64), sym)
	}
	return digits(float64(d) / 1e6)
}

// signedMillis is millis with a sign in any case: "+87.8", "−3.1", "0".
func signedMillis(d time.Duration, sym *themes.Symbols) string {
	if d.Abs() < time.Microsecond/2 {
		return "0"
	}
	if d <= 0 {
		return millis(d, sym)
	}
	return "+" + millis(d, sym)
}

// digits formats v ≥ 0 with three significant digits, at most three decimals
// and thousands separators.
func digits(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v < 0.0005:
		return "<0.001"
	case v < 0.9995:
		return strings.TrimRight(strconv.FormatFloat(v, 'f', 3, 64), "0")
	case v < 9.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v < math.MaxInt64/2:
		return Count(int64(math.Round(v)))
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// Count formats a count with thousands separators: "14,612".
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// shortCount formats a count with three significant digits for places where
// Count is too long: "912", "14.6k", "2.1M".
func shortCount(n int64) string {
	v := float64(n)
	switch {
	case n < 0 || n < 1000:
		return strconv.FormatInt(n, 10)
	case v < 999.5e3:
		return short(v/1e3) + "k"
	case v < 999.5e6:
		return short(v/1e6) + "M"
	case v < 999.5e9:
		return short(v/1e9) + "G"
	}
	return short(v/1e12) + "T"
}

// short is digits without zeros at its end: "14.6", "2".
func short(v float64) string {
	s := digits(v)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// tickLabel is the milliseconds at the tick of an axis, which are round.
func tickLabel(d time.Duration) string { return short(float64(d) / 1e6) }

// mark formats an instant in milliseconds, or the sign of the unknown.
func mark(m probe.Mark, sym *themes.Symbols) string {
	if !m.OK {
		return sym.Unknown
	}
	return millis(positive(m.At), sym)
}

// estimate formats a quantile in milliseconds: "–" unknown, ">30,000" beyond a
// limit, "failed" where it falls on a failure that nobody waited for, "max 131" where the sample is too small and its maximum is given.
func estimate(e quantile.Estimate, sym *themes.Symbols) string {
	at := millis(positive(e.At), sym)
	switch {
	case !e.OK:
		return sym.Unknown
	case e.Censored && e.At <= 0:
		return "failed"
	case e.Censored:
		return sym.Beyond + at
	case e.Max:
		return "max " + at
	}
	return at
}

// rate formats tokens per second; 0 and what is no number are unknown.
func rate(v float64, sym *themes.Symbols) string {
	if !(v > 0) || math.IsInf(v, 0) {
		return sym.Unknown
	}
	return digits(v)
}

// failedShare is the share of the probes that the endpoint failed.
func failedShare(f *Figures, sym *themes.Symbols) string {
	n, of := f.Failures()
	return percent(n, of, sym)
}

// percent formats part/whole; a part that is there never reads as 0 %.
func percent(part, whole int, sym *themes.Symbols) string {
	if whole <= 0 || part < 0 {
		return sym.Unknown
	}
	v := 100 * float64(part) / float64(whole)
	switch {
	case part == 0:
		return "0 %"
	case v < 0.1:
		return "<0.1 %"
	case v < 9.95:
		return strconv.FormatFloat(v, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(v, 'f', 0, 64) + " %"
}

// approximate marks a figure that rests on a guess; the unknown stays bare.
func approximate(s string, exact bool, sym *themes.Symbols) string {
	if exact || s == sym.Unknown {
		return s
	}
	return sym.Approx + s
}

// clock formats the time since the start: "1:42", "1:02:03".
func clock(d time.Duration) string {
	sec := int64(max(d, 0) / time.Second)
	two := func(n int64) string { return string([]byte{byte('0' + n/10%10), byte('0' + n%10)}) }
	if sec < 3600 {
		return strconv.FormatInt(sec/60, 10) + ":" + two(sec%60)
	}
	return strconv.FormatInt(sec/3600, 10) + ":" + two(sec/60%60) + ":" + two(sec%60)
}

// wait formats how long a hold lasts yet, in whole seconds rounded up.
func wait(d time.Duration) string {
	return Count(int64((max(d, 0)+time.Second-1)/time.Second)) + " s"
}

// plural is "1 probe" or "2 probes".
func plural(n int64, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return Count(n) + " " + word + "s"
}
