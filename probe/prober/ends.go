package prober

import (
	"net/url"
	"sync"
	"time"
)

// recentEnds is how many ends of requests are remembered of one server.
const recentEnds = 4096

// aLoadStream stands for the lane of a load stream.
const aLoadStream = -1

// ends remembers when requests of this program to one server ended: those of
// every lane, probes and load streams alike. It is safe for concurrent use.
type ends struct {
	mu   sync.Mutex
	list []end // a ring once it is full
	next int
}

type end struct {
	lane  int // or aLoadStream
	model string
	at    time.Time
}

// add notes that a request to a model has ended now.
func (e *ends) add(lane int, model string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := end{lane, model, time.Now()}
	if len(e.list) < recentEnds {
		e.list = append(e.list, now)
		return
	}
	e.list[e.next] = now
	e.next = (e.next + 1) % recentEnds
}

// since is how many requests to a model have ended since an instant: probes of
// one lane, and others.
func (e *ends) since(from time.Time, lane int, model string) (own, others int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range e.list {
		switch {
		case x.model != model || x.at.Before(from):
		case x.lane == lane:
			own++
		default:
			others++
		}
	}
	return own, others
}

// endsAt is the memory of the server at a base URL, made with the first lane of
// it.
func (p *Prober) endsAt(base *url.URL) *ends {
	key := base.Scheme + "://" + base.Host
	if p.ends[key] == nil {
		p.ends[key] = &ends{}
	}
	return p.ends[key]
}
