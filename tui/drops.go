package tui

import "time"

// drops counts the frames of the last seconds that the program did not take in
// time: it was still busy drawing an earlier one, or the terminal did not take
// that. It belongs to one goroutine.
type drops struct{ list []drop }

type drop struct {
	at     time.Time
	frames int
}

// dropsFor is how long dropped frames are told of.
const dropsFor = 10 * time.Second

// took notes that a frame was taken now, so long after it was offered. What a
// suspended program did not show longer ago is no frame of the last seconds.
func (d *drops) took(now time.Time, wait time.Duration) {
	if n := int(min(wait, dropsFor) / (time.Second / fps)); n > 0 {
		d.list = append(d.list, drop{now, n})
	}
}

// recent is the number of frames dropped in the last seconds.
func (d *drops) recent(now time.Time) int {
	n := 0
	kept := d.list[:0]
	for _, one := range d.list {
		if now.Sub(one.at) < dropsFor {
			kept = append(kept, one)
			n += one.frames
		}
	}
	d.list = kept
	return n
}
