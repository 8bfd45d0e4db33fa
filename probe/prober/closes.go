package prober

import (
	"context"
	"fmt"
	"strconv"
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
	return fmt.Sprintf("the server closes connections that are idle for %s: a probe that finds none makes its own", inSeconds(idle))
}

// inSeconds is a time as a person sets it: "60 s", "0.5 s".
func inSeconds(d time.Duration) string {
	grain := time.Second
	if d < 10*time.Second {
		grain /= 10
	}
	return strconv.FormatFloat(d.Round(grain).Seconds(), 'f', -1, 64) + " s"
}
