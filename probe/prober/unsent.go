package prober

import (
	"context"
	"fmt"
	"time"

	"ttftop/probe"
)

// mostUnsent is how many records of one stall are written at most: the last of
// them speaks for the rest.
const mostUnsent = 100

// unsent records the probes that were due after a shot and were never sent,
// since this program was late: an interval apart, missed in number.
func (l *lane) unsent(ctx context.Context, s shot, interval time.Duration, missed int, now time.Time) {
	told := min(missed, mostUnsent)
	for i := range told {
		due := s.due.Add(time.Duration(i+1) * interval)
		message := fmt.Sprintf("not sent: this program was %v late", now.Sub(due).Round(time.Millisecond))
		if rest := missed - told; rest > 0 && i == told-1 {
			message += fmt.Sprintf(", and so for %d more that were due", rest)
		}
		l.finish(ctx, probe.Result{
			Seq: int(l.prober.seq.Add(1)), At: now, Target: l.index, Kind: s.kind, Epoch: s.epoch, Knobs: s.knobs, Lag: now.Sub(due),
			Failure: &probe.Failure{Kind: probe.FailClient, Code: probe.CodeNotSent, Message: message},
		})
	}
}
