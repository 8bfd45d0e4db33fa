package tui

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober"
	"ttftop/probe/session"
	"ttftop/themes"
	"ttftop/views"
)

// talk is a plain session over the model of a person, and what it says.
func talk(t *testing.T, at string) (*plain, *person, *bytes.Buffer) {
	t.Helper()
	p := sit(t, targetAt(t, "near", at, "a", "b"), targetAt(t, "far", at, "a"))
	var said bytes.Buffer
	return &plain{m: p.m, targets: p.m.targets, voice: &voice{out: &said, theme: themes.Mono()}}, p, &said
}

func TestCommands(t *testing.T) {
	for _, c := range []struct{ lines, turned, says string }{
		{"prompt 8k", "prompt 256 → 8,192", "prompt 256 → 8,192"},
		{"PROMPT 1,024", "prompt 256 → 1,024", "prompt 256 → 1,024"},
		{"prompt", "", "prompt is 256"},
		{"prompt +", "prompt 256 → 512", "prompt 256 → 512"},
		{"prompt -", "prompt 256 → 128", "prompt 256 → 128"},
		{"prompt 256", "", "prompt is 256"},
		{"prompt long", "", "type a whole number from 1 to 1,048,576, such as 512 or 8k"},
		{"pressure 4", "batch 0 → 4", "batch 0 → 4"},
		{"batch 4|b 2", "batch 0 → 2", "batch 4 → 2"},
		{"model b", "model a → b", "model a → b"},
		{"model", "", "model is a"},
		{"cache warm", "cache bust → warm", "cache bust → warm"},
		{"cache hot", "", "type bust or warm"},
		{"conn cold", "conn warm → cold", "conn warm → cold"},
		{"output 32", "output 16 → 32", "output 16 → 32"},
		{"rate 2", "rate 1/s → 2/s", "rate 1/s → 2/s"},
		{"rate 2/s", "rate 1/s → 2/s", "rate 1/s → 2/s"},
		{"slo p95=600ms", "", "slo is p95=600ms"},
		{"slo p95=600", "", "600 has no unit"},
		{"slo 600|undo", "", "slo is off"},
		{"prompt 8k|undo", "", "prompt 8,192 → 256"},
		{"undo", "", "nothing to undo"},
		{"pause", "", "paused"},
		{"pause|resume", "", "probing"},
		{"target far|prompt 512", "prompt 256 → 512", "knobs turn for far alone"},
		{"target B", "", "knobs turn for far alone"},
		{"target far|target all", "", "knobs turn for all targets"},
		{"target moon", "", `no target is called "moon", but A near, B far`},
		{"mark deploy 42", "", "marked"},
		{"clear", "", "the record goes on"},
		{"wait x probes", "", "write how long to wait, such as wait 30s"},
		{"explain", "", "the waterfall of B far: no probe has had a first token yet"},
		{"why queue", "", "the waterfall of A near: no probe has had a first token yet"},
		{"whatif", "", "what if of A near, projected, not measured; now p50 –"},
		{"target far|whatif", "", "what if of B far"},
		{"probes", "", "no such probe is among the newest"},
		{"probes 0", "", "write how many probes to list"},
		{"probe", "", "no probe has ended yet"},
		{"curl 12", "", "no probe has ended yet"},
		{"pairs", "", "no pairs are sent: pairs on sends those of near and far, back to back"},
		{"pairs on", "", "pairs of near and far, back to back"},
		{"pairs together|pairs on", "", "pairs of near and far, together"},
		{"pairs B a|pairs on", "", "pairs of far and near, back to back"},
		{"pairs on|pairs off", "", "no pairs are sent"},
		{"pairs A C", "", "or two targets: A near, B far"},
		{"compare", "", "no pairs were sent, so there is nothing to compare"},
		{"wait", "", "wait 20 probes"},
		{"quiet", "", "notices, answers and failures alone"},
		{"quiet|loud", "", "a line for each probe"},
		{"every 10 s", "", "a line of each target every 10s"},
		{"every day", "", "write how often, such as every 10s"},
		{"slo p95=150ms|slo p99=1s", "", "slo is p99=1s besides p95=150ms"},
		{"help", "", "pressure 4       batch pressure"},
		{"effect", "", "turn a knob, and what it did appears here"},
		{"status", "", "B far a: TTFT p50"},
		{"  ", "", ""},
		{"promt 8k", "", `"promt" is no command: type help for the list`},
		{"\x1b[31mprompt", "", "is no command"},
	} {
		p, who, said := talk(t, atSimulator)
		before := p.m.settings.Clone()
		for line := range strings.SplitSeq(c.lines, "|") {
			if p.obey(line) {
				t.Errorf("%q ends the session", line)
			}
		}
		if got := described(before, p.m.settings); got != c.turned {
			t.Errorf("%q turns %q, want %q", c.lines, got, c.turned)
		}
		if n := len(who.engine.applied); c.turned != "" && (n == 0 || described(who.engine.applied[n-1], p.m.settings) != "") {
			t.Errorf("%q: the engine does not have what is said", c.lines)
		}
		if !strings.Contains(said.String(), c.says) || strings.ContainsRune(said.String(), 0x1b) {
			t.Errorf("%q says %q, want %q", c.lines, said.String(), c.says)
		}
	}
	p, _, _ := talk(t, atSimulator)
	for _, word := range []string{"quit", "q", "exit"} {
		if !p.obey(word) {
			t.Errorf("%q does not end", word)
		}
	}
}

