package prober

import (
	"context"
	"fmt"
	"time"

	"ttftop/probe"
)

// patient is how long a server must keep an idle connection for nothing to be
// said of it.
const patient = time.Minute

// tellCloses says once that the server closes its connections.
func (l *lane) tellCloses(ctx context.Context, k probe.Knobs) {
	if l.closes || k.Conn != probe.WarmConn {
		return
	}
	idle, ok := l.pool.Closes()
	if !ok || idle >= patient {
		return
	}
	l.closes = true
	l.prober.emit(ctx, probe.Notice{Target: l.index, Text: closesSentence(idle)})
}

func closesSentence(idle time.Duration) string {
	if idle == 0 {
		return "the server closes its connection after each answer: a probe goes out on one that was made ahead, or makes its own"
	}
	return fmt.Sprintf("the server closes connections that are idle for %v: a probe that finds none makes its own", roundIdle(idle))
}

// roundIdle rounds to what a person set it to.
func roundIdle(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}
