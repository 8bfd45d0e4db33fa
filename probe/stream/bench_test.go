package stream

import (
	"testing"
	"time"
)

// tokenEvent is an event as vLLM and its like send it.
var tokenEvent = []byte(`data: {"id":"chatcmpl-510a2b3c","object":"chat.completion.chunk","created":1796021341,"model":"rand15m","system_fingerprint":"fp_x","choices":[{"index":0,"delta":{"content":" happen"},"logprobs":null,"finish_reason":null}]}` + "\n\n")

// BenchmarkTokenEvent is the cost of one token event that comes in one read.
func BenchmarkTokenEvent(b *testing.B) {
	p := New(Options{})
	b.SetBytes(int64(len(tokenEvent)))
	b.ReportAllocs()
	for i := range b.N {
		if err := p.Feed(tokenEvent, time.Duration(i), i); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTokenEventByByte is the same fed byte by byte, as through gzip.
func BenchmarkTokenEventByByte(b *testing.B) {
	p := New(Options{})
	b.SetBytes(int64(len(tokenEvent)))
	b.ReportAllocs()
	for i := range b.N {
		for j := range tokenEvent {
			if err := p.Feed(tokenEvent[j:j+1], time.Duration(i), i); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkKeepAlive is the cost of one comment.
func BenchmarkKeepAlive(b *testing.B) {
	p, comment := New(Options{}), []byte(": keep-alive\n\n")
	b.ReportAllocs()
	for i := range b.N {
		if err := p.Feed(comment, time.Duration(i), i); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBody reads an error as OpenAI sends it.
func BenchmarkBody(b *testing.B) {
	body := []byte(`{"error":{"message":"This model's maximum context length is 4096 tokens. However, you requested 4118 tokens (3118 in the messages, 1000 in the completion).","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`)
	b.ReportAllocs()
	for range b.N {
		Body(400, "application/json", body)
	}
}
