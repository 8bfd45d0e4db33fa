package sim

import "hash/maphash"

// message is one turn of a chat, as text.
type message struct{ role, text string }

// prompt is a chat as the engine sees it: how many tokens it has, and the
// hashes of its full blocks. A block's hash covers every token up to its end,
// so equal hashes mean equal prefixes.
type prompt struct {
	tokens int
	blocks []uint64
}

// hashSeed is one for the process: hashes are compared, never kept.
var hashSeed = maphash.MakeSeed()

// newPrompt applies the chat template to the messages and splits them into
// tokens and blocks.
func newPrompt(chat []message, blockTokens int) prompt {
	h := hasher{size: blockTokens}
	h.special("begin", templateBegin)
	for _, m := range chat {
		h.special("header", templatePerMessage-2)
		h.add(m.role)
		for t := range tokens(m.text) {
			h.add(t)
		}
		h.special("turn", 1)
	}
	h.special("answer", templateAnswer)
	return h.prompt
}

// hasher grows a prompt token by token.
type hasher struct {
	prompt
	size  int // tokens per block
	chain uint64
}

func (h *hasher) add(token string) {
	h.chain = maphash.Comparable(hashSeed, link64{h.chain, maphash.String(hashSeed, token)})
	h.tokens++
	if h.tokens%h.size == 0 {
		h.blocks = append(h.blocks, h.chain)
	}
}

// link64 joins the hash of a prefix and that of its next token.
type link64 struct{ prefix, token uint64 }

// special adds n tokens of the template. Their names begin with a byte that no
// text has, so that no text can pass for one.
func (h *hasher) special(name string, n int) {
	for range n {
		h.add("\xff" + name)
	}
}
