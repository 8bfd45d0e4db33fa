// Package recording reads what package record has written: the probes of a file
// as results again, target by target.
//
// It takes a file as it finds it: one that a crash has cut in the middle of a
// line, one that several sessions were appended to, one with lines of types
// that it doesn't know. It refuses one of another format, and says so.
//
// Start with Open; Choose picks the target that a person means.
package recording
