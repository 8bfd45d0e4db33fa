package scenario

import (
	"cmp"
	"fmt"

	"ttftop/probe/sim"
)

// lacks finds what is missing in an endpoint, and zeros that are no value: none is the
// default that a field has when it isn't there.
func (e endpoint) lacks() (all []fieldError) {
	lack := func(field, format string, args ...any) {
		all = append(all, fieldError{field, fmt.Errorf(format, args...)})
	}
	for _, f := range []struct {
		name  string
		field *int
	}{
		{"block_tokens", e.BlockTokens}, {"context_tokens", e.ContextTokens}, {"max_batch", e.MaxBatch}, {"max_waiting", e.MaxWaiting},
		{"token_budget", e.TokenBudget}, {"replicas", e.Replicas},
	} {
		if f.field != nil && *f.field == 0 {
			lack(f.name, "%s is 0: set it to 1 or more, or leave it out", f.name)
		}
	}
	if e.Speed != nil && *e.Speed == 0 {
		lack("speed", "speed is 0: set it to %v or more, or leave it out", sim.LeastSpeed)
	}
	if e.Hardware == nil {
		lack("hardware", "it has no hardware: set hardware to one of %s", accelerators())
	}
	for i, m := range e.Models {
		m.lacks(fmt.Sprintf("models.%d.", i), lack)
	}
	if e.Users != nil {
		e.Users.lacks("users", "users.", lack)
	}
	for i, u := range e.Tenants {
		u.lacks(fmt.Sprintf("tenants[%d]", i), fmt.Sprintf("tenants.%d.", i), lack)
	}
	for i, f := range e.Faults {
		f.lacks(fmt.Sprintf("faults.%d.", i), lack)
	}
	return all
}

func (m model) lacks(at string, lack func(field, format string, args ...any)) {
	if m.Shape == nil {
		lack(at+"shape", "a model has no shape: set shape to one of %s", shapes())
	} else if m.Accelerators != nil && *m.Accelerators == 0 {
		lack(at+"accelerators", "model %q has accelerators = 0: set it to 1 or more, or leave it out", cmp.Or(m.Name, string(*m.Shape)))
	}
}

func (u users) lacks(table, at string, lack func(field, format string, args ...any)) {
	if n := u.PromptTokens; n != nil && *n == 0 {
		lack(at+"prompt_tokens", "%s.prompt_tokens is 0: set it to 1 or more, or leave it out", table)
	}
	if n := u.OutputTokens; n != nil && *n == 0 {
		lack(at+"output_tokens", "%s.output_tokens is 0: set it to 1 or more, or leave it out", table)
	}
	if u.Peak != 0 && u.Day == nil {
		lack(at+"peak", "%s.peak is %v, and there is no day that it is the peak of: set %[1]s.day, such as \"10m\", or leave peak out", table, u.Peak)
	}
}

func (f fault) lacks(at string, lack func(field, format string, args ...any)) {
	switch {
	case f.What == nil:
		lack(at+"what", "a fault doesn't say what goes wrong: set what, such as \"429:2s\", \"503\", \"stall@3:10s\", \"cut@3\", \"reset@3\" or \"late-headers\"")
	case f.Probability != nil && *f.Probability == 0:
		lack(at+"probability", "a fault has the probability 0: set it above 0, up to 1, or leave the fault out")
	case f.Probability == nil && value(f.From) == 0 && value(f.Count) == 0:
		lack(at+"what", "a fault doesn't say which requests it hits: set probability, such as 0.1, or from and count")
	}
}
