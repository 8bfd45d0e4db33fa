package sim

import (
	"testing"
	"time"
)

// staticBed runs batches of four, after 100 ms at the latest.
func staticBed(t *testing.T) *bed {
	cfg := roundConfig()
	cfg.Policy, cfg.BatchWait = Static, 100*time.Millisecond
	return newBedOf(t, *cfg.filled().settings(round.Model))
}

// A batch that is full begins at once; its prompts are padded to the longest,
// and all its places cost as much to the end of the last answer.
func TestStaticFullBatch(t *testing.T) {
	b := staticBed(t)
	short := b.queue(0, 1, 10, 2)
	for i := range 2 {
		b.queue(10*time.Millisecond, uint64(2+i), 20, 2)
	}
	long := b.queue(20*time.Millisecond, 4, 150, 5)
	next := b.queue(30*time.Millisecond, 5, 10, 1)
	b.all()
	// Four prompts of 150 in one step: 600 ms, whatever the token budget says.
	near(t, "short's first token", b.since(short.first), 620*time.Millisecond)
	near(t, "long's first token", b.since(long.first), 620*time.Millisecond)
	near(t, "long's last token", b.since(long.last), 660*time.Millisecond)
	near(t, "the next batch", b.since(next.scheduled), 660*time.Millisecond)
	if got := b.steps[0].tokens; got != 600 {
		t.Errorf("the first step has %d tokens, want 600", got)
	}
	if got := b.steps[4].tokens; got != 4 {
		t.Errorf("the last step of the batch has %d tokens, want 4: ended answers keep their place", got)
	}
}

// A batch that does not fill begins when the first request has waited enough.
func TestStaticTimer(t *testing.T) {
	b := staticBed(t)
	a := b.queue(0, 1, 10, 1)
	c := b.queue(60*time.Millisecond, 2, 10, 1)
	late := b.queue(101*time.Millisecond, 3, 10, 1)
	b.all()
	near(t, "first scheduled", b.since(a.scheduled), 100*time.Millisecond)
	near(t, "second scheduled", b.since(c.scheduled), 100*time.Millisecond)
	near(t, "the one that came too late", b.since(late.scheduled), 201*time.Millisecond)
}

// The engine waits for a timer in real time, and a batch that fills meanwhile
// begins before it.
func TestStaticEngine(t *testing.T) {
	cfg := roundConfig()
	cfg.Policy, cfg.BatchWait = Static, time.Second
	inEngine(t, cfg, func(t *testing.T, e *engine) {
		start := time.Now()
		near(t, "alone", ask(e, "a", 10, 1).untilToken(1).Sub(start), time.Second+10*time.Millisecond)
		start = time.Now()
		first := ask(e, "b", 10, 1)
		time.Sleep(50 * time.Millisecond)
		for range 3 {
			ask(e, "c", 10, 1)
		}
		near(t, "with three more", first.untilToken(1).Sub(start), 90*time.Millisecond)
	})
}

// A change of policy waits for the requests that run.
func TestPolicyChangesBetweenBatches(t *testing.T) {
	b := newBed(t, 4, 100, 0)
	old := b.queue(0, 1, 10, 5)
	b.step()
	cfg := roundConfig()
	cfg.Policy, cfg.BatchWait = Static, 100*time.Millisecond
	b.configure(*cfg.filled().settings(round.Model))
	next := b.queue(10*time.Millisecond, 2, 10, 3)
	b.all()
	near(t, "the last token of before", b.since(old.last), 50*time.Millisecond)
	near(t, "the first batch", b.since(next.scheduled), 110*time.Millisecond)
	if b.pool.used != 0 {
		t.Errorf("%d blocks are still used", b.pool.used)
	}
}
