// Package themes says how things look: palettes and symbols behind semantic
// tokens, so that no view ever names a colour.
//
// Start with Pick, which gives a Theme. A view asks the theme for the look of
// a Token (Style, Paint) and for its Symbols; Theme.ASCII gives the same theme
// for terminals that show nothing beyond ASCII. Every part of a waterfall has a
// colour and a fill pattern of its own, and reads without the colour. The theme
// "colour-blind" keeps the parts apart for the three dichromacies, and
// "high-contrast" has text of level AAA; both have a look for a dark and for a
// light background (Theme.On).
//
// The package does not ask the terminal anything: whoever starts the screen
// finds out what it can do.
package themes
