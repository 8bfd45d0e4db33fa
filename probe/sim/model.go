package sim

// Model is the shape of a language model, as far as it decides what a forward
// pass costs.
type Model struct {
	Name            string
	Params          float64 // weights in all
	ActiveParams    float64 // weights that one token passes through; 0 for all of them (a dense model)
	BytesPerWeight  float64 // 2 for bf16
	Layers          int
	AttentionWidth  int     // query heads × head size: what attention adds per pair of tokens
	KVBytesPerToken float64 // 2 (key and value) × layers × KV heads × head size × bytes per value
	Accelerators    int     // accelerators that it is spread over; 0 for Hardware.Count
}

// Shapes of Llama 3, in bf16. Parameters are the counts of the published
// checkpoints (the size that each model's page on huggingface.co states);
// layers, heads and head size are those of its config.json.
var (
	// Llama1B is meta-llama/Llama-3.2-1B: 16 layers, 32 heads of 64, 8 KV heads.
	Llama1B = Model{
		Name: "llama-3.2-1b", Params: 1_235_814_400, BytesPerWeight: 2, Layers: 16,
		AttentionWidth: 32 * 64, KVBytesPerToken: 2 * 16 * 8 * 64 * 2,
	}
	// Llama8B is meta-llama/Llama-3.1-8B: 32 layers, 32 heads of 128, 8 KV heads.
	Llama8B = Model{
		Name: "llama-3.1-8b", Params: 8_030_261_248, BytesPerWeight: 2, Layers: 32,
		AttentionWidth: 32 * 128, KVBytesPerToken: 2 * 32 * 8 * 128 * 2,
	}
	// Llama70B is meta-llama/Llama-3.1-70B: 80 layers, 64 heads of 128, 8 KV heads.
	Llama70B = Model{
		Name: "llama-3.1-70b", Params: 70_553_706_496, BytesPerWeight: 2, Layers: 80,
		AttentionWidth: 64 * 128, KVBytesPerToken: 2 * 80 * 8 * 128 * 2,
	}
)

// As is the same shape under another name, spread over n accelerators.
func (m Model) As(name string, n int) Model {
	m.Name, m.Accelerators = name, n
	return m
}

// active is the number of weights that one token passes through.
func (m Model) active() float64 {
	if m.ActiveParams > 0 {
		return m.ActiveParams
	}
	return m.Params
}
