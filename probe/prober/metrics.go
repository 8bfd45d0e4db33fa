package prober

import (
	"context"
	"errors"
	"math"
	"time"

	"ttftop/probe"
	"ttftop/probe/reported"
	"ttftop/probe/scrape"
)

const (
	// ladderWait is how long a rung of the ladder waits for its page at most:
	// the next one begins only when it has landed.
	ladderWait = 300 * time.Millisecond
	// stale is the age from which a page says nothing of a probe.
	stale = 10 * time.Second
	// clearance is how long before the next probe no page is read any more.
	clearance = 2 * time.Millisecond
	// leastRoom is the time between two probes below which no page is asked for.
	leastRoom = 10 * time.Millisecond
	// overlapEvery is the least time between two pages where probes overlap.
	overlapEvery = 2 * time.Second
	// crowded is the number of probes in a row without time for a page after
	// which a person is told.
	crowded = 20
	// strange is the number of probes not counted on the page from which it is
	// taken to be that of another server than the one that answers them.
	strange = 8
)

// metrics has the metrics page of a target's server read between its probes,
// and takes what it says. It belongs to the goroutine of run.
//
// A page is asked for when a probe has ended and no other is in flight, and is
// dropped when the next one begins, so that it is never in the way of one. The
// page after one probe is the page before the next. Where probes overlap there is
// no such time: then a page is read now and then, for its averages and the state
// of the server.
type metrics struct {
	lane   int            // index of the target
	reader *scrape.Reader // in use while stop is set
	ends   *ends

	newest page
	model  string           // that due and owed are of
	due    int              // probes that ended well since the newest page
	owed   int              // probes that had ended before it and were not counted on it
	spare  reported.Figures // averages for the next result

	took    time.Duration // how long a page takes, rather too long
	missed  int           // probes in a row without time for a page
	silence silence       // of a page that never came
	answers bool          // an answer has reported times itself: a page would tell nothing new of a probe
	crowded bool          // told
	strange bool          // told
	held    bool          // a shot waits for its page
	stop    context.CancelFunc
}

// reading is what came of reading a page after a probe.
type reading struct {
	page  page
	err   error
	took  time.Duration // of the whole, waits included
	aside bool          // the shot has landed without it
	spare bool          // and its averages are wanted all the same
}

// busy reports whether a shot that has ended is still counted as in flight.
func (m *metrics) busy() int {
	if m.held {
		return 1
	}
	return 0
}

// giveWay ends the reading that goes on: a probe begins.
func (m *metrics) giveWay() {
	if m.stop != nil {
		m.stop()
	}
}

// readMetrics has the page read after a shot that has come back, where it is
// time for it, and reports whether the shot is to land later, with the page. A
// shot whose own stream says all that the page could does not wait for it.
func (l *lane) readMetrics(ctx context.Context, s *shot) bool {
	m := &l.metrics
	if s.read != nil {
		l.takePage(ctx, s)
		return s.read.aside
	}
	if s.outcome.Result.Failure != nil || !s.outcome.Result.TTFT().OK {
		return false
	}
	m.ended(s.knobs.Model)
	s.scraped, m.spare = m.spare, reported.Figures{}
	now, overlap := time.Now(), l.inFlight() > 1
	if ctx.Err() != nil || m.stop != nil || m.reader.Gone() || overlap && now.Sub(m.newest.ended) < overlapEvery {
		return false
	}
	own := l.cutter.ignore || reported.Read(s.outcome.Header, s.outcome.Answer.Raw).Cuts()
	read := &reading{aside: own || overlap || m.owed >= strange, spare: !own}
	if read.aside && s.kind != probe.Ordinary {
		return false
	}
	until, ok := l.roomForPage(now)
	if rung := now.Add(ladderWait); s.kind != probe.Ordinary && rung.Before(until) {
		until, ok = rung, ok && m.took < ladderWait
	}
	if !ok {
		l.miss(ctx)
		m.took -= m.took / 16 // so that a page is tried again some time
		return false
	}
	l.sendForPage(ctx, *s, until, read)
	return !read.aside
}

// sendForPage reads a page in a goroutine that ends in ended, with the shot or,
// where that does not wait, with a copy that is nothing but the page.
func (l *lane) sendForPage(ctx context.Context, s shot, until time.Time, read *reading) {
	m := &l.metrics
	ctx, m.stop = context.WithDeadline(ctx, until)
	m.held = !read.aside
	before, expected := m.newest, 0
	if !read.aside {
		expected = m.due + m.owed
	}
	l.flying.Go(func() {
		defer l.prober.guard()
		began := time.Now()
		read.page, read.err = readPage(ctx, m.reader, before, s.knobs.Model, expected)
		read.took = time.Since(began)
		s.read = read
		l.ended <- s
	})
}

