package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"

	"ttftop/probe"
)

// conclude says how the stream ended, unless it said so itself.
func (p *Parser) conclude(err error) {
	if p.failed != nil {
		return
	}
	clean := err == nil || errors.Is(err, io.EOF)
	switch {
	case p.events == 0 && len(p.stray.buf) > 0 && (clean || p.done):
		p.failed = p.unreadable()
	case p.complete():
		if !p.answer.FirstToken.OK {
			p.failed = p.tokenless()
		}
	case clean:
		p.answer.Truncated = true
		p.failed = &probe.Failure{Kind: probe.FailStream, Message: p.truncation()}
	default:
		p.failed = p.broken(err)
	}
}

func (p *Parser) tooLong() {
	p.erred = true
	p.failed = &probe.Failure{
		Kind:    probe.FailProtocol,
		Message: fmt.Sprintf("a line of the stream is longer than %s", bytesText(p.maxLine)),
	}
}

// unreadable is the failure of a body that held lines, but no event.
func (p *Parser) unreadable() *probe.Failure {
	s := readWords(p.stray.buf)
	return &probe.Failure{
		Kind:    probe.FailProtocol,
		Message: oneLine("no event of the stream could be read; it begins: "+s.sentence(), messageLimit),
		Code:    s.codeBeside(0),
	}
}

// tokenless is the failure of a complete answer in which no token was seen.
func (p *Parser) tokenless() *probe.Failure {
	m := "the answer ended without a token"
	if why := p.answer.FinishReason; why != "" {
		m += " (finish_reason " + why + ")"
	}
	if n := p.tally.reasoning.N; n > 0 {
		m += fmt.Sprintf("; %d reasoning tokens were counted but not streamed: ask for more output tokens", n)
	}
	return &probe.Failure{Kind: probe.FailProtocol, Message: m}
}

func (p *Parser) truncation() string {
	if p.answer.TokenEvents == 0 {
		return "truncated: the stream ended without a token"
	}
	return "truncated: the stream ended after " + p.tokensText() + " without finish_reason or [DONE]"
}

// broken is the failure of a body whose reading failed with err.
func (p *Parser) broken(err error) *probe.Failure {
	f := &probe.Failure{Kind: probe.FailStream}
	timeout, _ := errors.AsType[net.Error](err)
	switch {
	case errors.Is(err, context.Canceled):
		f.Kind, f.Message = probe.FailCanceled, "canceled "+p.progressText()
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), timeout != nil && timeout.Timeout():
		f.Kind, f.Phase, f.Message = probe.FailTimeout, probe.PhaseFirstToken, "no first token in time"
		if p.answer.TokenEvents > 0 {
			f.Phase, f.Message = probe.PhaseStall, "stalled after "+p.tokensText()
		}
	default:
		f.Message = oneLine("connection lost "+p.progressText()+": "+cause(err), messageLimit)
	}
	return f
}

// cause is the innermost sentence of a read error, without addresses.
func cause(err error) string {
	if errors.Is(err, syscall.ECONNRESET) {
		return "reset by the other end"
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err.Error()
	}
	return err.Error()
}

func (p *Parser) progressText() string {
	if p.answer.TokenEvents == 0 {
		return "before the first token"
	}
	return "after " + p.tokensText()
}

func (p *Parser) tokensText() string {
	if p.answer.TokenEvents == 1 {
		return "1 token"
	}
	return fmt.Sprintf("%d tokens", p.answer.TokenEvents)
}

func bytesText(n int) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}
