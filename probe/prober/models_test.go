package prober

import (
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/reported"
)

// Without a model named, the first that the endpoint lists is probed.
func TestTheFirstListedModel(t *testing.T) {
	s := testserver.New(t, []string{"first", "second"}, func(a *testserver.Answer, r *testserver.Request) {
		if r.Model != "first" {
			t.Errorf("the model %q is asked for", r.Model)
		}
		a.Short()
	})
	k := fast()
	k.Model = ""
	c := onto(s, k)
	c.Count, c.LadderFirst = 2, true
	r := begin(t, c)
	r.wait()
	changed, models := of[probe.Changed](r.events()), of[probe.Models](r.events())
	if len(changed) != 1 || changed[0].Epoch != 0 || changed[0].Before.Knobs[0].Model != "" || changed[0].Settings.Knobs[0].Model != "first" {
		t.Errorf("%+v", changed)
	}
	if len(models) != 1 || len(models[0].Names) != 2 {
		t.Errorf("%+v", models)
	}
	if n := len(results(r.events(), probe.Ordinary)); n != 2 {
		t.Errorf("%d probes", n)
	}
}

// A counted run without a model and without a list says so and ends.
func TestNoListOfModels(t *testing.T) {
	s := testserver.New(t, nil, nil)
	k := fast()
	k.Model = ""
	c := onto(s, k)
	c.Count, c.LadderFirst = 2, true
	r := begin(t, c)
	r.wait()
	texts := notices(r.events())
	if models := of[probe.Models](r.events()); len(models) == 0 || models[0].Failure == nil || models[0].Failure.Status != 404 {
		t.Errorf("why there is no list: %+v", models)
	}
	if len(texts) != 1 || !strings.HasPrefix(texts[0], "no model is named") || !strings.Contains(texts[0], "-m") {
		t.Errorf("notices %q", texts)
	}
	if n := len(results(r.events(), "")); n != 0 {
		t.Errorf("%d probes", n)
	}
}

// With a screen, the list is asked for again and again and the reason is told
// once; a model chosen meanwhile is taken, and not lost to settings that were
// made before it was known.
func TestTheListComesLater(t *testing.T) {
	t.Parallel()
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) { a.Short() })
	k := fast()
	k.Model = ""
	r := begin(t, onto(s, k))
	r.until("the notice", func(events []probe.Event) bool { return len(notices(events)) == 1 })
	old := r.Settings()
	r.until("asked again", func(events []probe.Event) bool { return len(of[probe.Models](events)) >= 2 })
	s.SetModels("late")
	r.until("the choice", func(events []probe.Event) bool { return len(of[probe.Changed](events)) >= 1 })
	old.Knobs[0].PromptTokens = 40
	r.Apply(t.Context(), old)
	for _, res := range r.ordinary(3) {
		if res.Knobs.Model != "late" {
			t.Errorf("probed %q", res.Knobs.Model)
		}
	}
	if texts := notices(r.events()); len(texts) != 1 {
		t.Errorf("notices %q", texts)
	}
}

func TestAModelIsNamedMeanwhile(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, r *testserver.Request) { a.Short() })
	k := fast()
	k.Model = ""
	r := begin(t, onto(s, k))
	r.until("the notice", func(events []probe.Event) bool { return len(notices(events)) == 1 })
	r.turn(func(k *probe.Knobs) { k.Model = "typed" })
	if res := r.ordinary(2); res[0].Knobs.Model != "typed" {
		t.Errorf("%+v", res[0].Knobs)
	}
}

// A server that names itself in its list of models alone is known by that: the
// headers of vLLM measure handling from the first cut on.
func TestTheServerByItsListOfModels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		owner string
		want  reported.Server
		part  probe.Source // of handling
	}{{"vllm", reported.VLLM, probe.Measured}, {"sglang", reported.SGLang, probe.Estimated}, {"somebody", "", probe.Estimated}} {
		server := &odd{handling: 8 * time.Millisecond, prefill: perToken(50 * time.Microsecond), step: 2 * time.Millisecond, slots: 2, leave: onAcceptance}
		s := server.start(t)
		s.SetOwner(c.owner)
		k := fast()
		k.Rate, k.MaxTokens, k.Model = 10, 4, "" // the list comes first
		config := onto(s, k)
		config.Count, config.LadderFirst = 4, true
		r := begin(t, config)
		r.wait()
		all := results(r.events(), probe.Ordinary)
		if len(all) != 4 {
			t.Fatalf("%d probes", len(all))
		}
		last := all[3]
		if last.Server != string(c.want) {
			t.Errorf("owned by %q: served by %q, want %q", c.owner, last.Server, c.want)
		}
		for _, seg := range last.Waterfall {
			if seg.Name == probe.Handling && seg.Source != c.part {
				t.Errorf("owned by %q: handling is %s, want %s", c.owner, seg.Source, c.part)
			}
		}
	}
}

// What a response says of its server stands against the list.
func TestTheServersOwnNameWins(t *testing.T) {
	s := testserver.New(t, []string{"m"}, func(a *testserver.Answer, r *testserver.Request) {
		a.Header().Set("X-Litellm-Version", "1")
		a.Short()
	})
	s.SetOwner("vllm")
	k := fast()
	k.Model = ""
	c := onto(s, k)
	c.Count, c.LadderFirst = 1, true
	r := begin(t, c)
	r.wait()
	if all := results(r.events(), probe.Ordinary); len(all) != 1 || all[0].Server != string(reported.LiteLLM) {
		t.Errorf("%+v", all)
	}
}
