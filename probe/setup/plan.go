package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"ttftop/probe"
	"ttftop/probe/chat"
	"ttftop/probe/config"
	"ttftop/probe/endpoint"
	"ttftop/probe/limits"
	"ttftop/probe/prober"
	"ttftop/probe/record"
	"ttftop/probe/session"
	"ttftop/probe/sim"
	"ttftop/probe/slo"
	"ttftop/probe/transport"
)

// demoRate is the rate of the demo's probes, in probes per second.
const demoRate = 2

// Plan is a session that can be run. Close it when it is over.
type Plan struct {
	Session session.Config
	Theme   string // as the configuration file wishes, "" for no wish
	ThemeAt string // FILE:LINE of that wish
	Record  string // path of the record file, "" for none

	// Truth is the simulator's own cut of the server time of a target's request,
	// by the identifier in its response headers. It is nil where any endpoint is
	// real. The session never sees it.
	Truth func(target int, requestID string) (probe.Waterfall, bool)

	// Levers are what the simulated endpoints of the targets let a person turn, and
	// Settle is what those of a target would be with one of them at a value as it
	// was typed; the error says what to write instead. They are nil where any
	// endpoint is real. The session turns levers as its Settings say.
	Levers [][]probe.Lever
	Settle func(target int, now probe.Levers, name, text string) (probe.Levers, error)

	// Behind says that this machine can't keep up with what it simulates, so that
	// what is measured is the machine; "" where it can. It is nil where any endpoint
	// is real.
	Behind func() string

	servers []*sim.Server
	writer  *record.Writer
}

// Usual probes the URLs of the command line, else the endpoints of the
// configuration file, else the demo.
func Usual(e EndpointFlags, p ProbeFlags) (*Plan, error) {
	file, targets, err := e.asked()
	if err != nil {
		return nil, err
	}
	if len(targets) == 0 {
		return simulate(file, p, HandoffFlags{}, sim.Start)
	}
	return e.plan(targets, file, p)
}

// FromEnv probes the endpoint of OPENAI_BASE_URL.
func FromEnv(e EndpointFlags, p ProbeFlags) (*Plan, error) {
	file, err := load(e.Config)
	if err != nil {
		return nil, err
	}
	targets, err := config.FromEnv(e.flags())
	if err != nil {
		return nil, err
	}
	return e.plan(targets, file, p)
}

// Demo probes the simulated endpoints, with no configuration file.
func Demo(p ProbeFlags, h HandoffFlags) (*Plan, error) { return simulate(nil, p, h, sim.Start) }

// DemoAlone is Demo for a command that takes flags of endpoints too: none of
// them goes with it.
func DemoAlone(e EndpointFlags, p ProbeFlags) (*Plan, error) {
	h := e.HandoffFlags // the only one that goes with a demo
	e.HandoffFlags = HandoffFlags{}
	if len(e.URL) > 0 || e.Config != "" || e.lonely() != nil {
		return nil, errors.New("--demo probes the simulated endpoints: leave away --demo, or the URL and the flags that go with one (-m, --name, --region, --key-env, --header, --cacert, --insecure, --resolve, --http2, --config)")
	}
	return Demo(p, h)
}

// plan is that of real endpoints.
func (e EndpointFlags) plan(targets []probe.Target, file *config.File, p ProbeFlags) (*Plan, error) {
	pins, err := endpoint.Resolve(e.Resolve)
	if err != nil {
		return nil, fmt.Errorf("--resolve: %w", err)
	}
	pl, err := plan(targets, file, config.Builtin(), p)
	if err != nil {
		return nil, err
	}
	pl.Session.Prober.Resolve, pl.Session.Prober.HTTP2 = pins, e.HTTP2
	return pl, nil
}

func (e EndpointFlags) flags() config.Flags {
	return config.Flags{
		URLs: e.URL, Models: e.Model, KeyEnvs: e.KeyEnv, Names: e.Name, Regions: e.Region, Headers: e.Header,
		CACert: e.CACert, Insecure: e.Insecure, Handoffs: e.Handoff,
	}
}

// lonely finds a flag that says something of an endpoint where there is none.
func (e EndpointFlags) lonely() error {
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"-m", len(e.Model) > 0}, {"--name", len(e.Name) > 0}, {"--region", len(e.Region) > 0}, {"--key-env", len(e.KeyEnv) > 0},
		{"--header", len(e.Header) > 0}, {"--handoff", len(e.Handoff) > 0}, {"--cacert", e.CACert != ""}, {"--insecure", e.Insecure},
		{"--resolve", len(e.Resolve) > 0}, {"--http2", e.HTTP2},
	} {
		if flag.given {
			return fmt.Errorf("%s goes with a URL, and none is given: write ttftop https://host/v1 -m MODEL, or ttftop env for the endpoint of OPENAI_BASE_URL", flag.name)
		}
	}
	return nil
}

// asked are the targets of the command line, or of the configuration file where
// it names no URL; none where neither does.
func (e EndpointFlags) asked() (*config.File, []probe.Target, error) {
	file, err := load(e.Config)
	if err != nil {
		return nil, nil, err
	}
	if len(e.URL) > 0 {
		targets, err := config.FromFlags(e.flags())
		return file, targets, err
	}
	if err := e.lonely(); err != nil || file == nil {
		return file, nil, err
	}
	targets, err := file.Targets(nil)
	return file, targets, err
}

