package tui

import (
	"time"

	"ttftop/probe"
)

// tourStep is one step of the guided tour: what is said, which knobs are turned,
// and what is to be seen then.
type tourStep struct {
	name   string
	from   []knobTo   // how the knobs stand before, where other than at the opening
	turn   []knobTo   // what is turned once the first caption was read
	before string     // caption until it is measured
	after  string     // caption below what was measured, where the figures show it
	part   probe.Part // that it is about; "" where nothing is measured
	side   int        // 1 where the part grows, −1 where it shrinks, 0 where its share of the TTFT is what counts
	target int        // that is selected
}

// knobTo is a knob with its value as a person types it.
type knobTo struct {
	knob int
	text string
}

// tourScript is the tour. Each step is measured against the knobs that it
// begins from, so that a person can go to and fro. The last one gives the knobs
// back.
var tourScript = []tourStep{
	{
		name: "distance", part: probe.NetworkPart, target: 1,
		before: "The same model in two places: sim-near is slower but close by, sim-far has faster hardware far away. Where does the time to the first token go?",
		after:  "Far away, most of it is network: faster hardware can't bring that back.",
	},
	{
		name: "a long prompt", turn: []knobTo{{knobPrompt, "2k"}}, part: probe.PrefillPart, side: 1,
		before: "A longer prompt, and nothing else. All of it must be read before the first token can be written.",
		after:  "Reading is prefill, and it grows with the prompt: shorten it, or cache it.",
	},
	{
		name: "the cache", from: []knobTo{{knobPrompt, "2k"}}, turn: []knobTo{{knobCache, "warm"}}, part: probe.PrefillPart, side: -1,
		before: "As long as before, but now the prompts begin alike, as with a system prompt: the server can keep what it has read.",
		after:  "What is kept is not read again: put what changes at the end of the prompt.",
	},
	{
		name: "a smaller model", from: []knobTo{{knobPrompt, "2k"}}, turn: []knobTo{{knobModel, "sim-1b"}}, part: probe.PrefillPart, side: -1,
		before: "Unique prompts again, and then a smaller model: less arithmetic for each token that is read.",
		after:  "A smaller model reads faster. It is no cure for distance.",
	},
	{
		name: "pressure", turn: []knobTo{{knobPressure, "64"}}, part: probe.QueuePart, side: 1,
		before: "The knobs as at first, and then many users at once: more streams than fit into the batch of either server.",
		after:  "The time goes into waiting for a place: add capacity, or lower the batch.",
	},
	{
		name:   "the end",
		before: "The knobs stand as before the tour, and they are yours: p prompt, b batch, m model, c cache, ? for all keys.",
	},
}

// The times of the tour, while it is not held: how long a caption is left to be
// read before the knobs are turned, and after the result; and how long a step
// may wait for its probes before it goes on without.
const (
	tourRead     = 5 * time.Second
	tourReadMore = 8 * time.Second // what is said at the end of a step
	tourPatience = 45 * time.Second
)

// tourProbes is how many probes of each target a step is measured with, and
// against.
const tourProbes = 8

// tourRate is the rate of probes at the opening, in probes per second and
// target, where no higher one was asked for.
const tourRate = 2
