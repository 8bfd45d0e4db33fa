package stream

import (
	"time"

	"ttftop/probe"
)

// Defaults of Options.
const (
	DefaultMaxLine   = 64 << 20 // bytes
	DefaultTextLimit = 4 << 10  // bytes
)

// maxArrivals bounds Answer.Tokens; the arrivals after it overwrite the last.
const maxArrivals = 1 << 20

// Options says how a body is read. The zero value reads SSE with the defaults.
type Options struct {
	Format    Format
	MaxLine   int // longest line, and longest event, in bytes; 0 for DefaultMaxLine
	TextLimit int // generated text kept of each channel, in bytes; 0 for DefaultTextLimit, below 0 for none
}

// Parser reads one response body. It is not safe for concurrent use.
type Parser struct {
	format   Format
	maxLine  int
	maxMarks int

	at   time.Duration // arrival of the newest bytes, never earlier than before
	read int           // number of their read

	lines lines
	began bool   // the first line has been seen
	named bool   // the event being read is named error
	data  joiner // data lines of an event that is not whole yet

	chunk  chunk // the event being folded, reused
	answer Answer
	events int
	tally  tally
	kept   keeper
	text   excerpt
	reason excerpt
	stray  excerpt // the start of what could not be read, until the first event

	done   bool // the end was announced
	erred  bool // the stream reported an error, or can't be read on
	failed *probe.Failure
	ended  bool
}

// New makes a parser for one response body.
func New(opts Options) *Parser {
	if opts.MaxLine <= 0 {
		opts.MaxLine = DefaultMaxLine
	}
	if opts.TextLimit == 0 {
		opts.TextLimit = DefaultTextLimit
	}
	return &Parser{
		format:   opts.Format,
		maxLine:  opts.MaxLine,
		maxMarks: maxArrivals,
		lines:    lines{max: opts.MaxLine, cr: opts.Format == SSE},
		text:     excerpt{limit: opts.TextLimit},
		reason:   excerpt{limit: opts.TextLimit},
		stray:    excerpt{limit: DefaultTextLimit},
	}
}

// Feed takes the next bytes with the arrival of the read that delivered them, as
// an offset from the start of the request, and that read's number. Bytes of one
// read may come in several calls. An arrival earlier than the one before counts
// as equal to it.
//
// Feed returns a *probe.Failure as soon as the stream itself reports an error or
// a line is too long, and then again on every call; reading can stop at once.
// Bytes after a failure, or after Done, are ignored.
func (p *Parser) Feed(b []byte, at time.Duration, read int) error {
	if len(b) > 0 && !p.stopped() && !p.ended {
		p.at, p.read = max(p.at, at), read
	}
	for len(b) > 0 && !p.stopped() && !p.ended {
		line, rest, state := p.lines.next(b)
		b = rest
		switch state {
		case wholeLine:
			p.line(line)
		case longLine:
			p.tooLong()
		}
	}
	if p.failed != nil {
		return p.failed
	}
	return nil
}

// Done reports that the stream announced its end: [DONE], or "done":true in
// NDJSON. A reader may stop then.
func (p *Parser) Done() bool { return p.done }

// FirstToken is Answer().FirstToken at no cost, to be asked after every Feed.
func (p *Parser) FirstToken() probe.Mark { return p.answer.FirstToken }

// FirstAnswer is Answer().FirstAnswer at no cost, to be asked after every Feed.
func (p *Parser) FirstAnswer() probe.Mark { return p.answer.FirstAnswer }

// End tells that the body ended: err is nil or io.EOF for a clean end, else what
// the read gave. A last line without its newline is read first. Only the first
// call counts.
func (p *Parser) End(err error) {
	if p.ended {
		return
	}
	p.ended = true
	if !p.stopped() {
		if line := p.lines.last(); len(line) > 0 {
			p.line(line)
		}
	}
	if !p.stopped() {
		p.endEvent()
	}
	p.conclude(err)
}

func (p *Parser) stopped() bool { return p.done || p.failed != nil }

func (p *Parser) line(line []byte) {
	if !p.began {
		p.began = true
		line = trimBOM(line)
	}
	if p.format == NDJSON {
		p.object(line)
	} else {
		p.field(line)
	}
}
