package views

import (
	"math"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/quantile"
	"ttftop/themes"
)

// symbols are the two sets of glyphs.
func symbols(t *testing.T) (unicode, ascii *themes.Symbols) {
	t.Helper()
	th, err := themes.Pick("mono", false, true)
	if err != nil {
		t.Fatal(err)
	}
	return th.Symbols, th.ASCII().Symbols
}

func TestDuration(t *testing.T) {
	u, a := symbols(t)
	tests := []struct {
		d           time.Duration
		want, ascii string
	}{
		{0, "0 ms", "0 ms"},
		{1, "0.001 µs", "0.001 us"},
		{420 * time.Microsecond, "420 µs", "420 us"},
		{999499, "999 µs", "999 us"},
		{999500, "1.00 ms", "1.00 ms"},
		{9994 * time.Microsecond, "9.99 ms", "9.99 ms"},
		{9996 * time.Microsecond, "10.0 ms", "10.0 ms"},
		{94230 * time.Microsecond, "94.2 ms", "94.2 ms"},
		{99960 * time.Microsecond, "100 ms", "100 ms"},
		{999500 * time.Microsecond, "1.00 s", "1.00 s"},
		{1234 * time.Millisecond, "1.23 s", "1.23 s"},
		{2 * time.Hour, "7,200 s", "7,200 s"},
		{-94230 * time.Microsecond, "−94.2 ms", "-94.2 ms"},
		{math.MaxInt64, "9,223,372,037 s", "9,223,372,037 s"},
		{math.MinInt64, "−9,223,372,037 s", "-9,223,372,037 s"},
	}
	for _, tt := range tests {
		if got := Duration(tt.d, u); got != tt.want {
			t.Errorf("Duration(%d) = %q, want %q", tt.d, got, tt.want)
		}
		if got := Duration(tt.d, a); got != tt.ascii {
			t.Errorf("ASCII Duration(%d) = %q, want %q", tt.d, got, tt.ascii)
		}
	}
}

func TestMillis(t *testing.T) {
	u, _ := symbols(t)
	for d, want := range map[time.Duration]string{
		0: "0", 100: "<0.001", time.Microsecond: "0.001", 42 * time.Microsecond: "0.042", 420 * time.Microsecond: "0.42",
		8200 * time.Microsecond: "8.20", 94200 * time.Microsecond: "94.2", 108 * time.Millisecond: "108", 1234 * time.Millisecond: "1,234",
		30 * time.Second: "30,000", -3100 * time.Microsecond: "−3.10",
	} {
		if got := millis(d, u); got != want {
			t.Errorf("millis(%v) = %q, want %q", d, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		0: "0", 100: "0", -100: "0", 87800 * time.Microsecond: "+87.8", -87800 * time.Microsecond: "−87.8",
	} {
		if got := signedMillis(d, u); got != want {
			t.Errorf("signedMillis(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestCounts(t *testing.T) {
	tests := []struct {
		n           int64
		full, short string
	}{
		{0, "0", "0"}, {999, "999", "999"}, {1000, "1,000", "1k"}, {14612, "14,612", "14.6k"}, {221440, "221,440", "221k"},
		{999_499, "999,499", "999k"}, {999_500, "999,500", "1M"}, {2_100_000, "2,100,000", "2.1M"},
		{3_000_000_000, "3,000,000,000", "3G"}, {-1234, "-1,234", "-1234"}, {-123, "-123", "-123"},
		{math.MaxInt64, "9,223,372,036,854,775,807", "9,223,372T"}, {math.MinInt64, "-9,223,372,036,854,775,808", "-9223372036854775808"},
	}
	for _, tt := range tests {
		if got := Count(tt.n); got != tt.full {
			t.Errorf("Count(%d) = %q, want %q", tt.n, got, tt.full)
		}
		if got := shortCount(tt.n); got != tt.short {
			t.Errorf("shortCount(%d) = %q, want %q", tt.n, got, tt.short)
		}
	}
}

// What isn't known never reads as 0.
func TestUnknown(t *testing.T) {
	u, _ := symbols(t)
	got := map[string]string{
		"mark":     mark(probe.Mark{}, u),
		"estimate": estimate(quantile.Estimate{}, u),
		"rate":     rate(0, u),
		"negative": rate(-1, u),
		"NaN":      rate(math.NaN(), u),
		"infinite": rate(math.Inf(1), u),
		"percent":  percent(0, 0, u),
		"prompt":   promptCell(&Figures{}, u),
		"fit":      fitCell(&Figures{}, " + ", u),
		"approx":   approximate(u.Unknown, false, u),
	}
	for what, s := range got {
		if s != "–" {
			t.Errorf("an unknown %s reads %q", what, s)
		}
	}
}

func TestEstimate(t *testing.T) {
	u, _ := symbols(t)
	at := 131 * time.Millisecond
	tests := []struct {
		e    quantile.Estimate
		want string
	}{
		{quantile.Estimate{At: at, OK: true}, "131"},
		{quantile.Estimate{At: at, OK: true, Max: true}, "max 131"},
		{quantile.Estimate{At: 30 * time.Second, OK: true, Censored: true}, ">30,000"},
		{quantile.Estimate{At: 30 * time.Second, OK: true, Censored: true, Max: true}, ">30,000"},
		{quantile.Estimate{OK: true}, "0"},
	}
	for _, tt := range tests {
		if got := estimate(tt.e, u); got != tt.want {
			t.Errorf("%+v reads %q, want %q", tt.e, got, tt.want)
		}
	}
}

func TestPercent(t *testing.T) {
	u, _ := symbols(t)
	for _, tt := range []struct {
		part, whole int
		want        string
	}{
		{0, 10, "0 %"}, {1, 100_000, "<0.1 %"}, {1, 22, "4.5 %"}, {1, 10, "10 %"}, {10, 10, "100 %"},
	} {
		if got := percent(tt.part, tt.whole, u); got != tt.want {
			t.Errorf("percent(%d, %d) = %q, want %q", tt.part, tt.whole, got, tt.want)
		}
	}
}

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0:00", 0: "0:00", 102 * time.Second: "1:42", time.Hour + 2*time.Minute + 3*time.Second: "1:02:03",
		100 * time.Hour: "100:00:00",
	} {
		if got := clock(d); got != want {
			t.Errorf("clock(%v) = %q, want %q", d, got, want)
		}
	}
	if got := wait(11300 * time.Millisecond); got != "12 s" {
		t.Errorf("wait = %q", got)
	}
}

// Nobody waited for a connection that was refused at once.
func TestEstimateOfFailures(t *testing.T) {
	sym := themes.Mono().Symbols
	if got := estimate(quantile.Estimate{OK: true, Censored: true}, sym); got != "failed" {
		t.Error(got)
	}
	if got := estimate(quantile.Estimate{OK: true, Censored: true, At: 30 * time.Second}, sym); got != sym.Beyond+"30,000" {
		t.Error(got)
	}
}
