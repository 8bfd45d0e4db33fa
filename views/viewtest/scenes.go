package viewtest

import (
	"fmt"
	"math"
	"time"

	"ttftop/probe"
	"ttftop/probe/quantile"
	"ttftop/probe/tally"
	"ttftop/views"
)

// Scene is a snapshot with the name of its golden files.
type Scene struct {
	Name string
	Snap views.Snapshot
}

// Scenes are situations that a person meets.
func Scenes() []Scene {
	return []Scene{
		{"demo", Probed(Demo())},
		{"trouble", Probed(Trouble())},
		{"uncut", Probed(Uncut())},
		{"first", Probed(First())},
		{"crowd", Probed(Crowd(12))},
		{"dialog", Probed(Asking())},
	}
}

// ms is so many milliseconds.
func ms(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }

// seg is a segment of a waterfall.
func seg(name probe.SegmentName, v float64, src probe.Source) probe.Segment {
	return probe.Segment{Name: name, Duration: ms(v), Source: src}
}

// cut is a waterfall of an endpoint that reports its queue and prefill.
func cut(rtt, handling, queue, prefill, decode float64) probe.Waterfall {
	return probe.Waterfall{
		seg(probe.DNS, 0, probe.Measured), seg(probe.Connect, 0, probe.Measured), seg(probe.TLS, 0, probe.Measured),
		seg(probe.Send, 0.2, probe.Measured), seg(probe.RTT, rtt-0.2, probe.Measured),
		seg(probe.Handling, handling, probe.Measured), seg(probe.Queue, queue, probe.Reported),
		seg(probe.Prefill, prefill, probe.Reported), guessed(probe.FirstDecode, decode, 0.9, 1.15),
	}
}

// guessed is an estimated segment, with an interval from a share of it to
// another.
func guessed(name probe.SegmentName, v, lo, hi float64) probe.Segment {
	s := seg(name, v, probe.Estimated)
	s.Lo, s.Hi = ms(lo*v), ms(hi*v)
	return s
}

// supposed is a waterfall of an endpoint that reports nothing.
func supposed(rtt, handling, queue, prefill, decode float64) probe.Waterfall {
	w := cut(rtt, handling, queue, prefill, decode)
	for i, s := range w {
		if s.Name.Part() != probe.NetworkPart {
			w[i] = guessed(s.Name, float64(s.Duration)/1e6, 0.9, 1.15)
		}
	}
	return w
}

// books is the truth of a waterfall as a simulator has it.
func books(rtt, handling, queue, prefill, decode float64) probe.Waterfall {
	w := cut(rtt, handling, queue, prefill, decode)
	for i := range w {
		w[i].Source, w[i].Lo, w[i].Hi = probe.Measured, 0, 0
	}
	return w
}

// growing is the beginning of a waterfall, up to an instant.
func growing(w probe.Waterfall, until float64) probe.Waterfall {
	var list probe.Waterfall
	left := ms(until)
	for _, s := range w {
		s.Duration = min(s.Duration, left)
		left -= s.Duration
		list = append(list, s)
		if left <= 0 {
			break
		}
	}
	return list
}

// exactly is a quantile of n probes.
func exactly(v float64, n int) quantile.Estimate {
	return quantile.Estimate{At: ms(v), OK: true, N: n}
}

// atMost is a quantile for which n probes are too few.
func atMost(v float64, n int) quantile.Estimate {
	return quantile.Estimate{At: ms(v), OK: true, Max: true, N: n}
}

// shift is the change from one waterfall to another, to within so many
// milliseconds; that of the p95, where it is known, is a quarter larger.
func shift(before, after probe.Waterfall, within float64, tail bool) tally.Shift {
	change := func(d time.Duration) tally.Change {
		return tally.Change{At: d, Lo: d - ms(within), Hi: d + ms(within/2), OK: true}
	}
	s := tally.Shift{P50: change(after.Total() - before.Total())}
	if tail {
		s.P95 = change((after.Total() - before.Total()) * 5 / 4)
	}
	for _, p := range probe.Parts[:5] {
		s.Parts = append(s.Parts, tally.PartChange{Part: p, Change: change(after.Of(p) - before.Of(p))})
	}
	return s
}

