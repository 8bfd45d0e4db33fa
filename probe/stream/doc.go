// Package stream turns the bytes of one response body into the facts of a
// probe: events, tokens, usage and errors, each with the arrival of the read
// that completed its data line.
//
// Make a Parser with New, give it every read with Feed, tell it how the body
// ended with End, and take the Answer. An answer that is no event stream (an
// HTTP error, a web page, JSON in one piece) goes to Body instead; FormatOf
// tells the two apart. RetryAfter and Redact serve the same answers.
//
// The package is pure: it reads nothing, asks no clock and starts no goroutine.
// It doesn't undo compression: who must, reads the compressed body through an
// io.ByteReader, so that each piece of plain text can be fed with the arrival of
// the last byte it needed.
package stream