// ended notes that a probe of a model has ended well.
func (m *metrics) ended(model string) {
	if model != m.model {
		m.model, m.due, m.owed = model, 0, 0
	}
	m.due++
}

// roomForPage is until when a page may be read now: shortly before the next
// probe is due. It is not ok where a page would take longer.
func (l *lane) roomForPage(now time.Time) (until time.Time, ok bool) {
	until = now.Add(scrape.PageLimit)
	next := l.schedule.Next().Add(-clearance)
	if scheduled := !l.late && !l.schedule.Next().IsZero() && l.more(); scheduled && next.Before(until) {
		until = next
	}
	return until, until.Sub(now) > max(l.metrics.took, leastRoom)
}

// takePage takes what came of reading a page.
func (l *lane) takePage(ctx context.Context, s *shot) {
	m := &l.metrics
	m.stop()
	m.stop, m.held = nil, false
	switch r := s.read; {
	case r.err == nil:
		if l.cutter.server == "" {
			l.cutter.server = r.page.sample.Server
		}
		m.took, m.missed = max(r.page.ended.Sub(r.page.began), m.took*7/8), 0
		if s.knobs.Model == m.model {
			s.scraped = m.compare(s)
		}
		m.newest = r.page
		l.tellStrange(ctx)
	case r.err == scrape.ErrGone, ctx.Err() != nil:
	case errors.Is(r.err, scrape.ErrGone):
		l.notice(ctx, "the server's metrics page is not read any more: "+stripGone(r.err))
	case errors.Is(r.err, context.Canceled), errors.Is(r.err, context.DeadlineExceeded):
		m.took = max(m.took, r.took)
		l.tellSilent(ctx, s)
		l.miss(ctx)
	}
}

// stripGone is what happened to a page that is given up.
func stripGone(err error) string {
	var all interface{ Unwrap() []error }
	if errors.As(err, &all) {
		for _, e := range all.Unwrap() {
			if e != scrape.ErrGone {
				return e.Error()
			}
		}
	}
	return err.Error()
}

// miss counts a probe that left no time to read a page.
func (l *lane) miss(ctx context.Context) {
	m := &l.metrics
	if m.missed++; m.missed == crowded && !m.crowded && !m.answers && m.newest.sample.Models != nil {
		m.crowded = true
		l.notice(ctx, "no time for the metrics page between probes: a lower rate makes some")
	}
}

// compare is what a page says of the probe that it was read after, beside the
// newest one until then. The figures are the probe's own where exactly one
// request was counted and that can be no other: no other of this program has
// ended meanwhile, none is still to be counted, and the prompt is as long.
func (m *metrics) compare(s *shot) reported.Figures {
	d := s.read.page.sample.Since(m.newest.sample, m.model)
	if !d.OK {
		m.due, m.owed = 0, 0
		return reported.Figures{}
	}
	mine := d.Alone && m.owed == 0 && m.due == 1 && m.onlyOne()
	m.owed = max(0, m.owed+m.due-d.Requests())
	m.due = 0
	if mine && !samePrompt(d.MeanPrompt, s) {
		mine = false
		m.owed = 1 // it was another's request that was counted
	}
	averages := reported.Figures{Raw: d.Averages()}
	switch f, ok := d.Figures(); {
	case s.read.aside && s.read.spare:
		m.spare = averages
		return reported.Figures{}
	case s.read.aside:
		return reported.Figures{}
	case ok && mine:
		return f
	}
	return averages
}

// tellStrange says once that a page does not count the probes.
func (l *lane) tellStrange(ctx context.Context) {
	m := &l.metrics
	if m.owed < strange || m.strange || l.cutter.ignore {
		return
	}
	m.strange = true
	l.notice(ctx, "the server's metrics page does not count these probes: it may be that of another replica")
}

// onlyOne reports whether one probe has ended since the newest page, and no
// other request of this program that it might not have counted.
func (m *metrics) onlyOne() bool {
	own, _ := m.ends.since(m.newest.began, m.lane, m.model)
	_, others := m.ends.since(m.newest.began.Add(-lag), m.lane, m.model)
	return own == 1 && others == 0
}

// samePrompt reports whether the mean prompt length of a page can be that of
// the shot; it can where one of them is not known.
func samePrompt(mean float64, s *shot) bool {
	n := s.outcome.Answer.Prompt
	return mean <= 0 || !n.OK || math.Abs(mean-float64(n.N)) < 0.5
}

// engine is the state of the server as the newest page shows it to a shot, nil
// without a page, or where it is too old to say anything of the shot.
func (m *metrics) engine(s *shot) *probe.EngineState {
	at := m.newest.ended.Sub(s.outcome.Start)
	state := m.newest.sample.State(s.knobs.Model)
	if state == nil || at < -stale {
		return nil
	}
	state.At = at
	return state
}
