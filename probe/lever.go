package probe

// Lever is one thing that can be turned at a server itself, beside the knobs of
// its target. Simulated servers have them; the prober knows nothing of what they
// do.
type Lever struct {
	Name    string
	Group   string   // what belongs together
	About   string   // in a few words
	Choices []string // every value that it can have; nil where a value is typed
	Steps   []string // values to turn through, in order
}

// Levers are the values of one target's levers, by name. Once they are in
// Settings nobody changes them.
type Levers map[string]string
