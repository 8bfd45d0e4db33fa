// Package scrape reads the /metrics pages of inference servers: vLLM, SGLang,
// llama.cpp and text-generation-inference, with current and older names.
//
// Start with Parse, which turns one page into a Sample, and Sample.Since, which
// turns two samples around a probe into a Delta. A Delta holds averages over
// the requests that were counted between the two pages; only where exactly one
// was (Delta.Alone) are they the probe's own, and Delta.Figures hands them to
// the cut.
//
// The package parses bytes and nothing else: fetching the pages, on a
// connection of its own and out of the probe's way, is the caller's.
package scrape
