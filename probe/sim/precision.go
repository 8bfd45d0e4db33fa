package sim

import (
	"fmt"
	"strings"
)

// Precision says in which numbers the weights of a model's layers are kept.
// Embeddings and the output head stay in 16 bits, as published quantized
// checkpoints have them.
type Precision int

// The precisions.
const (
	FP16 Precision = iota // or bf16: as published
	INT8                  // weights and activations (W8A8)
	FP8                   // weights and activations where the hardware computes in it, else weights alone
	INT4                  // weights alone, in groups of 128 with a scale: they are computed with in 16 bits
)

// precisions has the name and the bytes per weight of each precision. A group
// of 128 weights in 4 bits has a scale of 16 bits and a zero point of 4 (Frantar
// et al., "GPTQ", 2022; Lin et al., "AWQ", 2023).
var precisions = [...]struct {
	name  string
	bytes float64
}{FP16: {"fp16", 2}, INT8: {"int8", 1}, FP8: {"fp8", 1}, INT4: {"int4", (4 + 20./128) / 8}}

// String is the name, such as "fp8".
func (p Precision) String() string { return nameOf(p, precisionNames()) }

func precisionNames() []string {
	names := make([]string, len(precisions))
	for i, p := range precisions {
		names[i] = p.name
	}
	return names
}

// nameOf is the name of a numbered choice.
func nameOf[T ~int](v T, names []string) string {
	if v < 0 || int(v) >= len(names) {
		return fmt.Sprintf("unknown (%d)", int(v))
	}
	return names[v]
}

// choose is the number of a named choice, or an error that lists them.
func choose[T ~int](name string, names []string) (T, error) {
	for i, n := range names {
		if strings.EqualFold(n, name) {
			return T(i), nil
		}
	}
	return 0, fmt.Errorf("%q is not known: write one of %s", name, strings.Join(names, ", "))
}
