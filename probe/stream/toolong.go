package stream

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Excess is by how much a request was too long for its model, in tokens.
type Excess struct {
	Prompt int // tokens of the prompt; of prompt and output together where only that is told
	Output int // output tokens asked for, 0 where that is not told
	Limit  int // the model's context length
}

// String is a sentence such as "prompt too long: 3118 + 1000 > 4096".
func (e Excess) String() string {
	switch {
	case e.Limit == 0:
		return "prompt too long"
	case e.Output == 0:
		return fmt.Sprintf("prompt too long: %d > %d", e.Prompt, e.Limit)
	}
	return fmt.Sprintf("prompt too long: %d + %d > %d", e.Prompt, e.Output, e.Limit)
}

// PromptTooLong reads the body of a refusal. It is false where the refusal is
// for another reason; the numbers are zero where the server told none.
func PromptTooLong(body []byte) (Excess, bool) {
	return readWords(body).tooLong()
}

// tooLongCodes are codes and types that say so by themselves.
var tooLongCodes = map[string]bool{
	"context_length_exceeded":       true, // OpenAI
	"exceed_context_size_error":     true, // llama.cpp
	"context_window_exceeded":       true,
	"model_context_window_exceeded": true,
}

// tooLongWords are the sentences in which servers say so. Their groups are the
// limit (l), the prompt (p) and the output asked for (o); the first that matches
// holds.
var tooLongWords = []*regexp.Regexp{
	// OpenAI, older vLLM: (3118 in the messages, 1000 in the completion).
	regexp.MustCompile(`maximum context length is (?P<l>\d+) tokens.*?\((?P<p>\d+) in (?:the messages|your prompt|the prompt)[,;] (?P<o>\d+) (?:in|for) the completion\)`),
	// vLLM: requested 4096 output tokens and your prompt contains at least 258049 input tokens.
	regexp.MustCompile(`maximum context length is (?P<l>\d+) tokens.*?requested (?P<o>\d+) output tokens and your prompt contains (?:at least )?(?P<p>\d+) input tokens`),
	// vLLM: 'max_tokens' is too large: 1000. … context length is 4096 tokens and your request has 3118 input tokens.
	regexp.MustCompile(`is too large: (?P<o>\d+)\..*?maximum context length is (?P<l>\d+) tokens and your request has (?P<p>\d+) input tokens`),
	// SGLang: 3118 tokens from the input messages and 1000 tokens for the completion.
	regexp.MustCompile(`maximum context length of (?P<l>\d+) tokens.*?(?P<p>\d+) tokens from the input messages and (?P<o>\d+) tokens for the completion`),
	// TGI: must be <= 4096. Given: 3118 `inputs` tokens and 1000 `max_new_tokens`.
	regexp.MustCompile("must be <= (?P<l>\\d+)\\. Given: (?P<p>\\d+) `inputs` tokens and (?P<o>\\d+) `max_new_tokens`"),
	// OpenAI, vLLM, OpenRouter, without the output.
	regexp.MustCompile(`maximum context length is (?P<l>\d+) tokens.*?(?:resulted in|requested about|requested|contains) (?P<p>\d+) (?:input )?tokens`),
	// SGLang, Together: the input (5000 tokens) is longer than the model's context length (4096 tokens).
	regexp.MustCompile(`input \((?P<p>\d+) tokens\) is longer than the model's context length \((?P<l>\d+) tokens\)`),
	// llama.cpp: request (12009 tokens) exceeds the available context size (4608 tokens).
	regexp.MustCompile(`request \((?P<p>\d+) tokens\) exceeds the available context size \((?P<l>\d+) tokens\)`),
	// Anthropic: prompt is too long: 210000 tokens > 200000 maximum.
	regexp.MustCompile(`prompt is too long: (?P<p>\d+) tokens > (?P<l>\d+) maximum`),
	// Mistral: Prompt contains 5000 tokens, too large for model with 4096 maximum context length.
	regexp.MustCompile(`Prompt contains (?P<p>\d+) tokens.*?with (?P<l>\d+) maximum context length`),
	// xAI: maximum prompt length is 131072 but the request contains 537812 tokens.
	regexp.MustCompile(`maximum prompt length is (?P<l>\d+) but the request contains (?P<p>\d+) tokens`),
}

// tooLong tells whether the server refused a prompt for its length.
func (s said) tooLong() (Excess, bool) {
	if s.excess.Limit > 0 {
		return s.excess, true
	}
	words := strings.Join(strings.Fields(s.words[:min(len(s.words), DefaultTextLimit)]), " ")
	for _, form := range tooLongWords {
		if m := form.FindStringSubmatch(words); m != nil {
			group := func(name string) int {
				i := form.SubexpIndex(name)
				if i < 0 {
					return 0
				}
				n, _ := strconv.Atoi(m[i])
				return n
			}
			return Excess{Prompt: group("p"), Output: group("o"), Limit: group("l")}, true
		}
	}
	return Excess{}, tooLongCodes[s.code] || tooLongCodes[s.class]
}
