package themes

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"ttftop/probe"
)

// Theme is one way of looking: styles behind tokens, and symbols. It is a
// small value that nobody changes; the zero Theme is plain text with no
// symbols, so start from Pick.
type Theme struct {
	Name    string
	Colour  bool // false where meaning must do without any colour
	Symbols *Symbols
	looks   *[nTokens]look
	onDark  *[nTokens]look // where the theme has another look for each background
	onLight *[nTokens]look
}

// look is a token's style, and what it sends before and after a text.
type look struct {
	style       lipgloss.Style
	open, close string
}

// themes are all there are, in the order in which a key cycles them.
var themes = []Theme{
	build("dark", darkPalette, true),
	build("light", lightPalette, true),
	buildBoth("high-contrast", contrastDark, contrastLight),
	buildBoth("colour-blind", sightDark, sightLight),
	build("mono", monoPalette, false),
}

// Names lists the themes in the order in which they are cycled.
func Names() []string {
	var names []string
	for _, t := range themes {
		names = append(names, t.Name)
	}
	return names
}

// Pick gives the theme called name, for a terminal whose background is dark or
// not. An empty name or "auto" chooses: without colour where noColor says so,
// else for the background. A theme asked for by name is given even so, since
// the request is the more specific wish. The error of an unknown name lists
// those that there are.
func Pick(name string, dark bool, noColor bool) (Theme, error) {
	if name == "" || name == "auto" {
		name = automatic(dark, noColor)
	}
	for _, t := range themes {
		if t.Name == name {
			return t.On(dark), nil
		}
	}
	return Theme{}, fmt.Errorf("no theme is called %q: write one of auto, %s", name, strings.Join(Names(), ", "))
}

// Mono is the theme without colours.
func Mono() Theme { return themes[len(themes)-1] }

// automatic is the name of the theme for what is known of the terminal.
func automatic(dark, noColor bool) string {
	switch {
	case noColor:
		return "mono"
	case dark:
		return "dark"
	}
	return "light"
}

// Next is the theme after t in the cycle, for a background, with t's kind of
// symbols.
func (t Theme) Next(dark bool) Theme {
	i := slices.IndexFunc(themes, func(u Theme) bool { return u.Name == t.Name })
	next := themes[(i+1)%len(themes)].On(dark)
	if t.Symbols != nil {
		next.Symbols = t.Symbols
	}
	return next
}

// On is the same theme on a dark or a light background; most are for one alone
// and stay as they are.
func (t Theme) On(dark bool) Theme {
	switch {
	case t.onDark == nil:
	case dark:
		t.looks = t.onDark
	default:
		t.looks = t.onLight
	}
	return t
}

// ASCII is the same theme for a terminal that shows nothing beyond ASCII.
func (t Theme) ASCII() Theme {
	t.Symbols = &asciiSymbols
	return t
}

// Style is the look of a token, for components that take a style.
func (t Theme) Style(tok Token) lipgloss.Style { return t.look(tok).style }

// Open is the control sequence that begins the look of a token; "" for none.
func (t Theme) Open(tok Token) string { return t.look(tok).open }

// Close is the control sequence that ends what Open began; "" for none.
func (t Theme) Close(tok Token) string { return t.look(tok).close }

// Paint is s in the look of a token.
func (t Theme) Paint(tok Token, s string) string {
	l := t.look(tok)
	return l.open + s + l.close
}

var bare look

func (t Theme) look(tok Token) *look {
	if t.looks == nil || tok >= nTokens {
		return &bare
	}
	return &t.looks[tok]
}

// build makes a theme of a palette. Its sequences are taken from lipgloss
// once, so that drawing a run of cells is joining strings.
func build(name string, p palette, colour bool) Theme {
	var looks [nTokens]look
	set := func(tok Token, s lipgloss.Style) {
		open, after, _ := strings.Cut(s.Render("x"), "x")
		looks[tok] = look{style: s, open: open, close: after}
	}
	plain := lipgloss.NewStyle()
	set(Plain, plain)
	for tok, hex := range map[Token]string{
		Text: p.text, Good: p.good, Border: p.border,
	} {
		set(tok, fore(plain, hex))
	}
	set(Dim, fore(plain, p.dim).Faint(!colour)) // a faint dim colour would fade away
	set(Strong, fore(plain, p.strong).Bold(true))
	set(Warn, fore(plain, p.warn))
	set(Bad, fore(plain, p.bad).Bold(true))
	set(Accent, fore(plain, p.accent).Bold(true))
	set(Selected, block(plain, p.onSelected, p.selected).Bold(true))
	set(Simulated, block(plain, p.onBadge, p.badge).Bold(true))
	set(Paused, block(plain, p.onBadge, p.badge).Bold(true))
	set(Cursor, plain.Reverse(true))
	for i, hex := range p.targets {
		set(Target(i), fore(plain, hex).Bold(!colour))
	}
	setParts(set, p)
	return Theme{Name: name, Colour: colour, Symbols: &unicodeSymbols, looks: &looks}
}

// buildBoth makes a theme of two palettes, for a dark and a light background.
func buildBoth(name string, dark, light palette) Theme {
	t := build(name, dark, true)
	t.onDark, t.onLight = t.looks, build(name, light, true).looks
	return t
}

// setParts sets the tokens of the parts and of the edges between them.
func setParts(set func(Token, lipgloss.Style), p palette) {
	plain := lipgloss.NewStyle()
	for i, left := range probe.Parts {
		set(Fill(left), back(fore(plain, p.inks[i]), p.fills[i]))
		set(Edge(left, ""), fore(plain, p.fills[i]))
		for j, right := range probe.Parts {
			set(Edge(left, right), back(fore(plain, p.fills[i]), p.fills[j]))
		}
	}
}

// block is text on a filled ground: in colour, or else reversed.
func block(s lipgloss.Style, text, ground string) lipgloss.Style {
	if ground == "" {
		return s.Reverse(true)
	}
	return back(fore(s, text), ground)
}

func fore(s lipgloss.Style, hex string) lipgloss.Style {
	if hex == "" {
		return s
	}
	return s.Foreground(lipgloss.Color(hex))
}

func back(s lipgloss.Style, hex string) lipgloss.Style {
	if hex == "" {
		return s
	}
	return s.Background(lipgloss.Color(hex))
}
