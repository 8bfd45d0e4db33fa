package prompt

// leastContext is the number of tokens below which no server cuts a prompt.
const leastContext = 64

// LeastTokens is what any tokenizer counts at least of a text of so many
// characters that Build has made: no word is less than a token.
func LeastTokens(chars int) int {
	return int(cutShare * float64((chars+1)/wordLen))
}

// Impossible reports whether a count of a prompt of so many characters can't be,
// whatever the server did to it: it is far less than the prompt has, and less
// than a server that has cut it would keep.
func Impossible(counted, chars int) bool {
	return counted < min(leastContext, LeastTokens(chars))
}
