// Package record writes what was found as JSON Lines: one object per line,
// each of them whole as soon as it is written.
//
// Start with Open for a file or NewWriter for a stream; FromResult, Begin,
// Setting, Mark and Notify make the lines.
package record

import (
	"slices"
	"time"

	"ttftop/probe"
	"ttftop/probe/endpoint"
)

// Schema names the format of the records.
const Schema = "ttftop/1"

// Session is the first line of a session.
type Session struct {
	Type     string         `json:"type"`
	Schema   string         `json:"schema"`
	Version  string         `json:"version"`
	Started  string         `json:"started"`
	Targets  []Target       `json:"targets"`
	Settings map[string]any `json:"settings"`
}

// Target is one target of a session.
type Target struct {
	Name      string `json:"name"`
	URL       string `json:"url"`
	Model     string `json:"model"`
	Region    string `json:"region"`
	Handoff   string `json:"handoff,omitempty"` // model that acknowledges
	Simulated bool   `json:"simulated,omitempty"`

	Levers probe.Levers `json:"levers,omitempty"` // of a simulated endpoint, as they stand at the start
}

// Begin is the first line of a session.
func Begin(version string, at time.Time, targets []probe.Target, s probe.Settings) Session {
	line := Session{Type: "session", Schema: Schema, Version: version, Started: stamp(at), Targets: make([]Target, len(targets)), Settings: map[string]any{}}
	for i, t := range targets {
		line.Targets[i] = Target{Name: t.Name, URL: endpoint.Display(t.Endpoint), Model: s.Knobs[i].Model, Region: t.Endpoint.Region, Handoff: t.Handoff, Simulated: t.Endpoint.Simulated}
		if i < len(s.Levers) {
			line.Targets[i].Levers = s.Levers[i]
		}
	}
	if len(s.Knobs) > 0 {
		for name, value := range knobs(s.Knobs[0]) {
			line.Settings[name] = value
		}
		delete(line.Settings, "model")
	}
	if p := pairs(s, targets); p != nil {
		line.Settings["pairs"] = p
	}
	if len(s.SLO) > 0 {
		line.Settings["slo"] = limits(s.SLO)
	}
	return line
}

// Change is the line of a turned knob or lever. Values are [before, after]; a
// lever goes under "lever:" and its name.
type Change struct {
	Type    string            `json:"type"`
	At      string            `json:"at"`
	Epoch   int               `json:"epoch"`
	Targets []string          `json:"targets,omitempty"` // those it is about, where not all are
	Changed map[string][2]any `json:"changed"`
}

// Setting is the line of a change: what differs, in the first target that
// differs.
func Setting(c probe.Changed, targets []probe.Target) Change {
	line := Change{Type: "setting", At: stamp(c.At), Epoch: c.Epoch, Changed: map[string][2]any{}}
	if c.Before.Paused != c.Settings.Paused {
		line.Changed["paused"] = [2]any{c.Before.Paused, c.Settings.Paused}
	}
	if c.Before.Pairs != c.Settings.Pairs {
		line.Changed["pairs"] = [2]any{pairs(c.Before, targets), pairs(c.Settings, targets)}
	}
	if !slices.Equal(c.Before.SLO, c.Settings.SLO) {
		line.Changed["slo"] = [2]any{limits(c.Before.SLO), limits(c.Settings.SLO)}
	}
	for i := range min(len(c.Before.Knobs), len(c.Settings.Knobs)) {
		before, after := turnable(c.Before, i), turnable(c.Settings, i)
		differs := false
		for name, value := range after {
			if before[name] != value {
				differs = true
				if _, told := line.Changed[name]; !told {
					line.Changed[name] = [2]any{before[name], value}
				}
			}
		}
		if differs {
			line.Targets = append(line.Targets, targets[i].Name)
		}
	}
	if len(line.Targets) == len(targets) {
		line.Targets = nil
	}
	return line
}

// Pairs says which targets are probed in pairs.
type Pairs struct {
	A     string      `json:"a"`
	B     string      `json:"b"`
	Order probe.Order `json:"order"`
}

// pairs is nil where no targets are probed in pairs.
func pairs(s probe.Settings, targets []probe.Target) any {
	if p := s.Pairs; p.On {
		return Pairs{targets[p.A].Name, targets[p.B].Name, p.Order}
	}
	return nil
}

// Marker is the line of a marker that a person has dropped.
type Marker struct {
	Type string `json:"type"`
	At   string `json:"at"`
	Note string `json:"note"`
}

// Mark is the line of a marker.
func Mark(m probe.Marked) Marker { return Marker{Type: "marker", At: stamp(m.At), Note: m.Note} }

// Notice is the line of a sentence for the person, such as that the server has
// changed and its baseline begins anew.
type Notice struct {
	Type   string `json:"type"`
	At     string `json:"at"`               // when it was told
	Target string `json:"target,omitempty"` // none for the whole session
	Text   string `json:"text"`
}

// Notify is the line of a notice.
func Notify(n probe.Notice, targets []probe.Target) Notice {
	line := Notice{Type: "notice", At: stamp(n.At), Text: n.Text}
	if n.Target >= 0 && n.Target < len(targets) {
		line.Target = targets[n.Target].Name
	}
	return line
}

// limits are SLOs as a person writes them.
func limits(all []probe.SLO) []string {
	texts := make([]string, len(all))
	for i, s := range all {
		texts[i] = s.String()
	}
	return texts
}

// turnable are the knobs and the levers of a target, under the names that records
// use.
func turnable(s probe.Settings, target int) map[string]any {
	all := knobs(s.Knobs[target])
	if target < len(s.Levers) {
		for name, value := range s.Levers[target] {
			all["lever:"+name] = value
		}
	}
	return all
}

// knobs are the knobs under the names that records use.
func knobs(k probe.Knobs) map[string]any {
	return map[string]any{
		"model": k.Model, "prompt_tokens": k.PromptTokens, "pressure": k.Pressure, "max_tokens": k.MaxTokens,
		"cache": string(k.Cache), "cache_share": k.CacheShare, "conn": string(k.Conn), "rate": k.Rate,
	}
}
