package probe

import "log/slog"

// Secret is a text that must never be shown: every way of printing it gives a
// mask. Reveal is called only where the bytes go onto the wire.
type Secret struct {
	// A pointer, since fmt prints a struct's fields where it can't call their
	// methods, and then shows an address.
	text *string
}

// NewSecret keeps text away from every formatter.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{&text}
}

// Reveal returns the secret itself.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsZero reports whether there is no secret.
func (s Secret) IsZero() bool { return s.text == nil }

// String implements fmt.Stringer with a mask.
func (s Secret) String() string {
	if s.IsZero() {
		return ""
	}
	return "***"
}

// GoString implements fmt.GoStringer, so that %#v masks too.
func (s Secret) GoString() string { return "probe.Secret(" + s.String() + ")" }

// MarshalText implements encoding.TextMarshaler, so that JSON and TOML mask too.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue implements slog.LogValuer.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
