package sim

import (
	"slices"
	"testing"
	"time"
)

// bed is a schedule under test, with a timetable that begins at zero.
type bed struct {
	*schedule
	t     testing.TB
	free  time.Time
	zero  time.Time
	steps []work
}

func newBed(t *testing.T, maxBatch, budget, cacheBlocks int) *bed {
	return newBedOf(t, settings{
		costs:    costs{model: round.Model, hardware: round.Hardware, budget: budget},
		maxBatch: maxBatch, kvBlocks: noLimit, cacheSize: cacheBlocks,
	})
}

// newBedOf is a bed with blocks of 10 tokens.
func newBedOf(t *testing.T, s settings) *bed {
	zero := time.Unix(1000, 0)
	return &bed{t: t, zero: zero, free: zero, schedule: newSchedule(s, 10, 1)}
}

// queue adds a request that is queued at a time; equal seeds have equal prompts.
func (b *bed) queue(at time.Duration, seed uint64, tokens, max int) *request {
	r := &request{prompt: prompt{tokens: tokens}, max: max, arrived: b.zero.Add(at), queued: b.zero.Add(at)}
	for i := range tokens / b.pool.blockTokens {
		r.prompt.blocks = append(r.prompt.blocks, seed<<32+uint64(i))
	}
	b.enqueue(r)
	return r
}

// step runs one step and returns its work; false when there is none.
func (b *bed) step() (work, bool) {
	b.drop()
	start, ok := b.start(b.free)
	if !ok {
		return work{}, false
	}
	w := b.plan(start)
	b.free = start.Add(b.costs.step(w))
	b.finish(b.free, func(*request, int, int) {})
	return w, true
}

// all runs steps until there is nothing to do.
func (b *bed) all() {
	for range 200_000 {
		work, ok := b.step()
		if !ok {
			return
		}
		b.steps = append(b.steps, work)
	}
	b.t.Fatal("the schedule never ends")
}

func (b *bed) since(t time.Time) time.Duration { return t.Sub(b.zero) }

func TestFirstComeFirstServed(t *testing.T) {
	b := newBed(t, 1, 100, 0)
	late := b.queue(2*time.Millisecond, 1, 20, 2)
	early := b.queue(1*time.Millisecond, 2, 20, 2)
	last := b.queue(3*time.Millisecond, 3, 20, 2)
	b.all()
	for _, tt := range []struct {
		name string
		r    *request
		want time.Duration // of its first step: each takes 20 + 10 ms
	}{{"early", early, time.Millisecond}, {"late", late, 31 * time.Millisecond}, {"last", last, 61 * time.Millisecond}} {
		near(t, tt.name+" scheduled", b.since(tt.r.scheduled), tt.want)
		near(t, tt.name+" first token", b.since(tt.r.first), tt.want+20*time.Millisecond)
	}
}

// A prompt longer than the budget takes several steps, and yields its first
// token with the last of them.
func TestChunkedPrefill(t *testing.T) {
	b := newBed(t, 4, 100, 0)
	r := b.queue(0, 1, 230, 1)
	b.all()
	want := []int{100, 100, 30}
	for i, work := range b.steps {
		if i >= len(want) || work.tokens != want[i] {
			t.Fatalf("steps have %+v, want %v tokens", b.steps, want)
		}
	}
	if b.steps[1].context != 200 {
		t.Errorf("the second chunk reads %d tokens, want 200", b.steps[1].context)
	}
	near(t, "first token", b.since(r.first), 230*time.Millisecond)
}

// Decodes go first and prompts share what the budget leaves; a later prompt
// starts in the same step that an earlier one leaves room in.
func TestBudgetIsShared(t *testing.T) {
	b := newBed(t, 4, 100, 0)
	b.queue(0, 1, 50, 10)
	b.step() // 50: its first token
	b.queue(0, 2, 120, 1)
	b.queue(0, 3, 120, 1)
	var chunks []int
	for range 3 {
		work, _ := b.step()
		chunks = append(chunks, work.tokens)
	}
	// 1 + 99 of the second; 1 + 21 + 78 of the third; 1 + 42.
	if want := []int{100, 100, 43}; !slices.Equal(chunks, want) {
		t.Errorf("steps have %v tokens, want %v", chunks, want)
	}
}

// A request that is queued while a step runs starts with the next one.
func TestStepsAreNotInterrupted(t *testing.T) {
	b := newBed(t, 4, 100, 0)
	b.queue(0, 1, 80, 3)
	b.step() // until 80 ms
	r := b.queue(85*time.Millisecond, 2, 20, 1)
	b.all()
	near(t, "scheduled", b.since(r.scheduled), 90*time.Millisecond)
}

func TestBatchLimitMakesAQueue(t *testing.T) {
	b := newBed(t, 2, 100, 0)
	var rs []*request
	for i := range 4 {
		rs = append(rs, b.queue(0, uint64(i), 10, 5))
	}
	b.step()
	if len(b.running) != 2 || len(b.waiting) != 2 {
		t.Fatalf("%d run and %d wait, want 2 and 2", len(b.running), len(b.waiting))
	}
	b.all()
	// Both fit one step of 20 ms, then four of 10 ms: the slots are free at 60 ms.
	near(t, "third scheduled", b.since(rs[2].scheduled), 60*time.Millisecond)
	near(t, "fourth scheduled", b.since(rs[3].scheduled), 60*time.Millisecond)
}

