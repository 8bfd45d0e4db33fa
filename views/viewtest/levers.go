package viewtest

import "ttftop/views"

// Levered is the demo with the panel of levers open.
func Levered() views.Snapshot {
	s := Demo()
	for i := range s.Knobs {
		s.Knobs[i].Selected = false
	}
	s.Levers = &views.LeverList{Of: "sim-near and sim-far", Selected: 4, Levers: []views.Lever{
		{Group: "cache", Name: "cache-blocks", Value: "16384", About: "prefix cache, in blocks of 16 tokens", Steps: []string{"0", "256", "1024", "4096", "16384", "65536"}},
		{Group: "drafts", Name: "draft-tokens", Value: "0", About: "tokens drafted per step", Steps: []string{"0", "1", "2", "4", "8"}},
		{Group: "drafts", Name: "draft-acceptance", Value: "0.7", About: "chance that a draft is right", Steps: []string{"0.2", "0.4", "0.6", "0.7", "0.8", "0.9"}},
		{Group: "drafts", Name: "draft-cost", Value: "0.05", About: "a draft step against one of the model", Steps: []string{"0.01", "0.02", "0.05", "0.1", "0.2"}},
		{Group: "weights", Name: "quantization", Value: "fp8", About: "precision of the weights", Steps: []string{"fp16", "int8", "fp8", "int4"}},
		{Group: "batching", Name: "policy", Value: "continuous", About: "how batches are made", Steps: []string{"continuous", "static"}},
		{Group: "batching", Name: "batch-wait", Value: "100ms", About: "how long static batching waits for a full batch", Steps: []string{"0s", "50ms", "100ms", "250ms", "1s"}},
		{Group: "batching", Name: "max-batch", Value: "48", About: "requests that run at once", Steps: []string{"1", "4", "8", "16", "32", "48", "64", "128", "256"}},
		{Group: "capacity", Name: "replicas", Value: "1", About: "copies of each model", Steps: []string{"1", "2", "3", "4", "6", "8"}},
		{Group: "network", Name: "rtt", Value: "8ms", About: "round trip", Steps: []string{"1ms", "8ms", "20ms", "40ms", "80ms", "140ms", "250ms"}},
		{Group: "network", Name: "edge", Value: "0s", About: "round trip to an edge that ends connections near the client, 0 for none", Steps: []string{"0s", "5ms", "10ms", "20ms"}},
		{Group: "users", Name: "users", Value: "2", About: "background requests per second and model", Steps: []string{"0", "0.5", "1", "2", "4", "8", "16", "32"}},
		{Group: "users", Name: "user-day", Value: "0s", About: "length of their day, with a lunchtime peak; 0 for none", Steps: []string{"0s", "2m0s", "5m0s", "10m0s"}},
	}}
	s.Effect.Text = "quantization fp16 → fp8"
	s.Changes = append(s.Changes[:len(s.Changes):len(s.Changes)], views.Change{At: s.Now - s.Now/8, Epoch: s.Epoch, Text: s.Effect.Text})
	return s
}

// Behind is the demo on a machine that can't keep up with it.
func Behind() views.Snapshot {
	return with(Demo(), func(s *views.Snapshot) {
		s.Status.Behind = "this machine can't keep up with sim-near: times are its own, not the simulated server's (steps 12.3 ms late, writes 41.0 ms at p95)"
	})
}

func (g gen) levers() *views.LeverList {
	l := &views.LeverList{Of: g.text(), Selected: g.r.IntN(30) - 3}
	for range g.r.IntN(25) {
		l.Levers = append(l.Levers, views.Lever{Group: g.text(), Name: g.text(), Value: g.text(), About: g.text(), Steps: g.list()})
	}
	return l
}
