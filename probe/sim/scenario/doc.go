// Package scenario reads what the simulator shall serve from TOML files, a
// handful of which are built in.
//
// Start with Load for a name or a file, and Names for what is built in. Every
// field stands for one of sim.Config; scenarios/lunch-rush.toml is commented and
// shows most of them.
package scenario
