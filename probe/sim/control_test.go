package sim

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

func (b *bench) turn(query string) (int, string) {
	b.t.Helper()
	response, err := b.client.Post("http://sim/sim?"+query, "", nil)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	var text strings.Builder
	response.Write(&text)
	return response.StatusCode, text.String()
}

func TestControl(t *testing.T) {
	inBubble(t, roundConfig(), func(t *testing.T, b *bench) {
		if status, text := b.turn("max-batch=7&rtt=20ms"); status != 200 {
			t.Error(status, text)
		}
		if c := b.Config(); c.MaxBatch != 7 || c.Link.RTT != 20*time.Millisecond {
			t.Errorf("%+v", c.Levers)
		}
		for query, says := range map[string]string{
			"":                        "Name the levers",
			"max-batch=3&max-batch=4": "max-batch stands 2 times",
			"max-batch=0":             "max-batch is 0: set it to 1 to 8192",
			"turbo=1":                 `no lever \"turbo\"`,
			"max-batch=now":           "a whole number",
		} {
			if status, text := b.turn(query); status != 400 || !strings.Contains(text, says) {
				t.Errorf("%q: %d %s", query, status, text)
			}
		}
		if status, _ := b.turn("max-batch=3&rtt=soon"); status != 400 || b.Config().MaxBatch != 7 {
			t.Errorf("%d, and half of what was refused is turned", status)
		}
		_, text := b.get("/sim")
		var got struct {
			Levers []struct{ Name, Value string }
			Lag    struct{ Behind bool }
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Levers) != len(levers) || got.Lag.Behind {
			t.Errorf("%v: %s", err, text)
		}
	})
}

// A request asks for its own fault, by header, query or model name.
func TestFaultOnRequest(t *testing.T) {
	inBubble(t, roundConfig(), func(t *testing.T, b *bench) {
		ask := func(header, query, model string) (int, http.Header, error) {
			q, _ := http.NewRequestWithContext(t.Context(), "POST", "http://sim/v1/chat/completions"+query, strings.NewReader(body(model, 1, 20, 4, "")))
			if header != "" {
				q.Header.Set(FaultHeader, header)
			}
			response, err := b.client.Do(q)
			if err != nil {
				return 0, nil, err
			}
			defer response.Body.Close()
			var text strings.Builder
			err = response.Write(&text)
			return response.StatusCode, response.Header, err
		}
		if status, h, _ := ask("429:3s", "", "m"); status != 429 || h.Get("Retry-After") != "3" {
			t.Errorf("header: %d, retry after %q", status, h.Get("Retry-After"))
		}
		if status, _, _ := ask("", "?fault=503", "m"); status != 503 {
			t.Errorf("query: %d", status)
		}
		if status, _, _ := ask("", "", "m+500"); status != 500 {
			t.Errorf("model: %d", status)
		}
		if status, _, _ := ask("fire", "", "m"); status != 400 {
			t.Errorf("no fault: %d", status)
		}
		if _, _, err := ask("", "", "m+cut@2"); err == nil {
			t.Error("a cut stream ended well")
		}
		if status, _, err := ask("", "", "m"); status != 200 || err != nil {
			t.Errorf("without a fault: %d, %v", status, err)
		}
		start := time.Now()
		ask("", "", "m+stall@1:10s")
		near(t, "stalled", time.Since(start), 10*time.Second+30*time.Millisecond) // it begins when the second token is due
	})
}

func TestParseFault(t *testing.T) {
	for text, want := range map[string]Fault{
		"429":          {Kind: FaultStatus, Status: 429},
		"503:1m":       {Kind: FaultStatus, Status: 503, RetryAfter: time.Minute},
		"stall":        {Kind: FaultStall},
		"stall@3:10s":  {Kind: FaultStall, After: 3, For: 10 * time.Second},
		"cut@12":       {Kind: FaultCut, After: 12},
		"reset":        {Kind: FaultReset},
		"late-headers": {Kind: FaultLateHeaders},
	} {
		if got, err := ParseFault(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		} else if got.String() != text {
			t.Errorf("%s is written %s", text, got)
		}
	}
	for text, says := range map[string]string{
		"200": "use one that there is from 400 on", "599": "use one that there is", "600": "use one that there is", "cut@-1": "after -1 tokens: use 0 to 1048576",
		"cut@99999999999": "after 99999999999 tokens", "stall:-1s": "the time -1s: use 0s to 1h", "stall@1:99h": "the time 99h0m0s", "429:99h": "the time 99h0m0s",
	} {
		if _, err := ParseFault(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
	for _, text := range []string{"", "stall@x", "stall:soon", "429@3", "late-headers@1", "late-headers:2s", "cut@3:2s"} {
		if _, err := ParseFault(text); err == nil || !strings.Contains(err.Error(), "write a status such as 429") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// While models are loaded every route says so.
func TestLoading(t *testing.T) {
	cfg := roundConfig()
	cfg.Loading = 30 * time.Second
	inBubble(t, cfg, func(t *testing.T, b *bench) {
		if status, text := b.get("/health"); status != 503 || !strings.Contains(text, "Loading model") {
			t.Errorf("%d %s", status, text)
		}
		if r := b.post(t.Context(), body("m", 1, 20, 1, "")); r.status != 503 {
			t.Errorf("status %d", r.status)
		}
		time.Sleep(30 * time.Second)
		if r := b.post(t.Context(), body("m", 1, 20, 1, "")); r.status != 200 {
			t.Errorf("status %d after loading", r.status)
		}
	})
}
