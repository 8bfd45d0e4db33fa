package themes

import (
	"math"
	"testing"

	"github.com/lucasb-eyer/go-colorful"

	"ttftop/probe"
)

// dichromacies turn linear RGB into what a person sees who lacks one kind of
// cone: Machado, Oliveira and Fernandes, "A Physiologically-based Model for
// Simulation of Color Vision Deficiency" (2009), severity 1.
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

// grounds are backgrounds that each theme must be read on.
var grounds = map[string]struct {
	palette palette
	grounds []string
}{
	"dark":  {darkPalette, []string{"#000000", "#1e1e1e", "#002b36"}},
	"light": {lightPalette, []string{"#ffffff", "#fafafa"}},
}

// A ΔE2000 of 15 is far beyond what is just noticeable (about 2).
const apart = 0.15

func TestPartsStayApartForEverySight(t *testing.T) {
	for name, g := range grounds {
		for sight, m := range dichromacies {
			for i, a := range g.palette.fills {
				for j, b := range g.palette.fills[:i] {
					d := seenWith(hex(t, a), m).DistanceCIEDE2000(seenWith(hex(t, b), m))
					if d < apart {
						t.Errorf("%s: %s and %s are only %.3f apart with %s",
							name, probe.Parts[i], probe.Parts[j], d, sight)
					}
				}
			}
		}
	}
}

func TestTextIsReadable(t *testing.T) {
	for name, g := range grounds {
		p := g.palette
		for what, c := range map[string]string{
			"text": p.text, "strong": p.strong, "good": p.good, "warn": p.warn,
			"bad": p.bad, "accent": p.accent, "dim": p.dim,
		} {
			wantContrast(t, name+" "+what, c, g.grounds, 4.5)
		}
		for i, c := range p.targets {
			wantContrast(t, name+" "+Target(i).String(), c, g.grounds, 4.5)
		}
		wantContrast(t, name+" border", p.border, g.grounds, 2)
		wantContrast(t, name+" selected", p.onSelected, []string{p.selected}, 4.5)
		wantContrast(t, name+" badge", p.onBadge, []string{p.badge}, 4.5)
	}
}

// A bar stands out from the background, and its pattern from the bar. The
// prefill has no pattern of another colour: it is the solid one.
func TestBarsAreReadable(t *testing.T) {
	for name, g := range grounds {
		for i, part := range probe.Parts {
			wantContrast(t, name+" fill "+string(part), g.palette.fills[i], g.grounds, 1.6)
			if part != probe.PrefillPart {
				wantContrast(t, name+" ink "+string(part), g.palette.inks[i], []string{g.palette.fills[i]}, 3)
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
