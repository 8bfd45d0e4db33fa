package prober

import (
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/cut"
)

// A server that says nothing of itself is watched: where its headers come early
// and stay where they are under load they measure handling, where they go along
// with load handling and queue, and else they tell nothing.
func TestHeadersOfUnknownServers(t *testing.T) {
	for _, c := range []struct {
		name  string
		leave leave
		want  cut.HeadersRule
		part  probe.SegmentName // that is measured then
	}{
		{"on acceptance", onAcceptance, cut.OnAcceptance, probe.Handling},
		{"when a slot is free", onSlot, cut.OnSlot, probe.Prefill},
		{"with the first token", withToken, cut.HeadersUnknown, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := &odd{handling: 6 * time.Millisecond, prefill: perToken(250 * time.Microsecond), step: 2 * time.Millisecond, slots: 1, leave: c.leave}
			k := fast()
			k.Rate, k.MaxTokens = 12, 4
			r := begin(t, onto(server.start(t), k))
			r.ordinary(20) // an idle server
			r.turn(func(k *probe.Knobs) { k.Pressure, k.PromptTokens = 1, 64 })
			r.until("probes that waited", func([]probe.Event) bool {
				return enoughWaited(r, 14)
			})
			r.stop()
			if got := r.lanes[0].cutter.headers.rule(); got != c.want {
				t.Fatalf("headers leave by rule %v, want %v: %+v", got, c.want, r.lanes[0].cutter.headers)
			}
			all := results(r.events(), probe.Ordinary)
			last := all[len(all)-2]
			for _, s := range last.Waterfall {
				measured := s.Source == probe.Measured && s.Name.Part() != probe.NetworkPart
				if measured != (s.Name == c.part) {
					t.Errorf("%s is %s", s.Name, s.Source)
				}
			}
		})
	}
}

// enoughWaited reports whether so many probes have a queue of at least 20 ms.
func enoughWaited(r *running, n int) bool {
	waited := 0
	for _, res := range results(r.events(), probe.Ordinary) {
		if res.Waterfall.Of(probe.QueuePart) > 20*time.Millisecond {
			waited++
		}
	}
	return waited >= n
}

func TestHeaderRule(t *testing.T) {
	const ms = time.Millisecond
	// seen is a probe on a server with 10 ms of handling, 40 ms of prefill and
	// a step of 8 ms, whose headers leave after some of the wait.
	seen := func(wait, headersWait, headersPrefill time.Duration) headersSeen {
		h := 10*ms + headersWait + headersPrefill
		return headersSeen{headers: h, after: 58*ms + wait - h, step: 8 * ms, prefill: 40 * ms, wait: wait}
	}
	many := func(n int, make func(i int) headersSeen) (all []headersSeen) {
		for i := range n {
			all = append(all, make(i))
		}
		return all
	}
	wait := func(i int) time.Duration { return time.Duration(30+20*i) * ms }
	idle := many(8, func(int) headersSeen { return seen(0, 0, 0) })
	tests := []struct {
		name         string
		idle, waited []headersSeen
		want         cut.HeadersRule
	}{
		{"still", idle, many(8, func(i int) headersSeen { return seen(wait(i), 0, 0) }), cut.OnAcceptance},
		{"along", idle, many(8, func(i int) headersSeen { return seen(wait(i), wait(i), 0) }), cut.OnSlot},
		{"along but for contention", idle, many(8, func(i int) headersSeen { return seen(wait(i), wait(i)*8/10, 0) }), cut.OnSlot},
		{"half", idle, many(8, func(i int) headersSeen { return seen(wait(i), wait(i)/2, 0) }), cut.HeadersUnknown},
		{"some still, some along", idle, many(8, func(i int) headersSeen { return seen(wait(i), wait(i)*time.Duration(i%2), 0) }), cut.HeadersUnknown},
		{"never waited", idle, nil, cut.HeadersUnknown},
		{"never idle", nil, many(8, func(i int) headersSeen { return seen(wait(i), 0, 0) }), cut.HeadersUnknown},
		{"too few", idle[:7], many(7, func(i int) headersSeen { return seen(wait(i), 0, 0) }), cut.HeadersUnknown},
		{"with the token", many(8, func(int) headersSeen { return seen(0, 0, 48*ms) }), many(8, func(i int) headersSeen { return seen(wait(i), wait(i), 48*ms) }), cut.HeadersUnknown},
		{"amid prefill", many(8, func(int) headersSeen { return seen(0, 0, 25*ms) }), many(8, func(i int) headersSeen { return seen(wait(i), wait(i), 25*ms) }), cut.HeadersUnknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := headerWatch{idle: tt.idle, waited: tt.waited}
			if got := w.rule(); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
