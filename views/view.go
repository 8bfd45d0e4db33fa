package views

import "strconv"

// View is what fills the screen.
type View int

// The views, in the order of the keys that choose them.
const (
	Explore View = iota
	Distribution
	Scaling
	Probes
	Compare

	NViews int = iota // a further view goes above this line, with its name below
)

var viewNames = [NViews]string{"explore", "distribution", "scaling", "probes", "compare"}

// String is the name of the view.
func (v View) String() string {
	if v < 0 || int(v) >= NViews {
		return "?"
	}
	return viewNames[v]
}

// Key is the digit that chooses the view.
func (v View) Key() string { return strconv.Itoa(int(v) + 1) }
