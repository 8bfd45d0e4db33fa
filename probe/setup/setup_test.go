package setup

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ttftop/probe"
	"ttftop/probe/session"
	"ttftop/probe/tally"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// alone makes an environment without configuration and keys, and returns the
// folder where the usual configuration file would be.
func alone(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"} {
		t.Setenv(name, "")
	}
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("HOME", dir)
	return filepath.Join(dir, "ttftop")
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// planned is the plan of a test, closed at its end.
func planned(t *testing.T, pl *Plan, err error) *Plan {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pl.Close(); err != nil {
			t.Error(err)
		}
	})
	return pl
}

func names(pl *Plan) (all []string) {
	for _, t := range pl.Session.Prober.Targets {
		all = append(all, t.Name)
	}
	return all
}

const file = `
[[endpoints]]
name = "us"
url = "https://us.example.com/v1"
models = ["a", "b"]

[[endpoints]]
name = "eu"
url = "https://eu.example.com/v1"

[settings]
prompt_tokens = 1024
rate = 0.5
pressure = 3
timeout = "5s"
token_budget = 1000
theme = "light"
`

// Which endpoints are probed: those of the command line, else of the file, else
// simulated ones, which a command without a screen never starts unasked.
func TestWhatIsProbed(t *testing.T) {
	dir := alone(t)
	pl, err := Usual(EndpointFlags{}, ProbeFlags{})
	planned(t, pl, err)
	for _, target := range pl.Session.Prober.Targets {
		if !target.Endpoint.Simulated || len(target.Models) < 2 || pl.Session.Prober.Dial(target) == nil {
			t.Errorf("%+v", target)
		}
	}
	if n := names(pl); len(n) != 2 || pl.Session.Prober.Settings.Knobs[0].Rate != demoRate {
		t.Errorf("%v at %v", n, pl.Session.Prober.Settings.Knobs[0].Rate)
	}
	if _, err := Configured(EndpointFlags{}, ProbeFlags{}); err == nil || !strings.Contains(err.Error(), "ttftop run https://host/v1 -m MODEL") {
		t.Errorf("%v", err)
	}

	write(t, dir, "config.toml", file)
	for name, make := range map[string]func(EndpointFlags, ProbeFlags) (*Plan, error){"usual": Usual, "configured": Configured} {
		pl, err := make(EndpointFlags{}, ProbeFlags{})
		planned(t, pl, err)
		k := pl.Session.Prober.Settings.Knobs
		if n := fmt.Sprint(names(pl)); n != "[us eu]" || k[0].Model != "a" || k[1].Model != "" || k[0].PromptTokens != 1024 || k[1].Rate != 0.5 || k[0].Pressure != 3 {
			t.Errorf("%s: %v with %+v", name, n, k)
		}
		if c := pl.Session.Prober; c.Timeout != 5*time.Second || c.Budget != 1000 || pl.Theme != "light" {
			t.Errorf("%s: %+v", name, c)
		}
	}
	pl, err = Usual(EndpointFlags{URL: []string{"https://here.example.com/v1"}, Model: []string{"m"}}, ProbeFlags{})
	planned(t, pl, err)
	if n := fmt.Sprint(names(pl)); n != "[here.example.com]" || pl.Session.Prober.Settings.Knobs[0].Model != "m" || pl.Session.Prober.Settings.Knobs[0].PromptTokens != 1024 {
		t.Errorf("%v with %+v", n, pl.Session.Prober.Settings)
	}
	pl, err = Demo(ProbeFlags{}, HandoffFlags{})
	planned(t, pl, err)
	if k := pl.Session.Prober.Settings.Knobs[0]; k.PromptTokens != 256 || k.Rate != demoRate || pl.Theme != "" {
		t.Errorf("the demo has knobs of the file: %+v", k)
	}
}

