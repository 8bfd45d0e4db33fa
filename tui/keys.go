package tui

import (
	"cmp"
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"

	"ttftop/views"
)

// action is something a key does.
type action int

// The actions.
const (
	actNone action = iota
	actLower
	actRaise
	actPrevKnob
	actNextKnob
	actNextTarget
	actPrevTarget
	actEnter
	actPrompt
	actPromptDown
	actPressure
	actPressureDown
	actModel
	actModelDown
	actCache
	actConn
	actOutput
	actOutputDown
	actRate
	actRateDown
	actSLO
	actSLODown
	actUndo
	actLink
	actLevers
	actMark
	actClear
	actPause
	actExplore
	actDistribution
	actScaling
	actProbes
	actCompare
	actNextView
	actPrevView
	actZoom
	actBack
	actTheme
	actInspect
	actWhatIf
	actIntervals
	actTruth
	actHelp
	actSuspend
	actQuit

	// Those of the view of probes.
	actUp
	actDown
	actPageUp
	actPageDown
	actTop
	actBottom
	actOpen
	actSort
	actReverse
	actFilter
	actCurl

	// Those of the view of a comparison.
	actSideA
	actSideABack
	actSideB
	actSideBBack
	actPairs
	actOrder
	actCopy

	// Those of the guided tour.
	actTourNext
	actTourBack
	actTourHold
	actTourEnd
	nActions
)

// bound is a key and what it does. The footer shows those with a short text, in
// the order of their table.
type bound struct {
	action  action
	binding key.Binding
	short   string
}

// bindings is every key that means the same in all views, unless a view has it
// for itself: what the program obeys, what the help shows and what the README
// lists.
var bindings = []bound{
	{actExplore, bind("1", "explore: where TTFT goes, and what turning a knob does", "1"), ""},
	{actDistribution, bind("2", "distribution: histogram and ECDF of this epoch", "2"), ""},
	{actScaling, bind("3", "scaling: TTFT against prompt tokens", "3"), ""},
	{actProbes, bind("4", "probes: a table of the newest, and each in full", "4"), ""},
	{actCompare, bind("5", "compare: which of two targets is faster, in pairs of probes", "5"), ""},
	{actNextView, bind("tab", "next view", "tab"), "view"},
	{actPrevView, bind("shift+tab", "view before", "shift+tab"), ""},
	{actZoom, bind("z", "zoom the next panel to the whole screen, and back", "z"), ""},
	{actBack, bind("esc", "back: out of a zoom, a probe, a filter or a question", "esc"), ""},
	{actRaise, bind("→ / l / +", "turn the selected knob up", "right", "l", "+", "="), ""},
	{actLower, bind("← / h / -", "turn the selected knob down", "left", "h", "-", "_"), "turn"},
	{actNextKnob, bind("↓ / j", "select the next knob", "down", "j"), ""},
	{actPrevKnob, bind("↑ / k", "select the knob before", "up", "k"), "knob"},
	{actEnter, bind("enter", "type the value of the selected knob, such as 8k or 1.5k", "enter"), "type"},
	{actPrompt, bind("p", "longer prompt", "p"), ""},
	{actPromptDown, bind("P", "shorter prompt", "P"), "prompt"},
	{actPressure, bind("b", "more batch pressure", "b"), ""},
	{actPressureDown, bind("B", "less batch pressure", "B"), "batch"},
	{actModel, bind("m", "next model", "m"), ""},
	{actModelDown, bind("M", "model before", "M"), "model"},
	{actCache, bind("c", "cache: unique prompts, or a shared prefix", "c"), ""},
	{actConn, bind("n", "connection: warm, or a new one for each probe", "n"), ""},
	{actOutput, bind("o", "more output tokens", "o"), ""},
	{actOutputDown, bind("O", "fewer output tokens", "O"), ""},
	{actRate, bind("r", "more probes per second", "r"), ""},
	{actRateDown, bind("R", "fewer probes per second", "R"), ""},
	{actSLO, bind("s", "longer limit of the SLO", "s"), ""},
	{actSLODown, bind("S", "shorter limit of the SLO, and at last none", "S"), ""},
	{actUndo, bind("u", "undo the last turn of a knob", "u"), ""},
	{actNextTarget, bind("]", "select the next target", "]"), ""},
	{actPrevTarget, bind("[", "select the target before", "["), ""},
	{actLink, bind("x", "knobs turn for all targets, or for the selected one", "x"), ""},
	{actLevers, bind("L", "levers of the simulated servers: the knobs' keys turn them", "L"), ""},
	{actPause, bind("space", "pause and go on", "space"), "pause"},
	{actInspect, bind("w", "inspect the waterfall: each segment, its source and its cure", "w"), "inspect"},
	{actWhatIf, bind("v", "what if: the TTFT projected under each lever", "v"), "what if"},
	{actIntervals, bind("i", "intervals of estimated figures", "i"), ""},
	{actTruth, bind("g", "the simulator's own books under the waterfalls, in the demo", "g"), ""},
	{actMark, bind("N", "drop a marker with a note on the time axis, and in the record", "N"), ""},
	{actClear, bind("C", "clear figures and chart; the record goes on", "C"), ""},
	{actTheme, bind("t", "next theme", "t"), ""},
	{actHelp, bind("?", "all keys, and in full what the screen shortens", "?"), "help"},
	{actSuspend, bind("ctrl+z", "suspend to the shell", "ctrl+z"), ""},
	{actQuit, bind("q / ctrl+c", "quit", "q", "ctrl+c"), "quit"},
}

