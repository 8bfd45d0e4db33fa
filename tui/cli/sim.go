package cli

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"ttftop/probe/sim"
	"ttftop/probe/sim/scenario"
)

type simCmd struct {
	Listen   string       `default:"127.0.0.1:8099" placeholder:"HOST:PORT" help:"Address to serve on; further endpoints of a scenario get the ports after it."`
	Scenario string       `default:"lunch-rush" placeholder:"NAME|FILE" help:"What to serve: ${scenarios}, or a TOML file."`
	Dialect  *sim.Dialect `placeholder:"NAME" help:"What is reported: none, vllm or llama; the scenario's own if not given."`
	Lever    []string     `sep:"none" placeholder:"NAME=VALUE" help:"Lever to begin with at every endpoint, such as kv-blocks=2000 or fault=429:2s; may repeat."`
	Speed    float64      `default:"1" placeholder:"N" help:"How many times as fast the simulated world runs, for tests."`
}

// lagWatch is how often the machine's lag is looked at.
const lagWatch = 5 * time.Second

func (c *simCmd) Run() error {
	if !(c.Speed >= sim.LeastSpeed && c.Speed <= sim.MostSpeed) {
		return fmt.Errorf("--speed %v: write how many times as fast the world runs, %v to %v, such as 10", c.Speed, sim.LeastSpeed, float64(sim.MostSpeed))
	}
	s, err := scenario.Load(c.Scenario)
	if err != nil {
		return err
	}
	host, port, err := splitListen(c.Listen)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	var servers []*sim.Server
	defer func() {
		for _, server := range servers {
			server.Close()
		}
	}()
	levers, err := leversAsked(c.Lever)
	if err != nil {
		return err
	}
	for i, cfg := range s.Endpoints {
		if c.Dialect != nil {
			cfg.Dialect = *c.Dialect
		}
		cfg.Speed = c.Speed
		if cfg, err = cfg.With(levers); err != nil {
			return err
		}
		at := net.JoinHostPort(host, strconv.Itoa(port))
		if port > 0 {
			at = net.JoinHostPort(host, strconv.Itoa(port+i))
		}
		server, err := sim.Listen(cfg, at)
		if err != nil {
			return err
		}
		servers = append(servers, server)
	}
	fmt.Printf("scenario %s: %s\n", s.Name, s.About)
	for _, server := range servers { // once every port is had
		fmt.Print(served(server))
	}
	fmt.Print(simNotes(servers[0]))
	watch(ctx, servers)
	for i, server := range servers {
		fmt.Fprintf(os.Stderr, "%s: %v\n", s.Endpoints[i].Name, server.Lag())
		if refused := server.Refused().String(); refused != "" {
			fmt.Fprintf(os.Stderr, "%s: %s\n", s.Endpoints[i].Name, refused)
		}
	}
	return nil
}

// leversAsked are levers as NAME=VALUE, by name.
func leversAsked(asked []string) (map[string]string, error) {
	levers := make(map[string]string, len(asked))
	for _, text := range asked {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--lever %s: write a name and a value, such as kv-blocks=2000", text)
		}
		if _, twice := levers[name]; twice {
			return nil, fmt.Errorf("--lever %s: %s is given twice", text, name)
		}
		levers[name] = value
	}
	return levers, nil
}

// splitListen splits an address to serve on.
func splitListen(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("--listen %s: write a host and a port, such as 127.0.0.1:8099", address)
	}
	return host, port, nil
}

// served says what a server serves.
func served(s *sim.Server) string {
	c := s.Config()
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s on %s", c.Name, s.URL())
	if c.Region != "" {
		fmt.Fprintf(&b, ", region %s", c.Region)
	}
	fmt.Fprintf(&b, ", dialect %v\n", c.Dialect)
	for _, m := range c.Models {
		n := max(1, m.Accelerators)
		fmt.Fprintf(&b, "  %-12s %.3g B weights in %v on %d × %s, %d at once (%v)\n", m.Name, m.Params/1e9, c.Quantization, n*c.Replicas, c.Hardware.Name, c.MaxBatch, c.Policy)
	}
	if c.Link.RTT > 0 {
		fmt.Fprintf(&b, "  answers are delayed by a round trip of %v\n", c.Link.RTT)
	}
	if c.Users.Rate > 0 {
		fmt.Fprintf(&b, "  background users: %.3g a second for each model\n", c.Users.Rate)
	}
	return b.String()
}

// simNotes says what can be done with a server, and what it can't do.
func simNotes(s *sim.Server) string {
	base := strings.TrimSuffix(s.URL(), "/v1")
	model := s.Config().Models[0].Name
	return fmt.Sprintf(`
  curl -N %[1]s/v1/chat/completions -d '{"model":"%[2]s","stream":true,"max_tokens":16,"messages":[{"role":"user","content":"Hello"}]}'
  curl %[1]s/sim                          the levers, and how well this machine keeps up
  curl -X POST '%[1]s/sim?max-batch=8'     turns one while it runs
  faults: header %[3]s, query ?fault= or model %[2]s+FAULT: 429:2s, 503, stall@3:10s, cut@3, reset@3, late-headers

Alone it can only delay its answers: connecting takes no time, and the kernel sees loopback and not the simulated link.
ttftop demo has the whole network. Ctrl-C ends it.
`, base, model, sim.FaultHeader)
}

// watch waits for ctx, and tells when the machine can't keep up, and when a queue is
// full for the first time.
func watch(ctx context.Context, servers []*sim.Server) {
	tick := time.NewTicker(lagWatch)
	defer tick.Stop()
	behind, full := make([]bool, len(servers)), make([]bool, len(servers))
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for i, s := range servers {
			lag := s.LagSince(time.Now().Add(-sim.LagNow))
			if lag.Behind() && !behind[i] {
				fmt.Fprintf(os.Stderr, "%s: %v\n", s.Config().Name, lag)
			}
			behind[i] = lag.Behind()
			if refused := s.Refused().String(); refused != "" && !full[i] {
				full[i] = true
				fmt.Fprintf(os.Stderr, "%s: %s so far\n", s.Config().Name, refused)
			}
		}
	}
}
