// Package prompt makes the text of a probe as long as the endpoint is asked to
// count it, for any tokenizer and without one: it starts from a guess and
// corrects itself by what the endpoint counted.
//
// Start with New, then Build before a request and Learn after it.
package prompt

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"

	"ttftop/probe"
)

// First guesses, until an endpoint has counted something: one token per word
// and a short chat template.
const (
	guessPerWord  = 1.0
	guessTemplate = 8
)

// A count below this share of the words sent can't be a tokenizer's: a word is
// never less than a token, so the server has cut the prompt.
const cutShare = 0.7

// wordLen is a word with the space before it, in characters.
const wordLen = 5

// charwise is the tokens per word from which a tokenizer is taken to cut by
// characters: then the last word may be cut too, since a whole one would be
// too coarse.
const charwise = 1.6

// bagSize is the number of words that take turns in a prompt: few, so that
// each length is as good a sample of them as any other.
const bagSize = 32

// maxRemembered bounds the lengths whose counts are remembered per model.
const maxRemembered = 64

// Text is one prompt.
type Text struct {
	Content string
	Words   int
	Asked   int // tokens asked for
	Guess   int // tokens expected
	Shared  int // words of the prefix shared with other prompts
}

// Builder makes prompts for one endpoint. It is safe for concurrent use.
type Builder struct {
	mu     sync.Mutex
	rng    *rand.Rand
	first  []int // a permutation of words: consecutive prompts never begin alike
	turn   int
	bag    []int // the words that prompts are made of, in turn
	models map[string]*scale
}

// scale is what is known of how one model counts.
type scale struct {
	seen   map[int]count // by tokens asked
	newest int           // asked length last learned
}

type count struct{ length, tokens int } // characters sent, tokens counted

// New makes a builder. Builders of different seeds make different prompts.
func New(seed uint64) *Builder {
	rng := rand.New(rand.NewPCG(seed, seed^0x9e3779b97f4a7c15))
	return &Builder{rng: rng, first: rng.Perm(len(words)), bag: rng.Perm(len(words))[:bagSize], models: map[string]*scale{}}
}

// Build makes a prompt that model should count as tokens, template included.
// With Bust it is unique from its first word on; with Warm the first share of
// its words (0…1) is the same in every prompt of this builder.
func (b *Builder) Build(model string, tokens int, cache probe.Cache, share float64) Text {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.scale(model)
	length := s.length(tokens)
	n := (length + wordLen - 1) / wordLen
	t := Text{Words: n, Asked: tokens, Guess: s.tokens(length)}
	if cache == probe.Warm {
		t.Shared = int(math.Round(float64(n) * min(max(share, 0), 1)))
	}
	var text strings.Builder
	text.Grow(wordLen * n)
	for i, w := range b.pick(n, t.Shared) {
		if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(words[w])
	}
	t.Content = text.String()[:min(text.Len(), length)]
	return t
}

// pick chooses the n words of a prompt whose first shared ones are common. All
// prompts of a length have the same words, but for the one that makes them
// unique, in an order of their own: so that even a tokenizer to which some
// words are two tokens counts them alike.
func (b *Builder) pick(n, shared int) []int {
	picked := make([]int, n)
	for i := range picked {
		picked[i] = b.bag[i%len(b.bag)]
	}
	if shared < n {
		b.turn++
		picked[shared] = b.first[b.turn%len(b.first)]
		rest := picked[shared+1:]
		b.rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	}
	return picked
}

// Learn takes the endpoint's own count of a prompt. It returns false, and
// learns nothing, where the count says that the server has cut the prompt.
func (b *Builder) Learn(model string, t Text, counted int) bool {
	if counted <= 0 {
		return true
	}
	if float64(counted) < cutShare*float64(t.Words) {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.scale(model)
	if _, known := s.seen[t.Asked]; !known && len(s.seen) >= maxRemembered {
		clear(s.seen)
	}
	s.seen[t.Asked] = count{len(t.Content) + 1, counted}
	s.newest = t.Asked
	return true
}

func (b *Builder) scale(model string) *scale {
	s := b.models[model]
	if s == nil {
		s = &scale{seen: map[int]count{}}
		b.models[model] = s
	}
	return s
}

// length is how many characters should count as tokens: from the nearest
// length that was counted, with the slope between the two farthest apart.
func (s *scale) length(tokens int) int {
	perWord := s.perWord()
	words := float64(tokens - guessTemplate)
	if len(s.seen) > 0 {
		near := s.nearest(tokens)
		words = float64(near.length)/wordLen + float64(tokens-near.tokens)/perWord
	}
	if perWord < charwise {
		words = math.Round(words)
	}
	return max(wordLen, int(math.Round(words*wordLen))) - 1 // no space before the first word
}

// tokens is the count to expect of so many characters.
func (s *scale) tokens(length int) int {
	near := count{length: guessTemplate * wordLen, tokens: 2 * guessTemplate}
	found := false
	for _, c := range s.seen {
		if !found || abs(c.length-length) < abs(near.length-length) {
			near, found = c, true
		}
	}
	return max(1, near.tokens+int(math.Round(float64(length+1-near.length)/wordLen*s.perWord())))
}

func (s *scale) nearest(tokens int) count {
	if c, ok := s.seen[tokens]; ok {
		return c
	}
	best := s.seen[s.newest]
	for _, c := range s.seen {
		if abs(c.tokens-tokens) < abs(best.tokens-tokens) {
			best = c
		}
	}
	return best
}

// perWord is the tokens per word between the shortest and the longest prompt
// counted. One length alone can't tell the template from the words.
func (s *scale) perWord() float64 {
	lo, hi := s.seen[s.newest], s.seen[s.newest]
	for _, c := range s.seen {
		if c.length < lo.length {
			lo = c
		}
		if c.length > hi.length {
			hi = c
		}
	}
	if words := float64(hi.length-lo.length) / wordLen; words >= guessTemplate {
		return max(guessPerWord, float64(hi.tokens-lo.tokens)/words)
	}
	return guessPerWord
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
