package sim

// Hardware is what a model runs on.
type Hardware struct {
	Name           string
	FLOPS          float64 // per second and accelerator, dense, at the precision of the weights
	Bandwidth      float64 // memory bytes per second and accelerator
	ComputeShare   float64 // share of FLOPS that a pass achieves, above 0 and up to 1
	BandwidthShare float64 // share of Bandwidth that a pass achieves, above 0 and up to 1
	Count          int     // accelerators that share a model; 0 for 1
}

// Shares that the presets assume: about what serving engines reach with large
// matrices in prefill and with large reads in decode. They are assumptions, to
// be replaced by what was measured where it is known.
const (
	computeShare   = 0.5
	bandwidthShare = 0.7
)

// Accelerators, with the dense bf16 rate and the memory bandwidth of NVIDIA's
// datasheets. Where a sheet gives the rate "with sparsity", half of it is dense.
var (
	// H100 is the H100 SXM: 1,979 TFLOPS with sparsity, 3.35 TB/s
	// ("NVIDIA H100 Tensor Core GPU", datasheet).
	H100 = Hardware{Name: "H100 SXM", FLOPS: 989.5e12, Bandwidth: 3.35e12, ComputeShare: computeShare, BandwidthShare: bandwidthShare, Count: 1}
	// A100 is the A100 80GB SXM: 312 TFLOPS, 2,039 GB/s
	// ("NVIDIA A100 Tensor Core GPU", datasheet).
	A100 = Hardware{Name: "A100 80G", FLOPS: 312e12, Bandwidth: 2.039e12, ComputeShare: computeShare, BandwidthShare: bandwidthShare, Count: 1}
	// L4 is the L4: 242 TFLOPS with sparsity, 300 GB/s
	// ("NVIDIA L4 Tensor Core GPU", datasheet).
	L4 = Hardware{Name: "L4", FLOPS: 121e12, Bandwidth: 300e9, ComputeShare: computeShare, BandwidthShare: bandwidthShare, Count: 1}
)

// under is the hardware as the model uses it: as many accelerators as it is
// spread over.
func (h Hardware) under(m Model) Hardware {
	if m.Accelerators > 0 {
		h.Count = m.Accelerators
	}
	h.Count = max(h.Count, 1)
	return h
}
