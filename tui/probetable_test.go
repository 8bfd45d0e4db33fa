package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/views"
)

// sitAtTable starts a model in the view of probes, with one probe for each
// change.
func sitAtTable(t *testing.T, changes ...func(*probe.Result)) (*person, *told) {
	t.Helper()
	w := tellOf(t, targetAt(t, "near", atReal, "a"), targetAt(t, "far", atLoopback, "b"))
	p := sit(t, w.targets...)
	for _, change := range changes {
		w.ended(change)
	}
	p.send(frame{w.at(minute)})
	p.press("4")
	return p, w
}

const minute = time.Minute

// seqs are the rows of the table.
func (p *person) seqs() string {
	var list []string
	for _, r := range p.m.table.rows {
		list = append(list, fmt.Sprint(r.Seq))
	}
	return strings.Join(list, " ")
}

// of is a probe of a target with a TTFT in milliseconds and a prompt length.
func of(target, ttft, prompt int) func(*probe.Result) {
	return func(r *probe.Result) {
		r.Target, r.PromptTokens, r.Timeline.FirstToken = target, prompt, probe.At(time.Duration(ttft)*ms)
	}
}

func TestSorting(t *testing.T) {
	p, _ := sitAtTable(t, of(1, 300, 64), of(0, 100, 512), of(1, 200, 64), fails(probe.Failure{Kind: probe.FailTimeout, Message: "late"}))
	for _, c := range []struct{ keys, want string }{
		{"", "4 3 2 1"},    // newest first
		{"S", "1 2 3 4"},   // oldest first
		{"S s", "4 2 3 1"}, // by target
		{"S", "3 1 4 2"},
		{"s", "4 3 2 1"},   // by kind, all alike
		{"s", "2 4 3 1"},   // longest prompt first: 512, 256, 64, 64
		{"s", "4 1 3 2"},   // slowest first; the one without a token is slowest
		{"S", "2 3 1 4"},   // fastest first
		{"s", "4 3 2 1"},   // by queue: none
		{"s", "4 3 2 1"},   // by failure: the one that failed stands first
		{"S", "3 2 1 4"},   // last
		{"s s", "4 2 3 1"}, // round again, to the target
	} {
		p.press(c.keys)
		if got := p.seqs(); got != c.want {
			t.Errorf("after %q: %s, want %s", c.keys, got, c.want)
		}
	}
}

func TestFiltering(t *testing.T) {
	p, _ := sitAtTable(t, of(0, 100, 64), of(1, 100, 64), func(r *probe.Result) { r.Flagged(probe.FlagBuffered) },
		fails(probe.Failure{Kind: probe.FailStatus, Status: 503, Message: "overloaded"}), func(r *probe.Result) { r.Kind, r.Model = probe.Sentinel, "Answered-As" })
	for _, c := range []struct{ typed, want string }{
		{"f a r", "2"}, {"b u f f", "3"}, {"5 0 3", "4"}, {"F A I L E D", "4"}, {"s e n t", "5"}, {"a n s w", "5"}, {"o k space n e a r", "5 3 1"}, {"n o n e", ""}, {"# 2", "2"},
	} {
		p.press("/ " + c.typed)
		if got := p.seqs(); got != c.want {
			t.Errorf("%q typed gives %q, want %q", c.typed, got, c.want)
		}
		if !strings.Contains(ansi.Strip(p.m.View().Content), "filter:") {
			t.Error("the filter is not shown")
		}
		p.press("enter")
		if p.m.table.typing || p.seqs() != c.want {
			t.Errorf("enter does not keep the filter %q", c.typed)
		}
		p.press("esc")
		if p.seqs() != "5 4 3 2 1" {
			t.Errorf("esc does not clear the filter: %s", p.seqs())
		}
	}
	p.press("/ q p esc")
	if p.m.quitting || len(p.engine.applied) > 0 || p.m.table.filter != "" {
		t.Error("letters of the filter act, or esc does not leave it")
	}
	p.press("/")
	p.send(tea.PasteMsg{Content: "far"})
	if p.seqs() != "2" {
		t.Errorf("pasted: %s", p.seqs())
	}
}

