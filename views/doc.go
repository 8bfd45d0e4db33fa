// Package views draws panels: each is a pure function from a Snapshot, a size
// in cells and a theme to a text of exactly that many lines, each exactly that
// many cells wide.
//
// Start with Snapshot, which is all that a panel may know, then Waterfalls,
// the panel that the program is for. Every panel draws on a sheet (sheet.go),
// which keeps the size; every text that comes from outside goes through clip
// (clean.go); every number through format.go.
//
// Nothing here starts a goroutine, reads a clock or touches the network, and
// no colour is named: a view knows only the tokens of package themes. Where
// panels go on the screen is decided elsewhere.
package views
