package sim

import (
	"slices"
	"strings"
	"testing"
)

func TestPromptTemplate(t *testing.T) {
	for _, tt := range []struct {
		name string
		chat []message
		want int
	}{
		{"one message", []message{{"user", "hi"}}, 1 + 5 + 1 + 4},
		{"system too", []message{{"system", "be brief"}, {"user", "hi"}}, 1 + (5 + 2) + (5 + 1) + 4},
		{"empty", []message{{"user", ""}}, 1 + 5 + 4},
	} {
		if got := newPrompt(tt.chat, 4).tokens; got != tt.want {
			t.Errorf("%s: %d tokens, want %d", tt.name, got, tt.want)
		}
	}
}

// Prompts share the hashes of exactly those blocks that lie before their first
// difference.
func TestPromptBlocks(t *testing.T) {
	const template = templateBegin + templatePerMessage - 1 // before the text
	long := strings.Repeat("a b ", 50)                      // 100 tokens or so
	p := newPrompt([]message{{"user", long + "x one two six ten won red"}}, 8)
	q := newPrompt([]message{{"user", long + "y one two six ten won red"}}, 8)
	if len(p.blocks) != p.tokens/8 {
		t.Errorf("%d blocks of 8 for %d tokens", len(p.blocks), p.tokens)
	}
	same := (template + countTokens(long) - 1) / 8 // the space before x belongs to it
	if !slices.Equal(p.blocks[:same], q.blocks[:same]) || p.blocks[same] == q.blocks[same] {
		t.Errorf("the first %d blocks must be shared and no more", same)
	}
	r := newPrompt([]message{{"user", "c " + long}}, 8)
	if p.blocks[1] == r.blocks[1] {
		t.Error("a difference in the first block must change all that follow")
	}
}

// No text can pass for a token of the template.
func TestTemplateTokensAreApart(t *testing.T) {
	p := newPrompt([]message{{"user", "\xffheader\xffheader"}}, 1)
	q := newPrompt([]message{{"user", ""}}, 1)
	if p.blocks[5] == q.blocks[5] {
		t.Error("text passed for the end of the turn")
	}
}