// steady are points around base, in an epoch, with a ripple that looks random
// and is not.
func steady(from, to, every time.Duration, base, ripple float64, epoch, seed int) []views.Point {
	var list []views.Point
	for at := from; at < to; at += every {
		x := float64(len(list)*(seed+3)) * 1.7
		v := base + ripple*(math.Sin(x)+0.6*math.Sin(2.3*x+float64(seed)))/1.6
		if (len(list)+seed)%17 == 0 {
			v += 1.5 * ripple
		}
		list = append(list, views.Point{At: at, TTFT: ms(v), Epoch: epoch})
	}
	return list
}

// knobs are the knobs of the explorer, the prompt selected.
func knobs(prompt, pressure, model string) []views.Knob {
	return []views.Knob{
		{Key: "p", Turns: "p/P", Name: "prompt", Value: prompt, Selected: true, Note: "endpoint counts 1,023"},
		{Key: "b", Turns: "b/B", Name: "batch", Value: pressure},
		{Key: "m", Turns: "m/M", Name: "model", Value: model},
		{Key: "c", Turns: "c", Name: "cache", Value: "bust"},
		{Key: "n", Turns: "n", Name: "conn", Value: "warm"},
		{Key: "o", Turns: "o/O", Name: "output", Value: "16"},
		{Key: "r", Turns: "r/R", Name: "rate", Value: "2/s"},
		{Key: "s", Turns: "s/S", Name: "slo", Value: "p95=150ms"},
	}
}

// keys are the keys of the footer.
func keys() []views.KeyHelp {
	return []views.KeyHelp{
		{Key: "←→", Does: "turn"}, {Key: "↑↓", Does: "knob"}, {Key: "enter", Does: "type"}, {Key: "tab", Does: "view"},
		{Key: "p/P", Does: "prompt"}, {Key: "b/B", Does: "batch"}, {Key: "m/M", Does: "model"},
		{Key: "space", Does: "pause"}, {Key: "?", Does: "help"}, {Key: "q", Does: "quit"},
	}
}

