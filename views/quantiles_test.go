package views

import "testing"

// A target that the last change did not turn has figures of an older epoch.
func TestEpochName(t *testing.T) {
	snap := Snapshot{Epoch: 3, Targets: []Target{{Epoch: 3}, {Epoch: 1}}, Changes: []Change{{Epoch: 1, Text: "batch 0 to 4"}, {Epoch: 3, Text: "prompt 256 to 512"}}}
	if got, want := EpochName(snap), "epoch 3, since prompt 256 to 512, B since epoch 1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
