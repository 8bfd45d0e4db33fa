package config

import (
	"time"

	"ttftop/probe"
	"ttftop/probe/slo"
)

// Defaults is what applies where neither the command line nor the screen says
// otherwise.
type Defaults struct {
	Knobs       probe.Knobs   // Model is left empty: it belongs to a target
	Timeout     time.Duration // of each wait of a probe
	TokenBudget int64         // tokens after which probing stops; 0 for none
	Theme       string        // name of a theme; "" for the program's choice
	ThemeAt     string        // where it was named, as FILE:LINE, to begin a sentence with
}

// Builtin is the defaults of the program.
func Builtin() Defaults {
	return Defaults{Knobs: probe.DefaultKnobs, Timeout: probe.DefaultTimeout}
}

// Defaults is d with what the file sets laid over it. Whether there is a theme
// of that name is for the caller to check. A nil file sets nothing.
func (f *File) Defaults(d Defaults) Defaults {
	if f == nil {
		return d
	}
	s := f.document.Settings
	overlay(&d.Knobs.PromptTokens, s.PromptTokens)
	overlay(&d.Knobs.Pressure, s.Pressure)
	overlay(&d.Knobs.MaxTokens, s.MaxTokens)
	overlay(&d.Knobs.CacheShare, s.CacheShare)
	overlay(&d.Knobs.Rate, s.Rate)
	overlay(&d.TokenBudget, s.TokenBudget)
	if s.Theme != nil {
		d.Theme, d.ThemeAt = *s.Theme, f.place("settings.theme")
	}
	if s.Cache != nil {
		d.Knobs.Cache = probe.Cache(*s.Cache)
	}
	if s.Conn != nil {
		d.Knobs.Conn = probe.Conn(*s.Conn)
	}
	if s.Timeout != nil {
		d.Timeout = timeout(*s.Timeout)
	}
	return d
}

// SLO is what the file limits. A nil file limits nothing.
func (f *File) SLO() []probe.SLO {
	if f == nil {
		return nil
	}
	all, err := slo.ParseAll(f.document.Settings.SLO)
	if err != nil { // it was checked when the file was read
		return nil
	}
	return all
}

func overlay[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}
