package scrape

import (
	"math"
	"time"

	"ttftop/probe"
	"ttftop/probe/reported"
)

// Average is the mean of one figure over the requests counted between two
// pages.
type Average struct {
	Mean  time.Duration
	Count int  // requests it is the mean of
	OK    bool // at least one was counted
}

// Delta is what changed between two pages.
type Delta struct {
	OK        bool // both pages hold the model, and the server was not restarted between them
	Restarted bool // a counter fell
	Server    reported.Server

	// Alone says that queue and prefill, those that the server has, were
	// counted for exactly one request. If the pages surround a probe that was
	// counted, that request is the probe.
	Alone bool

	Queue, Prefill, TTFT Average
	QueueHasHandling     bool

	PrefillTime  time.Duration // seconds of prefill in all; also where requests are not counted (llama.cpp)
	PromptTokens int           // prompt tokens processed in all
	CachedTokens int           // prompt tokens taken from cache in all

	// MeanPrompt is the mean prompt length of the finished requests, 0 where
	// the server does not say: where Alone, it should be the probe's own.
	MeanPrompt float64

	Running, Waiting, CacheUse Gauge // on the later page
}

// Since compares a page with an earlier one of the same server, for one model:
// its name as the server has it, or any name where the server has only one.
func (s Sample) Since(before Sample, model string) Delta {
	a, haveAfter := s.model(model)
	b, haveBefore := before.model(model)
	d := Delta{Server: s.Server, Running: a.Running, Waiting: a.Waiting, CacheUse: a.CacheUse}
	if !haveAfter || !haveBefore || s.Server != before.Server {
		return d
	}
	if fell(a, b) {
		d.Restarted = true
		return d
	}
	d.OK = true
	d.QueueHasHandling = a.QueueHasHandling
	d.Queue, d.Prefill, d.TTFT = average(a.Queue, b.Queue), average(a.Prefill, b.Prefill), average(a.TTFT, b.TTFT)
	if sliced(a, b) {
		d.Prefill = Average{} // whether it covers the earlier slices is not known
	}
	d.Alone = alone(a, b)
	d.PrefillTime = seconds(rise(a.Prefill, b.Prefill).Sum)
	d.PromptTokens = tokens(rise(a.PromptTokens, b.PromptTokens).Sum)
	d.CachedTokens = tokens(rise(a.CachedTokens, b.CachedTokens).Sum)
	if p := rise(a.Prompt, b.Prompt); p.Count > 0 {
		d.MeanPrompt = p.Sum / p.Count
	}
	return d
}

// Requests is how many requests were counted between the pages, at least.
func (d Delta) Requests() int {
	n := max(d.Queue.Count, d.Prefill.Count)
	if d.Alone {
		n = max(n, 1) // also where the figures can't be
	}
	return n
}

// Averages is what the pages say of the requests between them, for a record:
// means in seconds, each with the number of requests it is the mean of. It is
// empty where none was counted.
func (d Delta) Averages() map[string]any {
	raw := map[string]any{}
	for name, a := range map[string]Average{"queue": d.Queue, "prefill": d.Prefill, "ttft": d.TTFT} {
		if a.OK {
			raw["scraped.average_"+name+"_seconds"] = a.Mean.Seconds()
			raw["scraped.average_"+name+"_requests"] = a.Count
		}
	}
	return raw
}

// Figures returns what the pages say of the one request between them, as an
// adapter would; false unless Alone. Averages over several are no figures of a
// probe.
func (d Delta) Figures() (reported.Figures, bool) {
	if !d.Alone {
		return reported.Figures{}, false
	}
	f := reported.Figures{Dialect: string(d.Server) + " /metrics", Raw: map[string]any{}}
	if d.Queue.OK {
		f.Queue, f.QueueHasHandling = probe.At(d.Queue.Mean), d.QueueHasHandling
		f.Raw["scraped.queue_seconds"] = d.Queue.Mean.Seconds()
	}
	if d.Prefill.OK && d.Prefill.Mean > 0 {
		f.Prefill, f.FirstDecodeInPrefill = probe.At(d.Prefill.Mean), firstDecode[d.Server]
		f.Raw["scraped.prefill_seconds"] = d.Prefill.Mean.Seconds()
	}
	if d.TTFT.OK && d.TTFT.Count == 1 {
		f.WholeTTFT = probe.At(d.TTFT.Mean)
		f.Raw["scraped.ttft_seconds"] = d.TTFT.Mean.Seconds()
	}
	f.ServedBy(d.Server)
	return f, f.Cuts()
}

// firstDecode says of which servers the prefill ends with the first token:
// vLLM's by its documentation, TGI's because its prefill call returns it.
var firstDecode = map[reported.Server]reported.Contains{
	reported.VLLM: reported.Yes,
	reported.TGI:  reported.Yes,
}

// longest is the mean beyond which a figure can't be.
const longest = time.Hour

// rise is how far a total went up; it is not OK where the later page lacks it.
// A series that a server makes with its first request is missing on the
// earlier page: it rose from zero.
func rise(a, b Total) Total {
	if !a.OK {
		return Total{}
	}
	return Total{Sum: a.Sum - b.Sum, Count: a.Count - b.Count, OK: true, Counted: a.Counted}
}

// fell reports whether any total is gone or went down: the server was
// restarted. Where there is a count it decides, since one bad observation can
// lower a sum.
func fell(a, b Model) bool {
	for _, f := range []func(*Model) *Total{queue, prefill, chunks, ttft, prompt, promptTokens, cachedTokens} {
		now, then := *f(&a), *f(&b)
		r := rise(now, then)
		if then.OK && !now.OK || r.Count < 0 || !r.Counted && r.Sum < 0 {
			return true
		}
	}
	return false
}

// average is not OK where nothing was counted, or where the mean can't be.
func average(a, b Total) Average {
	r := rise(a, b)
	n := math.Round(r.Count)
	if !r.OK || !r.Counted || n < 1 || n > math.MaxInt32 || r.Sum < 0 || r.Sum/n > longest.Seconds() {
		return Average{}
	}
	return Average{Mean: seconds(r.Sum / n), Count: int(n), OK: true}
}

// alone reports whether every counted figure of the cut rose by one request.
func alone(a, b Model) bool {
	some := false
	for _, f := range []func(*Model) *Total{queue, prefill} {
		r := rise(*f(&a), *f(&b))
		if !r.Counted {
			continue
		}
		if math.Round(r.Count) != 1 {
			return false
		}
		some = true
	}
	return some
}

// sliced reports whether a prompt was prefilled in slices that are counted
// apart.
func sliced(a, b Model) bool { return rise(a.Chunks, b.Chunks).Count > 0 }

// seconds turns a figure of a page into a duration, bounded to a year.
func seconds(s float64) time.Duration {
	const year = 365 * 24 * 60 * 60
	return time.Duration(math.Round(max(0, min(s, year)) * float64(time.Second)))
}

// tokens turns a count of a page into a number, bounded so that it fits.
func tokens(n float64) int { return int(max(0, min(n, math.MaxInt32))) }