// The selected probe stays selected while others come; the first row is
// followed.
func TestSelectionStays(t *testing.T) {
	p, w := sitAtTable(t, nil, nil, nil)
	selected := func() int { return p.m.table.chosen().Seq }
	now := minute
	more := func() {
		w.ended(nil)
		now += tableEvery
		p.send(frame{w.at(now)})
	}
	if selected() != 3 {
		t.Errorf("%d is selected at first", selected())
	}
	if more(); selected() != 4 {
		t.Errorf("the first row is not followed: %d", selected())
	}
	p.press("down")
	if more(); selected() != 3 || p.m.table.at != 2 {
		t.Errorf("%d is selected, in row %d", selected(), p.m.table.at)
	}
	p.press("end")
	if selected() != 1 {
		t.Errorf("end goes to %d", selected())
	}
	p.press("down k")
	if selected() != 2 {
		t.Errorf("and k to %d", selected())
	}
	p.press("g")
	if more(); selected() != 6 {
		t.Errorf("g does not follow the first row: %d", selected())
	}
	for range 100 {
		w.ended(nil)
	}
	p.send(frame{w.at(now)})
	if selected() != 6 {
		t.Errorf("the table changes more often than every %v: %d", tableEvery, selected())
	}
	more()
	p.press("pgdown")
	if p.m.table.at < 5 || p.m.table.at > 24 {
		t.Errorf("a page goes %d rows", p.m.table.at)
	}
	at := selected()
	p.press("/ z z z esc") // it is filtered out, and comes back
	if p.m.table.chosen() == nil {
		t.Errorf("nothing is selected after %d", at)
	}
}

func TestOpenProbe(t *testing.T) {
	p, w := sitAtTable(t, nil, func(r *probe.Result) {
		r.Text, r.RequestID = strings.Repeat("The first token came late. ", 60), "req-77"
		r.Flags = []probe.Flag{probe.FlagApproximate, probe.FlagHiddenReasoning}
		r.Headers = map[string]string{"server": "uvicorn"}
		r.Reported, r.Dialect = map[string]any{"queue_ms": 1.5}, "vllm"
	})
	p.press("enter")
	seen := ""
	for range 60 {
		seen += ansi.Strip(p.m.View().Content)
		p.press("down")
	}
	for _, want := range []string{"probe 2", "first token", "100.000 ms", "req-77", "uvicorn", "queue_ms", "read as vllm", "kernel", "192.0.2.1:443",
		"approximate: the endpoint counts no tokens", "hidden-reasoning: reasoning was counted", "The first token came late."} {
		if !strings.Contains(seen, want) {
			t.Errorf("an open probe does not show %q", want)
		}
	}
	bottom := p.m.View().Content
	p.press("G")
	if p.m.View().Content != bottom {
		t.Error("scrolling goes beyond the end")
	}
	scroll := p.m.table.scroll
	if p.press("up"); p.m.table.scroll != scroll-1 {
		t.Errorf("up from the end goes from %d to %d", scroll, p.m.table.scroll)
	}
	w.ended(nil)
	p.send(frame{w.at(minute)})
	if p.m.table.open == nil || p.m.table.open.Seq != 2 {
		t.Error("a new probe changes the open one")
	}
	p.press("esc")
	if p.m.table.open != nil || p.m.table.chosen().Seq != 2 {
		t.Error("esc does not go back to the row")
	}
}

func TestEmptyTable(t *testing.T) {
	p, _ := sitAtTable(t)
	p.press("enter y up down pgdown pgup G g s S / a enter enter y esc z z")
	if p.m.page != nil || p.m.table.open != nil {
		t.Error("something is opened where nothing is")
	}
}