// load reads the configuration file. The usual one need not be there.
func load(path string) (*config.File, error) {
	if path != "" {
		return config.Load(path)
	}
	path = config.Path(os.Getenv)
	if path == "" {
		return nil, nil
	}
	file, err := config.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return file, err
}

// demoFiles is how many open files the simulated endpoints of the demo and the
// probes of them take, rounded up.
const demoFiles = 256

// simulate starts the simulated endpoints of the demo, each by start.
func simulate(file *config.File, p ProbeFlags, h HandoffFlags, start func(sim.Config) (*sim.Server, error)) (*Plan, error) {
	defaults := config.Builtin()
	defaults.Knobs.Rate = demoRate
	var targets []probe.Target
	var servers []*sim.Server
	dials := map[string]transport.DialFunc{}
	room := limits.Look()
	demo := sim.Demo()
	fast, err := h.forDemo(demo)
	if err != nil {
		return nil, err
	}
	for i, c := range demo {
		s, err := start(c)
		if err != nil {
			closeAll(servers)
			return nil, room.Explain(err, demoFiles)
		}
		servers = append(servers, s)
		t, err := simulated(c, s)
		if err != nil {
			closeAll(servers)
			return nil, err
		}
		t.Handoff = fast[i]
		targets = append(targets, t)
		dials[t.Name] = s.Dial
	}
	pl, err := plan(targets, file, defaults, p)
	if err != nil {
		closeAll(servers)
		return nil, err
	}
	pl.servers, pl.Truth = servers, truthOf(servers)
	pl.turnable(servers)
	pl.Session.Prober.Dial = func(t probe.Target) transport.DialFunc { return dials[t.Name] }
	return pl, nil
}

func simulated(c sim.Config, s *sim.Server) (probe.Target, error) {
	targets, err := config.FromFlags(config.Flags{URLs: []string{s.URL()}, Names: []string{c.Name}, Regions: []string{c.Region}, Getenv: func(string) string { return "" }})
	if err != nil {
		return probe.Target{}, err
	}
	t := targets[0]
	t.Endpoint.Simulated = true
	for _, m := range c.Models {
		t.Models = append(t.Models, m.Name)
	}
	return t, nil
}

// plan joins targets with the knobs: those of the program, over which the file
// lays its own, over which the command line lays its.
func plan(targets []probe.Target, file *config.File, defaults config.Defaults, p ProbeFlags) (*Plan, error) {
	d := file.Defaults(defaults)
	if err := p.overlay(&d); err != nil {
		return nil, err
	}
	pl := &Plan{Theme: d.Theme, ThemeAt: d.ThemeAt, Record: p.Record}
	pl.Session.Prober = prober.Config{Targets: targets, Timeout: d.Timeout, Budget: d.TokenBudget, IgnoreReported: p.IgnoreReported}
	if err := pl.request(p, &d); err != nil {
		return nil, err
	}
	if err := pl.limits(p, file); err != nil {
		return nil, err
	}
	for _, t := range targets {
		k := d.Knobs
		if len(t.Models) > 0 {
			k.Model = t.Models[0]
		} else if own := pl.Session.Prober.Template; own != nil {
			k.Model = own.Model()
		}
		pl.Session.Prober.Settings.Knobs = append(pl.Session.Prober.Settings.Knobs, k)
	}
	if err := limits.Look().Check(targets, pl.Session.Prober.Settings, prober.MaxInFlight); err != nil {
		return nil, err
	}
	if p.Record != "" {
		w, err := record.Open(p.Record)
		if err != nil {
			return nil, err
		}
		pl.writer = w
		pl.Session.Records = append(pl.Session.Records, w)
	}
	return pl, nil
}

// request reads a person's own request; the length of its answer is what it
// says, unless a flag says otherwise.
func (pl *Plan) request(p ProbeFlags, d *config.Defaults) error {
	if p.Request == "" {
		return nil
	}
	own, err := chat.LoadTemplate(p.Request)
	if err != nil {
		return err
	}
	if n := own.MaxTokens(); n > 0 && p.MaxTokens == nil {
		if n > probe.MaxOutputTokens {
			return fmt.Errorf("%s asks for %d output tokens: the most is %d", p.Request, n, probe.MaxOutputTokens)
		}
		d.Knobs.MaxTokens = n
	}
	pl.Session.Prober.Template = own
	return nil
}

// limits takes the SLOs of the command line, or else those of the file.
func (pl *Plan) limits(p ProbeFlags, file *config.File) error {
	all, err := slo.ParseAll(p.SLO)
	if err != nil {
		return fmt.Errorf("--slo: %w", err)
	}
	if len(p.SLO) == 0 {
		all = file.SLO()
	}
	pl.Session.Prober.Settings.SLO = all
	return nil
}

// Close ends the simulator and closes the record file.
func (pl *Plan) Close() error {
	closeAll(pl.servers)
	if pl.writer == nil {
		return nil
	}
	return pl.writer.Close()
}

func closeAll(servers []*sim.Server) {
	for _, s := range servers {
		s.Close()
	}
}

// Configured probes the endpoints of the configuration file, and nothing where
// there are none: a command without a screen never simulates unasked.
func Configured(e EndpointFlags, p ProbeFlags) (*Plan, error) {
	file, targets, err := e.asked()
	if err != nil {
		return nil, err
	}
	if len(targets) == 0 {
		return nil, errors.New("no URL is given and the configuration file names no endpoint: write ttftop run https://host/v1 -m MODEL, or ttftop run --demo")
	}
	return e.plan(targets, file, p)
}
