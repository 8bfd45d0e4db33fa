package prober

import (
	"context"
	"fmt"
	"time"

	"ttftop/probe"
)

const (
	// silentPages is the number of pages that were asked for and never came whole,
	// from which a person is told; none ever did.
	silentPages = 3
	// pagePatience is how long each of them must have been waited for: the next probe
	// may begin at any time.
	pagePatience = 50 * time.Millisecond
)

// silence is what is known of a server that is asked for a page and sends none,
// or sends it too slowly.
type silence struct {
	pages   int
	longest time.Duration
	told    bool
}

// waited takes how long a page was waited for in vain, and returns what a person
// should know of it, once; "" for nothing.
func (s *silence) waited(took time.Duration) string {
	if s.told || took < pagePatience {
		return ""
	}
	s.pages++
	s.longest = max(s.longest, took)
	if s.pages < silentPages {
		return ""
	}
	s.told = true
	return fmt.Sprintf("no metrics page is read: the server was asked for one %d times, and none was there after %s, when the next probe was due", s.pages, roundly(s.longest))
}

// tellSilent tells of a page that an ordinary probe has left time for and that
// has not come, unless one has come before or would tell nothing new.
func (l *lane) tellSilent(ctx context.Context, s *shot) {
	m := &l.metrics
	if s.kind != probe.Ordinary || m.answers || l.cutter.ignore || m.newest.sample.Models != nil {
		return
	}
	if text := m.silence.waited(s.read.took); text != "" {
		l.notice(ctx, text)
	}
}
