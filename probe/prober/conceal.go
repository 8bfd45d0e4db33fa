package prober

import (
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
	for name, value := range r.Headers {
		r.Headers[name] = stream.Redact(value, secrets...)
	}
	for name, value := range r.Reported {
		r.Reported[name] = concealed(value, secrets)
	}
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
		for name := range v {
			v[name] = concealed(v[name], secrets)
		}
	}
	return value
}
