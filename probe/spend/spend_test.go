package spend

import (
	"net/url"
	"testing"
	"time"

	"ttftop/probe"
)

func TestPerMinute(t *testing.T) {
	for _, c := range []struct {
		name        string
		knobs       probe.Knobs
		stream      time.Duration
		calibration int
		handoff     string
		want        int64
	}{
		{"one a second", probe.Knobs{PromptTokens: 256, MaxTokens: 16, Rate: 1}, 0, 0, "", 60 * 272},
		{"handed off: two requests a probe", probe.Knobs{PromptTokens: 256, MaxTokens: 16, Rate: 1, Pressure: 1}, 4 * time.Second, 0, "fast", 60*2*272 + 15*(256+256)},
		{"with calibration", probe.Knobs{PromptTokens: 256, MaxTokens: 16, Rate: 1}, 0, 2720, "", 60*272 + 2720},
		{"four load streams of two seconds", probe.Knobs{PromptTokens: 1000, MaxTokens: 0, Rate: 0.1, Pressure: 4}, 2 * time.Second, 0, "", 6*1000 + 4*30*1256},
		{"load not seen yet", probe.Knobs{Pressure: 1, Rate: 1}, 0, 0, "", 15 * 256},
	} {
		if got := PerMinute(probe.Target{Handoff: c.handoff}, c.knobs, c.stream, c.calibration); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestFree(t *testing.T) {
	for raw, want := range map[string]bool{
		"http://127.0.0.1:8000/v1": true, "http://[::1]:1/v1": true, "http://localhost:8000/v1": true, "http://127.9.9.9/v1": true,
		"https://api.openai.com/v1": false, "http://10.0.0.1/v1": false, "http://localhost.example.com/v1": false,
	} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := Free(&probe.Endpoint{Base: u}); got != want {
			t.Errorf("%s: free %v, want %v", raw, got, want)
		}
	}
	u, _ := url.Parse("https://far.example/v1")
	if !Free(&probe.Endpoint{Base: u, Simulated: true}) {
		t.Error("a simulated endpoint is not free")
	}
}

func TestMeter(t *testing.T) {
	m := NewMeter(100)
	if !m.Reserve(50) || !m.Reserve(40) || m.Exhausted() {
		t.Error("90 of 100 can't be reserved")
	}
	m.Settle(50, 40, 5)
	m.Settle(40, 20, 25)
	if s := m.Spent(); s.Exhausted || s.Sent != 60 || s.Received != 30 {
		t.Errorf("%+v", s)
	}
	if m.Reserve(11) || !m.Exhausted() || m.Reserve(1) {
		t.Error("a request that passes the budget is let through")
	}
	free := NewMeter(0)
	if !free.Reserve(1<<40) || free.Exhausted() {
		t.Error("no budget is exhausted")
	}
}
