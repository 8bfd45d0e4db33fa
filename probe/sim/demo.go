package sim

import "time"

// UsualDrafts are what drafts are like where nothing else is said, and none are
// made: one lever turns them on.
var UsualDrafts = Speculation{Acceptance: 0.7, Cost: 0.05}

// UsualBatchWait is how long static batching waits for a full batch.
const UsualBatchWait = 100 * time.Millisecond

// Demo returns the two endpoints of the demo: a near region on slower hardware
// and a far one on faster hardware, so that the near one wins at short prompts
// and the far one at long prompts.
//
// Handling, step overhead and the network are assumptions of a plausible size.
// Drafts and background users are off; what they would be like is set, so that
// one lever turns them on.
func Demo() []Config {
	near := Config{
		Name:             "sim-near",
		Region:           "near",
		Models:           demoModels(),
		Hardware:         A100,
		StepOverhead:     3 * time.Millisecond,
		Dialect:          DialectVLLM,
		Handling:         4 * time.Millisecond,
		HandlingPerToken: 2 * time.Microsecond,
		Seed:             1,
		Levers: Levers{
			MaxBatch:    48,
			BatchWait:   UsualBatchWait,
			CacheBlocks: 16_384,
			Speculation: UsualDrafts,
			Users:       Users{PromptTokens: 512, OutputTokens: 128, PromptSpread: 0.8, OutputSpread: 0.6},
			Link:        Link{RTT: 8 * time.Millisecond, Jitter: time.Millisecond, Bandwidth: 200e6},
		},
	}
	far := near
	far.Name, far.Region = "sim-far", "far"
	far.Models = demoModels()
	far.Hardware = H100
	far.MaxBatch = 56
	far.Link = Link{RTT: 140 * time.Millisecond, Jitter: 6 * time.Millisecond, Bandwidth: 50e6}
	far.Seed = 2
	return []Config{near, far}
}

// demoModels are the models of both endpoints. The largest is spread over four
// accelerators, since its weights don't fit one.
func demoModels() []Model {
	return []Model{Llama8B.As("sim-8b", 1), Llama70B.As("sim-70b", 4), Llama1B.As("sim-1b", 1)}
}
