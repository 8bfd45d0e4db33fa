// Package tui is the bubbletea program: the only place that has a state of the
// screen. It asks a session what there is, folds that into a snapshot at most
// 30 times a second, lets package views draw it, and sends turned knobs back.
//
// Start with Run, or with Plain for a session without a screen.
package tui
