// Package scrape reads the /metrics pages of inference servers: vLLM, SGLang,
// llama.cpp and text-generation-inference, with current and older names.
//
// Start with Parse, which turns one page into a Sample, and Sample.Since, which
// turns two samples around a probe into a Delta. A Delta holds averages over
// the requests that were counted between the two pages; only where exactly one
// was (Delta.Alone) are they the probe's own, and Delta.Figures hands them to
// the cut.
//
// A Reader fetches the pages of one endpoint. When it may, so that it is never in
// a probe's way, is the caller's to say.
package scrape
