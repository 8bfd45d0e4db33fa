package sim

// Misfit is something that can't be in a field of a configuration.
type Misfit struct {
	Field string // as a scenario file has it, with indices: link.rtt, tenants.0.rate
	err   error
}

// Error implements error.
func (m *Misfit) Error() string { return m.err.Error() }

// Unwrap is the sentence without the field.
func (m *Misfit) Unwrap() error { return m.err }

// misfit is an error of a field; nil for none.
func misfit(field string, err error) error {
	if err == nil {
		return nil
	}
	return &Misfit{field, err}
}
