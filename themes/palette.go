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

// The colours of the parts were searched for so that any two stay apart for
// normal sight and for the three dichromacies, by hill climbing on the least
// CIEDE2000 distance; a test checks them.

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

// The palettes for high contrast: text at 7 : 1 at least, which is level AAA of
// WCAG 2.2, and bars at 3 : 1.

var contrastDark = palette{
	text: "#ffffff", dim: "#c8c8c8", strong: "#ffffff",
	good: "#7dffb0", warn: "#ffe94d", bad: "#ff9d8f", accent: "#8fe3ff", border: "#a0a0a0",
	selected: "#ffe94d", onSelected: "#000000",
	badge: "#ffe94d", onBadge: "#000000",
	targets: [Targets]string{"#09f4ae", "#ea84ff", "#f6f82c", "#a3adbe", "#edbcff", "#c4ae2a", "#52bb8f", "#efffff"},
	fills:   [nParts]string{"#ddfffe", "#fff21d", "#a84a0a", "#6c569c", "#549c85", "#dd7bfe"},
	inks:    [nParts]string{"#000000", "#000000", "#ffffff", "#6c569c", "#000000", "#000000"},
}

var contrastLight = palette{
	text: "#000000", dim: "#3d3d3d", strong: "#000000",
	good: "#004d2e", warn: "#5c3a00", bad: "#8a0000", accent: "#003d6b", border: "#595959",
	selected: "#000000", onSelected: "#ffffff",
	badge: "#5c3a00", onBadge: "#ffffff",
	targets: [Targets]string{"#2d29f5", "#96300a", "#51008c", "#50526a", "#4c1300", "#19020d", "#655147", "#040035"},
	fills:   [nParts]string{"#000609", "#b69000", "#8d2602", "#9f7dfd", "#327d72", "#5c00c9"},
	inks:    [nParts]string{"#ffffff", "#000000", "#ffffff", "#9f7dfd", "#ffffff", "#ffffff"},
}

// The palettes for every sight: parts farther apart than in the ordinary ones
// for each of the dichromacies, lines of targets too, and good and bad told by
// blue and orange.

var sightDark = palette{
	text: "#d0d4da", dim: "#8b93a0", strong: "#ffffff",
	good: "#56b4e9", warn: "#f0e442", bad: "#ff7032", accent: "#b9c8ff", border: "#5b6472",
	selected: "#b9c8ff", onSelected: "#10151c",
	badge: "#f0e442", onBadge: "#10151c",
	targets: [Targets]string{"#44e7a2", "#ff5018", "#dbbbf8", "#eb2bff", "#ffff05", "#918da2", "#3fa077", "#eafffd"},
	fills:   [nParts]string{"#dbfaff", "#f4e93b", "#873402", "#a874fe", "#4d9b82", "#504874"},
	inks:    [nParts]string{"#2f4a54", "#5c5200", "#ffe3d6", "#a874fe", "#02251c", "#e6dcff"},
}

var sightLight = palette{
	text: "#24292f", dim: "#626a75", strong: "#000000",
	good: "#0067a8", warn: "#806a00", bad: "#7a0010", accent: "#2b3f8f", border: "#8c959f",
	selected: "#2b3f8f", onSelected: "#ffffff",
	badge: "#6b5a00", onBadge: "#ffffff",
	targets: [Targets]string{"#0013ab", "#8a710e", "#a52aff", "#417b81", "#6b2d04", "#4f4444", "#010034", "#190000"},
	fills:   [nParts]string{"#007070", "#b47c00", "#6c0203", "#00003b", "#00e1ba", "#a989ff"},
	inks:    [nParts]string{"#e0ffff", "#2a1c00", "#ffe3d6", "#00003b", "#00332a", "#1d0047"},
}

var monoPalette = palette{}
