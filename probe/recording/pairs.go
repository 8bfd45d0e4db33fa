package recording

import (
	"cmp"
	"slices"

	"ttftop/probe"
)

// number gives every pair a number of its own in the file, in the order they were
// sent.
func (r *reader) number() {
	var all []place
	for _, at := range r.places {
		if at.pair > 0 {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, before)
	all = slices.Compact(all)
	for result, at := range r.places {
		if i, found := slices.BinarySearchFunc(all, at, before); found {
			result.Pair = i + 1
		}
	}
}

func before(a, b place) int {
	return cmp.Or(cmp.Compare(a.session, b.session), cmp.Compare(a.pair, b.pair))
}

// cutOff leaves out what was under way when its session ended, and what was sent
// after that: of probes that are under way together the quick ones alone end in
// time. Pairs go as a whole, other probes by target.
func (r *reader) cutOff() {
	first := map[int]int{} // the first pair of a session that was cancelled
	for result, at := range r.places {
		if f := first[at.session]; at.pair > 0 && canceled(result) && (f == 0 || at.pair < f) {
			first[at.session] = at.pair
		}
	}
	for i := range r.Targets {
		over := map[int]bool{} // sessions in which a probe of no pair was cancelled
		t := &r.Targets[i]
		all := len(t.Results)
		t.Results = slices.DeleteFunc(t.Results, func(result *probe.Result) bool {
			at := r.places[result]
			if at.pair > 0 {
				return first[at.session] > 0 && at.pair >= first[at.session]
			}
			over[at.session] = over[at.session] || canceled(result)
			return over[at.session]
		})
		r.CutOff += all - len(t.Results)
	}
}

func canceled(r *probe.Result) bool {
	return r.Failure != nil && r.Failure.Kind == probe.FailCanceled
}

// Sides are the targets of the pairs in a recording, as they were sent: A and B, one
// target twice where it was compared with itself. It is not ok where there are no
// pairs, or several couples of targets were compared.
func (rec *Recording) Sides() (a, b *Target, ok bool) {
	seen := map[int][2]int{} // target and one, by side, of each pair
	for i, t := range rec.Targets {
		for _, r := range t.Results {
			if r.Pair > 0 {
				p := seen[r.Pair]
				p[r.Side] = i + 1
				seen[r.Pair] = p
			}
		}
	}
	couples := map[[2]int]int{}
	for _, p := range seen {
		if p[0] > 0 && p[1] > 0 {
			couples[p]++
		}
	}
	var best [2]int
	for p, n := range couples {
		if n > couples[best] || n == couples[best] && p[0] < best[0] {
			best = p
		}
	}
	turned := [2]int{best[1], best[0]}
	for p := range couples {
		if p != best && p != turned {
			return nil, nil, false
		}
	}
	if best[0] == 0 {
		return nil, nil, false
	}
	return &rec.Targets[best[0]-1], &rec.Targets[best[1]-1], true
}

// OfSide are the results of one side of the pairs alone, 0 for A and 1 for B, where
// a target was compared with itself.
func (t *Target) OfSide(side int) (all []*probe.Result) {
	for _, r := range t.Results {
		if r.Pair > 0 && r.Side == side {
			all = append(all, r)
		}
	}
	return all
}
