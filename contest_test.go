package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/prober/testserver"
	"ttftop/probe/record"
)

// asProgram makes the test binary the program itself.
const asProgram = "TTFTOP_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// ttftop runs the program without configuration or keys.
func ttftop(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = []string{asProgram + "=1", "HOME=" + t.TempDir(), "LANG=C.UTF-8"}
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	if e := cmd.Run(); e != nil {
		if exit, ok := errors.AsType[*exec.ExitError](e); !ok || exit.ExitCode() < 0 {
			t.Fatal(e)
		}
	}
	return out.String(), err.String(), cmd.ProcessState.ExitCode()
}

// The demo's two endpoints are far apart: the run settles by itself, and its last
// record is the verdict.
func TestARunUntilTheVerdict(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.jsonl")
	out, errs, code := ttftop(t, "run", "--demo", "--ab", "--rate", "8", "--json", "--record", file)
	if code != 0 {
		t.Fatalf("status %d: %s", code, errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var v struct {
		Type, A, B, Verdict, Sentence string
		Pairs                         int
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &v); err != nil {
		t.Fatal(err)
	}
	if v.Type != "verdict" || v.A != "sim-near" || v.B != "sim-far" || v.Verdict != "a_faster" || v.Pairs < 11 || !strings.Contains(errs, v.Sentence) {
		t.Errorf("%+v; %s", v, errs)
	}
	written, _ := os.ReadFile(file)
	if !strings.HasSuffix(strings.TrimSpace(string(written)), lines[len(lines)-1]) {
		t.Error("the record file lacks the verdict")
	}
}

// recorded writes a recording in which sim-far takes 100 ms more than sim-near,
// in pairs.
func recorded(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "r.jsonl")
	w, err := record.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for pair := 1; pair <= 20; pair++ {
		for i, name := range []string{"sim-near", "sim-far"} {
			r := &probe.Result{Kind: probe.Ordinary, Pair: pair, At: time.Unix(int64(pair), 0)}
			r.Timeline.FirstToken = probe.At(time.Duration(100*(i+1)+pair) * time.Millisecond)
			if err := w.Write(record.FromResult(r, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return file
}

func TestCompare(t *testing.T) {
	file := recorded(t)
	out, errs, code := ttftop(t, "compare", file)
	if code != 0 || !strings.Contains(out, "sim-near is faster than sim-far: TTFT median −100 ms (−100 … −100)") || strings.Contains(out, "not sent in pairs") {
		t.Errorf("status %d, %s%s", code, out, errs)
	}
	if _, errs, code := ttftop(t, "compare", file, "--fail-if-slower"); code != exitSlower || !strings.Contains(errs, "sim-far is slower than sim-near") {
		t.Errorf("--fail-if-slower: status %d, %s", code, errs)
	}
	if out, errs, code := ttftop(t, "compare", file, file, "--a", "sim-far", "--b", "sim-near", "--fail-if-slower"); code != 0 || !strings.Contains(out, "not sent in pairs") {
		t.Errorf("two files: status %d, %s%s", code, out, errs)
	}
}

// Two of one kind are not told apart in a few pairs.
func TestARunWithoutAVerdict(t *testing.T) {
	out, errs, code := ttftop(t, "run", "--demo", "--ab", "--rate", "20", "--max-pairs", "3", "--markdown")
	if code != exitUndecided || !strings.Contains(out, "it can't be said yet whether sim-near or sim-far is faster") || !strings.Contains(out, "| TTFT p50 |") || strings.Contains(out, "calibration") {
		t.Errorf("status %d: %s%s", code, out, errs)
	}
}

func TestWrongUseOfAComparison(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"run --ab http://127.0.0.1:1/v1 -m m", "--ab compares two targets, and there are 1"},
		{"run --demo --ab -n 5", "write --max-pairs with --ab"},
		{"run --demo --ab --max-pairs 0", "write --max-pairs 200"},
		{"run --demo --ab --pairs twice", "write together or back-to-back"},
		{"run --demo --ab --margin 100", "write per cent from 0 to below 100"},
		{"run --demo --ab --confidence 0.95", "write per cent from 50"},
		{"run --demo --ab --json --markdown", "leave one away"},
		{"run --demo --markdown -n 1", "go with a comparison"},
		{"run --demo --ab-models a b", "leave --demo away"},
		{"run --ab-models a b http://127.0.0.1:1/v1 http://127.0.0.1:2/v1", "write ttftop run --ab-models M1 M2 https://host/v1"},
		{"--ab-models a b", "write ttftop --ab-models M1 M2 https://host/v1"},
		{"env --ab-models a b", "write ttftop --ab-models M1 M2 URL"},
		{"run --ab-models a", "write --ab-models M1 M2"},
		{"compare nowhere.jsonl x.jsonl", "the recording can't be read"},
		{"compare a b c", "compare takes two recordings"},
	} {
		if out, errs, code := ttftop(t, strings.Fields(c.args)...); code != exitUsage || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("%s: status %d, %s%s", c.args, code, errs, out)
		}
	}
}

// One endpoint twice is the same, and is not probed twice at once.
func TestOneEndpointTwice(t *testing.T) {
	s := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Short() })
	url := s.URL + "/v1"
	out, errs, code := ttftop(t, "run", "--ab", url, url, "-m", "m", "--rate", "100", "--margin", "99", "--json")
	if code != 0 || !strings.Contains(out, `"verdict":"same"`) || !strings.Contains(out, `"order":"back-to-back"`) || !strings.Contains(errs, "are the same to within 99 %") {
		t.Errorf("status %d: %s", code, errs)
	}
	out, errs, code = ttftop(t, "run", "--ab-models", "m", "n", url, "--rate", "100", "--margin", "99", "--json")
	if code != 0 || !strings.Contains(out, `"a":"m","b":"n","verdict":"same"`) || strings.Contains(out, "the models differ") {
		t.Errorf("two models: status %d: %s", code, errs)
	}
}
