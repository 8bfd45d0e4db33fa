package tui

import "time"

// tellFor is how long the answer to a key is told.
const tellFor = 15 * time.Second

// telling is what the screen tells a person besides the engine's notices.
type telling struct {
	notice string        // why the knobs were turned without a key, or what a key did
	until  time.Duration // when it goes, after the start of the session; 0 for one that stands
}

// tell shows a sentence for a while.
func (t *telling) tell(text string, now time.Duration) { *t = telling{text, now + tellFor} }

// stand shows a sentence until the knobs are turned.
func (t *telling) stand(text string) { *t = telling{notice: text} }

// hush takes the sentence away.
func (t *telling) hush() { *t = telling{} }

// expire takes a sentence away that was shown for long enough.
func (t *telling) expire(now time.Duration) {
	if t.until > 0 && now >= t.until {
		t.hush()
	}
}

// fresh reports whether the sentence was told just now.
func (t *telling) fresh(now time.Duration) bool {
	return t.until > 0 && now < t.until-tellFor+freshFor
}

// tell shows a sentence for a while from now on.
func (m *model) tell(text string) {
	var now time.Duration
	if m.state != nil {
		now = m.state.now
	}
	m.telling.tell(text, now)
}
