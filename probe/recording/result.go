package recording

import (
	"math"
	"time"

	"ttftop/probe"
	"ttftop/probe/record"
)

// result is a record as the result it was made from, as far as the record
// holds it.
func result(p record.Probe) *probe.Result {
	r := &probe.Result{
		Seq: p.Seq, Kind: p.Kind, Epoch: p.Epoch,
		Knobs:   probe.Knobs{Model: p.Model, PromptTokens: p.Asked, MaxTokens: p.MaxTokens, Pressure: p.Pressure, Cache: p.Cache},
		Address: p.Address, Proxy: p.Proxy, Names: p.Names, Protocol: p.Protocol, TLS: p.TLS, Resumed: p.Resumed,
		Reused: p.Conn == record.ConnReused || p.Conn == record.ConnReady, Fresh: p.Conn == record.ConnReady, Clock: p.Clock, Coalesced: p.Coalesced, Status: p.Status, RequestID: p.RequestID, Headers: p.Headers,
		PromptChars: p.PromptChars, CachedTokens: p.Cached, CachedTold: p.CachedFrom != record.CachedNotTold, PromptExact: p.PromptFrom == "usage", OutputTokens: p.Output, OutputExact: p.OutputFrom == "usage",
		RTT: mark(p.RTT), Retransmits: p.Retransmits, Lag: duration(p.Lag), Lost: duration(p.Lost), ReadDelay: duration(p.ReadDelay), Contention: mark(p.Contention),
		Reported: p.Reported, Flags: p.Flags, Failure: failure(p.Error),
		Timeline: probe.Timeline{
			Headers: mark(p.Marks.Headers), FirstEvent: mark(p.Marks.FirstEvent), FirstReasoning: mark(p.Marks.FirstReasoning),
			FirstToken: mark(p.TTFT), FirstAnswer: mark(p.AnswerTTFT), Done: mark(p.Total),
		},
	}
	r.At, _ = time.Parse(time.RFC3339Nano, p.At) // a time that can't be read sorts first
	if p.Prompt != nil {
		r.PromptTokens = *p.Prompt
	}
	for _, s := range p.Segments {
		seg := probe.Segment{Name: s.Name, Duration: max(0, duration(s.MS)), Source: s.Source}
		if s.Lo != nil && s.Hi != nil {
			seg.Lo, seg.Hi = duration(*s.Lo), duration(*s.Hi)
		}
		r.Waterfall = append(r.Waterfall, seg)
	}
	return r
}

func failure(e *record.Error) *probe.Failure {
	if e == nil {
		return nil
	}
	return &probe.Failure{Kind: e.Kind, Phase: e.Phase, Message: e.Message, Status: e.Status, RetryAfter: time.Duration(e.RetryAfter) * time.Millisecond}
}

func mark(m *record.Millis) probe.Mark {
	if m == nil {
		return probe.Mark{}
	}
	return probe.At(duration(*m))
}

// duration is exact to the microsecond that records are written with. What no
// duration can hold becomes the longest.
func duration(m record.Millis) time.Duration {
	us := math.Round(float64(m) * 1000)
	if math.Abs(us) >= math.MaxInt64/1000 {
		return math.MaxInt64
	}
	return time.Duration(us) * time.Microsecond
}
