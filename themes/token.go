package themes

import "ttftop/probe"

// Token names what a piece of text means; a theme says how that looks.
type Token uint8

// The tokens. Those of the parts and the targets are reached through Fill and
// Target, and those of the edges between two parts through Edge.
const (
	Plain     Token = iota // the terminal's own look
	Text                   // ordinary words and figures
	Dim                    // units, labels, what can be skipped
	Strong                 // the figure that is looked for
	Good                   // an improvement
	Warn                   // something to know
	Bad                    // something is wrong
	Accent                 // titles, and the keys of the footer
	Border                 // rules, boxes and axes
	Selected               // the knob or choice that keys act on
	Simulated              // the words that say nothing here is real
	Paused
	Cursor // where typed text goes

	target0 // the first of Targets tokens
	fill0   = target0 + Targets
	edge0   = fill0 + nParts
	nTokens = edge0 + nParts*(nParts+1)
)

// Targets is how many targets have a colour of their own; further ones share
// them and are told apart by their letter.
const Targets = 8

const nParts = 6

// names are the tokens as palettes and tests spell them.
var names = [target0]string{
	"plain", "text", "dim", "strong", "good", "warn", "bad", "accent",
	"border", "selected", "simulated", "paused", "cursor",
}

// String gives the token's dotted name, such as "text.dim" or "segment.queue".
func (t Token) String() string {
	switch {
	case t < target0:
		return "text." + names[t]
	case t < fill0:
		return "target." + string('1'+rune(t-target0))
	case t < edge0:
		return "segment." + string(probe.Parts[t-fill0])
	case t < nTokens:
		return "edge"
	}
	return "unknown"
}

// Target is the token of the target with the index i.
func Target(i int) Token {
	if i < 0 {
		return Text
	}
	return target0 + Token(i%Targets)
}

// Fill is the token of a waterfall's part.
func Fill(p probe.Part) Token { return fill0 + Token(partIndex(p)) }

// Edge is the token of a cell in which one part ends and the next begins:
// the foreground is the left part's colour and the background the right one's.
// An empty right part stands for the end of the bar.
func Edge(left, right probe.Part) Token {
	r := nParts
	if right != "" {
		r = partIndex(right)
	}
	return edge0 + Token(partIndex(left)*(nParts+1)+r)
}

// partIndex is the place of the part in the order of the waterfall; a part
// that isn't known is drawn as the undivided server.
func partIndex(p probe.Part) int {
	for i, q := range probe.Parts {
		if p == q {
			return i
		}
	}
	return nParts - 1
}
