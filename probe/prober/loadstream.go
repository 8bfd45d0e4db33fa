package prober

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"ttftop/probe"
	"ttftop/probe/attempt"
	"ttftop/probe/endpoint"
	"ttftop/probe/load"
	"ttftop/probe/stream"
)

// loadStream returns the load stream that keeps an endpoint busy at the knobs:
// a prompt of the same length, unique from its first word on.
func (l *lane) loadStream(k probe.Knobs) load.Stream {
	k.Cache, k.MaxTokens = probe.Bust, probe.LoadOutputCap
	return func(ctx context.Context) (err error) {
		defer l.prober.guard()
		text, request := l.write(k)
		reserved := text.Guess + k.MaxTokens
		if !l.prober.meter.Reserve(reserved) {
			l.prober.pokeAll()
			<-ctx.Done() // the lane is about to end this stream
			return ctx.Err()
		}
		var usage load.Usage
		defer func() {
			l.metrics.ends.add(aLoadStream, k.Model)
			l.prober.spend(reserved, usage.Prompt, usage.Output)
		}()
		body, err := request.Body(l.shape.Load().OpenAI())
		if err != nil {
			return err
		}
		began := time.Now()
		usage, err = l.drain(ctx, k.Model, body)
		if errors.Is(err, load.ErrOverrun) {
			l.tellOverrun(ctx)
			err = nil // the next stream takes its place at once
		}
		if err == nil {
			l.streamTime.Store(int64(time.Since(began)))
		}
		usage = counted(usage, len(body), k.MaxTokens, time.Since(began))
		if usage.Prompt == 0 && (err == nil || usage.Output > 0) {
			usage.Prompt = text.Guess
		}
		return err
	}
}

// drain sends one load request and throws its answer away.
func (l *lane) drain(ctx context.Context, model string, body []byte) (load.Usage, error) {
	req, err := endpoint.ChatRequest(ctx, l.target.Endpoint, model, body)
	if err != nil {
		return load.Usage{}, err
	}
	response, err := l.pool.Plain().RoundTrip(req)
	if err != nil {
		return load.Usage{}, attempt.Failed(ctx, err, l.secrets)
	}
	defer response.Body.Close()
	if endpoint.Redirects(response) {
		return load.Usage{}, endpoint.Redirected(l.target.Endpoint, response)
	}
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 4<<10))
		f := stream.Body(response.StatusCode, response.Header.Get("Content-Type"), text)
		f.RetryAfter, _ = stream.RetryAfter(response.Header.Get("Retry-After"), time.Now())
		return load.Usage{}, attempt.Failed(ctx, f, l.secrets)
	}
	usage, err := load.Drain(response.Body, attempt.Overrun(probe.LoadOutputCap))
	if err != nil && !errors.Is(err, load.ErrOverrun) {
		err = attempt.Failed(ctx, err, l.secrets)
	}
	return usage, err
}

// tellOverrun says once that the endpoint takes no notice of the output tokens
// that are asked for.
func (l *lane) tellOverrun(ctx context.Context) {
	if l.overran.Swap(true) {
		return
	}
	l.notice(ctx, fmt.Sprintf(
		"load streams are cut after %d tokens: the endpoint goes on beyond the %d asked for", attempt.Overrun(probe.LoadOutputCap), probe.LoadOutputCap))
}

// counted is what a load stream has cost, without the counts that can't be.
func counted(u load.Usage, body, asked int, took time.Duration) load.Usage {
	if u.Prompt < 0 || u.Prompt > attempt.MostPrompt(body) {
		u.Prompt = 0
	}
	if u.Output < 0 || u.Output > attempt.MostOutput(asked, took) {
		u.Output = asked
	}
	return u
}
