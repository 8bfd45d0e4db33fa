package config

import (
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
)

// write puts a configuration file into a directory of its own.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func load(t *testing.T, text string) *File {
	t.Helper()
	f, err := Load(write(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func env(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestLoadErrorsNameFileLineAndWhatWasMeant(t *testing.T) {
	tests := []struct {
		name, text string
		line       int
		want       string
	}{
		{"misspelt key", "[settings]\npromt_tokens = 5", 2, `unknown key "promt_tokens" in [settings]: write prompt_tokens`},
		{"misspelt table", "\n[setings]\nrate = 1", 2, `unknown key "setings": write [settings]`},
		{"singular table", "[[endpoint]]\nurl = 'http://h'", 1, "write [[endpoints]]"},
		{"key in the wrong table", "[settings]\nurl = 'http://h'", 2, "url belongs in [[endpoints]]"},
		{"key outside of tables", "prompt_tokens = 5", 1, "prompt_tokens belongs in [settings]"},
		{"another name", "[[endpoints]]\nbase_url = 'http://h'", 2, "write url"},
		{"a key in the file", "[[endpoints]]\nurl='http://h'\napi_key = 'sk-TESTKEY'", 3, "environment variable and name that with key_env"},
		{"nothing like it", "[settings]\nwhatever_this_is = 5", 2, "in [settings]: the keys are prompt_tokens, pressure"},
		{"nothing like it, a table", "[nothing_like_it.at_all]\nx = 1", 1, "the keys are endpoints, settings"},
		{"a credential for a key", "[settings]\nsk-0-TESTKEY-0000-do-not-print = 1", 2, `unknown key "sk-0…" in [settings]`},
		{"subtable", "[[endpoints]]\nurl='http://h'\n[endpoints.foo]\nx=1", 3, `unknown key "foo" in [[endpoints]]`},
		{"inline", "endpoints = [{url='http://h'},\n{regin='x'}]", 2, `unknown key "regin"`},
		{"text for a number", "[settings]\nprompt_tokens = '256'", 2, "prompt_tokens must be a whole number"},
		{"fraction for a whole number", "[settings]\npressure = 1.5", 2, "pressure must be a whole number"},
		{"number for a text", "[[endpoints]]\nurl = 'http://h'\nname = 3", 3, `name must be a text in quotes`},
		{"number for a duration", "[settings]\ntimeout = 30", 2, `timeout must be a duration in quotes, such as "30s"`},
		{"text for a list", "[[endpoints]]\nmodels = 'a'", 2, `models must be a list of texts, such as ["model-a"`},
		{"number in a list", "[[endpoints]]\nmodels = ['a',\n3]", 3, "models must be a list of texts"},
		{"text for a switch", "[[endpoints]]\ninsecure = 'yes'", 2, "insecure must be true or false"},
		{"text for headers", "[[endpoints]]\nheaders = 'X: y'", 2, "headers must be a table of texts"},
		{"number for a header", "[[endpoints]]\n[endpoints.headers]\nX-A = 3", 3, "headers must be a table of texts"},
		{"number for endpoints", "endpoints = 3", 1, "endpoints must be tables, each begun with [[endpoints]]"},
		{"array of settings", "[[settings]]\nrate = 1", 1, "settings must be a table"},
		{"no TOML", "[settings\nrate = 1", 1, "this is no TOML: expected ']'"},
		{"no quotes", "[[endpoints]]\nurl = https://host", 2, "this is no TOML"},
		{"twice", "[settings]\nrate = 1\nrate = 2", 3, "rate is already defined"},
		{"not UTF-8", "[settings]\ntheme = '\xff'", 2, "UTF-8"},

		{"prompt too short", "[settings]\n\nprompt_tokens = 0", 3, "prompt_tokens must be from 1 to 1048576"},
		{"prompt too long", "[settings]\nprompt_tokens = 1048577", 2, "prompt_tokens must be from 1 to 1048576"},
		{"number too large", "[settings]\nprompt_tokens = 99999999999999999999", 2, "too large"},
		{"no SLO", "[settings]\nrate = 1\nslo = ['p95']", 3, `"p95" is no SLO: write a quantile`},
		{"text for SLOs", "[settings]\nslo = 'p95=1s'", 2, "slo must be a list of texts"},
		{"pressure", "[settings]\npressure = 1025", 2, "pressure must be from 0 to 1024"},
		{"negative pressure", "[settings]\npressure = -1", 2, "pressure must be from 0 to 1024"},
		{"max_tokens", "[settings]\nmax_tokens = 0", 2, "max_tokens must be from 1 to 65536"},
		{"cache", "[settings]\ncache = 'hot'", 2, `cache must be "bust" or "warm"`},
		{"conn", "[settings]\nconn = 'new'", 2, `conn must be "warm" or "cold"`},
		{"cache_share", "[settings]\ncache_share = 1.1", 2, "cache_share must be from 0 to 1"},
		{"cache_share that is no number", "[settings]\ncache_share = nan", 2, "cache_share must be from 0 to 1"},
		{"rate of zero", "[settings]\nrate = 0", 2, "rate must be from 0.001 to 1000"},
		{"rate without end", "[settings]\nrate = inf", 2, "rate must be from 0.001"},
		{"rate that is no number", "[settings]\nrate = nan", 2, "rate must be from 0.001"},
		{"timeout without a unit", "[settings]\ntimeout = '30'", 2, `timeout must be a duration above 0, such as "30s"`},
		{"no timeout", "[settings]\ntimeout = '0s'", 2, "timeout must be a duration above 0"},
		{"token_budget", "[settings]\ntoken_budget = -1", 2, "token_budget must be 0 for none"},
		{"theme", "[settings]\ntheme = ''", 2, "theme must be the name of a theme"},

		{"no url", "[[endpoints]]\nurl='http://h'\n[[endpoints]]\nname = 'a'", 3, "the endpoint has no url"},
		{"bad url", "[[endpoints]]\nname='a'\nurl = 'http://::1:80'", 3, "put IPv6 addresses in brackets"},
		{"bad url in the second", "[[endpoints]]\nurl = 'http://h'\n[[endpoints]]\nname = 'b'\nurl = ''", 5, "the URL is empty"},
		{"bad url inline", "endpoints = [ {url='http://h'},\n {url='x'} ]", 2, "write https:// in front"},
		{"empty name", "[[endpoints]]\nurl='http://h'\nname = ''", 3, "name is empty"},
		{"name of two lines", "[[endpoints]]\nurl='http://h'\nname = \"a\\nb\"", 3, "the name has a line break"},
		{"long region", "[[endpoints]]\nurl='http://h'\nregion = '" + strings.Repeat("x", 65) + "'", 3, "the region is longer than 64"},
		{"empty model", "[[endpoints]]\nurl='http://h'\nmodels = ['a', ' ']", 3, "the name of a model is empty"},
		{"no such cacert", "[[endpoints]]\nurl='https://h'\ncacert = 'none.pem'", 3, "the certificate file can't be read"},
		{"not a cacert", "[[endpoints]]\nurl='https://h'\ncacert = 'config.toml'", 3, "holds no certificate"},
		{"cacert and insecure", "[[endpoints]]\nurl='https://h'\ncacert = 'x'\ninsecure = true", 4, "leave one away"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, tt.text)
			_, err := Load(path)
			if err == nil {
				t.Fatal("no error")
			}
			if place := fmt.Sprintf("%s:%d: ", path, tt.line); !strings.HasPrefix(err.Error(), place) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v\nwant %s… %q", err, place, tt.want)
			}
			if strings.Contains(err.Error(), "TESTKEY") || strings.Contains(err.Error(), "struct") {
				t.Errorf("not fit to be shown: %v", err)
			}
		})
	}
}

