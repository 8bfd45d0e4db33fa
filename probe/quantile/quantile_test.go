package quantile

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/quick"
	"time"
)

func ms(values ...int) []time.Duration {
	d := make([]time.Duration, len(values))
	for i, v := range values {
		d[i] = time.Duration(v) * time.Millisecond
	}
	return d
}

func repeat(parts ...[2]int) []time.Duration {
	var values []int
	for _, p := range parts {
		for range p[0] {
			values = append(values, p[1])
		}
	}
	return ms(values...)
}

func TestOf(t *testing.T) {
	ten := ms(100, 110, 120, 130, 140, 150, 160, 170, 180, 190)
	limit := 30 * time.Second
	tests := []struct {
		name     string
		q        float64
		sorted   []time.Duration
		censored int
		want     Estimate
	}{
		{"p50 of ten is the fifth", .50, ten, 0, Estimate{At: 140 * time.Millisecond, OK: true, N: 10}},
		{"p95 of ten is the maximum, marked", .95, ten, 0, Estimate{At: 190 * time.Millisecond, OK: true, Max: true, N: 10}},
		{"p99 of ten is the maximum, marked", .99, ten, 0, Estimate{At: 190 * time.Millisecond, OK: true, Max: true, N: 10}},
		{"none", .50, nil, 0, Estimate{}},
		{"p50 of one", .50, ms(10), 0, Estimate{At: 10 * time.Millisecond, OK: true, N: 1}},
		{"p99 of one", .99, ms(10), 0, Estimate{At: 10 * time.Millisecond, OK: true, Max: true, N: 1}},
		{"p50 of two is the lower", .50, ms(10, 20), 0, Estimate{At: 10 * time.Millisecond, OK: true, N: 2}},
		{"p99 of three", .99, ms(10, 20, 30), 0, Estimate{At: 30 * time.Millisecond, OK: true, Max: true, N: 3}},
		{"p95 of 19", .95, repeat([2]int{18, 1}, [2]int{1, 9}), 0, Estimate{At: 9 * time.Millisecond, OK: true, Max: true, N: 19}},
		{"p95 of 20 is no longer the maximum", .95, repeat([2]int{19, 1}, [2]int{1, 9}), 0, Estimate{At: time.Millisecond, OK: true, N: 20}},
		{"p99 of 99", .99, repeat([2]int{98, 1}, [2]int{1, 9}), 0, Estimate{At: 9 * time.Millisecond, OK: true, Max: true, N: 99}},
		{"p99 of 99 fast and one slow", .99, repeat([2]int{99, 100}, [2]int{1, 5000}), 0, Estimate{At: 100 * time.Millisecond, OK: true, N: 100}},
		{"p99 of 98 fast and two slow", .99, repeat([2]int{98, 100}, [2]int{2, 5000}), 0, Estimate{At: 5 * time.Second, OK: true, N: 100}},
		{"p95 of a merged sample", .95, repeat([2]int{100, 100}, [2]int{10, 1000}), 0, Estimate{At: time.Second, OK: true, N: 110}},
		{"p50 of a merged sample", .50, repeat([2]int{100, 100}, [2]int{10, 1000}), 0, Estimate{At: 100 * time.Millisecond, OK: true, N: 110}},
		{"p50 of the successes alone", .50, repeat([2]int{10, 200}), 0, Estimate{At: 200 * time.Millisecond, OK: true, N: 10}},
		{"p50 falls on a failure", .50, repeat([2]int{10, 200}), 12, Estimate{At: limit, OK: true, Censored: true, N: 22}},
		{"p50 falls on the last success", .50, repeat([2]int{10, 200}), 10, Estimate{At: 200 * time.Millisecond, OK: true, N: 20}},
		{"every probe failed", .50, nil, 3, Estimate{At: limit, OK: true, Censored: true, N: 3}},
		{"p95 of few with one failure", .95, ms(10, 20), 1, Estimate{At: limit, OK: true, Censored: true, Max: true, N: 3}},
		{"a success slower than the limit still ranks before a failure", .99, ms(45000), 1, Estimate{At: 45 * time.Second, OK: true, Censored: true, Max: true, N: 2}},
		{"out of order is put in order", .50, ms(30, 10, 20), 0, Estimate{At: 20 * time.Millisecond, OK: true, N: 3}},
		{"q below 0", -.1, ms(10), 0, Estimate{N: 1}},
		{"q not a number", math.NaN(), ms(10), 0, Estimate{N: 1}},
		{"negative count of failures", .50, ms(10), -4, Estimate{At: 10 * time.Millisecond, OK: true, N: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := slices.Clone(tt.sorted)
			if got := Of(tt.q, tt.sorted, tt.censored, limit); got != tt.want {
				t.Errorf("got %+v\nwant %+v", got, tt.want)
			}
			if !slices.Equal(before, tt.sorted) {
				t.Error("the sample was changed")
			}
		})
	}
}

func TestOfWithoutLimit(t *testing.T) {
	want := Estimate{At: 20 * time.Millisecond, OK: true, Censored: true, N: 4}
	if got := Of(.75, ms(10, 20), 2, 0); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestNeeds(t *testing.T) {
	for q, want := range map[float64]int{0: 1, .5: 1, .75: 4, .9: 10, .95: 20, .99: 100, .999: 1000, 1: math.MaxInt} {
		if got := Needs(q); got != want {
			t.Errorf("Needs(%v) = %d, want %d", q, got, want)
		}
	}
}

// The definition, counted directly: the smallest value that at least q·n do
// not exceed, in whole percent so that the arithmetic is exact.
func TestNearestRank(t *testing.T) {
	check := func(seed uint64, size uint8, percent uint8, failed uint8) bool {
		r := rand.New(rand.NewPCG(seed, 1))
		sorted := make([]time.Duration, size)
		for i := range sorted {
			sorted[i] = time.Duration(r.IntN(50)) * time.Microsecond
		}
		slices.Sort(sorted)
		p, n := int(percent)%101, int(size)+int(failed)
		got := Of(float64(p)/100, sorted, int(failed), time.Second)
		if n == 0 {
			return !got.OK
		}
		rank := max(1, (p*n+99)/100)
		if rank > int(size) {
			return got.Censored && got.At == time.Second
		}
		return got.OK && !got.Censored && got.At == sorted[rank-1] && Rank(float64(p)/100, n) == rank-1
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}

func TestSummarize(t *testing.T) {
	s := Summarize(repeat([2]int{10, 200}), 12, 30*time.Second)
	for name, e := range map[string]Estimate{"p50": s.P50, "p95": s.P95, "p99": s.P99} {
		if !e.Censored || e.At != 30*time.Second || e.N != 22 {
			t.Errorf("%s = %+v, want more than 30 s of 22", name, e)
		}
	}
}

func BenchmarkSummarize(b *testing.B) {
	sorted := make([]time.Duration, 3600)
	for i := range sorted {
		sorted[i] = time.Duration(i) * time.Millisecond
	}
	for b.Loop() {
		Summarize(sorted, 40, time.Minute)
	}
}