// Demo is the simulated demo in mid flight, a minute and a half after the
// start, with the prompt made longer half a minute ago.
func Demo() views.Snapshot {
	const now, changed = 94 * time.Second, 62 * time.Second
	nearBefore, near := cut(8.1, 2.4, 1.2, 21.4, 9.1), cut(8.2, 2.4, 3.1, 85.2, 9.3)
	farBefore, far := cut(96.4, 2.9, 4.8, 22.1, 9.6), cut(96.1, 2.9, 18.4, 88.7, 9.9)
	s := views.Snapshot{
		Now: now, Simulated: true, Epoch: 2,
		Changes: []views.Change{{At: changed, Epoch: 2, Text: "prompt 256 → 1,024"}},
		Knobs:   knobs("1,024", "0", "sim-8b"),
		Status: views.Status{Probes: 374, Failed: 0, Sent: 221_440, Received: 5_984, PerMinute: 249_600,
			Record: "session.jsonl", Keys: keys()},
	}
	figures := func(p50, p95, max float64, n int, per1k, itl, total float64) views.Figures {
		return views.Figures{
			Probes: n, P50: exactly(p50, n), P95: exactly(p95, n), P99: atMost(max, n), Max: probe.At(ms(max)),
			Per1k: probe.At(ms(per1k)), Fixed: probe.At(ms(21.2)), Slope: probe.At(ms(83.4)),
			ITL: probe.At(ms(itl)), TPOT: probe.At(ms(itl)), TokensPerSec: 1000 / itl, Total: probe.At(ms(total)),
			PromptTokens: 1023, PromptExact: true, TokensExact: true,
		}
	}
	s.Targets = []views.Target{{
		Name: "near", Region: "us-east", Model: "sim-8b", URL: "http://127.0.0.1:41017/v1",
		Live: &views.Live{Seq: 374, Kind: probe.Ordinary, Waterfall: growing(near, 71.6), Elapsed: ms(71.6)},
		Last: &views.Settled{Seq: 372, Kind: probe.Ordinary, Waterfall: cut(8.2, 2.5, 9.8, 85.1, 9.3), TTFT: ms(114.9),
			PromptTokens: 1023, CachedTold: true, PromptExact: true, Contention: probe.At(ms(6.4)), Truth: books(9.1, 1.9, 8.6, 86, 9.3),
			Marks: views.Marks{Headers: probe.At(ms(10.7)), FirstEvent: probe.At(ms(63.2)), FirstAnswer: probe.At(ms(114.9))},
			Known: views.Known{Dialect: "vllm", Clock: probe.KernelClock, RTT: true, Reused: true, Link: "127.0.0.1:41017 TLS 1.3 kept, session resumed; the name resolved to 127.0.0.1 ::1"}},
		P50: near, P50Probes: 64, P50Truth: books(8.9, 1.9, 2.8, 85.3, 9.3), Fit: fitted(),
		Figures: figures(108.2, 124.6, 131.3, 64, 105.7, 9.31, 248),
		Points: append(steady(2*time.Second, changed, 500*time.Millisecond, 42, 6, 1, 1),
			steady(changed, now, 500*time.Millisecond, 110, 14, 2, 2)...),
		Address: "127.0.0.1:41017", Clock: probe.KernelClock,
	}, {
		Name: "far", Region: "ap-south", Model: "sim-8b", URL: "http://127.0.0.1:41018/v1",
		Last: &views.Settled{Seq: 373, Kind: probe.Ordinary, Waterfall: cut(96.2, 3.0, 31.5, 88.9, 9.9), TTFT: ms(229.5),
			PromptTokens: 1024, CachedTokens: 64, CachedTold: true, PromptExact: true, Truth: books(98.4, 2, 30.1, 89.1, 9.9),
			Marks: views.Marks{Headers: probe.At(ms(229.5)), FirstEvent: probe.At(ms(229.5)), FirstReasoning: probe.At(ms(229.5)), FirstAnswer: probe.At(ms(612))},
			Known: views.Known{Dialect: "vllm", Clock: probe.KernelClock, RTT: true, Reused: true}},
		P50: far, P50Probes: 64, P50Truth: books(97.3, 2, 17.6, 89.2, 9.9), Fit: fitted(),
		Figures: figures(216, 247.9, 262, 64, 211, 9.92, 366),
		Points: append(steady(2*time.Second, changed, 500*time.Millisecond, 136, 9, 1, 3),
			steady(changed, now, 500*time.Millisecond, 217, 22, 2, 4)...),
		Address: "127.0.0.1:41018", Clock: probe.KernelClock,
	}}
	s.Limits = []views.Limit{{SLO: probe.SLO{Metric: probe.TTFTMetric, Quantile: 0.95, Limit: ms(150)}, Shares: []views.Share{{N: 64, Of: 64}, {N: 2, Of: 64}}}}
	s.Targets[0].Diagnosis = views.Diagnosis{Part: probe.PrefillPart, Share: 0.79, What: "prefill is 79 % of p95 TTFT",
		Cure:      "shorten or cache the prompt, then a smaller or quantized model",
		BriefWhat: "prefill 79 % of p95 TTFT", BriefCure: "shorten or cache prompt, then a smaller model"}
	s.Targets[1].Diagnosis = views.Diagnosis{What: "nothing dominates p95 TTFT: network 45 %, prefill 41 %"}
	s.Effect = &views.Effect{Text: "prompt 256 → 1,024", Targets: []views.TargetEffect{
		{Target: "near", Before: figures(42.2, 50.1, 55.6, 120, 165, 9.1, 179), After: s.Targets[0].Figures,
			Shift: shift(nearBefore, near, 2.1, false)},
		{Target: "far", Before: figures(135.8, 151, 160, 120, 530, 9.6, 280), After: s.Targets[1].Figures,
			Shift: shift(farBefore, far, 4.8, false)},
	}}
	return s
}

