package prompt

import (
	"math"
	"strings"
	"testing"

	"ttftop/probe"
)

// tokenizers that count in ways a builder can't know beforehand.
var tokenizers = map[string]func(string) int{
	"a word a token":  func(s string) int { return len(strings.Fields(s)) },
	"template of 37":  func(s string) int { return 37 + len(strings.Fields(s)) },
	"by 3 characters": func(s string) int { return 5 + (len(s)+2)/3 },
	"a byte a token":  func(s string) int { return 11 + len(s) },
	"one word in six costs two": func(s string) int {
		n := 4
		for i, w := range strings.Fields(s) {
			n++
			if i == 0 || w[0] < 'd' {
				n++
			}
		}
		return n
	},
}

func TestSecondProbeAtALengthIsRight(t *testing.T) {
	for name, count := range tokenizers {
		for i, lengths := range [][]int{{256}, {64, 1024}, {1024, 64}, {32000, 100}, {128, 129, 8192}} {
			b := New(uint64(i))
			warmup := b.Build("m", 16, probe.Bust, 0) // every session begins with one
			b.Learn("m", warmup, count(warmup.Content))
			for _, want := range lengths {
				var got int
				for range 2 {
					p := b.Build("m", want, probe.Bust, 0)
					got = count(p.Content)
					b.Learn("m", p, got)
				}
				if limit := max(2, float64(want)/100); math.Abs(float64(got-want)) > limit {
					t.Errorf("%s, %v: second probe at %d is counted as %d", name, lengths, want, got)
				}
			}
		}
	}
}

func TestBustIsUniqueFromTheFirstWord(t *testing.T) {
	b := New(7)
	seen := map[string]bool{}
	for range len(words) {
		first, _, _ := strings.Cut(b.Build("m", 64, probe.Bust, 0).Content, " ")
		if seen[first] {
			t.Fatalf("two prompts begin with %q", first)
		}
		seen[first] = true
	}
}

func TestSeedsDiffer(t *testing.T) {
	if New(1).Build("m", 64, probe.Bust, 0).Content == New(2).Build("m", 64, probe.Bust, 0).Content {
		t.Error("two sessions send the same prompt")
	}
}

func TestWarmSharesAPrefix(t *testing.T) {
	b := New(3)
	one := b.Build("m", 508, probe.Warm, 0.9)
	two := b.Build("m", 508, probe.Warm, 0.9)
	if one.Words != 500 || one.Shared != 450 {
		t.Fatalf("%d words, %d shared; want 500 and 450", one.Words, one.Shared)
	}
	a, c := strings.Fields(one.Content), strings.Fields(two.Content)
	for i := range one.Shared {
		if a[i] != c[i] {
			t.Fatalf("word %d of the shared prefix differs", i)
		}
	}
	if a[one.Shared] == c[one.Shared] {
		t.Error("the words after the prefix begin alike")
	}
}

func TestACutPromptTeachesNothing(t *testing.T) {
	b := New(4)
	p := b.Build("m", 4096, probe.Bust, 0)
	if b.Learn("m", p, 256) {
		t.Error("256 tokens for some 4,000 words are taken as a count")
	}
	if again := b.Build("m", 4096, probe.Bust, 0); again.Words != p.Words {
		t.Errorf("the next prompt grew from %d to %d words", p.Words, again.Words)
	}
}

func TestModelsCountApart(t *testing.T) {
	b := New(5)
	p := b.Build("bytes", 1000, probe.Bust, 0)
	b.Learn("bytes", p, len(p.Content))
	if n := b.Build("words", 1000, probe.Bust, 0).Words; n != 1000-guessTemplate {
		t.Errorf("another model's count changed the guess to %d words", n)
	}
}

func TestTinyPrompts(t *testing.T) {
	b := New(6)
	for _, n := range []int{-5, 0, 1, 2} {
		if p := b.Build("m", n, probe.Bust, 0); p.Words != 1 || p.Content == "" {
			t.Errorf("%d tokens: %d words %q", n, p.Words, p.Content)
		}
	}
}

func BenchmarkBuild8k(b *testing.B) {
	p := New(1)
	b.ReportAllocs()
	for b.Loop() {
		p.Build("m", 8192, probe.Bust, 0)
	}
}