// One target's knobs are turned alone where it was chosen.
func TestCommandsForOneTarget(t *testing.T) {
	p, who, _ := talk(t, atSimulator)
	p.obey("target far")
	p.obey("prompt 512")
	if k := who.last().Knobs; k[0].PromptTokens != 256 || k[1].PromptTokens != 512 {
		t.Errorf("%+v", k)
	}
	p.obey("mark deploy 42")
	p.obey("clear")
	if len(who.engine.notes) != 1 || who.engine.notes[0] != "deploy 42" || who.engine.cleared != 1 {
		t.Errorf("%+v", who.engine)
	}
}

// What costs tokens is asked about in lines, and only yes goes on.
func TestPlainConsent(t *testing.T) {
	for _, c := range []struct {
		name, lines, turned, says string
		asked                     bool
	}{
		{"asked", "pressure 4", "", "Type yes or no.", true},
		{"yes", "pressure 4|yes", "batch 0 → 4", "batch 0 → 4", false},
		{"no", "pressure 4|no", "", "the knobs stay as they are", false},
		{"something else", "pressure 4|prompt 512", "", "Type yes or no.", true},
		{"nothing", "pressure 4|", "", "Type yes or no.", true},
		{"agreed once", "pressure 4|y|pressure 1", "batch 0 → 1", "batch 4 → 1", false},
		{"pairs asked", "target near|rate 20|y|pairs on", "rate 1/s → 20/s", "Pairs of probes: near and far", true},
		{"pairs", "target near|rate 20|y|pairs on|y", "rate 1/s → 20/s", "\npairs of near and far", false},
		{"resumed", "pause|pressure 4|resume|y", "batch 0 → 4", "probing", false},
	} {
		p, who, said := talk(t, atReal)
		before := p.m.settings.Clone()
		for line := range strings.SplitSeq(c.lines, "|") {
			p.obey(line)
		}
		if got := described(before, p.m.settings); got != c.turned || (p.m.pending != nil) != c.asked {
			t.Errorf("%s: turned %q, asked %v", c.name, got, p.m.pending != nil)
		}
		if !strings.Contains(said.String(), c.says) || !strings.Contains(said.String(), "tokens a minute") {
			t.Errorf("%s: %q, want %q", c.name, said.String(), c.says)
		}
		if c.turned == "" && len(who.engine.applied) > 0 {
			t.Errorf("%s: the engine was asked for %+v", c.name, who.engine.applied)
		}
	}
	p, _, _ := talk(t, atReal)
	p.obey("pressure 4")
	if !p.obey("quit") {
		t.Error("a question keeps a person from quitting")
	}
}

// The README lists every command as the program explains it.
func TestReadmeListsCommands(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range CommandHelp() {
		if !strings.Contains(string(text), "| `"+k.Key+"` | "+k.Does+" |") {
			t.Errorf("README.md does not say that %s is: %s", k.Key, k.Does)
		}
	}
	if n := len(knobHelp); n != len(knobs) {
		t.Errorf("%d of %d knobs are explained", n, len(knobs))
	}
	for _, k := range knobHelp {
		if at, ok := knobNamed(k.name); !ok || at != k.knob {
			t.Errorf("%s does not name its knob", k.name)
		}
	}
}

