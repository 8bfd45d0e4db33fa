package themes

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"ttftop/probe"
)

func TestPick(t *testing.T) {
	tests := []struct {
		name          string
		dark, noColor bool
		want          string
	}{
		{"", true, false, "dark"},
		{"", false, false, "light"},
		{"", true, true, "mono"},
		{"auto", false, true, "mono"},
		{"auto", true, false, "dark"},
		{"light", true, false, "light"},
		{"dark", false, true, "dark"}, // asked for by name
		{"mono", true, false, "mono"},
	}
	for _, tt := range tests {
		got, err := Pick(tt.name, tt.dark, tt.noColor)
		if err != nil || got.Name != tt.want {
			t.Errorf("Pick(%q, %v, %v) = %q, %v, want %q", tt.name, tt.dark, tt.noColor, got.Name, err, tt.want)
		}
	}
}

// The themes that help to see go with the background; the others stay as they
// are asked for.
func TestOnABackground(t *testing.T) {
	for _, name := range Names() {
		dark, _ := Pick(name, true, false)
		light, _ := Pick(name, false, false)
		differs := dark.Open(Good) != light.Open(Good)
		if both := name == "high-contrast" || name == "colour-blind"; differs != both {
			t.Errorf("%s looks different on a light background: %v", name, differs)
		}
		if dark.On(false).Open(Good) != light.Open(Good) || light.On(true).Open(Good) != dark.Open(Good) {
			t.Errorf("%s does not change with the background", name)
		}
	}
}

func TestPickNamesWhatThereIs(t *testing.T) {
	_, err := Pick("solarised", true, false)
	if err == nil {
		t.Fatal("an unknown theme was accepted")
	}
	for _, n := range append(Names(), "auto", `"solarised"`) {
		if !strings.Contains(err.Error(), n) {
			t.Errorf("error %q does not mention %s", err, n)
		}
	}
}

func TestNextComesRound(t *testing.T) {
	th, _ := Pick("dark", true, false)
	th = th.ASCII()
	var seen []string
	for range Names() {
		seen = append(seen, th.Name)
		if !th.Symbols.ASCII {
			t.Errorf("%s lost its ASCII symbols", th.Name)
		}
		th = th.Next(true)
	}
	if !slices.Equal(seen, Names()) || th.Name != "dark" {
		t.Errorf("cycled through %v and came to %s", seen, th.Name)
	}
}

// colourCode matches an SGR sequence that sets a colour (30–49, 90–107).
var colourCode = regexp.MustCompile(`\x1b\[(?:\d+;)*(?:3\d|4\d|9\d|10[0-7])(?:;\d+)*m`)

func TestMonoSendsNoColour(t *testing.T) {
	mono := Mono()
	dark, _ := Pick("dark", true, false)
	if !colourCode.MatchString(dark.Open(Good)) {
		t.Fatalf("the check does not see a colour in %q", dark.Open(Good))
	}
	for tok := Token(0); tok < nTokens; tok++ {
		if s := mono.Paint(tok, "x"); colourCode.MatchString(s) {
			t.Errorf("%v (%d) sends a colour: %q", tok, tok, s)
		}
	}
}

func TestPaintIsBalanced(t *testing.T) {
	for _, name := range Names() {
		th, _ := Pick(name, true, false)
		for tok := Token(0); tok < nTokens+3; tok++ {
			s := th.Paint(tok, "x y")
			if ansi.Strip(s) != "x y" {
				t.Errorf("%s %v paints %q", name, tok, s)
			}
			if (th.Open(tok) == "") != (th.Close(tok) == "") {
				t.Errorf("%s %v opens with %q and closes with %q", name, tok, th.Open(tok), th.Close(tok))
			}
		}
	}
}

// Every part reads without colour: its pattern is its own, in both sets.
func TestPatternsDiffer(t *testing.T) {
	for _, s := range []*Symbols{&unicodeSymbols, &asciiSymbols} {
		seen := map[string]probe.Part{}
		for _, p := range probe.Parts {
			f := s.Fill(p)
			if ansi.StringWidth(f) != 1 {
				t.Errorf("pattern %q of %s is %d cells wide", f, p, ansi.StringWidth(f))
			}
			if q, dup := seen[f]; dup {
				t.Errorf("%s and %s share the pattern %q", p, q, f)
			}
			seen[f] = p
		}
	}
}

func TestASCIISymbolsAreASCII(t *testing.T) {
	th, _ := Pick("dark", true, false)
	s := th.ASCII().Symbols
	all := append(slices.Clone(s.Fills[:]), s.Eighths[:]...)
	all = append(all, s.Over, s.Tick, s.Rule, s.Wall, s.TopLeft, s.TopRight, s.BottomLeft, s.BottomRight,
		s.AxisWall, s.AxisFloor, s.AxisCorner, s.EpochMark, s.Marker, s.Failed, s.Above, s.Limit, s.Pointer,
		s.Ellipsis, s.Arrow, s.Unknown, s.Minus, s.Pause, s.Dot, s.Micro, s.Beyond, s.Approx, s.To)
	for _, g := range all {
		for i := range len(g) {
			if g[i] >= utf8.RuneSelf {
				t.Errorf("%q is not ASCII", g)
			}
		}
	}
}

func TestTokenNames(t *testing.T) {
	for tok, want := range map[Token]string{
		Dim:                                      "text.dim",
		Target(0):                                "target.1",
		Target(Targets):                          "target.1",
		Target(-1):                               "text.text",
		Fill(probe.QueuePart):                    "segment.queue",
		Fill(probe.Part("other")):                "segment.server",
		Edge(probe.NetworkPart, probe.QueuePart): "edge",
	} {
		if got := tok.String(); got != want {
			t.Errorf("token %d is called %q, want %q", tok, got, want)
		}
	}
}
