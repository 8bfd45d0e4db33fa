package diagnose

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ttftop/probe"
	"ttftop/probe/tally"
)

// waterfall makes a waterfall of milliseconds; what is called handling, queue
// and prefill is reported, what is called first_decode or ~name is estimated
// to within a tenth, and ?name to within nine tenths.
func waterfall(ms map[string]float64) probe.Waterfall {
	var w probe.Waterfall
	for _, name := range []probe.SegmentName{probe.DNS, probe.Connect, probe.TLS, probe.Send, probe.RTT,
		probe.Handling, probe.Queue, probe.Prefill, probe.FirstDecode, probe.Server} {
		seg := probe.Segment{Name: name, Source: probe.Measured}
		for _, how := range []struct {
			mark   string
			source probe.Source
			within float64
		}{{"", probe.Reported, 0}, {"~", probe.Estimated, 0.1}, {"?", probe.Estimated, 0.9}} {
			v, there := ms[how.mark+string(name)]
			if !there {
				continue
			}
			seg.Duration = time.Duration(v * float64(time.Millisecond))
			seg.Source = how.source
			seg.Lo = time.Duration((1 - how.within) * float64(seg.Duration))
			seg.Hi = time.Duration((1 + how.within) * float64(seg.Duration))
		}
		if name != probe.Server || seg.Duration > 0 {
			w = append(w, seg)
		}
	}
	return w
}

type parts = map[string]float64

// ok is what is known of an endpoint whose probes succeed.
func ok(p parts, change func(*Known)) Known {
	k := Known{P95: waterfall(p), P50: waterfall(parts{"rtt": 1}), Successes: 40, Probes: 40, Knobs: probe.DefaultKnobs, Prompt: 256}
	if change != nil {
		change(&k)
	}
	return k
}

