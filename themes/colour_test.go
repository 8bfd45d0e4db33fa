package themes

import (
	"math"
	"testing"

	"github.com/lucasb-eyer/go-colorful"

	"ttftop/probe"
)

// dichromacies turn linear RGB into what a person sees who lacks one kind of
// cone: Machado, Oliveira and Fernandes, "A Physiologically-based Model for
// Simulation of Color Vision Deficiency" (2009), severity 1. Normal sight is
// among them, as the identity.
var dichromacies = map[string][9]float64{
	"normal sight": {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"tritanopia":   {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
}

func seenWith(c colorful.Color, m [9]float64) colorful.Color {
	r, g, b := c.LinearRgb()
	return colorful.LinearRgb(
		m[0]*r+m[1]*g+m[2]*b, m[3]*r+m[4]*g+m[5]*b, m[6]*r+m[7]*g+m[8]*b).Clamped()
}

// contrast is the ratio of WCAG 2.2, from 1 to 21.
func contrast(a, b colorful.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (math.Max(la, lb) + 0.05) / (math.Min(la, lb) + 0.05)
}

func luminance(c colorful.Color) float64 {
	r, g, b := c.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}

func hex(t *testing.T, s string) colorful.Color {
	t.Helper()
	c, err := colorful.Hex(s)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return c
}

// checked is each palette with the backgrounds that it must be read on, and
// how much it promises.
var checked = []struct {
	name    string
	palette palette
	grounds []string
	parts   float64 // least CIEDE2000 distance of two parts, for every sight
	targets float64 // and of two targets' lines
	text    float64 // least contrast of text
	bar     float64 // and of a bar with the background
	ink     float64 // and of a bar's pattern with the bar
}{
	{"dark", darkPalette, darkGrounds, apart, 0, readable, 1.6, 3},
	{"light", lightPalette, lightGrounds, apart, 0, readable, 1.6, 3},
	{"high-contrast on dark", contrastDark, darkGrounds[:2], apart, 0, veryReadable, 2.3, readable},
	{"high-contrast on black", contrastDark, darkGrounds[:1], apart, 0, veryReadable, 3, readable},
	{"high-contrast on white", contrastLight, lightGrounds[:1], apart, 0, veryReadable, 3, readable},
	{"colour-blind on dark", sightDark, darkGrounds, farApart, apart, readable, 1.6, 3},
	{"colour-blind on light", sightLight, lightGrounds, farApart, apart, readable, 1.6, 3},
}

var (
	darkGrounds  = []string{"#000000", "#1e1e1e", "#002b36"}
	lightGrounds = []string{"#ffffff", "#fafafa"}
)

// Distances are ΔE2000/100; about 0.02 is just noticeable. Contrasts are those
// of WCAG 2.2.
const (
	apart        = 0.15
	farApart     = 0.25 // what the colour-blind theme promises
	readable     = 4.5  // level AA
	veryReadable = 7    // level AAA
)

func TestColoursStayApartForEverySight(t *testing.T) {
	for _, c := range checked {
		for sight, m := range dichromacies {
			p := &c.palette
			wantApart(t, c.name+" parts with "+sight, p.fills[:], m, c.parts)
			wantApart(t, c.name+" targets with "+sight, p.targets[:], m, c.targets)
			wantApart(t, c.name+" good, warn and bad with "+sight, []string{p.good, p.warn, p.bad}, m, c.targets)
		}
	}
}

func wantApart(t *testing.T, what string, colours []string, sight [9]float64, least float64) {
	t.Helper()
	for i, a := range colours {
		for _, b := range colours[:i] {
			if d := seenWith(hex(t, a), sight).DistanceCIEDE2000(seenWith(hex(t, b), sight)); d < least {
				t.Errorf("%s: %s and %s are only %.3f apart, want %.2f", what, a, b, d, least)
			}
		}
	}
}

// The check sees what it is for: a red and an olive that are far apart look
// alike to a person without green cones.
func TestTheSimulationConfusesRedAndOlive(t *testing.T) {
	red, olive, m := hex(t, "#b43c3c"), hex(t, "#7d6e00"), dichromacies["deuteranopia"]
	plain, seen := red.DistanceCIEDE2000(olive), seenWith(red, m).DistanceCIEDE2000(seenWith(olive, m))
	if plain < farApart || seen > apart {
		t.Errorf("they are %.3f apart with normal sight, %.3f with deuteranopia", plain, seen)
	}
}

func TestTextIsReadable(t *testing.T) {
	for _, c := range checked {
		p := c.palette
		for what, colour := range map[string]string{
			"text": p.text, "strong": p.strong, "good": p.good, "warn": p.warn,
			"bad": p.bad, "accent": p.accent, "dim": p.dim,
		} {
			wantContrast(t, c.name+" "+what, colour, c.grounds, c.text)
		}
		for i, colour := range p.targets {
			wantContrast(t, c.name+" "+Target(i).String(), colour, c.grounds, c.text)
		}
		wantContrast(t, c.name+" border", p.border, c.grounds, 2)
		wantContrast(t, c.name+" selected", p.onSelected, []string{p.selected}, c.text)
		wantContrast(t, c.name+" badge", p.onBadge, []string{p.badge}, c.text)
	}
}

// A bar stands out from the background, and its pattern from the bar. The
// prefill has no pattern of another colour: it is the solid one.
func TestBarsAreReadable(t *testing.T) {
	for _, c := range checked {
		for i, part := range probe.Parts {
			wantContrast(t, c.name+" fill "+string(part), c.palette.fills[i], c.grounds, c.bar)
			if part != probe.PrefillPart {
				wantContrast(t, c.name+" ink "+string(part), c.palette.inks[i], []string{c.palette.fills[i]}, c.ink)
			}
		}
	}
}

func wantContrast(t *testing.T, what, c string, grounds []string, least float64) {
	t.Helper()
	for _, g := range grounds {
		if r := contrast(hex(t, c), hex(t, g)); r < least {
			t.Errorf("%s %s on %s has a contrast of %.2f, want %.1f", what, c, g, r, least)
		}
	}
}