// fitted is a baseline with its intervals.
func fitted() probe.Fit {
	return probe.Fit{Fixed: probe.At(ms(21.2)), Per1k: probe.At(ms(83.4)), FixedLo: ms(20.6), FixedHi: ms(22), Per1kLo: ms(81.7), Per1kHi: ms(85.9)}
}

// Trouble is real endpoints of which one fails now and then and another is
// held, while the record can't be written.
func Trouble() views.Snapshot {
	s := Demo()
	s.Simulated, s.Paused = false, false
	a, b := &s.Targets[0], &s.Targets[1]
	a.Name, a.Region, a.Model = "prod", "eu-west-1", "meta-llama/Llama-3.1-70B-Instruct"
	a.Live = nil
	a.Failure = "HTTP 503: the server is overloaded: model worker restarted while the request waited"
	a.Figures.Failed = 4
	a.Figures.Probes = 68
	a.Figures.P95 = quantile.Estimate{At: 30 * time.Second, OK: true, Censored: true, N: 68}
	a.Figures.P99 = quantile.Estimate{At: 30 * time.Second, OK: true, Censored: true, Max: true, N: 68}
	a.LoadAsked, a.Load, a.LoadError = 16, 11, "HTTP 503"
	a.Clock = probe.UserClock
	a.Diagnosis = views.Diagnosis{What: "11 % of the probes fail", Cure: "mend that before any latency", Note: a.Failure}
	a.Insecure = true
	for i := 70; i < len(a.Points); i += 23 {
		a.Points[i].Failed, a.Points[i].TTFT = true, 0
	}
	b.Name, b.Region, b.Model = "api.openai.com", "", "gpt-4o-mini"
	b.Held, b.HeldFor = "the endpoint asked to wait (HTTP 429: Rate limit reached for requests)", 11300*time.Millisecond
	b.FlagText = []string{"answers name gpt-4o-mini-2024-07-18"}
	b.Figures.Beside = 3
	b.Figures.PromptExact, b.Figures.TokensExact = false, false
	b.Points = b.Points[:len(b.Points)-30]
	s.Changes = append(s.Changes, views.Change{At: 81 * time.Second, Text: "deploy 42", Note: true})
	s.Status.Failed = 4
	s.Status.Budget = 250_000
	s.Status.RecordError = "no space left on device"
	s.Status.Notices = []string{"prompt length is approximate at api.openai.com: its answers carry no usage"}
	s.Effect.Targets[0].After = a.Figures
	s.Effect.Targets[1].After = views.Figures{Probes: 2, P50: exactly(231, 2), P95: atMost(240, 2), P99: atMost(240, 2)}
	s.Effect.Targets[0].Shift.P95.OK = false
	s.Effect.Targets[1].Shift = tally.Shift{}
	s.Effect.Targets[0].Target, s.Effect.Targets[1].Target = a.Name, b.Name
	return s
}