func TestRules(t *testing.T) {
	covered := map[string]bool{}
	for _, c := range []struct {
		rule string
		k    Known
		want string
	}{
		{"own cold connections", ok(parts{"dns": 20, "connect": 30, "tls": 40, "rtt": 10}, func(k *Known) { k.Knobs.Conn = probe.ColdConn }),
			"network is 100 % of p95 TTFT, mostly new connections: reuse connections; the model has no part in it"},
		{"dns", ok(parts{"dns": 60, "connect": 10, "rtt": 10, "prefill": 20}, nil),
			"network is 80 % of p95 TTFT, mostly dns: reuse connections, cache the name's address, then mend the resolver"},
		{"tls", ok(parts{"connect": 10, "tls": 60, "prefill": 30}, nil),
			"network is 70 % of p95 TTFT, mostly tls: reuse connections, allow TLS 1.3 and session resumption, then a closer region"},
		{"connect", ok(parts{"connect": 50, "tls": 10, "rtt": 20, "prefill": 20}, nil),
			"network is 80 % of p95 TTFT, mostly connect: reuse connections, then a closer region"},
		{"several steps of new connections", ok(parts{"dns": 20, "connect": 20, "tls": 20, "prefill": 40}, nil),
			"network is 60 % of p95 TTFT, mostly new connections: reuse connections, then a closer region"},
		{"upload", ok(parts{"send": 55, "rtt": 15, "prefill": 30}, nil),
			"network is 70 % of p95 TTFT, mostly the upload: send less: a shorter prompt or a smaller body, then a faster uplink"},
		{"round trip to a proxy", ok(parts{"rtt": 70, "handling": 30}, func(k *Known) { k.ProxyOnly = true }),
			"network is 70 % of p95 TTFT, mostly the way to the proxy: go around the proxy, or use a closer one; the way behind it is not in this figure"},
		{"round trip", ok(parts{"rtt": 72, "queue": 3, "prefill": 25}, nil),
			"network is 72 % of p95 TTFT, mostly the round trip: a closer region; a faster model won't help"},
		{"handling behind a proxy", ok(parts{"rtt": 5, "handling": 75, "prefill": 20}, func(k *Known) { k.ProxyOnly = true }),
			"handling is 75 % of p95 TTFT: look at the way behind the proxy: region, gateway, authentication; the model is not at fault"},
		{"handling", ok(parts{"handling": 75, "prefill": 25}, nil),
			"handling is 75 % of p95 TTFT: look at gateway, authentication and tokenizing; the model is not at fault"},
		{"what reports leave", ok(parts{"~handling": 75, "queue": 5, "prefill": 20}, nil),
			"handling is about 75 % of p95 TTFT: that is time in no figure of the server: compare it with the server's own total, then its logs and the way to it"},
		{"what reports leave", ok(parts{"?handling": 75, "~queue": 5, "prefill": 20}, func(k *Known) { k.ProxyOnly = true }),
			"handling is about 75 % of p95 TTFT: that is time in no figure of the server: compare it with the server's own total, then its logs and the way to it"},
		{"fixed cost", ok(parts{"?handling": 75, "~prefill": 25}, nil),
			"handling is about 75 % of p95 TTFT: a fixed cost of every request, whatever the prompt: gateway, tokenizer, template, or a slow first step of the model"},
		{"own batch pressure", ok(parts{"rtt": 9, "queue": 71, "prefill": 20}, func(k *Known) { k.Knobs.Pressure = 16 }),
			"queue is 71 % of p95 TTFT: lower the batch or add capacity, then a smaller or quantized model"},
		{"queue of nobody", ok(parts{"rtt": 9, "queue": 71, "prefill": 20}, func(k *Known) {
			k.Engine, k.P50 = &probe.EngineState{}, waterfall(parts{"rtt": 9, "queue": 30, "prefill": 20})
		}),
			"queue is 71 % of p95 TTFT: nothing runs or waits by the server's own page: shorten its batching timer, or see what else holds requests back"},
		{"own batch pressure", ok(parts{"rtt": 9, "queue": 71, "prefill": 20}, func(k *Known) { k.Knobs.Pressure, k.Engine, k.P50 = 1, &probe.EngineState{}, k.P95 }),
			"queue is 71 % of p95 TTFT: lower the batch or add capacity, then a smaller or quantized model"},
		{"queue that others cause", ok(parts{"rtt": 9, "queue": 71, "prefill": 20}, func(k *Known) { k.Engine = &probe.EngineState{} }), // their bursts
			"queue is 71 % of p95 TTFT: spread the load, lower the batch or add capacity, then a smaller or quantized model; a batching timer makes such a queue too"},
		{"queue that others cause", ok(parts{"rtt": 9, "queue": 71, "prefill": 20}, nil),
			"queue is 71 % of p95 TTFT: spread the load, lower the batch or add capacity, then a smaller or quantized model; a batching timer makes such a queue too"},
		{"prefill of what a cache left", ok(parts{"rtt": 20, "prefill": 80}, func(k *Known) { k.Cached = 200 }),
			"prefill is 80 % of p95 TTFT: shorten what is not cached, then a smaller or quantized model; most of the prompt is cached already"},
		{"prefill", ok(parts{"rtt": 20, "~prefill": 80}, nil),
			"prefill is about 80 % of p95 TTFT: shorten or cache the prompt, then a smaller or quantized model"},
		{"first decode", ok(parts{"rtt": 20, "prefill": 20, "~first_decode": 60}, nil),
			"first decode is about 60 % of p95 TTFT: a quantized or smaller model, then faster memory; a shorter prompt won't help"},
		{"server", ok(parts{"rtt": 10, "server": 90}, nil),
			"server is 90 % of p95 TTFT: turn the prompt length to tell queue from prefill; the endpoint reports no times, or they don't fit"},
		{"server, buffered", ok(parts{"rtt": 10, "server": 90}, func(k *Known) { k.Whole = probe.FlagBuffered }),
			"server is 90 % of p95 TTFT: turn buffering off on the way (proxy_buffering, gzip); all tokens came in one read: the wait is that for the whole answer"},
		{"server, from-cache", ok(parts{"rtt": 10, "server": 90}, func(k *Known) { k.Whole = probe.FlagFromCache }),
			"server is 90 % of p95 TTFT: turn the cache off, or ask past it; the replies came from a cache, not from the model"},
		{"server, silent-cache", ok(parts{"rtt": 10, "server": 90}, func(k *Known) { k.Whole = probe.FlagSilentCache }),
			"server is 90 % of p95 TTFT: compare it with unique prompts (--cache bust); part of the prompt was cached, and the server does not say how much"},
		{"server, model-load", ok(parts{"rtt": 10, "server": 90}, func(k *Known) { k.Whole = probe.FlagModelLoad }),
			"server is 90 % of p95 TTFT: keep the model loaded; the model was loaded first, which is no part of a prompt's cost"},
		{"server, hidden-reasoning", ok(parts{"rtt": 10, "server": 90}, func(k *Known) { k.Whole = probe.FlagHiddenReasoning }),
			"server is 90 % of p95 TTFT: lower the reasoning effort; the model reasoned first, without showing it"},
		{"server, other-model", ok(parts{"rtt": 10, "server": 90}, func(k *Known) { k.Whole = probe.FlagOtherModel }),
			"server is 90 % of p95 TTFT: name the model that is to answer; the answers name ever other models: nothing is learnt of any"},
	} {
		f := Of(c.k)
		if f.rule != c.rule || f.Sentence() != c.want {
			t.Errorf("%s: by the rule %q:\n%s\nwant:\n%s", c.rule, f.rule, f.Sentence(), c.want)
		}
		if f.Part == "" || f.Share < dominant {
			t.Errorf("%s: %q with a share of %v", c.rule, f.Part, f.Share)
		}
		whole := strings.Replace(strings.Replace(f.BriefWhat, "≈ ", "", 1), percent(f.Share), "≈ 100 %", 1) + ": " + f.BriefCure
		if n := utf8.RuneCountInString(whole); f.BriefCure == "" || n > BriefWidth {
			t.Errorf("%s: the brief wording has %d characters: %q", c.rule, n, whole)
		}
		covered[c.rule] = true
	}
	for _, r := range rules {
		if !covered[r.name] {
			t.Errorf("no case for the rule %q", r.name)
		}
	}
}

