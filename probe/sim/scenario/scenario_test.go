package scenario

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ttftop/probe/sim"
)

func TestEmbedded(t *testing.T) {
	want := []string{"bad-neighbour", "cold-cache", "long-context", "lunch-rush", "overloaded", "two-regions"}
	if got := Names(); !slices.Equal(got, want) {
		t.Fatalf("scenarios %v, want %v", got, want)
	}
	for _, name := range want {
		s, err := Load(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Name != name || s.About == "" || len(s.Endpoints) == 0 {
			t.Errorf("%+v", s)
		}
	}
}

// Fields arrive where they belong.
func TestFields(t *testing.T) {
	s, err := Load("lunch-rush")
	if err != nil {
		t.Fatal(err)
	}
	c := s.Endpoints[0]
	if c.Name != "office" || c.Hardware.Name != sim.A100.Name || c.Models[0].Name != "sim-8b" || c.Models[0].Params != sim.Llama8B.Params ||
		c.Dialect != sim.DialectVLLM || c.MaxBatch != 32 || c.Link.RTT != 8*time.Millisecond || c.Link.Bandwidth != 200e6 ||
		c.Users.Rate != 2.2 || c.Users.Day != 5*time.Minute || c.Users.SharedTokens != 256 || c.HandlingPerToken != 2*time.Microsecond {
		t.Errorf("%+v", c)
	}
	if c.Speculation.Acceptance != 0.7 || c.Speculation.Cost != 0.05 || c.BatchWait != 100*time.Millisecond {
		t.Errorf("turned on, drafts are %+v and batches wait for %v", c.Speculation, c.BatchWait)
	}
	o, err := Load("overloaded")
	if err != nil {
		t.Fatal(err)
	}
	if f := o.Endpoints[0].Faults[0]; f.Status != 429 || f.RetryAfter != 2*time.Second || f.Probability != 0.02 {
		t.Errorf("%+v", f)
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.toml")
	text := "[[endpoints]]\nhardware = \"L4\"\ncontext_tokens = 4096\nmodels = [{ shape = \"llama-3.2-1b\" }]\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "mine" || s.Endpoints[0].Name != "sim" || s.Endpoints[0].Models[0].Name != "llama-3.2-1b" {
		t.Errorf("%+v", s)
	}
}

// What is wrong is said with file, line, and what to write instead.
func TestErrors(t *testing.T) {
	const head = "about = \"x\"\n[[endpoints]]\nhardware = \"a100\"\nmodels = [{ shape = \"llama-3.1-8b\" }]\n"
	for _, tt := range []struct{ name, text, says string }{
		{"no TOML", "about = \n", "x.toml:1: "},
		{"unknown field", head + "max_bach = 3\n", "x.toml:5: endpoints.max_bach is no field of a scenario"},
		{"unknown hardware", "[[endpoints]]\nhardware = \"z80\"\n", `x.toml:2: endpoints.hardware: "z80" is not known: write one of a100, h100, h200, l4, mi300x`},
		{"unknown shape", "[[endpoints]]\nmodels = [{ shape = \"gpt\" }]\n", `x.toml:2: endpoints.models.shape: "gpt" is not known: write one of llama-3.2-1b`},
		{"bad duration", head + "[endpoints.link]\nrtt = \"80\"\n", `x.toml:6: endpoints.link.rtt: "80" is no duration: write "80ms"`},
		{"bad choice", head + "policy = \"lazy\"\n", `x.toml:5: endpoints.policy: "lazy" is not known: write one of continuous, static`},
		{"bad fault", head + "[[endpoints.faults]]\nwhat = \"fire\"\n", `x.toml:6: endpoints.faults.what: "fire" is no fault: write a status`},
		{"doesn't fit", "# first\n[[endpoints]]\nhardware = \"a100\"\nmodels = [{ shape = \"llama-3.1-70b\", accelerators = 1 }]\n", `x.toml:4: simulated endpoint "sim": model "llama-3.1-70b" doesn't fit`},
		{"second one is wrong", head + "\n [[ endpoints ]] # here\nname = \"other\"\nhardware = \"a100\"\n", `x.toml:6: simulated endpoint "other": it has no model`},
		{"zero batch", head + "max_batch = 0\n", `x.toml:5: max_batch is 0: set it to 1 or more, or leave it out`},
		{"zero queue", head + "max_waiting = 0\n", `x.toml:5: max_waiting is 0: set it to 1 or more, or leave it out`},
		{"zero replicas", head + "replicas = 0\n", "replicas is 0"},
		{"zero accelerators", "[[endpoints]]\nhardware = \"a100\"\nmodels = [{ shape = \"llama-3.1-8b\", accelerators = 0 }]\n", `model "llama-3.1-8b" has accelerators = 0`},
		{"endless users", head + "users = { rate = inf }\n", "users.rate is +Inf: set it to 0 to 1000"},
		{"far away", head + "link = { rtt = \"24h\" }\n", "link.rtt is 24h0m0s: set it to 0s to 10s"},
		{"more memory than there is", head + "kv_blocks = 99999999\n", "kv_blocks is 99999999: beside the weights of"},
		{"a tenant without prompts", head + "tenants = [{ rate = 1 }]\n", "tenants[0].prompt_tokens is 0: set it to 1 or more"},
		{"users that spread", head + "users = { prompt_spread = 5 }\n", "users.prompt_spread is 5: set it to 0 to 3"},
		{"users of nothing", head + "users = { rate = 1, prompt_tokens = -1 }\n", "users.prompt_tokens is -1: set it to 1 to 1048576"},
		{"no room for the context", "[[endpoints]]\nhardware = \"a100\"\nmodels = [{ shape = \"llama-3.1-70b\", accelerators = 2 }]\n", "set context_tokens to at most 8827"},
		{"one name twice", head + head[len("about = \"x\"\n"):], `x.toml:5: two endpoints are named "sim"`},
		{"none", "about = \"x\"\n", "x.toml: it has no endpoint"},
		{"a duration without a unit", head + "handling = 5\n", `x.toml:5: endpoints.handling: this is of the kind integer: write a duration in quotes, such as "80ms"`},
		{"a round trip without a unit", head + "[endpoints.link]\nrtt = 40\n", `x.toml:6: endpoints.link.rtt: this is of the kind integer: write a duration in quotes`},
		{"a seed below 0", head + "seed = -1\n", "x.toml:5: endpoints.seed: it is below 0: write a whole number, 0 or more"},
		{"half a second", head + "batch_wait = 0.5\n", "x.toml:5: endpoints.batch_wait: this is of the kind float: write a duration"},
		{"a number for a choice", head + "policy = 1\n", "x.toml:5: endpoints.policy: this is of the kind integer: write a name in quotes"},
		{"a number for a dialect", "dialect = 1\n" + head, "x.toml:1: dialect: this is of the kind integer: write a name in quotes"},
		{"a table for hardware", "[[endpoints]]\nhardware = { name = \"a100\" }\n", "x.toml:2: "},
		{"text for a number", head + "max_batch = \"8\"\n", "x.toml:5: endpoints.max_batch: this is of the kind string: write a whole number"},
		{"a number for a table", head + "link = 5\n", "x.toml:5: endpoints.link: this is of the kind integer: write a table"},
		{"a number for users", head + "users = 5\n", "x.toml:5: endpoints.users: this is of the kind integer: write a table"},
		{"a table for a list", head + "tenants = 3\n", "x.toml:5: endpoints.tenants: this is of the kind integer: write a list of tables"},
		{"unknown field of a table", head + "[endpoints.link]\nrt = \"8ms\"\n", "x.toml:6: endpoints.link.rt is no field"},
		{"unknown field of a table in line", head + "link = { rt = \"8ms\" }\n", "x.toml:5: endpoints.link.rt is no field"},
		{"beyond a bound", head + "seed = 1\nmax_batch = 100000\n", `x.toml:6: simulated endpoint "sim": max_batch is 100000: set it to 1 to 8192`},
		{"beyond a bound, in a table", head + "[endpoints.link]\nrtt = \"24h\"\n", `x.toml:6: simulated endpoint "sim": link.rtt is 24h0m0s`},
		{"endpoints in line", "endpoints = [\n { hardware = \"a100\", max_batch = 100000,\n  models = [{ shape = \"llama-3.1-8b\" }] }\n]\n", "x.toml:2: simulated endpoint \"sim\": max_batch is 100000"},
		{"loss beyond a bound", head + "link = { loss = 60 }\n", "link.loss is 60 per cent: set it to 0 to 50 per cent"},
		{"no shape", "[[endpoints]]\nhardware = \"a100\"\nmodels = [{ name = \"m\" }]\n", "x.toml:3: a model has no shape: set shape to one of llama-3.2-1b"},
		{"no hardware", "[[endpoints]]\nmodels = [{ shape = \"llama-3.1-8b\" }]\n", "x.toml:1: it has no hardware: set hardware to one of a100"},
		{"three accelerators", "[[endpoints]]\nhardware = \"a100\"\nmodels = [{ shape = \"llama-3.1-8b\", accelerators = 3 }]\n", "x.toml:3: simulated endpoint \"sim\": model \"llama-3.1-8b\" has 3 accelerators: set them to a power of two from 1 to 64"},
		{"a thousand", "[[endpoints]]\nhardware = \"a100\"\nmodels = [{ shape = \"llama-3.1-8b\", accelerators = 1024 }]\n", "has 1024 accelerators"},
		{"a model named as a fault is asked for", "[[endpoints]]\nhardware = \"a100\"\nmodels = [{ name = \"a+429\", shape = \"llama-3.1-8b\" }]\n", `model "a+429" has a + in its name`},
		{"a fault of nothing", head + "[[endpoints.faults]]\nprobability = 0.1\n", "x.toml:5: a fault doesn't say what goes wrong: set what"},
		{"a fault that hits nothing said", head + "[[endpoints.faults]]\nwhat = \"503\"\n", "x.toml:6: a fault doesn't say which requests it hits: set probability"},
		{"a fault that hits none", head + "[[endpoints.faults]]\nwhat = \"503\"\nprobability = 0\n", "x.toml:7: a fault has the probability 0"},
		{"faults that hit more than all", head + "faults = [{ what = \"503\", probability = 0.6 }, { what = \"429\", probability = 0.6 }]\n", "add up to 1.2: let them add up to at most 1"},
		{"a peak of no day", head + "[endpoints.users]\nrate = 1\npeak = 3.5\n", `x.toml:7: users.peak is 3.5, and there is no day that it is the peak of: set users.day`},
		{"a tenant's peak of no day", head + "tenants = [{ rate = 1, prompt_tokens = 5, output_tokens = 5, peak = 3 }]\n", "x.toml:5: tenants[0].peak is 3, and there is no day"},
		{"users without prompts", head + "users = { rate = 1, prompt_tokens = 0 }\n", "x.toml:5: users.prompt_tokens is 0: set it to 1 or more, or leave it out"},
		{"a tenant beyond a bound", head + "[[endpoints.tenants]]\nrate = 1\nprompt_tokens = 5\noutput_tokens = 5\n[[endpoints.tenants]]\nrate = 1e300\n", "x.toml:10: simulated endpoint \"sim\": tenants[1].rate is 1e+300: set it to 0 to 1000"},
		{"wrong type", head + "max_batch = \"many\"\n", "x.toml:5: endpoints.max_batch: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("x.toml", []byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v, want %q", err, tt.says)
			}
			if err != nil && (strings.Contains(err.Error(), "struct") || strings.Contains(err.Error(), "scenario.") || strings.Contains(err.Error(), "[]") || strings.Contains(err.Error(), "uint")) {
				t.Errorf("it speaks of Go: %v", err)
			}
			if err != nil && strings.Count(err.Error(), "\n") > 0 {
				t.Errorf("one fault is told twice: %v", err)
			}
		})
	}
}

// A byte-order mark is no part of a file, loss is in per cent, and faults that are
// named by the number of the request need no probability.
func TestTaken(t *testing.T) {
	text := "\ufeff[[endpoints]]\nhardware = \"a100\"\nmodels = [{ shape = \"llama-3.1-8b\" }]\nlink = { loss = 2 }\n" +
		"faults = [{ what = \"503\", count = 2 }, { what = \"429\", probability = 0.5 }, { what = \"cut@3\", probability = 0.5 }]\n"
	s, err := Parse("x.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if c := s.Endpoints[0]; c.Link.Loss != 0.02 || len(c.Faults) != 3 || c.Faults[0].Count != 2 {
		t.Errorf("%+v", c)
	}
}

func TestUnknownName(t *testing.T) {
	for name, says := range map[string]string{"lunch": "no scenario \"lunch\": write one of bad-neighbour, ", "nowhere.toml": "nowhere.toml"} {
		if _, err := Load(name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
