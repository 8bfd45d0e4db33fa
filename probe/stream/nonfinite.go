package stream

import "bytes"

// QuoteNonFinite puts NaN, Infinity and -Infinity outside of texts in quotes:
// Python's json writes them, though they are no JSON.
func QuoteNonFinite(event []byte) []byte {
	var out []byte
	inText := false
	for i := 0; i < len(event); i++ {
		c := event[i]
		if inText && c == '\\' && i+1 < len(event) {
			out = append(out, c, event[i+1])
			i++
			continue
		}
		if c == '"' {
			inText = !inText
		}
		if word := nonFinite(event[i:]); !inText && word != "" {
			out = append(append(append(out, '"'), word...), '"')
			i += len(word) - 1
			continue
		}
		out = append(out, c)
	}
	return out
}

func nonFinite(b []byte) string {
	for _, word := range []string{"NaN", "-Infinity", "Infinity"} {
		if bytes.HasPrefix(b, []byte(word)) {
			return word
		}
	}
	return ""
}
