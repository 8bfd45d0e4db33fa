package tui

import (
	"testing"
	"time"
)

func TestDrops(t *testing.T) {
	now := time.Unix(1000, 0)
	var d drops
	for _, c := range []struct {
		after, wait time.Duration
		want        int
	}{
		{0, time.Millisecond, 0},
		{time.Second, time.Second / fps / 2, 0},
		{2 * time.Second, time.Second, fps},
		{5 * time.Second, time.Second / 10, fps + 3},
		{11 * time.Second, 0, fps + 3},
		{12 * time.Second, 0, 3},
		{20 * time.Second, 0, 0},
		{time.Hour, time.Hour, 10 * fps},
		{2 * time.Hour, 0, 0},
	} {
		at := now.Add(c.after)
		d.took(at, c.wait)
		if n := d.recent(at); n != c.want {
			t.Errorf("after %v: %d frames dropped, want %d", c.after, n, c.want)
		}
	}
	if len(d.list) != 0 {
		t.Errorf("%d are remembered for ever", len(d.list))
	}
}