func TestPrefixCacheShortensPrefill(t *testing.T) {
	b := newBed(t, 4, 100, 50)
	first := b.queue(0, 7, 95, 1)
	b.all()
	second := b.queue(time.Second, 7, 95, 1)
	b.all()
	if first.cached != 0 || second.cached != 90 {
		t.Errorf("cached %d, then %d, want 0, then 90", first.cached, second.cached)
	}
	near(t, "first prefill", first.first.Sub(first.scheduled), 95*time.Millisecond)
	near(t, "second prefill", second.first.Sub(second.scheduled), 10*time.Millisecond)
}

// The last token of a prompt is computed even where every block is cached.
func TestPrefixCacheNeverHasItAll(t *testing.T) {
	b := newBed(t, 4, 100, 50)
	b.queue(0, 7, 40, 1)
	b.all()
	r := b.queue(time.Second, 7, 40, 1)
	b.all()
	if r.cached != 30 {
		t.Errorf("cached %d of 40, want 30: the block of the last token must be computed", r.cached)
	}
}

// Chunks that are computed are cached for others before the prompt is done.
func TestPrefixCacheFillsChunkByChunk(t *testing.T) {
	b := newBed(t, 4, 100, 50)
	b.queue(0, 7, 300, 1)
	b.step()
	r := b.queue(b.since(b.free), 7, 300, 1)
	b.step()
	b.step()
	b.step()
	if r.cached < 100 {
		t.Errorf("cached %d, want the first chunk at least", r.cached)
	}
}

func TestPrefixCacheEvicts(t *testing.T) {
	b := newBed(t, 4, 100, 9)
	b.queue(0, 1, 95, 1)
	b.all()
	b.queue(time.Second, 2, 55, 1)
	b.all()
	r := b.queue(2*time.Second, 1, 95, 1)
	b.all()
	if r.cached != 40 {
		t.Errorf("cached %d, want the 40 that five blocks of another prompt left", r.cached)
	}
}

func TestCancellationFreesTheSlot(t *testing.T) {
	b := newBed(t, 1, 100, 0)
	gone := b.queue(0, 1, 10, 1000)
	waiting := b.queue(0, 2, 10, 5)
	next := b.queue(0, 3, 10, 1)
	b.step()
	b.step()
	gone.gone.Store(true)
	waiting.gone.Store(true)
	b.step()
	if gone.ready.Load() != 2 {
		t.Errorf("%d tokens, want the 2 of before", gone.ready.Load())
	}
	near(t, "next scheduled", b.since(next.scheduled), 20*time.Millisecond)
	if _, ok := b.step(); ok {
		t.Error("there is something left to do")
	}
}

// A request cut in the middle of its prompt leaves nothing behind.
func TestCancellationDuringPrefill(t *testing.T) {
	b := newBed(t, 1, 100, 0)
	r := b.queue(0, 1, 500, 1)
	b.step()
	r.gone.Store(true)
	if _, ok := b.step(); ok || r.ready.Load() != 0 {
		t.Error("the request went on")
	}
}

// The parts of the truth add up to the first token, whatever happened, and
// stand for what they are named for.
func TestTruth(t *testing.T) {
	b := newBed(t, 4, 100, 50)
	alone := b.queue(0, 1, 60, 2)
	b.all()
	idle := alone.truth(b.costs, 1)
	if idle.Queue != 0 || idle.Contention != 0 {
		t.Errorf("on an idle server queue is %v and contention %v", idle.Queue, idle.Contention)
	}
	near(t, "first decode", idle.FirstDecode, 10*time.Millisecond)
	near(t, "prefill", idle.Prefill, 50*time.Millisecond)

	b.queue(time.Second, 2, 90, 3)
	crowded := b.queue(time.Second, 3, 60, 1)
	b.all()
	// 10 of its tokens go into the first step of 100, 50 into the next of 51:
	// 151 ms where it would have taken 60 alone.
	busy := crowded.truth(b.costs, 1)
	near(t, "contention", busy.Contention, 91*time.Millisecond)
	near(t, "queue", busy.Queue, 91*time.Millisecond)
	near(t, "prefill", busy.Prefill, 50*time.Millisecond)

	for _, r := range []*request{alone, crowded} {
		if got, want := r.truth(b.costs, 1).Server(), r.first.Sub(r.arrived); got != want {
			t.Errorf("the parts add up to %v, the first token came after %v", got, want)
		}
	}
}

func BenchmarkSchedule(b *testing.B) {
	s := newSchedule(settings{costs: costs{model: Llama8B, hardware: A100, budget: 2048}, maxBatch: 512, kvBlocks: noLimit}, 16, 1)
	for range 512 {
		s.enqueue(&request{prompt: prompt{tokens: 1}, max: 1 << 30})
	}
	now := time.Now()
	for b.Loop() {
		s.drop()
		now = now.Add(s.step(s.plan(now)))
		s.finish(now, func(*request, int, int) {})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/512, "ns/token")
}
