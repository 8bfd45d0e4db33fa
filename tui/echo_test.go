package tui

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// far is a terminal at the far end of a link that takes all at once and brings
// it there slowly.
type far struct {
	rate    float64 // bytes per second
	way     time.Duration
	busy    time.Time // until then the link has something to bring
	answers bool
	lost    int // answers yet to be lost
	asked   int
}

// take takes bytes, and returns in how long they are seen.
func (f *far) take(n int) time.Duration {
	now := time.Now()
	if f.busy.Before(now) {
		f.busy = now
	}
	f.busy = f.busy.Add(time.Duration(float64(n) / f.rate * float64(time.Second)))
	return f.busy.Sub(now) + f.way
}

// watch draws a first frame of 5,000 bytes and others of 600 for a while, and
// returns how late each was seen.
func watch(f *far, length time.Duration) (late []time.Duration) {
	d := &drain{echo: &echo{}}
	draw := func(n int) {
		d.sent.Add(int64(n))
		late = append(late, f.take(n))
	}
	send := func(msg tea.Msg) {
		f.asked++
		d.sent.Add(int64(len(statusQuestion)))
		seen := f.take(len(msg.(tea.RawMsg).Msg.(string)))
		if f.lost > 0 {
			f.lost--
		} else if f.answers {
			time.AfterFunc(seen+f.way, func() { d.echo.heard(time.Now()) })
		}
	}
	draw(5000)
	for end := time.Now().Add(length); time.Now().Before(end); draw(600) {
		d.settle(context.Background(), send)
	}
	time.Sleep(time.Hour) // all answers are there
	return late
}

// Whatever a link holds back, a frame is seen about as soon as it can be brought
// there, and the link is used.
func TestFramesWaitForTheFarEnd(t *testing.T) {
	for _, c := range []struct {
		rate    float64
		way     time.Duration
		allowed time.Duration // more than it takes to bring a frame there
	}{
		{500, 20 * time.Millisecond, time.Second}, {1000, 20 * time.Millisecond, time.Second}, {2000, 150 * time.Millisecond, time.Second},
		{4000, 20 * time.Millisecond, time.Second}, {1e6, 10 * time.Millisecond, 0}, {1e6, 300 * time.Millisecond, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			const length = 5 * time.Minute
			f := &far{rate: c.rate, way: c.way, answers: true}
			late := watch(f, length)
			bring := time.Duration(604/c.rate*float64(time.Second)) + c.way
			worst := slices.Max(late[20:])
			if worst > bring+c.allowed {
				t.Errorf("%g bytes/s: a frame is seen %v late, and could be after %v", c.rate, worst, bring)
			}
			every := max(moveEvery, drawnWithin+bring+c.way)
			if most := int(length / every); len(late) < most*9/10 {
				t.Errorf("%g bytes/s: %d frames, where there could be %d", c.rate, len(late), most)
			}
			if most := len(late); c.allowed == 0 && f.asked > int(length/rarest)+10 {
				t.Errorf("%g bytes/s: %d questions behind %d frames of a quick link", c.rate, f.asked, most)
			}
			t.Logf("%g bytes/s: %d frames, at worst seen after %v, %d questions", c.rate, len(late), worst, f.asked)
		})
	}
}

// A terminal that never answers is as fast as it was without a question.
func TestATerminalThatNeverAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &far{rate: 1e6}
		if n := len(watch(f, time.Minute)); n < 600-10*mostVain || f.asked != mostVain {
			t.Errorf("%d frames in a minute, and %d questions", n, f.asked)
		}
	})
}

// A lost answer holds the picture up once, and none of the later ones.
func TestALostAnswer(t *testing.T) {
	for _, lost := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			f := &far{rate: 1e6, answers: true, lost: lost}
			least := 9 * (300 - int((lostAfter + time.Duration(lost)*unsureFor).Seconds()))
			if n := len(watch(f, 5*time.Minute)); n < least {
				t.Errorf("%d lost: %d frames in five minutes, want %d at least", lost, n, least)
			}
		})
	}
}

// Where nothing was drawn nothing is asked, and nobody waits.
func TestNothingDrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, now := &echo{}, time.Now()
		if !e.ask(100, now) || e.ask(100+int64(len(statusQuestion)), now) || !e.ask(105+int64(len(statusQuestion)), now) {
			t.Error("it is asked behind what was drawn, and else not")
		}
		var none *echo
		none.wait(t.Context())
		if none.ask(1, now) || none.sure() {
			t.Error("a near terminal is asked")
		}
	})
}

// The terminal is another program's only once no answer is on its way, or none
// has come for long; a person who insists has it at once.
func TestLeavingWaitsForTheAnswer(t *testing.T) {
	answer := uv.UnknownCsiEvent(statusAnswer)
	for _, c := range []struct {
		name    string
		msg     tea.Msg
		asked   bool
		answers time.Duration // after which it comes; 0 for never
		waits   time.Duration
	}{
		{"nothing was asked", tea.QuitMsg{}, false, 0, 0},
		{"the answer comes", tea.QuitMsg{}, true, time.Second, time.Second},
		{"it never comes", tea.InterruptMsg{}, true, 0, leaveFor},
		{"to the shell", tea.SuspendMsg{}, true, time.Second, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			e := &echo{}
			began := time.Now()
			filter := func(msg tea.Msg) tea.Msg { return e.filter(t.Context(), msg) }
			if c.asked {
				e.ask(100, began)
			}
			if c.answers > 0 {
				time.AfterFunc(c.answers, func() {
					if filter(answer) != nil {
						t.Error("an answer is told as a message")
					}
				})
			}
			msg := filter(c.msg)
			if wait, ok := msg.(tea.BatchMsg); ok {
				if filter(c.msg) != c.msg {
					t.Errorf("%s: a second one is held back too", c.name)
				}
				msg = filter(wait[0]())
			}
			if took := time.Since(began); msg != c.msg || took != c.waits {
				t.Errorf("%s: %T after %v, want %T after %v", c.name, msg, took, c.msg, c.waits)
			}
			if e.ask(1000, time.Now()) {
				t.Errorf("%s: it is asked while it is left", c.name)
			}
			filter(tea.ResumeMsg{})
			if !e.ask(1000, time.Now()) {
				t.Errorf("%s: it is not asked after coming back", c.name)
			}
			time.Sleep(time.Hour)
		})
	}
	if msg := (&echo{}).filter(t.Context(), tea.QuitMsg{}); msg != (tea.QuitMsg{}) {
		t.Errorf("%T", msg)
	}
}