// y gives the probe as a command to the clipboard and to the eye, without its key.
func TestCurl(t *testing.T) {
	const secret = "sk-secret-0123456789abcdef"
	p, _ := sitAtTable(t, func(r *probe.Result) {
		r.Body, r.PromptChars = []byte(`{"messages":[{"content":"⟨prompt⟩","role":"user"}],"model":"a"}`), 300
	})
	p.m.targets[0].Endpoint.Key, p.m.targets[0].Endpoint.KeyEnv = probe.NewSecret(secret), "MY_KEY"
	for _, keys := range []string{"y", "enter y"} {
		p.press(keys)
		if p.m.page == nil || p.cmd == nil {
			t.Fatal("no command is shown, or none is copied")
		}
		screen := ansi.Strip(p.m.View().Content)
		for _, want := range []string{`Authorization: Bearer $MY_KEY`, "https://llm.example.com/v1/chat/completions", "in other words", "It holds no key", "environment: MY_KEY"} {
			if !strings.Contains(screen, want) {
				t.Errorf("%q is not on the page:\n%s", want, screen)
			}
		}
		copied := fmt.Sprint(p.cmd())
		if !strings.Contains(copied, "curl -sN") || strings.Contains(copied+screen, secret) {
			t.Errorf("copied: %s", copied)
		}
		p.press("x")
		if p.m.page != nil || p.m.unlinked {
			t.Error("a key that leaves the page acts as well, or does not leave it")
		}
	}
	p.m.table.open = &probe.Result{Failure: &probe.Failure{Kind: probe.FailSkipped}}
	p.press("y")
	if p.m.page == nil || p.cmd != nil || !strings.Contains(p.m.page.Lines[0], "never sent") {
		t.Errorf("a skipped probe: %+v", p.m.page)
	}
}

func TestViewsAndZoom(t *testing.T) {
	p, _ := sitAtTable(t, nil)
	for _, c := range []struct {
		keys string
		view mode
		zoom panel
	}{
		{"1", explore, ""}, {"tab", distribution, ""}, {"tab tab tab tab", explore, ""}, {"shift+tab", compare, ""}, {"3", scaling, ""},
		{"z", scaling, panelScaling}, {"z", scaling, panelFits}, {"z", scaling, ""}, {"z 2", distribution, ""}, {"z esc", distribution, ""},
		{"z 2", distribution, panelHistogram}, {"1 z z z z", explore, panelEffect}, {"z", explore, ""}, {"9 0 .", explore, ""},
	} {
		p.press(c.keys)
		if p.m.mode != c.view || p.m.zoom != c.zoom {
			t.Errorf("%q: %s zoomed %q, want %s %q", c.keys, p.m.mode, p.m.zoom, c.view, c.zoom)
		}
		if first, _, _ := strings.Cut(ansi.Strip(p.m.View().Content), "\n"); !strings.Contains(first, c.view.Key()+" "+c.view.String()) {
			t.Errorf("the header does not name the view %s: %s", c.view, first)
		}
	}
	p.press("2 p")
	if got := p.last().Knobs[0].PromptTokens; got != 512 {
		t.Errorf("p in another view: %d", got)
	}
	p.press("3 enter 1 k enter")
	if got := p.last().Knobs[0].PromptTokens; got != 1024 {
		t.Errorf("1k typed in another view: %d", got)
	}
}

// The columns are all sorted by something, and named.
func TestEveryOrderHasAName(t *testing.T) {
	var names []string
	for c := range views.NProbeColumns {
		for _, up := range []bool{false, true} {
			_, name := views.ProbesTitle(views.Snapshot{Probes: &views.ProbeList{Rows: make([]*probe.Result, 1), Total: 1, Sort: c, Ascending: up}}, 80, 20, themeNamed(t, "mono"))
			if name == "" || slices.Contains(names, name) {
				t.Errorf("column %d, ascending %v: %q", c, up, name)
			}
			names = append(names, name)
		}
	}
}
