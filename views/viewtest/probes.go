package viewtest

import (
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/views"
)

// Start is when the scenes begin.
var Start = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

// ViewScenes are situations of the views beside the explorer.
func ViewScenes() []Scene {
	var list []Scene
	for _, v := range []views.View{views.Distribution, views.Scaling} {
		for _, sc := range Scenes() {
			if sc.Snap.Dialog == nil {
				list = append(list, Scene{v.String() + "_" + sc.Name, in(v, sc.Snap)})
			}
		}
	}
	table := in(views.Probes, Trouble())
	filtered, none, open, failed, command := table, table, table, table, table
	filtered.Probes = changed(table.Probes, func(p *views.ProbeList) {
		p.Filter, p.Typing, p.Sort = "prod ", true, views.ProbeTTFT
		p.Rows = slices.DeleteFunc(slices.Clone(p.Rows), func(r *probe.Result) bool { return r.Target != 0 })
	})
	none.Probes = changed(table.Probes, func(p *views.ProbeList) { p.Filter, p.Rows = "no such thing", nil })
	open.Probes = changed(table.Probes, func(p *views.ProbeList) {
		p.Open = Full()
		p.FlagText = []string{"report-mismatch: the server's own times contradict those measured: not used"}
	})
	failed.Probes = changed(table.Probes, func(p *views.ProbeList) { p.Open, p.Scroll = p.Rows[1], 3 })
	command.Page = &views.Page{Title: "probe 374 as a command", Lines: []string{
		`curl -sN --http1.1 'https://llm.example.com/v1/chat/completions' \`,
		`  -H "Authorization: Bearer $OPENAI_API_KEY" \`, "  --data-binary @- <<EOF", "{", ` "model": "sim-8b"`, "}", "EOF", "",
		"It holds no key: what authorizes comes from the environment: OPENAI_API_KEY.",
	}, Keys: []views.KeyHelp{{Key: "any key", Does: "back"}}}
	for _, sc := range Contests() {
		list = append(list, Scene{"compare_" + sc.Name, sc.Snap})
	}
	return append(list, Scene{"probes_table", table}, Scene{"probes_filtered", filtered}, Scene{"probes_none", none},
		Scene{"probes_open", open}, Scene{"probes_failed", failed}, Scene{"probes_command", command}, Scene{"probes_first", in(views.Probes, First())})
}

func changed(p *views.ProbeList, change func(*views.ProbeList)) *views.ProbeList {
	other := *p
	change(&other)
	return &other
}

// Probed is a snapshot of the explorer whose points are probes, for its further
// charts.
func Probed(s views.Snapshot) views.Snapshot { return in(views.Explore, s) }

// in is a snapshot with what a view shows of it: its points are probes.
func in(v views.View, s views.Snapshot) views.Snapshot {
	s.View, s.Start = v, Start
	s.Targets = slices.Clone(s.Targets)
	var rows []*probe.Result
	for i := range s.Targets {
		t := &s.Targets[i]
		t.Epoch, t.Ranked, t.Costs, t.Censored, t.Fit.Line = s.Epoch, nil, nil, 0, nil
		for j, p := range t.Points {
			r := resultOf(p, i, j, t)
			rows = append(rows, r)
			if p.Failed {
				if p.Epoch == s.Epoch {
					t.Censored++
				}
				continue
			}
			if p.Epoch == s.Epoch {
				t.Ranked = append(t.Ranked, p.TTFT)
			}
			t.Costs = append(t.Costs, views.Cost{Tokens: r.UncachedTokens(), TTFT: p.TTFT, Outside: ms(17.5), Epoch: p.Epoch})
		}
		slices.Sort(t.Ranked)
		if t.Figures.Fixed.OK {
			for _, n := range []int{16, 64, 256, 1024} {
				t.Fit.Line = append(t.Fit.Line, probe.LinePoint{Tokens: n, Cost: t.Figures.Fixed.At + t.Figures.Slope.At*time.Duration(n)/1000})
			}
		}
	}
	if v == views.Probes {
		slices.SortStableFunc(rows, func(a, b *probe.Result) int { return b.At.Compare(a.At) })
		for i, r := range rows {
			r.Seq = len(rows) - i
		}
		s.Probes = &views.ProbeList{Now: s.Now.Truncate(time.Second), Rows: rows, Total: len(rows), Selected: min(2, max(len(rows)-1, 0))}
	}
	return s
}

// resultOf is a probe that makes a point.
func resultOf(p views.Point, target, number int, t *views.Target) *probe.Result {
	r := &probe.Result{
		Seq: number, At: Start.Add(p.At), Target: target, Kind: probe.Ordinary, Epoch: p.Epoch, PromptTokens: 256, CachedTold: t.Figures.PromptExact, PromptExact: t.Figures.PromptExact,
		Knobs: probe.DefaultKnobs, OutputTokens: 16,
	}
	r.Knobs.Model = t.Model
	if p.Epoch > 1 {
		r.PromptTokens = 1023
	}
	if p.Failed {
		r.Failure = &probe.Failure{Kind: probe.FailStatus, Status: 503, Message: "the server is overloaded"}
		return r
	}
	if number%5 == 0 {
		r.Kind = probe.Sentinel
		r.Flags = []probe.Flag{probe.FlagConnClosed}
	}
	r.Timeline.FirstToken = probe.At(p.TTFT)
	v := float64(p.TTFT) / 1e6
	r.Waterfall = cut(8, 2, 0.1*v, 0.9*v-19, 9)
	return r
}

// Full is a probe of which everything is known.
func Full() *probe.Result {
	r := &probe.Result{
		Seq: 374, At: Start.Add(93 * time.Second), Kind: probe.Ordinary, Epoch: 2, Knobs: probe.DefaultKnobs, PromptChars: 5114,
		Address: "203.0.113.7:443", Reused: true, Clock: probe.KernelClock, Proxy: "proxy.example:3128", Names: []string{"203.0.113.7", "203.0.113.8"},
		Protocol: "HTTP/1.1", TLS: "TLS 1.3", Status: 200, RequestID: "req_01H", Model: "llama-70b\x1b[31m",
		Headers:      map[string]string{"server": "uvicorn", "x-ratelimit-remaining-requests": "4,999"},
		Waterfall:    cut(8.2, 2.5, 9.8, 85.1, 9.3),
		PromptTokens: 1023, PromptExact: true, CachedTokens: 64, CachedTold: true, OutputTokens: 16, OutputExact: true, FirstTokens: 1,
		Text:         "Time is what keeps everything from happening at once.\n\x1b[2Jこれは長い文です。 \U0001f30d",
		FinishReason: "length", RTT: probe.At(ms(8)), Retransmits: 1, Lag: ms(0.4), ReadDelay: ms(0.05), Contention: probe.At(ms(3)),
		Reported: map[string]any{"time_in_queue_ms": 9.81, "prefill_ms": 94.4}, Dialect: "vllm", Flags: []probe.Flag{probe.FlagReportMismatch},
	}
	r.Knobs.Model = "meta-llama/Llama-3.1-70B-Instruct"
	r.Timeline = probe.Timeline{
		GotConn: probe.At(ms(0.01)), Written: probe.At(ms(0.11)), Sent: probe.At(ms(0.2)), FirstByte: probe.At(ms(10.7)), Headers: probe.At(ms(10.8)),
		FirstEvent: probe.At(ms(12)), FirstToken: probe.At(ms(114.9)), FirstAnswer: probe.At(ms(114.9)), LastToken: probe.At(ms(254.4)), Done: probe.At(ms(254.9)),
	}
	for i := range 16 {
		r.Timeline.Tokens = append(r.Timeline.Tokens, probe.Arrival{At: ms(114.9 + 9.3*float64(i)), Read: i - i%3/2})
	}
	return r
}
