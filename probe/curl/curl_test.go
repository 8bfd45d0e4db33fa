package curl

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
	"ttftop/probe/chat"
)

const key = "sk-very-secret-0123456789"

func endpointAt(t *testing.T, raw string) *probe.Endpoint {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return &probe.Endpoint{Name: "e", Base: u, API: probe.OpenAI}
}

func resultOf(t *testing.T, r chat.Request, chars int, cache probe.Cache) *probe.Result {
	t.Helper()
	r.Prompt = chat.PromptPlace
	body, err := r.Body(chat.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	return &probe.Result{Body: body, PromptChars: chars, Knobs: probe.Knobs{Model: r.Model, Cache: cache}}
}

// ran runs a command with a curl that notes what it is given.
func ran(t *testing.T, command string, env ...string) (args []string, body map[string]any) {
	t.Helper()
	dir := t.TempDir()
	fake := "#!/bin/sh\nprintf '%s\\n' \"$@\" >" + dir + "/args\ncat >" + dir + "/body\n"
	if err := os.WriteFile(filepath.Join(dir, "curl"), []byte(fake), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Env = append(env, "PATH="+dir+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, command)
	}
	list, err := os.ReadFile(filepath.Join(dir, "args"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "body"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &body); err != nil {
		t.Fatalf("%v in the body:\n%s", err, data)
	}
	return strings.Split(strings.TrimSpace(string(list)), "\n"), body
}

func firstContent(body map[string]any) string {
	s, _ := body["messages"].([]any)[0].(map[string]any)["content"].(string)
	return s
}

// What a shell makes of the command is the request that was sent, with a
// prompt as long as its own.
func TestCommandRuns(t *testing.T) {
	e := endpointAt(t, "https://llm.example.com/it's/v1")
	e.Key, e.KeyEnv = probe.NewSecret(key), "MY_KEY"
	e.Headers = map[string]probe.Secret{"X-Tenant-Id": probe.NewSecret("acme-0001")}
	for _, chars := range []int{0, 5, 11, 12, 1279, 200_000} {
		for _, cache := range []probe.Cache{probe.Bust, probe.Warm} {
			r := resultOf(t, chat.Request{Model: `maker/mo"del$x`, MaxTokens: 16, Ask: map[string]any{"note": "a`b\\c"}}, chars, cache)
			command, needs, err := Command(e, r)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(command, key) || strings.Contains(command, "acme-0001") {
				t.Fatalf("a secret is in the command:\n%s", command)
			}
			if !slices.Equal(needs, []string{"MY_KEY", "HEADER_X_TENANT_ID"}) {
				t.Errorf("needs %v", needs)
			}
			args, body := ran(t, command, "MY_KEY=k1", "HEADER_X_TENANT_ID=t1")
			for _, want := range []string{"https://llm.example.com/it%27s/v1/chat/completions", "Authorization: Bearer k1", "X-Tenant-Id: t1", "--http1.1"} {
				if !slices.Contains(args, want) && !slices.Contains(args, strings.ReplaceAll(want, "%27", "'")) {
					t.Errorf("%q is not among the arguments %q", want, args)
				}
			}
			if got := len(firstContent(body)); got != chars {
				t.Errorf("a prompt of %d characters, asked for %d", got, chars)
			}
			if body["model"] != `maker/mo"del$x` || body["note"] != "a`b\\c" || body["max_tokens"] != 16.0 || body["stream"] != true {
				t.Errorf("body %v", body)
			}
		}
	}
}

// A long request and a long address are broken into lines that can be copied from
// a screen, and are whole again in a shell.
func TestCommandFitsAScreen(t *testing.T) {
	long := strings.Repeat(`a "b" $c \\d `+"`e` 'f'\n\u2028模型", 40)
	r := resultOf(t, chat.Request{Model: "m", Ask: map[string]any{"note": long}}, 300, probe.Bust)
	e := endpointAt(t, "https://llm.example.com/"+strings.Repeat("it's/deployments/", 20)+"v1")
	command, _, err := Command(e, r)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(command, "\n") {
		if w := ansi.StringWidth(line); w > 80 {
			t.Errorf("%d cells: %s", w, line)
		}
	}
	args, body := ran(t, command)
	if body["note"] != long {
		t.Errorf("the shell makes %q of %q", body["note"], long)
	}
	if !slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "https://llm.example.com/it") && strings.HasSuffix(a, "v1/chat/completions")
	}) {
		t.Errorf("the address is in pieces: %q", args)
	}
}

func TestCommandOfOwnRequest(t *testing.T) {
	own, err := chat.ParseTemplate([]byte(`{"messages":[{"role":"system","content":"Be $(brief)."},{"role":"user","content":"Hi"}],"temperature":0}`))
	if err != nil {
		t.Fatal(err)
	}
	r := resultOf(t, chat.Request{Model: "m", Template: own}, 40, probe.Bust)
	command, needs, err := Command(endpointAt(t, "http://127.0.0.1:8000/v1"), r)
	if err != nil || len(needs) > 0 {
		t.Fatalf("needs %v, %v", needs, err)
	}
	_, body := ran(t, command)
	content := firstContent(body)
	if prompt, rest, _ := strings.Cut(content, "\n"); len(prompt) != 40 || rest != "Be $(brief)." || body["temperature"] != 0.0 {
		t.Errorf("%q", content)
	}
}

func TestCommandOfAzure(t *testing.T) {
	e := endpointAt(t, "https://x.openai.azure.com/openai/deployments/gpt")
	e.API, e.APIVersion, e.Key, e.CACert, e.Insecure = probe.Azure, "2024-10-21", probe.NewSecret(key), "/etc/my ca.pem", true
	command, needs, err := Command(e, resultOf(t, chat.Request{Model: "gpt"}, 10, probe.Warm))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`-H "Api-Key: $API_KEY"`, "api-version=2024-10-21", "--insecure", "--cacert '/etc/my ca.pem'"} {
		if !strings.Contains(command, want) {
			t.Errorf("%s is not in\n%s", want, command)
		}
	}
	if !slices.Equal(needs, []string{"API_KEY"}) {
		t.Errorf("needs %v", needs)
	}
}

func TestNothingSent(t *testing.T) {
	if _, _, err := Command(endpointAt(t, "http://127.0.0.1/v1"), &probe.Result{}); err == nil {
		t.Error("a probe that was skipped has a command")
	}
}
