package stream

// joiner collects the data lines of an event that is spread over several, and
// follows the nesting of the JSON in them, so that it is decoded once, when its
// last brace has closed, however many lines it has.
type joiner struct {
	buf      []byte
	depth    int
	inString bool
	escaped  bool
}

func (j *joiner) open() bool { return len(j.buf) > 0 }

// add appends a data line, joined by a line feed as the SSE standard says.
func (j *joiner) add(line []byte) {
	if len(j.buf) > 0 {
		j.buf = append(j.buf, '\n')
	}
	j.buf = append(j.buf, line...)
	for _, c := range line {
		j.follow(c)
	}
}

// closed reports whether nothing that follows can belong to the value.
func (j *joiner) closed() bool { return j.depth <= 0 && !j.inString }

func (j *joiner) reset() { *j = joiner{buf: emptied(j.buf)} }

func (j *joiner) follow(c byte) {
	switch {
	case j.escaped:
		j.escaped = false
	case j.inString:
		j.escaped = c == '\\'
		j.inString = c != '"'
	case c == '"':
		j.inString = true
	case c == '{' || c == '[':
		j.depth++
	case c == '}' || c == ']':
		j.depth--
	}
}
