package prober

import (
	"fmt"

	"ttftop/probe"
)

const (
	recentNames = 8  // latest answers whose names are remembered
	seenTwice   = 2  // a name in so many of these is one to reckon with; in so many in a row, it is the one that answers now
	mostNames   = 16 // that are kept apart; of those beyond nothing is learnt
)

// stray stands for the models of which nothing is learnt: no other answer names
// them.
const stray = "\x00stray"

// answering is which models answer to one that is asked for, by the names in
// their answers: what is learnt of one says nothing of another. A name that isn't
// the one asked for is an alias of it where it comes again.
type answering struct {
	recent  []string            // of the latest answers that name one
	names   map[string]*meaning // those to reckon with
	current string              // the one that answers now, "" before one is known
}

// meaning is what is known of a name.
type meaning struct {
	key  string // what is learnt of that model is kept under it
	told bool   // that it answers
}

// answered is what the name in an answer says.
type answered struct {
	key     string // what is learnt of the model that answered is kept under it
	teaches bool   // the answer says something of that model
	changed string // a sentence: another model answers than before, whose baseline starts anew
	alias   string // a sentence: the model that answers has another name than that asked for
}

// take takes the name in an answer to a model asked for, "" where it names none.
// other says that it is clearly another's name.
func (a *answering) take(name, asked string, other bool) answered {
	if name == "" {
		return answered{key: a.key(asked), teaches: true}
	}
	a.recent = latest(append(a.recent, name), recentNames)
	m := a.meaning(name, asked, other)
	switch {
	case m == nil && other:
		return answered{key: stray}
	case m == nil:
		return answered{key: a.key(asked), teaches: true}
	}
	found := answered{key: m.key, teaches: true}
	switch {
	case a.current == "":
		a.current, m.told = name, true
		if other {
			found.alias = fmt.Sprintf("The answers to %s name another model, %s: that is taken to be another name of it.", asked, name)
		}
	case a.current != name && a.inARow(name):
		if !m.told {
			found.changed = fmt.Sprintf("The answers to %s name another model: %s, and no longer %s; the baseline starts anew.", asked, name, a.current)
		}
		a.current, m.told = name, true
	}
	return found
}

// meaning is what is known of a name; nil where it has to come again first. Of
// names that differ in the version alone an endpoint may give now one, now
// another, so these have to come twice in a row.
func (a *answering) meaning(name, asked string, other bool) *meaning {
	if m := a.names[name]; m != nil {
		return m
	}
	seen := count(a.recent, func(n string) bool { return n == name })
	if seen < seenTwice || !other && !a.inARow(name) || len(a.names) == mostNames {
		return nil
	}
	if a.names == nil {
		a.names = map[string]*meaning{}
	}
	m := &meaning{key: asked} // the first one, whose answers may have taught before
	if len(a.names) > 0 {
		m.key = asked + "\x00" + name
	}
	a.names[name] = m
	return m
}

// inARow reports whether the latest answers name it.
func (a *answering) inARow(name string) bool {
	n := len(a.recent)
	for i := range seenTwice {
		if i >= n || a.recent[n-1-i] != name {
			return false
		}
	}
	return true
}

// key is what is learnt of the model that answers now is kept under.
func (a *answering) key(asked string) string {
	if m := a.names[a.current]; m != nil {
		return m.key
	}
	return asked
}

// answered takes the name in an answer.
func (c *cutter) answered(r *probe.Result) answered {
	asked := r.Knobs.Model
	return made(c.answering, asked).take(r.Model, asked, r.Has(probe.FlagOtherModel))
}

// now are knobs with the key of the model that answers to theirs now.
func (c *cutter) now(k probe.Knobs) probe.Knobs {
	if a := c.answering[k.Model]; a != nil {
		k.Model = a.key(k.Model)
	}
	return k
}