// It says so when nothing dominates, and when too little is known.
func TestNothingToSay(t *testing.T) {
	mixed := parts{"rtt": 30, "queue": 25, "prefill": 45}
	for _, c := range []struct {
		name string
		k    Known
		want string
	}{
		{"nothing at all", Known{}, "too few probes to say what dominates: 0 of 5"},
		{"few probes", ok(mixed, func(k *Known) { k.Successes, k.Probes = 4, 4 }), "too few probes to say what dominates: 4 of 5"},
		{"no waterfall", ok(nil, func(k *Known) { k.P50, k.P95 = nil, nil }), "no probe near the p50 has a waterfall yet"},
		{"nothing dominates", ok(mixed, nil), "nothing dominates p95 TTFT: prefill 45 %, network 30 %"},
		{"p50 where there is no p95", ok(nil, func(k *Known) { k.P50, k.P95 = waterfall(mixed), nil }), "nothing dominates p50 TTFT: prefill 45 %, network 30 %"},
		{"nothing dominates, and cached", ok(parts{"rtt": 40, "prefill": 30, "queue": 30}, func(k *Known) { k.Cached = 230 }),
			"nothing dominates p95 TTFT: network 40 %, queue 30 %; 90 % of the prompt is cached: a cold one takes longer"},
		{"a wide interval", ok(parts{"rtt": 20, "?queue": 80}, nil), "queue may be 80 % of p95 TTFT: too uncertain yet to act on"},
		{"waits or a slower server", ok(parts{"rtt": 20, "~queue": 80}, func(k *Known) { k.AtMost = true }),
			"queue may be up to 80 % of p95 TTFT: waits or a slower server: not told apart yet"},
		{"failing", ok(mixed, func(k *Known) { k.Failed, k.Probes, k.Failure = 9, 49, "HTTP 503: overloaded" }),
			"18 % of the probes fail: mend that before any latency; HTTP 503: overloaded"},
		{"failing now and then", ok(mixed, func(k *Known) { k.Failed, k.Probes = 4, 44 }), "nothing dominates p95 TTFT: prefill 45 %, network 30 %"},
	} {
		f := Of(c.k)
		if f.Sentence() != c.want || f.Part != "" || f.Share != 0 {
			t.Errorf("%s: %q, part %q; want %q", c.name, f.Sentence(), f.Part, c.want)
		}
	}
}

// A queue that is a lower bound is told as one, and its interval doesn't matter.
func TestAtLeast(t *testing.T) {
	f := Of(ok(parts{"rtt": 20, "~queue": 80}, func(k *Known) { k.AtLeast = true }))
	if !strings.HasPrefix(f.Sentence(), "queue is at least 80 % of p95 TTFT: ") {
		t.Error(f.Sentence())
	}
}

