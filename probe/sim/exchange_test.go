package sim

import (
	"testing"
	"time"
)

// A lever of the network that is turned while a request is on its way is not there
// for it: its answer comes as it would have, and the round trip told is the one
// that it had. The next request has the new link.
func TestLinkChangesUnderARequest(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		name   string
		before Link
		turned map[string]string
		next   time.Duration // first token of the next request; 0: far later, -1: later by chance
	}{
		{"a longer round trip", Link{RTT: 100 * ms}, map[string]string{"rtt": "400ms"}, 420 * ms},
		{"a shorter one", Link{RTT: 100 * ms}, map[string]string{"rtt": "10ms"}, 30 * ms},
		{"an edge", Link{RTT: 100 * ms}, map[string]string{"edge": "10ms"}, 120 * ms},
		{"jitter", Link{RTT: 100 * ms}, map[string]string{"jitter": "10s"}, 0},
		{"bandwidth", Link{RTT: 100 * ms}, map[string]string{"bandwidth": "0.01"}, 0},
		{"loss", Link{RTT: 100 * ms}, map[string]string{"loss": "50"}, -1},
	} {
		for _, at := range []time.Duration{30 * ms, 60 * ms, 80 * ms} { // on its way, with the server, on its way back
			t.Run(tt.name+" after "+at.String(), func(t *testing.T) {
				cfg := roundConfig()
				cfg.Link = tt.before
				inBubble(t, cfg, func(t *testing.T, b *bench) {
					b.post(t.Context(), body("m", 1, 20, 1, "")) // makes the connection
					told := make(chan time.Duration)
					go func() {
						time.Sleep(at)
						if err := b.Turn(tt.turned); err != nil {
							t.Error(err)
						}
						time.Sleep(121*ms - at)
						told <- b.roundTrip()
					}()
					near(t, "first token", b.post(t.Context(), body("m", 2, 20, 1, "")).at[1], 120*ms)
					if rtt := <-told; rtt != 100*ms {
						t.Errorf("its round trip is told as %v", rtt)
					}
					next := b.post(t.Context(), body("m", 3, 20, 1, "")).at[1]
					if tt.next == 0 && next < 200*ms {
						t.Errorf("the next one comes after %v, as before", next)
					}
					if tt.next > 0 {
						near(t, "first token of the next one", next, tt.next)
					}
				})
			})
		}
	}
}

// roundTrip is what the bench's only connection tells of its path.
func (b *bench) roundTrip() time.Duration {
	b.dialer.mu.Lock()
	defer b.dialer.mu.Unlock()
	for c := range b.dialer.open {
		if info, err := c.Info(); err == nil {
			return info.MinRTT
		}
	}
	b.t.Error("there is no connection")
	return 0
}

// A connection that was made before the link changed has the new one from its
// first request on.
func TestLinkChangesBeforeTheFirstRequest(t *testing.T) {
	cfg := roundConfig()
	cfg.Link = Link{RTT: 100 * time.Millisecond}
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		go func() {
			time.Sleep(50 * time.Millisecond) // while it is dialed
			if err := b.Set("rtt", "10ms"); err != nil {
				t.Error(err)
			}
		}()
		near(t, "first token", b.post(t.Context(), body("m", 1, 20, 1, "")).at[1], 130*time.Millisecond)
		if rtt := b.roundTrip(); rtt != 10*time.Millisecond {
			t.Errorf("the round trip is told as %v", rtt)
		}
	})
}
