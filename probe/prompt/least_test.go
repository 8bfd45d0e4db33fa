package prompt

import (
	"testing"

	"ttftop/probe"
)

// No tokenizer counts fewer tokens than there are words, and a server that cuts
// a prompt keeps some of it.
func TestImpossible(t *testing.T) {
	text := New(1).Build("m", 256, probe.Bust, 0).Content
	for counted, want := range map[int]bool{0: true, 3: true, 12: true, 63: true, 64: false, 256: false, 900: false} {
		if got := Impossible(counted, len(text)); got != want {
			t.Errorf("%d tokens of %d characters: impossible %v, want %v", counted, len(text), got, want)
		}
	}
	short := New(1).Build("m", 16, probe.Bust, 0).Content
	for counted, want := range map[int]bool{4: true, 16: false, 30: false} {
		if got := Impossible(counted, len(short)); got != want {
			t.Errorf("%d tokens of %d characters: impossible %v, want %v", counted, len(short), got, want)
		}
	}
	if least := LeastTokens(len(text)); least < 150 || least > 248 {
		t.Errorf("a prompt of 248 words has at least %d tokens", least)
	}
}
