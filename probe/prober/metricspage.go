package prober

import (
	"context"
	"time"

	"ttftop/probe/scrape"
)

// countPauses are the waits for a server to count a request that has ended:
// it does so shortly after the last byte.
var countPauses = []time.Duration{5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 40 * time.Millisecond, 80 * time.Millisecond, 160 * time.Millisecond}

// lag is how long a server may take to count a request that has ended.
const lag = 500 * time.Millisecond

// page is a metrics page and when it was read.
type page struct {
	sample       scrape.Sample
	began, ended time.Time
}

// readPage reads the page, again and again until it has counted as many requests
// of the model as expected since the page before; where there is none to compare
// with, once more when the server has had time to. Where that does not come in
// time it is the last page read.
func readPage(ctx context.Context, r *scrape.Reader, before page, model string, expected int) (page, error) {
	var p page
	for try := 0; ; try++ {
		now := page{began: time.Now()}
		var err error
		now.sample, err = r.Read(ctx)
		now.ended = time.Now()
		if err != nil {
			if try > 0 && ctx.Err() != nil {
				return p, nil
			}
			return p, err
		}
		p = now
		d := p.sample.Since(before.sample, model)
		pause, again := countPause(try, d)
		if d.Requests() >= expected || !p.sample.Counts(model) || !again {
			return p, nil
		}
		select {
		case <-ctx.Done():
			return p, nil
		case <-time.After(pause):
		}
	}
}

// countPause is how long to wait before the page is read again, false where that
// is no use. d is what has changed since the page before.
func countPause(try int, d scrape.Delta) (time.Duration, bool) {
	switch {
	case !d.OK:
		return lag, try == 0
	case try == len(countPauses):
		return 0, false
	}
	return countPauses[try], true
}
