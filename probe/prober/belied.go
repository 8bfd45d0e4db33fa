package prober

import (
	"fmt"

	"ttftop/probe/cut"
	"ttftop/probe/reported"
)

// headersBelied is the number of probes whose headers came as much later as they
// waited from which a name that says otherwise is not believed for any.
const headersBelied = 4

// judge takes a rule by the server's name from a probe where what was seen
// contradicts it: headers that leave on acceptance don't come later by what a
// request waits. They do where a gateway in front of the server holds them, or
// another server has its name; what they measure is then mostly queue. One probe
// that shows it is not cut by the name, all of them where several do, as long as
// not more have borne the name out. along says that this probe shows it. It
// returns a sentence on it, once.
//
// A name by which headers leave with a slot has no such test: where they stay
// where they are, others may slow prefill behind them.
func (w *headerWatch) judge(in *cut.Input, along bool, name reported.Server) (sentence string) {
	byName := in.Headers == cut.OnAcceptance || in.Headers == cut.HeadersUnknown && in.Figures.HandlingFromHeaders
	if !byName || len(w.idle) < headersFew {
		return ""
	}
	usual := w.usual()
	against := count(w.waited, func(s headersSeen) bool { return s.along(usual) })
	if against < count(w.waited, func(s headersSeen) bool { return s.still(usual) }) || !along && against < headersBelied {
		return ""
	}
	in.Headers, in.Figures.HandlingFromHeaders = cut.HeadersUnknown, false
	if w.told || against < headersBelied {
		return ""
	}
	w.told = true
	return fmt.Sprintf("Response headers should leave as soon as %s takes a request, but here they come as much later as a request waits (a gateway holds them, or the server is another): they are not taken for handling.", called(name))
}

// called is what a sentence calls a server.
func called(name reported.Server) string {
	if name == "" {
		return "this server"
	}
	return string(name)
}
