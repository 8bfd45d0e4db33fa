package sim

// words are what answers are made of. Each is one token to the simulator's own
// tokenizer, with the space before it, and needs no escaping in JSON.
var words = [...]string{
	"the", "of", "and", "to", "in", "is", "that", "for", "it", "as", "was", "with", "be", "by", "on", "not",
	"he", "this", "are", "or", "his", "from", "at", "which", "but", "have", "an", "had", "they", "you", "were", "their",
	"one", "all", "we", "can", "her", "has", "there", "been", "if", "more", "when", "will", "would", "who", "so", "no",
	"river", "stone", "light", "green", "small", "night", "water", "house", "paper", "field", "glass", "early", "quiet", "north", "table", "round",
}

// spaced are the words with the space before them.
var spaced = func() (s [len(words)]string) {
	for i, w := range words {
		s[i] = " " + w
	}
	return s
}()

// word is the text of token number i, from 0, of an answer: noise that depends
// on the seed and the request alone.
func (a *answer) word(i int) string {
	w := scramble(a.server.fixed.Seed+a.number<<20+uint64(i)) % uint64(len(words))
	if i == 0 {
		return words[w]
	}
	return spaced[w]
}

// scramble is the finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