func TestLoadTellsEveryUnknownKey(t *testing.T) {
	path := write(t, "[settings]\nrat = 1\ncach = 'bust'\n")
	_, err := Load(path)
	want := path + ":2: unknown key \"rat\" in [settings]: write rate\n" + path + ":3: unknown key \"cach\" in [settings]: write cache"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

func TestLoadUnreadable(t *testing.T) {
	dir := t.TempDir()
	_, err := Load(filepath.Join(dir, "none.toml"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "none.toml can't be read") {
		t.Errorf("no file: %v", err)
	}
	if _, err = Load(dir); err == nil || !strings.Contains(err.Error(), dir+" can't be read") {
		t.Errorf("a directory: %v", err)
	}
	if _, err = Load(write(t, strings.Repeat("#\n", longestFile))); err == nil || !strings.Contains(err.Error(), "longer than 1 MiB") {
		t.Errorf("a long file: %v", err)
	}
}

func TestLoadAcceptsByteOrderMarkAndCRLF(t *testing.T) {
	f := load(t, "\ufeff[settings]\r\nrate = 2\r\n")
	if got := f.Defaults(Builtin()).Knobs.Rate; got != 2 {
		t.Errorf("rate %g", got)
	}
}

// The schema names every key that is decoded, and no other.
func TestSchemaAgreesWithStructs(t *testing.T) {
	var keys []string
	for table, of := range map[string]reflect.Type{
		"": reflect.TypeFor[document](), "endpoints": reflect.TypeFor[entry](), "settings": reflect.TypeFor[settings](),
	} {
		for field := range of.Fields() {
			keys = append(keys, table+"."+field.Tag.Get("toml"))
		}
	}
	var known []string
	for _, k := range schema {
		known = append(known, k.table+"."+k.name)
	}
	slices.Sort(keys)
	slices.Sort(known)
	if !slices.Equal(keys, known) {
		t.Errorf("the structs have %q\nthe schema has %q", keys, known)
	}
	for from, to := range meant {
		if _, found := suggest("", to); !found {
			t.Errorf("%s is said to mean %s, which is no key", from, to)
		}
	}
}

func TestTargetsOfAFile(t *testing.T) {
	f := load(t, `
[[endpoints]]
name = "us"
url = "https://us.example.com"
models = ["a", "b"]
key_env = "US_KEY"
region = "us-east-1"
headers = { X-Tenant = "acme", x-token = "env:US_TOKEN" }

[[endpoints]]
url = "http://localhost:8000/v1"
insecure = true

[[endpoints]]
url = "https://r.openai.azure.com/openai/deployments/dep"
`)
	targets, err := f.Targets(env(map[string]string{"US_KEY": "'key'\n", "US_TOKEN": " token ", "OPENAI_API_KEY": "no"}))
	if err != nil {
		t.Fatal(err)
	}
	if len(targets) != 3 {
		t.Fatalf("%d targets", len(targets))
	}
	us, local, azure := targets[0], targets[1], targets[2]
	e := us.Endpoint
	if us.Name != "us" || e.Name != "us" || e.Region != "us-east-1" || e.Base.String() != "https://us.example.com/v1" || !slices.Equal(us.Models, []string{"a", "b"}) {
		t.Errorf("us: %+v, %+v", us, e)
	}
	if e.Key.Reveal() != "key" || e.Headers["X-Tenant"].Reveal() != "acme" || e.Headers["X-Token"].Reveal() != "token" || e.Insecure {
		t.Errorf("us: key %q, headers %q %q", e.Key.Reveal(), e.Headers["X-Tenant"].Reveal(), e.Headers["X-Token"].Reveal())
	}
	if local.Name != "localhost:8000" || len(local.Models) != 0 || !local.Endpoint.Key.IsZero() || !local.Endpoint.Insecure {
		t.Errorf("local: %+v, %+v", local, local.Endpoint)
	}
	if azure.Name != "r.openai.azure.com" || !slices.Equal(azure.Models, []string{"dep"}) || azure.Endpoint.API != probe.Azure {
		t.Errorf("azure: %+v, %+v", azure, azure.Endpoint)
	}
}

func TestTargetsErrors(t *testing.T) {
	tests := []struct {
		name, text string
		line       int
		want       string
	}{
		{"key_env not set", "[[endpoints]]\nurl='http://h'\nkey_env='NO_KEY'", 3, "the environment variable NO_KEY is not set"},
		{"a key for key_env", "[[endpoints]]\nurl='http://h'\nkey_env='sk-TESTKEY'", 3, "not by the key itself"},
		{"a broken key", "[[endpoints]]\nurl='http://h'\nkey_env='BROKEN'", 3, "the key in BROKEN has a line break"},
		{"header not set", "[[endpoints]]\nurl='http://h'\n[endpoints.headers]\nX-A='1'\nX-B='env:NO_VALUE'", 5, "the environment variable NO_VALUE is not set"},
		{"a key for a variable", "[[endpoints]]\nurl='http://h'\nheaders={X-A='env:sk-TESTKEY'}", 3, "what follows env: is no name"},
		{"bad header name", "[[endpoints]]\nurl='http://h'\nheaders={'X A'='1'}", 3, "no header name"},
		{"owned header", "[[endpoints]]\nurl='http://h'\nheaders={host='TESTKEY'}", 3, "Host is set by the program"},
		{"broken header", "[[endpoints]]\nurl='http://h'\nheaders={X-A='env:BROKEN'}", 3, "line break"},
		{"header twice", "[[endpoints]]\nurl='http://h'\nheaders={X-A='1',x-a='2'}", 3, "X-A is given twice"},
		{"two credentials", "[[endpoints]]\nurl='http://u:TESTKEY@h'\nkey_env='GOOD'", 3, "give one of them"},
		{"name twice", "[[endpoints]]\nurl='http://h'\nname='a'\n[[endpoints]]\nurl='http://i'\nname='a'", 6, `the name "a" is given twice`},
		{"Azure without a model", "[[endpoints]]\nname='a'\nurl='https://r.openai.azure.com'", 1, "can't be listed"},
		{"Azure with another model", "[[endpoints]]\nurl='https://r.openai.azure.com/openai/deployments/dep'\nmodels=['m']", 3, `names the deployment "dep" already`},
		{"api.openai.com without a key", "[[endpoints]]\nurl='https://api.openai.com'", 1, "key_env"},
	}
	vars := env(map[string]string{"BROKEN": "TESTKEY\nx", "GOOD": "TESTKEY"})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := load(t, tt.text)
			_, err := f.Targets(vars)
			if err == nil {
				t.Fatal("no error")
			}
			if place := fmt.Sprintf("%s:%d: ", f.path, tt.line); !strings.HasPrefix(err.Error(), place) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v\nwant %s… %q", err, place, tt.want)
			}
			for _, text := range []string{fmt.Sprintf("%v", err), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err)} {
				if strings.Contains(text, "TESTKEY") {
					t.Errorf("the error shows a secret: %s", text)
				}
			}
		})
	}
}