// A file that only sets defaults sets them for the demo too.
func TestDefaultsWithoutEndpoints(t *testing.T) {
	dir := alone(t)
	write(t, dir, "config.toml", "[settings]\nprompt_tokens = 77\n")
	pl, err := Usual(EndpointFlags{}, ProbeFlags{})
	planned(t, pl, err)
	if k := pl.Session.Prober.Settings.Knobs[0]; k.PromptTokens != 77 || k.Rate != demoRate {
		t.Errorf("%+v", k)
	}
	other := write(t, t.TempDir(), "other.toml", file)
	pl, err = Usual(EndpointFlags{Config: other}, ProbeFlags{})
	planned(t, pl, err)
	if n := fmt.Sprint(names(pl)); n != "[us eu]" {
		t.Errorf("--config gives %v", n)
	}
	if _, err := Usual(EndpointFlags{Config: filepath.Join(dir, "none.toml")}, ProbeFlags{}); err == nil || !strings.Contains(err.Error(), "none.toml") {
		t.Errorf("a file that is named and not there: %v", err)
	}
	write(t, dir, "config.toml", "[settings]\nprompt_token = 77\n")
	if _, err := Usual(EndpointFlags{}, ProbeFlags{}); err == nil || !strings.Contains(err.Error(), ":2:") {
		t.Errorf("a broken file: %v", err)
	}
	write(t, dir, "config.toml", "[settings]\nrate = 1e-9\n")
	if _, err := Usual(EndpointFlags{}, ProbeFlags{}); err == nil || !strings.Contains(err.Error(), "from 0.001") {
		t.Errorf("a rate that is none: %v", err)
	}
}

func TestFromEnv(t *testing.T) {
	alone(t)
	if _, err := FromEnv(EndpointFlags{}, ProbeFlags{}); err == nil || !strings.Contains(err.Error(), "OPENAI_BASE_URL") {
		t.Errorf("%v", err)
	}
	t.Setenv("OPENAI_BASE_URL", "https://gateway.example.com/v1/")
	t.Setenv("OPENAI_API_KEY", "sk-TESTKEY-0000-do-not-print")
	t.Setenv("OPENAI_MODEL", "m")
	pl, err := FromEnv(EndpointFlags{}, ProbeFlags{})
	planned(t, pl, err)
	e := pl.Session.Prober.Targets[0].Endpoint
	if e.Base.String() != "https://gateway.example.com/v1" || e.Key.Reveal() != "sk-TESTKEY-0000-do-not-print" || pl.Session.Prober.Settings.Knobs[0].Model != "m" {
		t.Errorf("%+v", e)
	}
	if strings.Contains(fmt.Sprintf("%+v %#v", pl, pl.Session.Prober), "TESTKEY") {
		t.Error("the plan shows the key")
	}
	pl, err = Usual(EndpointFlags{URL: []string{"https://other.example.com/v1"}}, ProbeFlags{})
	planned(t, pl, err)
	if !pl.Session.Prober.Targets[0].Endpoint.Key.IsZero() {
		t.Error("the key goes to another host")
	}
}

func to[T any](v T) *T { return &v }

// Flags lie over the file, which lies over what is built in.
func TestFlagsOverFile(t *testing.T) {
	dir := alone(t)
	write(t, dir, "config.toml", file)
	pl, err := Usual(EndpointFlags{}, ProbeFlags{
		PromptTokens: to(64), Pressure: to(0), MaxTokens: to(4), Cache: to("warm"), CacheShare: to(0.5), Conn: to("cold"),
		Rate: to(4.0), Timeout: to(time.Second), TokenBudget: to(int64(7)), IgnoreReported: true,
	})
	planned(t, pl, err)
	want := probe.Knobs{Model: "a", PromptTokens: 64, MaxTokens: 4, Cache: probe.Warm, CacheShare: 0.5, Conn: probe.ColdConn, Rate: 4}
	c := pl.Session.Prober
	if c.Settings.Knobs[0] != want || c.Timeout != time.Second || c.Budget != 7 || !c.IgnoreReported {
		t.Errorf("%+v", c)
	}
}

