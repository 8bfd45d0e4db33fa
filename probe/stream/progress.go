package stream

// TokenEvents is the number of token events seen so far.
func (p *Parser) TokenEvents() int { return p.answer.TokenEvents }
