package themes

// palette is a theme's colours as hex; an empty one leaves the terminal's own.
type palette struct {
	text, dim, strong, good, warn, bad, accent, border string

	selected, onSelected string // background and text of what is selected
	badge, onBadge       string // background and text of the word SIMULATED
	targets              [Targets]string
	fills                [nParts]string // colour of each part, in the order of probe.Parts
	inks                 [nParts]string // colour of the pattern drawn on it
}

// The colours of the parts were searched for in CIE L*C*h so that any two stay
// apart for normal sight and for the three dichromacies; a test checks them.

var darkPalette = palette{
	text: "#d0d4da", dim: "#8b93a0", strong: "#ffffff",
	good: "#5fd7a7", warn: "#f2c14e", bad: "#ff7a6b", accent: "#7ec8e3", border: "#5b6472",
	selected: "#7ec8e3", onSelected: "#10151c",
	badge: "#f2c14e", onBadge: "#10151c",
	targets: [Targets]string{"#56b4e9", "#f0a030", "#2fc79a", "#e58fc3", "#f0e442", "#b27ef1", "#ff7a4d", "#c5cdd6"},
	fills:   [nParts]string{"#b9d3db", "#f0e14a", "#e8551f", "#3a66b5", "#2aa681", "#b27ef1"},
	inks:    [nParts]string{"#2f4a54", "#5c5200", "#521600", "#3a66b5", "#06352a", "#3c1a66"},
}

var lightPalette = palette{
	text: "#24292f", dim: "#626a75", strong: "#000000",
	good: "#00704f", warn: "#8a5a00", bad: "#b3261e", accent: "#005f87", border: "#8c959f",
	selected: "#005f87", onSelected: "#ffffff",
	badge: "#8a5a00", onBadge: "#ffffff",
	targets: [Targets]string{"#0067a8", "#a85a00", "#00795a", "#a8327a", "#6b6200", "#6f42c1", "#b8390e", "#555d66"},
	fills:   [nParts]string{"#9fc0cc", "#d8c400", "#c84a0c", "#3f4a96", "#0a9079", "#a270d6"},
	inks:    [nParts]string{"#213c47", "#4a4200", "#ffe3d6", "#3f4a96", "#d6fff6", "#2b0d52"},
}

var monoPalette = palette{}
