package stream

import "encoding/json"

const (
	maxChoices = 4 // probes ask for one
	maxParts   = 8 // parts of a content, tool calls of a delta
)

// chunk is every field of an event that means something here: of OpenAI's chat
// and text completions with what servers add to them, and of Ollama's own
// routes. Lists are arrays, of which encoding/json drops what is over, so that a
// line can't cost more memory than a few times its length.
type chunk struct {
	ID       string             `json:"id"`
	Model    string             `json:"model"`
	Object   string             `json:"object"`
	Choices  [maxChoices]choice `json:"choices"`
	Usage    *usage             `json:"usage"`
	Error    json.RawMessage    `json:"error"`
	Timings  *timings           `json:"timings"`         // llama.cpp
	Progress *progress          `json:"prompt_progress"` // llama.cpp
	XGroq    *xGroq             `json:"x_groq"`
	Perf     *perfMetrics       `json:"perf_metrics"` // Fireworks
	TimeInfo present            `json:"time_info"`    // Cerebras
	Metrics  present            `json:"metrics"`      // vLLM
	Stats    present            `json:"stats"`        // NIM, LM Studio
	NVExt    present            `json:"nvext"`        // Dynamo
	SGLExt   present            `json:"sglext"`       // SGLang

	// Ollama's own routes.
	Message    delta   `json:"message"`  // /api/chat
	Response   content `json:"response"` // /api/generate
	Thinking   content `json:"thinking"` // /api/generate
	Done       bool    `json:"done"`
	DoneReason string  `json:"done_reason"`
	PromptEval count   `json:"prompt_eval_count"`
	Eval       count   `json:"eval_count"`
}

type choice struct {
	Delta        delta   `json:"delta"`
	Text         content `json:"text"` // /v1/completions
	FinishReason string  `json:"finish_reason"`
}

type delta struct {
	Content          content            `json:"content"`
	Reasoning        content            `json:"reasoning"`
	ReasoningContent content            `json:"reasoning_content"`
	ReasoningDetails details            `json:"reasoning_details"`
	Thinking         content            `json:"thinking"` // Ollama
	Refusal          content            `json:"refusal"`
	ToolCalls        [maxParts]toolCall `json:"tool_calls"`
	FunctionCall     call               `json:"function_call"`
	Audio            audio              `json:"audio"`
}

type toolCall struct {
	Function call `json:"function"`
	Custom   call `json:"custom"`
}

type call struct {
	Name      present `json:"name"`
	Arguments present `json:"arguments"`
	Input     present `json:"input"`
}

func (c *call) begun() bool { return bool(c.Name || c.Arguments || c.Input) }

type audio struct {
	Data       present `json:"data"`
	Transcript present `json:"transcript"`
}

type usage struct {
	Prompt     count `json:"prompt_tokens"`
	Completion count `json:"completion_tokens"`
	Total      count `json:"total_tokens"`
	Input      count `json:"input_tokens"`
	Output     count `json:"output_tokens"`
	PromptInfo struct {
		Cached count `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	CompletionInfo struct {
		Reasoning count `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
	Reasoning count `json:"reasoning_tokens"`        // SGLang
	CacheHit  count `json:"prompt_cache_hit_tokens"` // DeepSeek
	Cached    count `json:"cached_tokens"`           // Moonshot
	NumCached count `json:"num_cached_tokens"`
	CacheRead count `json:"cache_read_input_tokens"` // Anthropic, through LiteLLM
}

func (u *usage) prompt() count     { return firstOf(u.Prompt, u.Input) }
func (u *usage) completion() count { return firstOf(u.Completion, u.Output) }
func (u *usage) reasoning() count  { return firstOf(u.CompletionInfo.Reasoning, u.Reasoning) }
func (u *usage) cached() count {
	return firstOf(u.PromptInfo.Cached, u.CacheHit, u.Cached, u.NumCached, u.CacheRead)
}

type timings struct {
	Cache     count `json:"cache_n"`
	Prompt    count `json:"prompt_n"` // without the cached ones
	Predicted count `json:"predicted_n"`
}

type progress struct {
	Total count `json:"total"`
	Cache count `json:"cache"`
}

type xGroq struct {
	Usage *usage          `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// perfMetrics holds the cached tokens of Fireworks in the spellings of its
// headers and of its other fields.
type perfMetrics struct {
	Cached       count `json:"cached_prompt_tokens"`
	CachedHeader count `json:"cached-prompt-tokens"`
	CachedFull   count `json:"fireworks-cached-prompt-tokens"`
}

func (m *perfMetrics) cached() count {
	return firstOf(m.Cached, m.CachedHeader, m.CachedFull)
}

func firstOf(counts ...count) count {
	for _, c := range counts {
		if c.OK {
			return c
		}
	}
	return count{}
}

// extra reports whether the event carries more than a plain delta. Progress is
// told apart, as there may be one per batch of the prompt.
func (c *chunk) extra() bool {
	return c.Usage != nil || c.Timings != nil || c.XGroq != nil || c.Perf != nil || c.Done ||
		bool(c.TimeInfo || c.Metrics || c.Stats || c.NVExt || c.SGLExt)
}