// Uncut is a target whose server time can't be cut yet, while the ladder of
// calibration runs.
func Uncut() views.Snapshot {
	s := Demo()
	s.Now, s.Epoch, s.Changes, s.Effect, s.Limits = 9*time.Second, 1, nil, nil, nil
	s.Targets = s.Targets[:1]
	t := &s.Targets[0]
	server := probe.Waterfall{
		seg(probe.Send, 0.1, probe.Measured), seg(probe.RTT, 1.1, probe.Measured), seg(probe.Server, 341.7, probe.Measured),
	}
	t.Name, t.Region, t.Model = "llama.cpp", "", "smollm2-135m-instruct-q8_0.gguf"
	t.Live = &views.Live{Seq: 7, Kind: probe.Calibration, Waterfall: growing(server, 120), Elapsed: ms(120)}
	t.Last = &views.Settled{Seq: 6, Kind: probe.Ordinary, Waterfall: server, TTFT: ms(342.9), PromptTokens: 256}
	t.P50, t.P50Probes, t.P50Truth, t.Fit = nil, 3, nil, probe.Fit{}
	t.Ladder = views.Progress{Done: 3, Total: 8}
	t.Diagnosis = views.Diagnosis{What: "too few probes to say what dominates: 3 of 5"}
	t.Figures = views.Figures{Probes: 3, P50: exactly(342.9, 3), P95: atMost(361, 3), P99: atMost(361, 3),
		Max: probe.At(ms(361)), Per1k: probe.At(ms(1339)), ITL: probe.At(ms(24.1)), TokensPerSec: 41.5,
		Total: probe.At(ms(704)), PromptTokens: 256}
	t.Points = steady(4*time.Second, s.Now, time.Second, 343, 18, 1, 1)
	s.Status = views.Status{Probes: 7, Sent: 2_101, Received: 112, PerMinute: 16_320, Keys: keys()}
	s.Simulated = false
	return s
}

// First is the screen before the first probe has ended.
func First() views.Snapshot {
	s := Demo()
	s.Now, s.Epoch, s.Changes, s.Effect, s.Limits = 300*time.Millisecond, 1, nil, nil, nil
	for i := range s.Targets {
		t := &s.Targets[i]
		*t = views.Target{Name: t.Name, Region: t.Region, Model: t.Model, Ladder: views.Progress{Total: 6}}
	}
	s.Targets[0].Live = &views.Live{Seq: 1, Kind: probe.Warmup, Elapsed: ms(14),
		Waterfall: probe.Waterfall{seg(probe.Connect, 8.2, probe.Measured), seg(probe.Send, 5.8, probe.Measured)}}
	s.Status = views.Status{PerMinute: 62_400, Keys: keys()}
	return s
}

// Crowd is n targets, some with long and wide names.
func Crowd(n int) views.Snapshot {
	s := Demo()
	demo := s.Targets
	names := []string{"模型-é🌍", "a-very-long-endpoint-name-that-will-not-fit.example.internal:8443", "gpu-07", "vllm"}
	s.Targets, s.Effect.Targets = nil, nil
	for i := range n {
		t := demo[i%2]
		t.Name = fmt.Sprintf("%s %d", names[i%len(names)], i)
		t.Region = []string{"東京", "eu-west", ""}[i%3]
		t.Model = []string{"sim-8b", "Qwen/Qwen2.5-72B-Instruct-AWQ"}[i%2]
		grow := 1 + float64(i)/6
		t.P50 = cut(8.2*grow, 2.4, 3.1*grow*grow, 85.2*grow, 9.3)
		t.Figures.P50 = exactly(float64(t.P50.Total())/1e6, 64)
		t.Points = steady(2*time.Second, s.Now, 500*time.Millisecond, 108*grow, 9, 2, i)
		s.Targets = append(s.Targets, t)
		s.Effect.Targets = append(s.Effect.Targets, views.TargetEffect{Target: t.Name, Before: demo[0].Figures, After: t.Figures,
			Shift: shift(demo[0].P50, t.P50, 3, i%2 == 0)})
	}
	s.Selected = 5
	return s
}

// Asking is the demo with an entry in front of it.
func Asking() views.Snapshot {
	s := Demo()
	s.Paused = true
	s.Dialog = &views.Dialog{
		Title: "Model", Lines: []string{"Type to filter the models that the endpoint lists."},
		Entry: true, Text: "sim", Choices: []string{"sim-1b", "sim-8b", "sim-70b"}, Chosen: 1,
		Keys: []views.KeyHelp{{Key: "↑↓", Does: "choose"}, {Key: "enter", Does: "take"}, {Key: "esc", Does: "leave"}},
	}
	return s
}
