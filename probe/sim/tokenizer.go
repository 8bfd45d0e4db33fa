package sim

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// Tokens that the chat template adds, as Llama 3's does: one to begin the text,
// five around each message (header start, role, header end, blank line, end of
// turn) and four that open the answer.
const (
	templateBegin      = 1
	templatePerMessage = 5
	templateAnswer     = 4
)

// Longest pieces that are one token.
const (
	longestWord   = 5 // lower-case letters, the first may be upper-case
	longestUpper  = 3 // upper-case letters
	longestScript = 2 // letters outside ASCII
	longestNumber = 3 // digits, as Llama 3's tokenizer splits them
)

// tokens splits a text the way byte-pair tokenizers tend to: a space belongs to
// the word behind it, a short word is one token and a long one several,
// numbers go by threes, every sign is one token. It is deterministic and knows
// no vocabulary, so the characters per token depend on the text: about 4 to 5
// for plain English, 2 for base64, 1 for punctuation.
func tokens(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			n := tokenLength(text)
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

// tokenLength is the length in bytes of the first token of a text that is not
// empty.
func tokenLength(text string) int {
	switch text[0] {
	case '\n':
		return runLength(text, len(text), isNewline)
	case ' ':
		n := runLength(text, len(text), isSpace)
		if n == len(text) || text[n] == '\n' {
			return n
		}
		if n > 1 {
			return n - 1 // the last one belongs to the word
		}
		return 1 + pieceLength(text[1:])
	}
	return pieceLength(text)
}

// pieceLength is the length in bytes of the first piece of a text that is not
// empty and does not begin with a space.
func pieceLength(text string) int {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case isLower(r):
		return runLength(text, longestWord, isLower)
	case isUpper(r):
		if n := runLength(text[size:], longestWord-1, isLower); n > 0 {
			return size + n
		}
		return runLength(text, longestUpper, isUpper)
	case isDigit(r):
		return runLength(text, longestNumber, isDigit)
	case isScript(r):
		return runLength(text, longestScript, isScript)
	}
	return size
}

// runLength is the length in bytes of the at most limit runes at the start of
// text that belong to a class.
func runLength(text string, limit int, class func(rune) bool) int {
	n := 0
	for i, r := range text {
		if n == limit || !class(r) {
			return i
		}
		n++
	}
	return len(text)
}

func isNewline(r rune) bool { return r == '\n' }
func isSpace(r rune) bool   { return r == ' ' }
func isLower(r rune) bool   { return 'a' <= r && r <= 'z' }
func isUpper(r rune) bool   { return 'A' <= r && r <= 'Z' }
func isDigit(r rune) bool   { return '0' <= r && r <= '9' }
func isScript(r rune) bool {
	return r >= utf8.RuneSelf && r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r))
}
