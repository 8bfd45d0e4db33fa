package cut

import (
	"testing"
	"time"

	"ttftop/probe"
)

func TestLive(t *testing.T) {
	m := func(v float64) probe.Mark { return probe.At(ms(v)) }
	resolving := probe.Timeline{DNSStart: m(.1)}
	connecting := resolving
	connecting.DNSDone, connecting.ConnectStart = m(12), m(12.1)
	shaking := connecting
	shaking.ConnectDone, shaking.TLSStart = m(50), m(50)
	sending := shaking
	sending.TLSDone, sending.GotConn, sending.Written = m(90), m(90), m(91)
	sent := sending
	sent.Sent = m(95)
	answered := sent
	answered.Headers, answered.FirstToken = m(140), m(180)
	reused := probe.Timeline{GotConn: m(.1)}
	noWord := reused // the kernel doesn't tell when the last byte left
	noWord.Written, noWord.Headers = m(2), m(60)
	tests := []struct {
		name string
		line probe.Timeline
		want [6]float64 // dns, connect, tls, send, rtt, server
	}{
		{"waiting for a connection", probe.Timeline{}, [6]float64{3: 100}},
		{"resolving", resolving, [6]float64{0: 100}},
		{"connecting", connecting, [6]float64{12, 88}},
		{"shaking hands", shaking, [6]float64{12, 38, 50}},
		{"sending", sending, [6]float64{12, 38, 40, 10}},
		{"sent, the answer can't be here yet", sent, [6]float64{12, 38, 40, 5, 5}},
		{"reused connection", reused, [6]float64{3: 100}},
		{"headers say that it was sent", noWord, [6]float64{3: 2, 4: 38, 5: 60}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkLive(t, Live(tt.line, 100*time.Millisecond, m(38)), tt.want)
		})
	}
	t.Run("waiting for the server", func(t *testing.T) {
		checkLive(t, Live(sent, 200*time.Millisecond, m(38)), [6]float64{12, 38, 40, 5, 38, 67})
	})
	t.Run("the first token ends it", func(t *testing.T) {
		checkLive(t, Live(answered, 900*time.Millisecond, m(38)), [6]float64{12, 38, 40, 5, 38, 47})
	})
	t.Run("before it began", func(t *testing.T) {
		checkLive(t, Live(sent, -time.Second, m(38)), [6]float64{})
	})
}

func checkLive(t *testing.T, w probe.Waterfall, want [6]float64) {
	t.Helper()
	for i, s := range w {
		if s.Duration != ms(want[i]) {
			t.Errorf("%s %v, want %v ms", s.Name, s.Duration, want[i])
		}
	}
}
