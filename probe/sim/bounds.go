package sim

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// bound is what a figure of a configuration may be. Beyond it nothing real is
// simulated any more, and a world may need more memory than there is.
type bound struct {
	lever       string // its name among the levers; "" for what isn't one
	field       string // its name in a scenario file
	of          func(*Config) float64
	least, most float64
	zero        string               // what 0 stands for where it may be that beside; "" where it may not
	text        func(float64) string // as it is written
}

// Texts of figures.
func plainly(x float64) string {
	if math.Abs(x) >= 1e15 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
func lasting(x float64) string  { return time.Duration(x).String() }
func megabits(x float64) string { return plainly(x / 1e6) }
func percents(x float64) string { return strconv.FormatFloat(x*100, 'g', 6, 64) + perCent }

const perCent = " per cent"

// MostUsers bounds Users.Rate, in requests per second and model.
const MostUsers = 1000

// MostSpeed bounds Config.Speed.
const MostSpeed = 1e6

// leastBandwidth is of a link that still carries something: 1 kB/s.
const leastBandwidth = 8000

// bounds are those of every figure that has one of its own.
var bounds = []bound{
	{"max-batch", "max_batch", func(c *Config) float64 { return float64(c.MaxBatch) }, 1, 8192, "", plainly},
	{"max-waiting", "max_waiting", func(c *Config) float64 { return float64(c.MaxWaiting) }, 1, mostWaiting, "", plainly},
	{"token-budget", "token_budget", func(c *Config) float64 { return float64(c.TokenBudget) }, 1, 1 << 20, "", plainly},
	{"cache-blocks", "cache_blocks", func(c *Config) float64 { return float64(c.CacheBlocks) }, 0, 1 << 20, "", plainly},
	{"kv-blocks", "kv_blocks", func(c *Config) float64 { return float64(c.KVBlocks) }, 1, noLimit, "all that fit", plainly},
	{"batch-wait", "batch_wait", func(c *Config) float64 { return float64(c.BatchWait) }, 0, float64(time.Minute), "", lasting},
	{"draft-tokens", "speculation.draft", func(c *Config) float64 { return float64(c.Speculation.Draft) }, 0, 32, "", plainly},
	{"draft-acceptance", "speculation.acceptance", func(c *Config) float64 { return c.Speculation.Acceptance }, 0, 1, "", plainly},
	{"draft-cost", "speculation.cost", func(c *Config) float64 { return c.Speculation.Cost }, 0, 1, "", plainly},
	{"replicas", "replicas", func(c *Config) float64 { return float64(c.Replicas) }, 1, MaxReplicas, "", plainly},
	{"rtt", "link.rtt", func(c *Config) float64 { return float64(c.Link.RTT) }, 0, float64(10 * time.Second), "", lasting},
	{"jitter", "link.jitter", func(c *Config) float64 { return float64(c.Link.Jitter) }, 0, float64(10 * time.Second), "", lasting},
	{"bandwidth", "link.megabits", func(c *Config) float64 { return c.Link.Bandwidth }, leastBandwidth, 1e12, "no limit", megabits},
	{"loss", "link.loss", func(c *Config) float64 { return c.Link.Loss }, 0, 0.5, "", percents},
	{"users", "users.rate", func(c *Config) float64 { return c.Users.Rate }, 0, MostUsers, "", plainly},
	{"user-prompt", "users.prompt_tokens", func(c *Config) float64 { return float64(c.Users.PromptTokens) }, 1, 1 << 20, "", plainly},
	{"user-output", "users.output_tokens", func(c *Config) float64 { return float64(c.Users.OutputTokens) }, 1, 1 << 20, "", plainly},
	{"prompt-spread", "users.prompt_spread", func(c *Config) float64 { return c.Users.PromptSpread }, 0, mostSpread, "", plainly},
	{"output-spread", "users.output_spread", func(c *Config) float64 { return c.Users.OutputSpread }, 0, mostSpread, "", plainly},
	{"user-shared", "users.shared_tokens", func(c *Config) float64 { return float64(c.Users.SharedTokens) }, 0, 1 << 20, "", plainly},
	{"user-day", "users.day", func(c *Config) float64 { return float64(c.Users.Day) }, float64(time.Second), float64(24 * time.Hour), "none", lasting},
	{"user-peak", "users.peak", func(c *Config) float64 { return c.Users.Peak }, leastPeak, mostPeak, "", plainly},
	{"fault-share", "", func(c *Config) float64 { return c.FaultShare }, 0.001, 1, "", percents},
	{"", "block_tokens", func(c *Config) float64 { return float64(c.BlockTokens) }, 1, 4096, "", plainly},
	{"", "context_tokens", func(c *Config) float64 { return float64(c.ContextTokens) }, 2, 1 << 20, "", plainly},
	{"", "step_overhead", func(c *Config) float64 { return float64(c.StepOverhead) }, 0, float64(time.Minute), "", lasting},
	{"", "token_overhead", func(c *Config) float64 { return float64(c.TokenOverhead) }, 0, float64(time.Second), "", lasting},
	{"", "loading", func(c *Config) float64 { return float64(c.Loading) }, 0, float64(time.Hour), "", lasting},
	{"", "handling", func(c *Config) float64 { return float64(c.Handling) }, 0, float64(time.Minute), "", lasting},
	{"", "handling_per_token", func(c *Config) float64 { return float64(c.HandlingPerToken) }, 0, float64(time.Second), "", lasting},
	{"", "speed", func(c *Config) float64 { return c.Speed }, LeastSpeed, MostSpeed, "", plainly},
}

// check finds a figure beyond its bound, under the name given.
func (b bound) check(c *Config, name string) error {
	v := b.of(c)
	if v >= b.least && v <= b.most || b.zero != "" && v == 0 {
		return nil
	}
	return misfit(b.field, b.refuse(name, b.text(v)))
}

// refuse says what to write in place of a figure.
func (b bound) refuse(name, text string) error {
	none := ""
	if b.zero != "" {
		none = ", or to 0 for " + b.zero
	}
	least := strings.TrimSuffix(b.text(b.least), perCent) // said once, behind the other
	return fmt.Errorf("%s is %s: set it to %s to %s%s", name, text, least, b.text(b.most), none)
}

// checkBounds finds figures beyond their bounds. It names them as a lever, or
// as a scenario file has them.
func (c Config) checkBounds(inFile bool) (errs []error) {
	for _, b := range bounds {
		name := cmp.Or(b.lever, b.field)
		if inFile {
			name = b.field
		}
		errs = append(errs, b.check(&c, name))
	}
	return errs
}

// checkLever finds a lever that was just set beyond its bound, before a default
// takes the place of a zero. err is why its value, as it was typed, can't be read.
func checkLever(name, typed string, to *Levers, err error) error {
	for _, b := range bounds {
		switch {
		case b.lever != name:
		case errors.Is(err, strconv.ErrRange):
			return b.refuse(name, typed)
		case err == nil:
			return b.check(&Config{Levers: *to}, name)
		}
	}
	if err != nil {
		return fmt.Errorf("%s is %w", name, err)
	}
	return nil
}

// named is the name that a figure has here, or in a scenario file.
func named(here, file string, inFile bool) string {
	if inFile {
		return file
	}
	return here
}

// called is the name of a lever, or of the field of a scenario file that sets it.
func called(lever string, inFile bool) string {
	for _, b := range bounds {
		if inFile && b.lever == lever {
			return b.field
		}
	}
	return lever
}
