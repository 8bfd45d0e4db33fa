package tui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// echo tells how far the far end of a slow link has come. A frame leaves this
// host at once and then waits where nobody here can look: in the buffers of the
// kernel, of sshd, of the link. So a question follows the frame, the device
// status report of a VT100, which every terminal answers once it has come that
// far. The next frame waits for the answer: what a person sees is of now. While
// the answers come soon, few are asked for: to OpenSSH each is a key pressed, and
// it hides when keys are pressed behind a second or more of packets. A terminal
// that doesn't answer is asked a few times, and then let be. The zero value asks;
// its methods are safe for concurrent use. A nil echo asks nothing.
type echo struct {
	mu      sync.Mutex
	asked   int           // questions on their way
	at      time.Time     // of the newest
	written int64         // bytes that the terminal had been sent by then
	every   time.Duration // between questions, at least; 0 for one behind each frame
	least   time.Duration // that an answer has taken
	known   bool          // the terminal answers
	vain    int           // waits in a row that came to nothing
	waited  time.Time     // the end of the last of them
	leaving bool          // the terminal is about to be another program's: nothing is asked
	came    chan struct{} // closed by the next answer; nil where nobody waits for it
}

// The question, and the answer of a terminal in good order (VT100 User Guide,
// DSR).
const (
	statusQuestion = "\x1b[5n"
	statusAnswer   = "\x1b[0n"
)

// How long a frame waits for the answer of a terminal that has answered before,
// and of one that has not; after how long its answer is lost; how many questions
// may be in vain; how much longer than the quickest an answer may take where
// nothing is held back, and how long at most; how rarely is asked then; and how
// long leaving waits for an answer, which would be typed at the shell otherwise.
const (
	sureFor   = 5 * time.Second
	unsureFor = time.Second
	lostAfter = 30 * time.Second
	mostVain  = 12
	soon      = 300 * time.Millisecond
	slow      = time.Second
	rarest    = 10 * time.Second
	leaveFor  = 2 * time.Second
)

// ask reports whether a question is due behind what was written so far, in
// bytes, and notes that it is asked. Where nothing was drawn there is nothing to
// ask about.
func (e *echo) ask(written int64, now time.Time) bool {
	if e == nil {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.leaving || e.mute() || written <= e.written || e.known && (e.asked > 0 || now.Sub(e.at) < e.every) {
		return false
	}
	e.asked++
	e.at, e.written = now, written+int64(len(statusQuestion))
	return true
}

// mute reports whether the terminal has never answered.
func (e *echo) mute() bool { return !e.known && e.vain >= mostVain }

// sure reports whether the terminal answers.
func (e *echo) sure() bool {
	if e == nil {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.known
}

// heard takes an answer.
func (e *echo) heard(now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.asked == 1 { // the newest question's
		e.pace(now.Sub(e.at))
	}
	e.asked = max(0, e.asked-1)
	e.known, e.vain = true, 0
	if e.came != nil {
		close(e.came)
		e.came = nil
	}
}

// pace says how often to ask, after an answer that took so long.
func (e *echo) pace(took time.Duration) {
	if e.least == 0 || took < e.least {
		e.least = took
	}
	if took > min(e.least+soon, slow) {
		e.every = 0
		return
	}
	e.every = min(max(moveEvery, 2*e.every), rarest)
}

// waits is how long yet the next frame waits for an answer at most, and what is
// closed when one comes. A wait that has come to nothing is noted.
func (e *echo) waits(now time.Time) (left time.Duration, came <-chan struct{}) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.asked == 0 || e.mute() {
		return 0, nil
	}
	limit := unsureFor
	if e.known {
		limit = sureFor
	}
	if left = limit - now.Sub(e.from()); left > 0 {
		return left, e.next()
	}
	e.vain++
	e.waited = now
	if e.known && now.Sub(e.at) >= lostAfter { // as after a stop of the program
		e.asked, e.vain = 0, 0
	}
	return 0, nil
}

// from is when the present wait began.
func (e *echo) from() time.Time {
	if e.waited.After(e.at) {
		return e.waited
	}
	return e.at
}

// next is closed when an answer comes.
func (e *echo) next() <-chan struct{} {
	if e.came == nil {
		e.came = make(chan struct{})
	}
	return e.came
}

// wait waits until the terminal has come as far as the newest question, or has
// let it wait too long, or ctx ends.
func (e *echo) wait(ctx context.Context) {
	if e == nil {
		return
	}
	for {
		left, came := e.waits(time.Now())
		if left <= 0 || !until(ctx, came, left) {
			return
		}
	}
}

// until waits for a channel, and reports false where ctx ended instead.
func until(ctx context.Context, came <-chan struct{}, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-came:
	case <-timer.C:
	}
	return true
}

// filter takes the answers out of the messages, and holds those back by which
// the terminal becomes another program's until no answer is on its way. A second
// one is let through.
func (e *echo) filter(ctx context.Context, msg tea.Msg) tea.Msg {
	if e == nil {
		return msg
	}
	switch msg := msg.(type) {
	case uv.UnknownCsiEvent:
		if msg == statusAnswer {
			e.heard(time.Now())
			return nil
		}
	case tea.QuitMsg, tea.InterruptMsg, tea.SuspendMsg:
		if e.leave() {
			return tea.BatchMsg{func() tea.Msg { e.settle(ctx); return held{msg} }}
		}
	case held:
		return msg.msg
	case tea.ResumeMsg:
		e.stay()
	}
	return msg
}

// held brings a message that was held back.
type held struct{ msg tea.Msg }

// leave asks nothing any more, and reports whether an answer is on its way that
// should be waited for.
func (e *echo) leave() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	first := !e.leaving
	e.leaving = true
	return first && e.asked > 0 && !e.mute()
}

// stay begins anew with a terminal that is this program's again.
func (e *echo) stay() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.leaving, e.asked = false, 0
}

// settle waits until all answers are there; not for ever.
func (e *echo) settle(ctx context.Context) {
	end := time.Now().Add(leaveFor)
	for {
		e.mu.Lock()
		left, came := time.Until(end), e.next()
		done := e.asked == 0
		e.mu.Unlock()
		if done || left <= 0 || !until(ctx, came, left) {
			return
		}
	}
}
