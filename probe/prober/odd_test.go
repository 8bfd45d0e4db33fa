package prober

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"ttftop/probe"
)

// oddSettings are those that odd servers are probed at.
var oddSettings = []setting{{256, 0}, {1500, 0}, {1500, 3}, {600, 3}, {2500, 3}}

// odds are servers that break what the estimate rests on, one at a time.
func odds() []struct {
	name   string
	server *odd
} {
	const ms = time.Millisecond
	plain := func(change func(*odd)) *odd {
		o := &odd{handling: 5 * ms, prefill: perToken(80 * time.Microsecond), step: 6 * ms, slots: 2}
		change(o)
		return o
	}
	return []struct {
		name   string
		server *odd
	}{
		{"none of it: linear, first in first out", plain(func(o *odd) {})},
		{"prefill is quadratic", plain(func(o *odd) {
			o.prefill = func(n int) time.Duration { return time.Duration(n) * time.Duration(n) * 40 * time.Nanosecond }
		})},
		{"prefill is a step function", plain(func(o *odd) {
			o.prefill = func(n int) time.Duration { return time.Duration(n/512) * 40 * ms }
		})},
		{"last in, first out", plain(func(o *odd) { o.lifo = true })},
		{"headers on acceptance, unsaid", plain(func(o *odd) { o.leave = onAcceptance })},
		{"headers with a slot, unsaid", plain(func(o *odd) { o.leave = onSlot })},
		{"the first decode is slow", plain(func(o *odd) { o.first = 60 * ms })},
		{"others keep it busy all the time", plain(func(o *odd) { o.others, o.slots = 2, 1 })},
	}
}

// BenchmarkOddServers prints where the estimate breaks on servers that are not
// as it assumes, and how that is told: the errors of queue and prefill in per
// cent of the TTFT, how often their intervals hold the truth, and how many
// probes stay one server segment or are flagged at-least.
func BenchmarkOddServers(b *testing.B) {
	for b.Loop() {
		all := odds()
		rows := make([][]*judged, len(all))
		var wait sync.WaitGroup
		for i, o := range all {
			wait.Go(func() {
				on := subject{model: "m", endpoint: o.server.start(b).Endpoint(), truth: o.server.Truth}
				rows[i] = judge(b, on, 2, oddSettings)
			})
		}
		wait.Wait()
		fmt.Printf("\n%-40s %14s %14s %12s %13s %14s %7s %9s\n", "errors in % of the TTFT", "queue p50/p95", "prefill p50/p95", "handling p50", "decode p50", "truth within", "server", "at-least")
		for i, o := range all {
			printOdd(o.name, rows[i])
		}
	}
	b.ReportMetric(0, "ns/op")
}

func printOdd(name string, steps []*judged) {
	var queue, prefill, handling, decode []float64
	probes, whole, open := 0, 0, 0
	for _, j := range steps {
		queue, prefill = append(queue, j.each(probe.QueuePart)...), append(prefill, j.each(probe.PrefillPart)...)
		handling, decode = append(handling, j.each(probe.HandlingPart)...), append(decode, j.each(probe.FirstDecodePart)...)
		probes, whole, open = probes+len(j.cut), whole+j.whole, open+j.open
	}
	for _, v := range [][]float64{queue, prefill, handling, decode} {
		slices.Sort(v)
	}
	percent := func(n int) float64 { return 100 * float64(n) / float64(probes) }
	fmt.Printf("%-40s %6.1f /%6.1f %7.1f /%6.1f %12.1f %13.1f %6.0f /%4.0f %% %5.0f %% %7.0f %%\n", name,
		percentAt(0.5, queue), percentAt(0.95, queue), percentAt(0.5, prefill), percentAt(0.95, prefill), percentAt(0.5, handling), percentAt(0.5, decode),
		held(steps, probe.Queue), held(steps, probe.Prefill), percent(whole), percent(open))
}

// held is how many of a segment's intervals hold the truth, in per cent of the
// probes where it is estimated. Two milliseconds are granted to the clocks of
// the server's own books.
func held(steps []*judged, name probe.SegmentName) float64 {
	const grant = 2 * time.Millisecond
	in, of := 0, 0
	for _, j := range steps {
		for i, r := range j.cut {
			for _, s := range r.Waterfall {
				if s.Name != name || s.Source != probe.Estimated {
					continue
				}
				of++
				truth := j.truth[i].Waterfall.Of(name.Part())
				if truth >= s.Lo-grant && truth <= s.Hi+grant {
					in++
				}
			}
		}
	}
	return 100 * float64(in) / float64(max(of, 1))
}
