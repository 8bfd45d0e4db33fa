package recording

import (
	"fmt"
	"slices"
	"strings"

	"ttftop/probe"
)

// Choose is the target of that name, or the only one where no name is given.
// The error says which there are, and with which flag to choose.
func (rec *Recording) Choose(flag, name string) (*Target, error) {
	if name == "" && len(rec.Targets) == 1 {
		return &rec.Targets[0], nil
	}
	if i := slices.IndexFunc(rec.Targets, func(t Target) bool { return t.Name == name }); i >= 0 {
		return &rec.Targets[i], nil
	}
	var names []string
	for _, t := range rec.Targets {
		names = append(names, fmt.Sprintf("%q", t.Name))
	}
	if name == "" {
		return nil, fmt.Errorf("%s holds %d targets, %s: choose one with %s", rec.Path, len(names), strings.Join(names, ", "), flag)
	}
	return nil, fmt.Errorf("%s holds no target %q: write %s with one of %s", rec.Path, name, flag, strings.Join(names, ", "))
}

// Notes are sentences about what of the file was left out.
func (rec *Recording) Notes() (all []string) {
	if rec.Torn {
		all = append(all, rec.Path+": the last line is cut off and was left out")
	}
	if rec.Left > 0 {
		all = append(all, fmt.Sprintf("%s: %d lines are no records and were left out", rec.Path, rec.Left))
	}
	if rec.Twice > 0 {
		all = append(all, fmt.Sprintf("%s: %d probes name a pair and side that another has already: they count in no pair", rec.Path, rec.Twice))
	}
	if rec.CutOff > 0 {
		all = append(all, fmt.Sprintf("%s: %d probes were left out that were still under way when it ended, or sent after one that was", rec.Path, rec.CutOff))
	}
	return all
}

// Paired reports whether two targets were probed in pairs.
func (rec *Recording) Paired(a, b *Target) bool {
	with := map[int]bool{}
	for _, r := range a.Results {
		with[r.Pair] = r.Pair > 0
	}
	return slices.ContainsFunc(b.Results, func(r *probe.Result) bool { return with[r.Pair] })
}
