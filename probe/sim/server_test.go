package sim

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"ttftop/probe/clock"
)

// The demo on real connections: every stream is whole, and no first token comes
// before the round trip and the server time are over.
func TestDemoOnLoopback(t *testing.T) {
	for _, cfg := range Demo() {
		s, err := Start(cfg)
		if err != nil {
			t.Fatal(err)
		}
		var probes sync.WaitGroup
		for i, m := range cfg.Models {
			for k := range 4 {
				probes.Go(func() { probeOnce(t, s, cfg, m.Name, 10*i+k) })
			}
		}
		probes.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// probeOnce streams one answer over a connection of its own and holds it
// against the truth.
func probeOnce(t *testing.T, s *Server, cfg Config, model string, seed int) {
	conn, err := s.Dial(t.Context(), "tcp", s.listener.Addr().String())
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close()
	base := clock.Start()
	b := body(model, seed, 128, 4, withUsage)
	fmt.Fprintf(conn, "POST /v1/chat/completions HTTP/1.1\r\nHost: sim\r\nX-Request-Id: %s-%d\r\nContent-Length: %d\r\n\r\n%s", model, seed, len(b), b)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Error(err)
		return
	}
	defer response.Body.Close()
	lines := bufio.NewReader(response.Body)
	text := ""
	var ttft time.Duration
	for !strings.HasSuffix(text, "[DONE]\n") {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Errorf("after %q: %v", text, err)
			return
		}
		text += line
		if ttft == 0 && strings.Contains(line, `"content":"`) && !strings.Contains(line, `"content":""`) {
			ttft = base.Offset(conn.(clock.Conn).Arrival())
		}
	}
	truth, ok := s.Truth(fmt.Sprintf("%s-%d", model, seed))
	if !ok || truth.PromptTokens != 128 || truth.OutputTokens != 4 {
		t.Errorf("truth %+v, %v", truth, ok)
	}
	// A millisecond for a wall clock that is being slewed.
	if least := cfg.Link.RTT + truth.Server() - time.Millisecond; ttft < least {
		t.Errorf("%s: first token after %v, but round trip and server time are %v", model, ttft, least)
	}
	if !strings.Contains(text, `"prompt_tokens":128`) {
		t.Errorf("no usage in %q", text)
	}
}
