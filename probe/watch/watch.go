// Package watch has the client watch itself: how late it wakes up tells how
// busy the machine is, and how far its figures can be trusted.
package watch

import (
	"context"
	"slices"
	"time"

	"ttftop/probe/quantile"
)

// The watch wakes up every, and tells once a period.
const (
	every  = 100 * time.Millisecond
	period = 2 * time.Second
)

// Run sleeps and wakes until ctx ends, and tells once a period how late it
// woke up: the 95th percentile.
func Run(ctx context.Context, tell func(lag time.Duration)) {
	var lags []time.Duration
	timer := time.NewTimer(every)
	defer timer.Stop()
	for due := time.Now().Add(every); ; {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		now := time.Now()
		lags = append(lags, max(0, now.Sub(due)))
		if len(lags) >= int(period/every) {
			slices.Sort(lags)
			tell(quantile.Of(0.95, lags, 0, 0).At)
			lags = lags[:0]
		}
		due = now.Add(every)
		timer.Reset(every)
	}
}
