package sim

// Model is the shape of a language model, as far as it decides what a forward
// pass costs.
type Model struct {
	Name            string
	Params          float64 // weights in all
	BytesPerWeight  float64 // as published: 2 for bf16
	Layers          int
	AttentionWidth  int     // query heads × head size: what attention adds per pair of tokens
	KVBytesPerToken float64 // 2 (key and value) × layers × KV heads × head size × bytes per value
	Accelerators    int     // accelerators that it is spread over (tensor parallelism); 0 for Hardware.Count

	Hidden     int  // size of a token's state between layers; 0 for AttentionWidth
	Vocabulary int  // tokens that it knows; 0 counts its embeddings and head as layers
	Tied       bool // embeddings and head are the same weights

	// Of a mixture of experts; all 0 for a dense model.
	ActiveParams             float64 // weights that one token passes through, embeddings included
	Experts, ExpertsPerToken int
}

// Published shapes, in bf16. Parameters are the counts of the published
// checkpoints (the size that each model's page on huggingface.co states);
// layers, heads, widths and vocabulary are those of its config.json.
var (
	// Llama1B is meta-llama/Llama-3.2-1B: 16 layers, 32 heads of 64, 8 KV heads.
	Llama1B = Model{
		Name: "llama-3.2-1b", Params: 1_235_814_400, BytesPerWeight: 2, Layers: 16,
		AttentionWidth: 32 * 64, KVBytesPerToken: 2 * 16 * 8 * 64 * 2,
		Hidden: 2048, Vocabulary: 128_256, Tied: true,
	}
	// Llama3B is meta-llama/Llama-3.2-3B: 28 layers, 24 heads of 128, 8 KV heads.
	Llama3B = Model{
		Name: "llama-3.2-3b", Params: 3_212_749_824, BytesPerWeight: 2, Layers: 28,
		AttentionWidth: 24 * 128, KVBytesPerToken: 2 * 28 * 8 * 128 * 2,
		Hidden: 3072, Vocabulary: 128_256, Tied: true,
	}
	// Llama2x7B is meta-llama/Llama-2-7b: 32 layers, 32 heads of 128, as many KV heads.
	Llama2x7B = Model{
		Name: "llama-2-7b", Params: 6_738_415_616, BytesPerWeight: 2, Layers: 32,
		AttentionWidth: 32 * 128, KVBytesPerToken: 2 * 32 * 32 * 128 * 2,
		Hidden: 4096, Vocabulary: 32_000,
	}
	// Mistral7B is mistralai/Mistral-7B-v0.1: 32 layers, 32 heads of 128, 8 KV heads.
	Mistral7B = Model{
		Name: "mistral-7b", Params: 7_241_732_096, BytesPerWeight: 2, Layers: 32,
		AttentionWidth: 32 * 128, KVBytesPerToken: 2 * 32 * 8 * 128 * 2,
		Hidden: 4096, Vocabulary: 32_000,
	}
	// Llama8B is meta-llama/Llama-3.1-8B: 32 layers, 32 heads of 128, 8 KV heads.
	Llama8B = Model{
		Name: "llama-3.1-8b", Params: 8_030_261_248, BytesPerWeight: 2, Layers: 32,
		AttentionWidth: 32 * 128, KVBytesPerToken: 2 * 32 * 8 * 128 * 2,
		Hidden: 4096, Vocabulary: 128_256,
	}
	// Mixtral8x7B is mistralai/Mixtral-8x7B-v0.1: 32 layers, 32 heads of 128, 8 KV
	// heads, 8 experts of which each token passes through 2: 12.9 of 46.7 billion
	// weights (Jiang et al., "Mixtral of Experts", 2024).
	Mixtral8x7B = Model{
		Name: "mixtral-8x7b", Params: 46_702_792_704, BytesPerWeight: 2, Layers: 32,
		AttentionWidth: 32 * 128, KVBytesPerToken: 2 * 32 * 8 * 128 * 2,
		Hidden: 4096, Vocabulary: 32_000,
		ActiveParams: 12_879_925_248, Experts: 8, ExpertsPerToken: 2,
	}
	// Llama70B is meta-llama/Llama-3.1-70B: 80 layers, 64 heads of 128, 8 KV heads.
	Llama70B = Model{
		Name: "llama-3.1-70b", Params: 70_553_706_496, BytesPerWeight: 2, Layers: 80,
		AttentionWidth: 64 * 128, KVBytesPerToken: 2 * 80 * 8 * 128 * 2,
		Hidden: 8192, Vocabulary: 128_256,
	}
	// Llama405B is meta-llama/Llama-3.1-405B: 126 layers, 128 heads of 128, 8 KV
	// heads.
	Llama405B = Model{
		Name: "llama-3.1-405b", Params: 405_853_388_800, BytesPerWeight: 2, Layers: 126,
		AttentionWidth: 128 * 128, KVBytesPerToken: 2 * 126 * 8 * 128 * 2,
		Hidden: 16_384, Vocabulary: 128_256,
	}
)

// Models are the shapes that scenarios know by name, from small to large.
var Models = []Model{Llama1B, Llama3B, Llama2x7B, Mistral7B, Llama8B, Mixtral8x7B, Llama70B, Llama405B}

// As is the same shape under another name, spread over n accelerators.
func (m Model) As(name string, n int) Model {
	m.Name, m.Accelerators = name, n
	return m
}

// width is the size of a token's state between layers.
func (m Model) width() float64 {
	if m.Hidden > 0 {
		return float64(m.Hidden)
	}
	return float64(m.AttentionWidth)
}

// head is the number of weights that turn a state into the chances of the next
// token; only tokens that yield one pass through them.
func (m Model) head() float64 { return float64(m.Vocabulary) * m.width() }

// tables is the number of weights in embeddings and head together. Embeddings
// are looked up: a pass reads next to nothing of them.
func (m Model) tables() float64 {
	if m.Tied {
		return m.head()
	}
	return 2 * m.head()
}

// body is the number of weights in the layers.
func (m Model) body() float64 { return m.Params - m.tables() }

// activeBody is the number of weights in the layers that one token passes
// through.
func (m Model) activeBody() float64 {
	if m.ActiveParams > 0 {
		return m.ActiveParams - m.tables()
	}
	return m.body()
}
