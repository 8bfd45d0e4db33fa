package themes

import "ttftop/probe"

// Symbols are the glyphs of a theme. Each is one cell wide, but for those
// marked as text.
type Symbols struct {
	ASCII bool // nothing beyond ASCII may be sent to the terminal

	Fills   [nParts]string // pattern of each part, in the order of probe.Parts
	Eighths [8]string      // a cell filled from the left by 1/8 … 7/8 at [1] … [7]; all empty where there are none
	Rises   [9]string      // a cell filled from below by 1/8 … 8/8 at [1] … [8]
	Over    string         // a bar goes on beyond the axis
	Tick    string         // a tick of the time axis, in the empty part of a bar's row

	Rule, Wall                                  string // lines
	TopLeft, TopRight, BottomLeft, BottomRight  string // of a box
	AxisWall, AxisFloor, AxisCorner             string // of the chart
	EpochMark, Marker, Failed, Above, Limit     string // of the chart
	Pointer                                     string // the selected target, choice or knob
	Rising, Falling                             string // the order of a column
	Ellipsis, Arrow, Unknown, Minus, Pause, Dot string // text
	Micro                                       string // text: microseconds
	Beyond                                      string // text: a value is known to be more than this
	Approx                                      string // text: a value is approximate
	AtLeast, AtMost                             string // text: a value is a lower or an upper bound
	To                                          string // text: from one value to another
}

// Fill is the pattern of a part.
func (s *Symbols) Fill(p probe.Part) string { return s.Fills[partIndex(p)] }

// unicodeSymbols keep to glyphs that common terminal fonts have.
var unicodeSymbols = Symbols{
	Fills:   [nParts]string{"─", "═", "░", "█", "▚", "▒"},
	Eighths: [8]string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"},
	Rises:   [9]string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
	Over:    "»",
	Tick:    "·",

	Rule: "─", Wall: "│",
	TopLeft: "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯",
	AxisWall: "│", AxisFloor: "─", AxisCorner: "└",
	EpochMark: "┊", Marker: "┃", Failed: "×", Above: "▲", Limit: "╌",
	Pointer: "▸",
	Rising:  "▲", Falling: "▼",
	Ellipsis: "…", Arrow: "→", Unknown: "–", Minus: "−", Pause: "‖", Dot: "·",
	Micro:   "µs",
	Beyond:  ">",
	Approx:  "~",
	AtLeast: "≥", AtMost: "≤",
	To: "–",
}

var asciiSymbols = Symbols{
	ASCII: true,
	Fills: [nParts]string{"-", "=", ":", "#", "+", "%"},
	Rises: [9]string{" ", ".", ".", ".", ":", ":", ":", "#", "#"},
	Over:  ">",
	Tick:  ".",

	Rule: "-", Wall: "|",
	TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
	AxisWall: "|", AxisFloor: "-", AxisCorner: "+",
	EpochMark: ":", Marker: "!", Failed: "x", Above: "^", Limit: "=",
	Pointer: ">",
	Rising:  "^", Falling: "v",
	Ellipsis: "..", Arrow: "->", Unknown: "-", Minus: "-", Pause: "||", Dot: "-",
	Micro:   "us",
	Beyond:  ">",
	Approx:  "~",
	AtLeast: ">=", AtMost: "<=",
	To: "-",
}
