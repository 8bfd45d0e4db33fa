// Package setup turns what the command line and the configuration file ask for
// into a session that can be run: targets, knobs, the simulator where it is
// needed.
//
// Start with Usual, Demo or FromEnv.
package setup

import (
	"time"
)

// EndpointFlags say what is probed.
type EndpointFlags struct {
	URL    []string `arg:"" optional:"" name:"url" help:"Base URL of an endpoint, such as https://host/v1; several give several targets."`
	Model  []string `short:"m" sep:"none" placeholder:"MODEL" help:"Model to probe; may repeat, and goes with the URLs by position."`
	Name   []string `sep:"none" placeholder:"NAME" help:"Name of the target; may repeat."`
	Region []string `sep:"none" placeholder:"TEXT" help:"Label of the region; may repeat."`
	HandoffFlags
	KeyEnv   []string `sep:"none" placeholder:"VARIABLE" help:"Environment variable that holds the key; may repeat."`
	Header   []string `sep:"none" placeholder:"'K: V'" help:"Header to send with each request; may repeat."`
	CACert   string   `name:"cacert" placeholder:"FILE" help:"PEM file with a certificate authority to trust as well."`
	Insecure bool     `help:"Don't verify certificates."`
	Resolve  []string `sep:"none" placeholder:"H:P:ADDR" help:"Dial an address in place of host:port, such as api.example.com:443:203.0.113.7; may repeat."`
	HTTP2    bool     `name:"http2" help:"Offer HTTP/2 as well; arrivals are then by the clock after the read."`
	Config   string   `placeholder:"FILE" help:"Configuration file, in place of the usual one."`
}

// HandoffFlags name the fast models of handoffs.
type HandoffFlags struct {
	Handoff []string `sep:"none" placeholder:"MODEL" help:"Fast model that acknowledges each prompt while the other answers it, at the cost of both; may repeat."`
}

// ProbeFlags say how it is probed. What is nil was not given.
type ProbeFlags struct {
	PromptTokens   *int           `type:"count" placeholder:"N" help:"Prompt length in tokens, as the endpoint counts them (256)."`
	Pressure       *int           `type:"count" placeholder:"N" help:"Batch pressure: load streams kept in flight for each target (0)."`
	MaxTokens      *int           `type:"count" placeholder:"N" help:"Output tokens of a probe (16)."`
	Cache          *string        `placeholder:"bust|warm" help:"Unique prompts, or prompts that share a prefix (bust)."`
	CacheShare     *float64       `placeholder:"SHARE" help:"Share of the prompt that warm prompts have in common, 0 to 1 (0.9)."`
	Conn           *string        `placeholder:"warm|cold" help:"Keep connections, or make a new one for each probe (warm)."`
	Rate           *float64       `placeholder:"R" help:"Probes per second for each target (1; demo 2)."`
	Timeout        *time.Duration `placeholder:"TIME" help:"Limit of each wait: for headers, for the first token, between tokens (30s)."`
	TokenBudget    *int64         `type:"count" placeholder:"N" help:"Stop when so many tokens have been sent and received."`
	SLO            []string       `name:"slo" sep:"none" placeholder:"SLO" help:"Limit to hold the figures to, such as p95=600ms, ttft_per_1k=80ms, tpot=40ms or failures=1%%; may repeat."`
	Request        string         `placeholder:"FILE" help:"Probe with your own chat request, in JSON."`
	IgnoreReported bool           `help:"Cut waterfalls without what servers report of themselves."`
	Record         string         `placeholder:"FILE" help:"Append a record of each probe to a file, as JSON Lines."`
}
