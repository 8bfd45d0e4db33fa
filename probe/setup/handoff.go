package setup

import (
	"fmt"
	"slices"
	"strings"

	"ttftop/probe/config"
	"ttftop/probe/sim"
)

// forDemo gives each simulated endpoint the model that acknowledges, "" for
// none. It must be one that the endpoint serves, but not the one that answers.
func (h HandoffFlags) forDemo(demo []sim.Config) ([]string, error) {
	fast, err := config.ByPosition("--handoff", h.Handoff, len(demo))
	if err != nil {
		return nil, err
	}
	for i, name := range fast {
		var offered []string
		for _, m := range demo[i].Models[1:] {
			offered = append(offered, m.Name)
		}
		if name != "" && !slices.Contains(offered, name) {
			return nil, fmt.Errorf("--handoff %q: %s answers with %s, and can acknowledge with %s", name, demo[i].Name, demo[i].Models[0].Name, strings.Join(offered, " or "))
		}
	}
	return fast, nil
}