// viewBindings are the keys that a view has for itself: they win over the others.
var viewBindings = map[mode][]bound{
	probes: {
		{actDown, bind("↓ / j", "select the next probe, or scroll down", "down", "j"), ""},
		{actUp, bind("↑ / k", "select the probe before, or scroll up", "up", "k"), "choose"},
		{actPageDown, bind("pgdn / ctrl+f", "a page on", "pgdown", "ctrl+f"), ""},
		{actPageUp, bind("pgup / ctrl+b", "a page back", "pgup", "ctrl+b"), ""},
		{actTop, bind("home / g", "to the first", "home", "g"), ""},
		{actBottom, bind("end / G", "to the last", "end", "G"), ""},
		{actOpen, bind("enter", "open the selected probe: timeline, headers, text", "enter"), "open"},
		{actSort, bind("s", "sort by the next column", "s"), "sort"},
		{actReverse, bind("S", "sort the other way round", "S"), ""},
		{actFilter, bind("/", "filter by target, model, kind, flag or failure", "/"), "filter"},
		{actCurl, bind("y", "the probe as a curl command, without its key", "y"), "curl"},
	},
	compare: {
		{actSideA, bind("a", "side A: the next target", "a"), ""},
		{actSideABack, bind("A", "side A: the target before", "A"), ""},
		{actSideB, bind("b", "side B: the next target", "b"), "sides"},
		{actSideBBack, bind("B", "side B: the target before", "B"), ""},
		{actPairs, bind("e", "send pairs, or end them", "e"), "pairs"},
		{actOrder, bind("d", "both probes of a pair together, or back to back", "d"), "order"},
		{actCopy, bind("y", "copy the verdict as a sentence", "y"), "copy"},
	},
}

func bind(shown, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}

// keysIn are the keys that work in a view, its own first.
func keysIn(v mode) []bound {
	all := slices.Clone(viewBindings[v])
	taken := map[string]bool{}
	for _, b := range all {
		for _, k := range b.binding.Keys() {
			taken[k] = true
		}
	}
	for _, b := range bindings {
		if !slices.ContainsFunc(b.binding.Keys(), func(k string) bool { return taken[k] }) {
			all = append(all, b)
		}
	}
	return all
}

// KeyHelp is every key that works in a view and what it does there, in the
// order of the help.
func KeyHelp(v views.View) []views.KeyHelp { return keyHelp(keysIn(v)) }

func keyHelp(table []bound) []views.KeyHelp {
	var all []views.KeyHelp
	for _, b := range table {
		h := b.binding.Help()
		all = append(all, views.KeyHelp{Key: h.Key, Does: h.Desc})
	}
	return all
}

// footerLast are the keys that the footer has after the others of their table:
// what a person finds without it, or needs least, and then the way to help and out.
var footerLast = []action{actEnter, actPause, actPromptDown, actPressureDown, actModelDown, actHelp, actQuit}

// footer is the few of the keys that matter most. Two keys of one kind are
// shown together, by the last of them.
func footer(keys []bound) []views.KeyHelp {
	keys = slices.SortedStableFunc(slices.Values(keys), func(a, b bound) int {
		return cmp.Compare(slices.Index(footerLast, a.action), slices.Index(footerLast, b.action))
	})
	short := map[action]string{actTourBack: "←→", actLower: "←→", actPrevKnob: "↑↓", actUp: "↑↓", actSideB: "a/b", actPromptDown: "p/P", actPressureDown: "b/B", actModelDown: "m/M", actQuit: "q"}
	var few []views.KeyHelp
	for _, b := range keys {
		if b.short == "" {
			continue
		}
		shown, ok := short[b.action]
		if !ok {
			shown = b.binding.Help().Key
		}
		few = append(few, views.KeyHelp{Key: shown, Does: b.short})
	}
	return few
}

// actionOf is what a pressed key does in a view.
func actionOf(v mode, pressed fmt.Stringer) action {
	for _, table := range [][]bound{viewBindings[v], bindings} {
		for _, b := range table {
			if key.Matches(pressed, b.binding) {
				return b.action
			}
		}
	}
	return actNone
}
