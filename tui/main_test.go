//go:build unix

package tui

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain runs the tests, or, where a test has started this binary again to
// see it crash, the program that crashes.
func TestMain(m *testing.M) {
	if how := os.Getenv(crashVariable); how != "" {
		os.Exit(crash(how))
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(status int) {
		if built.dir != "" {
			os.RemoveAll(built.dir)
		}
		os.Exit(status)
	}))
}