func TestSLO(t *testing.T) {
	dir := alone(t)
	write(t, dir, "config.toml", file+"slo = [\"p50=1s\", \"failures=2%\"]\n")
	for _, c := range []struct {
		flags []string
		want  string
	}{{nil, "[p50=1s failures=2%]"}, {[]string{"p95=600ms"}, "[p95=600ms]"}} {
		pl, err := Usual(EndpointFlags{}, ProbeFlags{SLO: c.flags})
		planned(t, pl, err)
		if got := fmt.Sprint(pl.Session.Prober.Settings.SLO); got != c.want {
			t.Errorf("with the flags %v: %s, want %s", c.flags, got, c.want)
		}
	}
}

// Values that can't be give a sentence that says which can, and start nothing.
func TestBadFlags(t *testing.T) {
	alone(t)
	for says, p := range map[string]ProbeFlags{
		"--prompt-tokens 0 is out of range: write a value from 1 to 1048576":                                             {PromptTokens: to(0)},
		fmt.Sprintf("--pressure %d is out of range: write a value from 0 to %d", probe.MaxPressure+1, probe.MaxPressure): {Pressure: to(probe.MaxPressure + 1)},
		"--pressure -1 is out of range":                                   {Pressure: to(-1)},
		"--max-tokens 0 is out of range: write a value from 1 to 65536":   {MaxTokens: to(0)},
		"--cache-share 1.5 is out of range: write a value from 0 to 1":    {CacheShare: to(1.5)},
		"--rate 0 is out of range: write a value from 0.001 to 1000":      {Rate: to(0.0)},
		"--rate NaN is out of range":                                      {Rate: to(math.NaN())},
		"--rate +Inf is out of range":                                     {Rate: to(math.Inf(1))},
		"--timeout 0s is out of range: write a value from 1ms to 24h0m0s": {Timeout: to(time.Duration(0))},
		"--token-budget -5 is out of range":                               {TokenBudget: to(int64(-5))},
		`--cache "cold" is not known: write bust or warm`:                 {Cache: to("cold")},
		`--conn "" is not known: write warm or cold`:                      {Conn: to("")},
		"--slo: p95=600: 600 has no unit":                                 {SLO: []string{"p95=600"}},
		"--slo: p95=1s and p95=2s limit the same":                         {SLO: []string{"p95=1s", "p95=2s"}},
		"the request file can't be read":                                  {Request: filepath.Join(t.TempDir(), "none.json")},
		"asks for 70000 output tokens: the most is 65536":                 {Request: write(t, t.TempDir(), "long.json", `{"messages":[{"role":"user","content":"Hi"}],"max_tokens":70000}`)},
		"holds no records: name another file":                             {Record: write(t, t.TempDir(), "diary.txt", "dear diary\n")},
		"the record file can't be opened":                                 {Record: t.TempDir()},
	} {
		for name, make := range map[string]func() (*Plan, error){
			"demo": func() (*Plan, error) { return Demo(p, HandoffFlags{}) },
			"real": func() (*Plan, error) {
				return Usual(EndpointFlags{URL: []string{"https://h.example.com/v1"}, Model: []string{"m"}}, p)
			},
		} {
			pl, err := make()
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want …%s…", name, err, says)
			}
			if pl != nil {
				t.Errorf("%s: a plan in spite of %v", name, err)
			}
		}
	}
}

// Flags about an endpoint need one; the sentence is always the same.
func TestLonelyFlags(t *testing.T) {
	alone(t)
	for name, e := range map[string]EndpointFlags{
		"-m": {Model: []string{"m"}, Name: []string{"n"}}, "--name": {Name: []string{"n"}, Insecure: true}, "--region": {Region: []string{"r"}},
		"--key-env": {KeyEnv: []string{"K"}}, "--header": {Header: []string{"A: b"}}, "--cacert": {CACert: "ca.pem"}, "--insecure": {Insecure: true},
	} {
		for range 5 {
			if _, err := Usual(e, ProbeFlags{}); err == nil || !strings.HasPrefix(err.Error(), name+" goes with a URL") {
				t.Errorf("%v, want %s", err, name)
			}
		}
	}
}

