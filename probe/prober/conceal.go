package prober

import (
	"context"
	"maps"
	"slices"

	"ttftop/probe"
	"ttftop/probe/stream"
)

// conceal masks the secrets in everything of a result that the server has
// written: a gateway may repeat a key in any header or field.
func conceal(r *probe.Result, secrets []string) {
	for _, text := range []*string{&r.RequestID, &r.Model, &r.FinishReason} {
		*text = stream.Redact(*text, secrets...)
	}
	if r.Failure != nil {
		r.Failure.Code = stream.Redact(r.Failure.Code, secrets...)
	}
	if a := r.Ack; a != nil {
		a.Named = stream.Redact(a.Named, secrets...)
		if a.Failure != nil {
			a.Failure.Code = stream.Redact(a.Failure.Code, secrets...)
		}
	}
	r.Headers = concealedNames(r.Headers, secrets, func(value string) string { return stream.Redact(value, secrets...) })
	r.Reported = concealedNames(r.Reported, secrets, func(value any) any { return concealed(value, secrets) })
}

// concealed masks the texts within a value of JSON.
func concealed(value any, secrets []string) any {
	switch v := value.(type) {
	case string:
		return stream.Redact(v, secrets...)
	case []any:
		for i := range v {
			v[i] = concealed(v[i], secrets)
		}
	case map[string]any:
		return concealedNames(v, secrets, func(inner any) any { return concealed(inner, secrets) })
	}
	return value
}

// concealedNames is a map with the secrets in its names masked, and its values
// as mask makes them. Of names that a mask makes equal the last one stays.
func concealedNames[V any](m map[string]V, secrets []string, mask func(V) V) map[string]V {
	if m == nil {
		return nil
	}
	out := make(map[string]V, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out[stream.Redact(name, secrets...)] = mask(m[name])
	}
	return out
}

// notice tells a person something of the lane's target. It may quote a server,
// which may repeat a key.
func (l *lane) notice(ctx context.Context, text string) {
	l.prober.emit(ctx, probe.Notice{Target: l.index, Text: stream.Redact(text, l.secrets...)})
}
