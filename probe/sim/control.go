package sim

import (
	"fmt"
	"net/http"
	"slices"
	"time"
)

// control answers GET /sim with the levers and how well the machine keeps up,
// and POST /sim?NAME=VALUE&… by turning levers.
func (s *Server) control(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		asked := r.URL.Query()
		if len(asked) == 0 {
			badRequest("", "Name the levers in the address, such as POST /sim?max-batch=8.").write(w, 0)
			return
		}
		turned := make(map[string]string, len(asked))
		for name, values := range asked {
			turned[name] = values[len(values)-1]
		}
		if err := s.Turn(turned); err != nil {
			badRequest("", "%v.", err).write(w, 0)
			return
		}
	}
	all := make([]map[string]any, 0, len(levers))
	for _, l := range s.Levers() {
		all = append(all, map[string]any{"name": l.Name, "value": l.Value, "group": l.Group, "about": l.About, "steps": slices.Clone(l.Steps)})
	}
	g := s.LagSince(time.Now().Add(-LagNow))
	writeJSON(w, http.StatusOK, map[string]any{
		"name": s.fixed.Name, "models": s.names, "hardware": s.fixed.Hardware.Name, "levers": all,
		"lag": map[string]any{
			"steps": g.Steps, "step_p50_ms": ms(g.StepP50), "step_p95_ms": ms(g.StepP95),
			"write_p50_ms": ms(g.WriteP50), "write_p95_ms": ms(g.WriteP95), "stood_ms": ms(g.Stood), "behind": g.Behind(),
		},
	})
}

// String is the lag in one sentence.
func (l Lag) String() string {
	if l.Steps == 0 {
		return "no step has run yet"
	}
	text := fmt.Sprintf("steps began %v late at p95 (median %v) and their writes took %v at p95 (median %v)",
		short(l.StepP95), short(l.StepP50), short(l.WriteP95), short(l.WriteP50))
	if l.Stood > 0 {
		text += fmt.Sprintf("; the machine stood still for %v in all", short(l.Stood))
	}
	if l.Behind() {
		text += ": this machine can't keep up, so times that clients see are its own and not the engine's"
	}
	return text
}

func short(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
