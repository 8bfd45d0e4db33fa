package prober

import (
	"slices"
	"strings"
	"testing"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
)

func TestDoubt(t *testing.T) {
	four := []string{"sim-1b", "sim-8b", "llama3:latest", "gpt-4o"}
	for _, c := range []struct {
		names       []string
		model, want string
	}{
		{nil, "nosuch", ""},
		{four, "", ""},
		{four, "sim-8b", ""},
		{four, "llama3", ""},
		{four, "gpt-4o:latest", ""},
		{four, "sim8b", `the endpoint lists no model "sim8b": did you mean sim-8b? It is asked for all the same`},
		{four, "openai/gpt-4o-2024-08-06", ""},
		{four, "nosuch", `the endpoint lists no model "nosuch", but sim-1b, sim-8b, llama3:latest and 1 more. It is asked for all the same`},
		{four[:1], "nosuch", `the endpoint lists no model "nosuch", but sim-1b. It is asked for all the same`},
	} {
		var l listing
		l.take(c.names)
		if got := l.doubt(c.model); got != c.want {
			t.Errorf("%q: %q, want %q", c.model, got, c.want)
		}
		if again := l.doubt(c.model); again != "" {
			t.Errorf("%q: it is said again: %q", c.model, again)
		}
	}
}

// A model that the endpoint doesn't list is told of once and probed all the same,
// be it the one that a session begins with or one that it turns to.
func TestAModelThatIsNotListed(t *testing.T) {
	s := testserver.New(t, []string{"first", "second"}, func(a *testserver.Answer, _ *testserver.Request) { a.Short() })
	k := fast()
	k.Model = "firs"
	r := begin(t, onto(s, k))
	r.until("a notice", func(events []probe.Event) bool { return len(notices(events)) > 0 })
	r.turn(func(k *probe.Knobs) { k.Model = "second" })
	r.turn(func(k *probe.Knobs) { k.Model = "third" })
	r.until("its probe", func(events []probe.Event) bool {
		return slices.ContainsFunc(results(events, probe.Ordinary), func(p probe.Result) bool { return p.Knobs.Model == "third" })
	})
	texts := notices(r.events())
	if len(texts) != 2 || !strings.Contains(texts[0], `no model "firs": did you mean first?`) || !strings.Contains(texts[1], `no model "third"`) {
		t.Errorf("%q", texts)
	}
}