// The effect is told once for each change, when it can be known.
func TestPlainTellsTheEffect(t *testing.T) {
	w := tellOf(t, targetAt(t, "near", atReal, "a"))
	before := settingsFor(w.targets)
	after := before.Clone()
	after.Knobs[0].PromptTokens = 512
	var said bytes.Buffer
	p := &plain{m: model{targets: w.targets, settings: after, engine: &fakeEngine{}}, targets: w.targets, session: w.session, voice: &voice{out: &said, theme: themes.Mono()}}
	for range 6 {
		w.ended(nil)
	}
	w.tell(probe.Changed{Epoch: 1, At: w.start, Before: before, Settings: after})
	for i := range 8 {
		p.refresh()
		p.tellEffect()
		if told := said.Len() > 0; told != (i > 5) {
			t.Errorf("after %d probes: %q", i, said.String())
		}
		w.ended(func(r *probe.Result) { r.Epoch, r.Timeline.FirstToken = 1, probe.At(180*ms) })
	}
	if got, want := said.String(), "prompt 256 → 512: TTFT p50 A +80.0 ms ±0"; strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A session that nobody types into goes on until it is ended, and one whose
// person leaves ends; no goroutine stays behind.
func TestPlainEnds(t *testing.T) {
	for _, c := range []struct {
		name  string
		input string
		typed bool
		until string // it is interrupted once it has said this; "" for an end by itself
	}{
		{"quit", "quit\n", false, ""},
		{"the person is gone", "", true, ""},
		{"interrupted", "", false, "no more commands"},
		{"a question and nobody to answer", "pressure 4\nresume\n", false, "nobody can answer any more"},
		{"waiting", "prompt 512\nwait 1h\nquit\n", true, "256 → 512"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			targets := []probe.Target{targetAt(t, "near", atReal, "a")}
			s := settingsFor(targets)
			s.Paused = true
			said := &listener{until: c.until, heard: cancel}
			config := session.Config{Prober: prober.Config{Targets: targets, Settings: s, Timeout: time.Second}}
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer read.Close()
			if _, err := write.WriteString(c.input); err != nil {
				t.Fatal(err)
			}
			write.Close()
			if _, err := Plain(ctx, config, Options{Theme: themes.Mono(), Input: read, Output: said}, c.typed); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(said.String(), c.until) || !strings.Contains(said.String(), "A near: a") || (ctx.Err() != nil) != (c.until != "") {
				t.Errorf("%v; it says %q", ctx.Err(), said.String())
			}
		})
	}
}

// Commands from a regular file, which can't be polled, are obeyed.
func TestPlainFromFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "commands")
	if err := os.WriteFile(path, []byte("prompt 512\nquit\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	targets := []probe.Target{targetAt(t, "near", atReal, "a")}
	s := settingsFor(targets)
	s.Paused = true
	var said bytes.Buffer
	config := session.Config{Prober: prober.Config{Targets: targets, Settings: s, Timeout: time.Second}}
	if _, err := Plain(t.Context(), config, Options{Theme: themes.Mono(), Input: file, Output: &said}, false); err != nil || !strings.Contains(said.String(), "256 → 512") {
		t.Errorf("%v; it says %q", err, said.String())
	}
}

// listener takes what is said, and does something once it has heard a text.
type listener struct {
	bytes.Buffer
	until string
	heard func()
}

func (l *listener) Write(text []byte) (int, error) {
	n, err := l.Buffer.Write(text)
	if l.until != "" && strings.Contains(l.String(), l.until) {
		l.heard()
	}
	return n, err
}

func TestPlainProbe(t *testing.T) {
	r := probe.Result{
		Seq: 12, Kind: probe.Ordinary, PromptTokens: 1023, PromptExact: true, Flags: []probe.Flag{probe.FlagCached},
		Timeline:  probe.Timeline{FirstToken: probe.At(108 * ms)},
		Waterfall: probe.Waterfall{{Name: probe.RTT, Duration: 8 * ms, Source: probe.Measured}, {Name: probe.Queue, Source: probe.Reported}, {Name: probe.Prefill, Duration: 100 * ms, Source: probe.Reported}},
	}
	if got, want := views.PlainProbe(&r, "near", themes.Mono()), "12 near 108 ms: network 8.00 m, prefill 100 r; prompt 1,023; cached"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Failure, r.Kind = &probe.Failure{Kind: probe.FailStatus, Status: 503, Message: "overloaded"}, probe.Sentinel
	if got, want := views.PlainProbe(&r, "near", themes.Mono()), "12 near sentinel failed: HTTP 503: overloaded"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

var plainLine = regexp.MustCompile(`(?m)^\d+ sim-near \d.* ms: network .*; prompt \d+`)
