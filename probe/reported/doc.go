// Package reported reads what a server says about its own times: in the
// headers of a response, in extra fields of its events, or in its usage.
//
// Start with Read: it tries one small adapter per dialect (Adapters) and
// returns Figures. Identify tells from headers and the list of models which
// server answers, and Server.Ask what to add to a request so that it reports.
// Interesting picks the headers worth keeping in a record, FromCache tells a
// reply that no model made.
//
// Everything here is a pure function of bytes: no clock, no network. What a
// server did not say is never zero but not OK, and a figure that can't be is
// named in Figures.Absurd and not used. Nothing here cuts a waterfall, and
// scraped /metrics pages are read by package scrape.
package reported
