package views

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// Between the total of a bar and the remark behind it there is a blank, however
// long a session runs and however slow a target is.
func TestABlankBesideTheTotal(t *testing.T) {
	w := func(d time.Duration) probe.Waterfall {
		return probe.Waterfall{{Name: probe.Server, Duration: d, Source: probe.Measured}}
	}
	for _, d := range []time.Duration{73200 * time.Microsecond, 17816 * time.Millisecond, 123456 * time.Millisecond} {
		for _, seq := range []int{999, 1000, 4321, 43210, 999_999} {
			target := Target{
				Name: "a", P50: w(d), P50Probes: seq, Live: &Live{Seq: seq, Kind: probe.Ordinary, Waterfall: w(d), Elapsed: d},
				Last: &Settled{Seq: seq, Waterfall: w(d), TTFT: d, PromptTokens: 128_000},
			}
			for _, height := range []int{5, 6, 8, 9} {
				text := Waterfalls(Snapshot{Targets: []Target{target}}, 110, height, sheetOf(t, false).th)
				for _, unit := range []string{"ms", "s"} {
					for _, next := range []string{"p", "#", "n", "1"} {
						if strings.Contains(text, " "+unit+next) {
							t.Errorf("%v, probe %d, %d lines:\n%s", d, seq, height, text)
						}
					}
				}
				if strings.Contains(text, "…") {
					t.Errorf("%v, probe %d, %d lines: a remark is cut:\n%s", d, seq, height, text)
				}
			}
		}
	}
}

// Every mark that is shown has its key where there is room, if only in brief.
func TestEveryMarkHasItsKey(t *testing.T) {
	const ms = time.Millisecond
	target := Target{Name: "a", P50: probe.Waterfall{{Name: probe.Server, Duration: 40 * ms, Source: probe.Measured}}}
	target.Last = &Settled{Seq: 1, Waterfall: target.P50, TTFT: 40 * ms}
	target.Last.Marks = Marks{Headers: probe.At(12 * ms), FirstEvent: probe.At(20 * ms), FirstReasoning: probe.At(40 * ms), FirstAnswer: probe.At(124 * ms)}
	for _, width := range []int{140, 160} {
		text := Waterfalls(Snapshot{Targets: []Target{target}}, width, 9, sheetOf(t, false).th)
		for _, key := range []string{"H=", "E=", "R=", "A="} {
			if !strings.Contains(text, key) {
				t.Errorf("%d cells: no %s in\n%s", width, key, text)
			}
		}
	}
}