// A person's own request sets model and length where no flag does.
func TestOwnRequest(t *testing.T) {
	alone(t)
	path := write(t, t.TempDir(), "own.json", `{"model":"theirs","messages":[{"role":"user","content":"Hi"}],"max_completion_tokens":99}`)
	url := []string{"https://h.example.com/v1"}
	for _, c := range []struct {
		endpoint  EndpointFlags
		flags     ProbeFlags
		model     string
		maxTokens int
	}{
		{EndpointFlags{URL: url}, ProbeFlags{Request: path}, "theirs", 99},
		{EndpointFlags{URL: url, Model: []string{"mine"}}, ProbeFlags{Request: path, MaxTokens: to(5)}, "mine", 5},
	} {
		pl, err := Usual(c.endpoint, c.flags)
		planned(t, pl, err)
		if k := pl.Session.Prober.Settings.Knobs[0]; pl.Session.Prober.Template == nil || k.Model != c.model || k.MaxTokens != c.maxTokens {
			t.Errorf("%+v", k)
		}
	}
}

// The demo's plan runs, over its links, and what it records can be read.
func TestTheDemoRuns(t *testing.T) {
	alone(t)
	path := filepath.Join(t.TempDir(), "r.jsonl")
	pl, err := Demo(ProbeFlags{Record: path, Rate: to(10.0)}, HandoffFlags{})
	if err != nil {
		t.Fatal(err)
	}
	pl.Session.Prober.Count, pl.Session.Prober.LadderFirst = 2, true
	told := 0
	pl.Session.On = func(e probe.Event, _ *tally.Tally) {
		if f, ok := e.(probe.Finished); ok {
			told += truthful(t, pl, &f.Result)
		}
	}
	s, err := session.New(pl.Session)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	s.Run(ctx)
	if want := 2 * (1 + 8 + 2); told != want {
		t.Errorf("the books tell of %d probes, want %d", told, want)
	}
	if ctx.Err() != nil {
		t.Error("the demo does not end")
	}
	s.View(func(tl *tally.Tally, err error) {
		near, far := tl.Target(0).Figures(), tl.Target(1).Figures()
		if near.Probes != 2 || far.Probes != 2 || near.Failed+far.Failed != 0 || err != nil {
			t.Errorf("%+v, %+v, %v", near, far, err)
		}
		if near.P50.At >= far.P50.At { // at 256 tokens the near region wins
			t.Errorf("near %v, far %v", near.P50.At, far.P50.At)
		}
	})
	if err := pl.Close(); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "\n") != 1+2*(1+8+2) {
		t.Errorf("%d lines, %v", strings.Count(string(text), "\n"), err)
	}
	pl, err = Demo(ProbeFlags{Record: path}, HandoffFlags{}) // appended to
	planned(t, pl, err)
}

// truthful counts the probes that the simulator's books tell of, and checks
// that what they say fits into the TTFT.
func truthful(t *testing.T, pl *Plan, r *probe.Result) int {
	w, ok := pl.Truth(r.Target, r.RequestID)
	if !ok {
		t.Errorf("the books don't tell of the request %q of target %d", r.RequestID, r.Target)
		return 0
	}
	for _, s := range w {
		if s.Duration < 0 || s.Name.Part() == probe.NetworkPart || s.Name == probe.Server {
			t.Errorf("%+v", s)
		}
	}
	if w.Total() <= 0 || w.Total() >= r.TTFT().At {
		t.Errorf("%v at the server of a TTFT of %v", w.Total(), r.TTFT().At)
	}
	return 1
}

// There are no books of real endpoints, nor of requests that never were.
func TestNoTruth(t *testing.T) {
	alone(t)
	pl, err := Configured(EndpointFlags{URL: []string{"http://127.0.0.1:1/v1"}}, ProbeFlags{})
	if planned(t, pl, err).Truth != nil {
		t.Error("a real endpoint has books")
	}
	pl, err = Demo(ProbeFlags{}, HandoffFlags{})
	truth := planned(t, pl, err).Truth
	for _, target := range []int{-1, 0, 1, 2} {
		if w, ok := truth(target, "no such request"); ok || w != nil {
			t.Errorf("target %d: %v", target, w)
		}
	}
}
