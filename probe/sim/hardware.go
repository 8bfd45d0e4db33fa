package sim

import (
	"fmt"
	"time"
)

// Hardware is what a model runs on. Rates are for each accelerator.
type Hardware struct {
	Name           string
	FLOPS          float64 // per second, dense, in 16 bits
	FP8, INT8      float64 // per second, dense, in these; 0 where it can't compute in them
	Bandwidth      float64 // memory bytes per second
	Memory         float64 // bytes; 0 for no limit
	ComputeShare   float64 // share of the rate that a pass achieves, above 0 and up to 1
	BandwidthShare float64 // share of Bandwidth that a pass achieves, above 0 and up to 1
	Count          int     // accelerators that share a model; 0 for 1

	Interconnect float64       // bytes per second to the others, one way; 0 where talking to them costs nothing
	AllReduce    time.Duration // of one all-reduce beside its bytes: launching and meeting
}

// Shares that the presets assume. They are chosen so that the engine meets
// published measurements (see published_test.go): Ampere comes closer to its
// datasheet than Hopper, whose rates are higher but limited by power and by
// feeding the cores; AMD's stack is behind NVIDIA's on the same paper figures
// ("MI300X vs H200: Results", alpharomercoma, 2026, finds an H200 ahead by 2.06
// at 8B prefill). The share of the bandwidth is what large reads achieve.
const (
	ampereShare    = 0.65
	hopperShare    = 0.5
	adaShare       = 0.5
	cdna3Share     = 0.3
	bandwidthShare = 0.7
)

// Times that an all-reduce takes beside its bytes: assumptions, of the size
// that small all-reduces are seen to take over NVLink and over PCIe.
const (
	nvlinkMeeting = 10 * time.Microsecond
	pcieMeeting   = 40 * time.Microsecond
)

// Accelerators, with the dense rates, the memory and the links of the makers'
// datasheets. Where a sheet gives a rate "with sparsity", half of it is dense;
// where it gives a link both ways together, half of it is one way.
var (
	// H100 is the H100 SXM: 1,979 TFLOPS in bf16 and 3,958 in fp8 and int8 with
	// sparsity, 80 GB, 3.35 TB/s, NVLink 900 GB/s ("NVIDIA H100 Tensor Core GPU",
	// datasheet).
	H100 = Hardware{
		Name: "H100 SXM", FLOPS: 989.5e12, FP8: 1979e12, INT8: 1979e12, Bandwidth: 3.35e12, Memory: 80e9,
		ComputeShare: hopperShare, BandwidthShare: bandwidthShare, Count: 1, Interconnect: 450e9, AllReduce: nvlinkMeeting,
	}
	// H200 is the H200 SXM: as the H100, with 141 GB at 4.8 TB/s ("NVIDIA H200
	// Tensor Core GPU", datasheet).
	H200 = Hardware{
		Name: "H200 SXM", FLOPS: 989.5e12, FP8: 1979e12, INT8: 1979e12, Bandwidth: 4.8e12, Memory: 141e9,
		ComputeShare: hopperShare, BandwidthShare: bandwidthShare, Count: 1, Interconnect: 450e9, AllReduce: nvlinkMeeting,
	}
	// A100 is the A100 80GB SXM: 312 TFLOPS in bf16, 624 in int8, none in fp8,
	// 80 GB, 2,039 GB/s, NVLink 600 GB/s ("NVIDIA A100 Tensor Core GPU", datasheet).
	A100 = Hardware{
		Name: "A100 80G", FLOPS: 312e12, INT8: 624e12, Bandwidth: 2.039e12, Memory: 80e9,
		ComputeShare: ampereShare, BandwidthShare: bandwidthShare, Count: 1, Interconnect: 300e9, AllReduce: nvlinkMeeting,
	}
	// L4 is the L4: 242 TFLOPS in bf16 and 485 in fp8 and int8 with sparsity,
	// 24 GB, 300 GB/s, PCIe Gen4 x16 at 64 GB/s ("NVIDIA L4 Tensor Core GPU",
	// datasheet).
	L4 = Hardware{
		Name: "L4", FLOPS: 121e12, FP8: 242.5e12, INT8: 242.5e12, Bandwidth: 300e9, Memory: 24e9,
		ComputeShare: adaShare, BandwidthShare: bandwidthShare, Count: 1, Interconnect: 32e9, AllReduce: pcieMeeting,
	}
	// MI300X is the Instinct MI300X: 1,307.4 TFLOPS in bf16, 2,614.9 in fp8 and
	// int8, 192 GB, 5.3 TB/s, seven Infinity Fabric links of 128 GB/s both ways
	// ("AMD Instinct MI300X Accelerator", data sheet).
	MI300X = Hardware{
		Name: "MI300X", FLOPS: 1307.4e12, FP8: 2614.9e12, INT8: 2614.9e12, Bandwidth: 5.3e12, Memory: 192e9,
		ComputeShare: cdna3Share, BandwidthShare: bandwidthShare, Count: 1, Interconnect: 448e9, AllReduce: nvlinkMeeting,
	}
)

// Accelerators are the hardware that scenarios know by name.
var Accelerators = map[string]Hardware{"h100": H100, "h200": H200, "a100": A100, "l4": L4, "mi300x": MI300X}

// under is the hardware as the model uses it: as many accelerators as it is
// spread over.
func (h Hardware) under(m Model) Hardware {
	if m.Accelerators > 0 {
		h.Count = m.Accelerators
	}
	h.Count = max(h.Count, 1)
	return h
}

// rate is the arithmetic per second and accelerator at a precision: that of 16
// bits where it can't compute in it.
func (h Hardware) rate(p Precision) float64 {
	switch {
	case p == FP8 && h.FP8 > 0:
		return h.FP8
	case p == INT8 && h.INT8 > 0:
		return h.INT8
	}
	return h.FLOPS
}

// faster is the hardware of a world that runs speed times as fast.
func (h Hardware) faster(speed float64) Hardware {
	h.FLOPS, h.FP8, h.INT8 = h.FLOPS*speed, h.FP8*speed, h.INT8*speed
	h.Bandwidth, h.Interconnect = h.Bandwidth*speed, h.Interconnect*speed
	h.AllReduce = shorter(h.AllReduce, speed)
	return h
}

// shorter is a duration in a world that runs speed times as fast.
func shorter(d time.Duration, speed float64) time.Duration {
	return time.Duration(float64(d) / speed)
}

func (h Hardware) check() error {
	share := func(x float64) bool { return x > 0 && x <= 1 }
	switch {
	case !(h.FLOPS > 0 && h.Bandwidth > 0):
		return fmt.Errorf("hardware %q needs FLOPS and Bandwidth above 0", h.Name)
	case !(h.FP8 >= 0 && h.INT8 >= 0 && h.Memory >= 0 && h.Interconnect >= 0 && h.AllReduce >= 0):
		return fmt.Errorf("hardware %q has a figure below 0", h.Name)
	case !share(h.ComputeShare) || !share(h.BandwidthShare):
		return fmt.Errorf("hardware %q needs ComputeShare and BandwidthShare above 0 and up to 1", h.Name)
	case h.Count < 0:
		return fmt.Errorf("hardware %q has fewer than 0 accelerators", h.Name)
	}
	return nil
}
