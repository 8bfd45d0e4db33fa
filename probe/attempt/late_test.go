package attempt

import (
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/clock"
	"ttftop/probe/stream"
)

func TestLateFirst(t *testing.T) {
	const ms = time.Millisecond
	// reads has one read for each number of tokens, the first of which may hold
	// bytes that came so much earlier than its stamp, and the others later.
	reads := func(first, later time.Duration, tokens ...int) (list []tokenRead) {
		for i, n := range tokens {
			early := later
			if i == 0 {
				early = first
			}
			list = append(list, tokenRead{clock.Arrival{Kind: probe.KernelClock, Seq: i + 1, Early: early}, n})
		}
		return list
	}
	user := func(tokens ...int) []tokenRead {
		list := reads(0, 0, tokens...)
		for i := range list {
			list[i].arrival.Kind = probe.UserClock
		}
		return list
	}
	for _, c := range []struct {
		name   string
		reads  []tokenRead
		stood  time.Duration
		shared bool // the last token's read holds the end
		want   bool
	}{
		{"prompt", reads(0, 0, 1, 1, 1, 1), 0, false, false},
		{"merged with the second", reads(5*ms, 0, 2, 1, 1, 1), 0, false, true},
		{"by less than counts", reads(ms/2, 0, 2, 1, 1, 1), 0, false, false},
		{"late, and alone in its read", reads(5*ms, 0, 1, 1, 1, 1), 0, false, false},
		{"two at a time as always", reads(5*ms, 0, 2, 2, 2, 2, 1), 0, false, false},
		{"two writes of two", reads(5*ms, 0, 4, 2, 2, 2, 1), 0, false, true},
		{"late throughout", reads(5*ms, 5*ms, 3, 2, 3, 1), 0, false, true},
		{"two at a time, late throughout", reads(5*ms, 5*ms, 2, 2, 4, 2), 0, false, false},
		{"two reads, both late", reads(30*ms, 30*ms, 8, 8), 0, true, true},
		{"all in one read that came late", reads(30*ms, 0, 16), 0, true, true},
		{"all in one read in time", reads(0, 0, 16), 0, true, false},
		{"one token, late with the end", reads(5*ms, 0, 1), 0, true, true},
		{"one token, late, the end later", reads(5*ms, 0, 1), 0, false, false},
		{"stopped, and all in one read", reads(0, 0, 16), 300 * ms, true, true},
		{"stopped before the first", reads(0, 0, 1, 1, 1, 1), 300 * ms, false, false},
		{"a standstill too short to count", reads(0, 0, 16), 4 * ms, true, false},
		{"user clock", user(1, 1, 1), 0, false, false},
		{"user clock, stopped", user(1, 1, 1), 300 * ms, false, true},
		{"no token", nil, 300 * ms, false, false},
	} {
		f := feeder{reads: c.reads, stood: c.stood}
		a := stream.Answer{FirstToken: probe.Mark{At: 100 * ms, OK: len(c.reads) > 0}, EndShared: c.shared}
		if got := f.lateFirst(a); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// Tokens that came in one read are held back by the path, unless this program
// stood still while they came.
func TestWhoseFaultATogetherIs(t *testing.T) {
	burst := func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		reply(w, token+token+token+finished)
	}
	for stood, want := range map[time.Duration]probe.Flag{0: probe.FlagBuffered, 400 * time.Millisecond: probe.FlagLateRead} {
		o := try(t, 5*time.Second, burst, func(s *Spec) { s.Stood = func(time.Time) time.Duration { return stood } })
		if o.Result.Failure != nil || !slices.Equal(o.Result.Flags, []probe.Flag{want}) {
			t.Errorf("stood still for %v: %v, %v", stood, o.Result.Flags, o.Result.Failure)
		}
		if o.Result.KeptOut() != (stood > 0) {
			t.Errorf("stood still for %v: kept out %v", stood, o.Result.KeptOut())
		}
	}
}