// Of a target the p95 is taken once it is known, and the p50 before.
func TestTarget(t *testing.T) {
	knobs := probe.DefaultKnobs
	s := tally.New([]probe.Target{{Name: "a"}}, probe.Settings{Knobs: []probe.Knobs{knobs}}, time.Now(), time.Second)
	for i := range 20 {
		if i == 10 {
			if f := Target(s.Target(0), knobs); !strings.Contains(f.Sentence(), "of p50 TTFT") {
				t.Errorf("after %d probes: %s", i, f.Sentence())
			}
		}
		p := parts{"rtt": 10, "prefill": 90}
		if i%4 == 0 {
			p = parts{"rtt": 10, "prefill": 90, "queue": 900}
		}
		r := probe.Result{Seq: i + 1, Kind: probe.Ordinary, Waterfall: waterfall(p), PromptTokens: 256}
		r.Timeline.FirstToken = probe.At(r.Waterfall.Total())
		s.Fold(probe.Finished{Result: r})
	}
	if f := Target(s.Target(0), knobs); f.Part != probe.QueuePart || f.Share != 0.9 {
		t.Errorf("after 20 probes: %s", f.Sentence())
	}
	for i := range 50 { // this program's own standstill is no failure of the endpoint's
		kind := []probe.FailureKind{probe.FailClient, probe.FailSkipped}[i%2]
		s.Fold(probe.Finished{Result: probe.Result{Seq: 30 + i, Kind: probe.Ordinary, Failure: &probe.Failure{Kind: kind, Message: "not sent"}}})
	}
	if f := Target(s.Target(0), knobs); strings.Contains(f.Sentence(), "fail") {
		t.Errorf("faults on this side: %s", f.Sentence())
	}
	for i := range 5 {
		s.Fold(probe.Finished{Result: probe.Result{Seq: 90 + i, Kind: probe.Ordinary, Failure: &probe.Failure{Kind: probe.FailTimeout, Message: "no answer"}}})
	}
	s.Fold(probe.Finished{Result: probe.Result{Seq: 99, Kind: probe.Ordinary, Failure: &probe.Failure{Kind: probe.FailClient, Message: "not sent"}}})
	r := probe.Result{Seq: 40, Kind: probe.Ordinary, Waterfall: waterfall(parts{"rtt": 10})}
	r.Timeline.FirstToken = probe.At(r.Waterfall.Total())
	s.Fold(probe.Finished{Result: r})
	if got, want := Target(s.Target(0), knobs).Sentence(), "19 % of the probes fail: mend that before any latency; no answer"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The brief wording tells how the share is known.
func TestBrief(t *testing.T) {
	for _, c := range []struct {
		k    Known
		want string
	}{
		{ok(parts{"rtt": 9, "queue": 71, "prefill": 20}, nil), "queue 71 % of p95 TTFT: spread load or add capacity, then smaller model"},
		{ok(parts{"rtt": 20, "~prefill": 80}, nil), "prefill ≈ 80 % of p95 TTFT: shorten or cache prompt, then a smaller model"},
		{ok(parts{"rtt": 20, "~queue": 80}, func(k *Known) { k.AtLeast = true }), "queue ≥ 80 % of p95 TTFT: spread load or add capacity, then smaller model"},
		{ok(parts{"rtt": 20, "~queue": 80}, func(k *Known) { k.AtMost = true }), "queue ≤ 80 % of p95 TTFT: waits or a slower server, not told apart yet"},
	} {
		if f := Of(c.k); f.BriefWhat+": "+f.BriefCure != c.want {
			t.Errorf("%q: %q, want %q", f.BriefWhat, f.BriefCure, c.want)
		}
	}
}

// Nothing is probed where no model is known, and why is said.
func TestNoModel(t *testing.T) {
	knobs := probe.DefaultKnobs
	s := tally.New([]probe.Target{{Name: "a"}}, probe.Settings{Knobs: []probe.Knobs{knobs}}, time.Now(), time.Second)
	s.Fold(probe.Models{Failure: &probe.Failure{Kind: probe.FailConnect, Message: "refused the connection"}})
	f := Target(s.Target(0), knobs)
	if got, want := f.Sentence(), "no probe is sent: no model is known: name one (-m MODEL, or the knob m); refused the connection"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if len(f.BriefWhat)+2+len(f.BriefCure) > BriefWidth {
		t.Errorf("%q: %q is too long", f.BriefWhat, f.BriefCure)
	}
}
