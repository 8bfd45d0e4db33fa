package cli

import (
	"bytes"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The command serves every endpoint of its scenario, says so, and ends well on
// an interrupt with a line about the machine.
func TestSimCommand(t *testing.T) {
	if os.Getenv("TTFTOP_SIM_COMMAND") != "" {
		os.Args = []string{"ttftop", "sim", "--listen", "127.0.0.1:0", "--scenario", "two-regions", "--dialect", "llama", "--speed", "10", "--lever", "kv-blocks=9000", "--lever", "fault=late-headers"}
		Main()
		os.Exit(0)
	}
	c := exec.Command(os.Args[0], "-test.run", "TestSimCommand")
	c.Env = append(os.Environ(), "TTFTOP_SIM_COMMAND=1")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Process.Kill()
	text, urls := "", []string(nil)
	buf := make([]byte, 4096)
	for !strings.Contains(text, "Ctrl-C ends it.") {
		n, err := out.Read(buf)
		if err != nil {
			t.Fatalf("%v after %s%s", err, text, errs.String())
		}
		text += string(buf[:n])
	}
	for _, line := range strings.Split(text, "\n") {
		if _, rest, ok := strings.Cut(line, " on http://"); ok && strings.Contains(line, "dialect llama") {
			url, _, _ := strings.Cut(rest, ",")
			urls = append(urls, "http://"+url)
		}
	}
	if len(urls) != 2 || !strings.Contains(text, "can only delay its answers") {
		t.Fatalf("it says %s", text)
	}
	client := &http.Client{Timeout: 30 * time.Second}
	for _, url := range urls {
		response, err := client.Post(url+"/chat/completions", "application/json",
			strings.NewReader(`{"model":"sim-8b","max_tokens":3,"messages":[{"role":"user","content":"Hello"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		answer, _ := io.ReadAll(response.Body)
		response.Body.Close()
		levers, err := client.Get(strings.TrimSuffix(url, "/v1") + "/sim")
		if err != nil {
			t.Fatal(err)
		}
		all, _ := io.ReadAll(levers.Body)
		levers.Body.Close()
		if !bytes.Contains(all, []byte(`"kv-blocks","value":"9000"`)) || !bytes.Contains(all, []byte(`"fault","value":"late-headers"`)) {
			t.Errorf("%s: levers %s", url, all)
		}
		if response.StatusCode != 200 || !bytes.Contains(answer, []byte(`"timings"`)) {
			t.Errorf("%s: %d %s", url, response.StatusCode, answer)
		}
	}
	client.CloseIdleConnections()
	c.Process.Signal(os.Interrupt)
	if err := c.Wait(); err != nil || !strings.Contains(errs.String(), "near: steps began ") || !strings.Contains(errs.String(), "far: steps began ") {
		t.Errorf("%v, it says %s", err, errs.String())
	}
}

// A speed that can't be is refused before anything is served.
func TestSimSpeed(t *testing.T) {
	for _, speed := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		c := simCmd{Listen: "127.0.0.1:0", Scenario: "two-regions", Speed: speed}
		if err := c.Run(); err == nil || !strings.Contains(err.Error(), "such as 10") {
			t.Errorf("%v: %v", speed, err)
		}
	}
}

// Levers are set from outside, or refused with a sentence before anything is
// served.
func TestSimLevers(t *testing.T) {
	for lever, says := range map[string]string{
		"kv-blocks":    "write a name and a value, such as kv-blocks=2000",
		"=3":           "write a name and a value",
		"warp=9":       `there is no lever "warp"`,
		"max-batch=0":  "max-batch is 0: set it to 1 to 8192",
		"max-batch=no": `max-batch is "no": set it to a whole number`,
	} {
		c := simCmd{Listen: "127.0.0.1:0", Scenario: "two-regions", Speed: 1, Lever: []string{lever}}
		if err := c.Run(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", lever, err, says)
		}
	}
	if got, err := leversAsked([]string{"fault=stall@3:10s", "rtt=1ms"}); err != nil || got["fault"] != "stall@3:10s" || got["rtt"] != "1ms" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := leversAsked([]string{"rtt=1ms", "rtt=2ms"}); err == nil || !strings.Contains(err.Error(), "rtt is given twice") {
		t.Error(err)
	}
}

func TestSplitListen(t *testing.T) {
	for _, bad := range []string{"", "8099", "host", "host:port", "host:70000", "host:-1"} {
		if _, _, err := splitListen(bad); err == nil || !strings.Contains(err.Error(), "127.0.0.1:8099") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if host, port, err := splitListen("[::1]:80"); host != "::1" || port != 80 || err != nil {
		t.Errorf("%q, %d, %v", host, port, err)
	}
}