func TestTargetsOfAFileWithoutEndpoints(t *testing.T) {
	if targets, err := load(t, "[settings]\nrate = 1").Targets(nil); err != nil || len(targets) != 0 {
		t.Errorf("%v, %v", targets, err)
	}
}

func TestSingleEndpointsTable(t *testing.T) {
	f := load(t, "[endpoints]\nurl='http://h'\nkey_env='NO_KEY'")
	if _, err := f.Targets(env(nil)); err == nil || !strings.HasPrefix(err.Error(), f.path+":3: ") {
		t.Errorf("%v", err)
	}
}

func TestCACertBesideTheFile(t *testing.T) {
	server := httptest.NewTLSServer(nil)
	server.Close()
	path := write(t, "[[endpoints]]\nurl='https://h'\nmodels=['m']\ncacert='ca.pem'")
	ca := filepath.Join(filepath.Dir(path), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(ca, block, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	targets, err := f.Targets(env(nil))
	if err != nil || targets[0].Endpoint.CACert != ca {
		t.Errorf("%v, %v; want %s", targets, err, ca)
	}
	flags, err := FromFlags(Flags{URLs: []string{"https://h"}, CACert: ca, Getenv: env(nil)})
	if err != nil || flags[0].Endpoint.CACert != ca {
		t.Errorf("from flags: %v, %v", flags, err)
	}
}

func TestFormattedFileShowsNoSecret(t *testing.T) {
	f := load(t, "[[endpoints]]\nurl='http://u:TESTKEY@h?key=TESTKEY'\n[endpoints.headers]\nX-A='TESTKEY'")
	for _, text := range []string{fmt.Sprintf("%v", f), fmt.Sprintf("%+v", *f), fmt.Sprintf("%#v", f), fmt.Sprintf("%#v", f.document)} {
		if strings.Contains(text, "TESTKEY") {
			t.Errorf("shown: %s", text)
		}
	}
}

func TestDefaults(t *testing.T) {
	all := load(t, `
[settings]
prompt_tokens = 1024
pressure = 4
max_tokens = 32
cache = "warm"
cache_share = 0.5
conn = "cold"
rate = 2
timeout = "1m30s"
token_budget = 5000000000
theme = "light"
`)
	want := Defaults{
		Knobs:   probe.Knobs{PromptTokens: 1024, Pressure: 4, MaxTokens: 32, Cache: probe.Warm, CacheShare: 0.5, Conn: probe.ColdConn, Rate: 2},
		Timeout: 90 * time.Second, TokenBudget: 5_000_000_000, Theme: "light", ThemeAt: all.path + ":12",
	}
	if got := all.Defaults(Builtin()); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	some := load(t, "[settings]\npressure = 0\nrate = 0.5")
	want = Builtin()
	want.Knobs.Rate = 0.5
	if got := some.Defaults(Builtin()); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := (*File)(nil).Defaults(Builtin()); got != Builtin() {
		t.Errorf("without a file: %+v", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		uncommented(), "[[endpoints]]\nurl='http://h'\nheaders.X-A='1'", "endpoints=[[{url='x'}]]", "[a.b.c]\n[[a.b]]", "a.b.c = {d = [{e = 1}]}",
		"[[endpoints]]\n[endpoints.headers]\nX='1'\n[[endpoints]]\nurl='http://h'", "[settings]\nrate = 1 # x\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := parse("config.toml", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "config.toml") {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		for key, line := range file.lines {
			if line < 1 || line > strings.Count(string(data), "\n")+1 {
				t.Errorf("%s is on line %d", key, line)
			}
		}
		targets, err := file.Targets(env(nil))
		if err == nil && len(targets) != len(file.document.Endpoints) {
			t.Errorf("%d targets of %d endpoints", len(targets), len(file.document.Endpoints))
		}
	})
}
