package probe

import (
	"maps"
	"slices"
	"time"
)

// Limits of the knobs.
const (
	MinPromptTokens = 1
	MaxPromptTokens = 1 << 20
	MaxPressure     = 1024
	MaxOutputTokens = 1 << 16
	MinRate         = 0.001
	MaxRate         = 1000.0
	LoadOutputCap   = 256 // output tokens asked of a load stream
)

// Cache says how prompts relate to each other.
type Cache string

// The cache modes.
const (
	Bust Cache = "bust" // every prompt is unique from its first token on
	Warm Cache = "warm" // prompts share a prefix
)

// Conn says whether probes reuse connections.
type Conn string

// The connection modes.
const (
	WarmConn Conn = "warm" // an idle connection is kept ready
	ColdConn Conn = "cold" // every probe resolves, connects and shakes hands
)

// Knobs is all that a person can turn for one target while it is probed.
type Knobs struct {
	Model        string
	PromptTokens int // as the endpoint counts them
	Pressure     int // load streams kept in flight
	MaxTokens    int // output tokens asked of a probe
	Cache        Cache
	CacheShare   float64 // share of the prompt that Warm prompts have in common, 0…1
	Conn         Conn
	Rate         float64 // probes per second, above 0
}

// Settings is one value for everything that can be turned while the program
// runs: the knobs of each target, in the session's order of targets.
type Settings struct {
	Paused bool
	Pairs  Pairs
	Knobs  []Knobs
	SLO    []SLO    // of every target; a change of it changes nothing that is sent
	Levers []Levers // of each target, empty where it has none
}

// Clone returns a deep copy, so that a sent value is never changed.
func (s Settings) Clone() Settings {
	s.Knobs = append([]Knobs(nil), s.Knobs...)
	s.SLO = append([]SLO(nil), s.SLO...)
	s.Levers = append([]Levers(nil), s.Levers...)
	return s
}

// Alike reports whether probes find the same with both: no knob and no lever
// stands otherwise.
func (s Settings) Alike(other Settings) bool {
	return slices.Equal(s.Knobs, other.Knobs) && slices.EqualFunc(s.Levers, other.Levers, func(a, b Levers) bool { return maps.Equal(a, b) })
}

// AlikeFor reports the same of one target's knobs, as they hold for it amid
// pairs, and levers.
func (s Settings) AlikeFor(other Settings, target int) bool {
	levers := func(s Settings) Levers {
		if target < len(s.Levers) {
			return s.Levers[target]
		}
		return nil
	}
	if target >= len(s.Knobs) || target >= len(other.Knobs) {
		return len(s.Knobs) == len(other.Knobs)
	}
	return s.Of(target) == other.Of(target) && maps.Equal(levers(s), levers(other))
}

// DefaultKnobs are those that hold where nobody says otherwise.
var DefaultKnobs = Knobs{
	PromptTokens: 256,
	MaxTokens:    16,
	Cache:        Bust,
	CacheShare:   0.9,
	Conn:         WarmConn,
	Rate:         1,
}

// DefaultTimeout limits each wait of a probe: headers, first token, between tokens.
const DefaultTimeout = 30 * time.Second
