package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ttftop/probe/prober/testserver"
)

// A session without a screen of which every probe failed ends with status 3, whatever
// was cleared meanwhile; one that nothing was asked of, or that had any answer, does
// not.
func TestPlainWithoutSuccess(t *testing.T) {
	t.Parallel()
	alive := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Short() })
	dead := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Refuse(500, `{"error":{"message":"boom"}}`) })
	for _, c := range []struct {
		name, commands string
		urls           []string
		want           int
	}{
		{"all fail", "wait 1 probes\nclear\nquit\n", []string{dead.URL}, exitNoSuccess},
		{"nothing was sent", "quit\n", []string{alive.URL}, 0},
		{"one answers", "wait 1 probes\nquit\n", []string{alive.URL, dead.URL}, 0},
	} {
		path := filepath.Join(t.TempDir(), "commands")
		if err := os.WriteFile(path, []byte(c.commands), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"--plain", "-m", "m", "--rate", "20"}
		for _, u := range c.urls {
			args = append(args, u+"/v1")
		}
		out, errs, code := ttftopFed(t, path, args...)
		if code != c.want || (c.want == exitNoSuccess) != strings.Contains(errs, "no probe succeeded") {
			t.Errorf("%s: status %d, want %d: %s%s", c.name, code, c.want, out, errs)
		}
	}
}
