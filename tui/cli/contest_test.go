package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
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
		Main()
		return
	}
	os.Exit(m.Run())
}

// ttftop runs the program without configuration or keys.
func ttftop(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	return ttftopFed(t, os.DevNull, args...)
}

// ttftopFed is ttftop with a file as its input.
func ttftopFed(t *testing.T, path string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	input, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = []string{asProgram + "=1", "HOME=" + t.TempDir(), "LANG=C.UTF-8"}
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, &out, &errs
	if e := cmd.Run(); e != nil {
		if exit, ok := errors.AsType[*exec.ExitError](e); !ok || exit.ExitCode() < 0 {
			t.Fatal(e)
		}
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// The demo's two endpoints are far apart: the run settles by itself, and its last
// record is the verdict.
func TestARunUntilTheVerdict(t *testing.T) {
	t.Parallel()
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
			r := &probe.Result{Kind: probe.Ordinary, Pair: pair, Side: i, At: time.Unix(int64(pair), 0)}
			r.Timeline.FirstToken = probe.At(time.Duration(100*(i+1)+pair) * time.Millisecond)
			if err := w.Write(record.FromResult(r, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return file
}

func TestCompare(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
	out, errs, code := ttftop(t, "run", "--demo", "--ab", "--rate", "20", "--max-pairs", "3", "--markdown")
	if code != exitUndecided || !strings.Contains(out, "it can't be said yet whether sim-near or sim-far is faster") || !strings.Contains(out, "| TTFT p50 |") || strings.Contains(out, "calibration") {
		t.Errorf("status %d: %s%s", code, out, errs)
	}
}

func TestWrongUseOfAComparison(t *testing.T) {
	t.Parallel()
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
		{"compare a b --json --markdown", "both take stdout"},
		{"compare a b --margin -3", "write per cent from 0"},
		{"compare a b --margin=-3", "write per cent from 0"},
	} {
		if out, errs, code := ttftop(t, strings.Fields(c.args)...); code != exitUsage || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("%s: status %d, %s%s", c.args, code, errs, out)
		}
	}
}

// One endpoint twice is the same, and is not probed twice at once.
func TestOneEndpointTwice(t *testing.T) {
	t.Parallel()
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

// A verdict is no end where an SLO is still undecided: p95 takes 64 probes, not all of
// which need be in a pair.
func TestARunGoesOnForItsSLOs(t *testing.T) {
	t.Parallel()
	s := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Short() })
	url := s.URL + "/v1"
	out, errs, code := ttftop(t, "run", "--ab", url, url, "-m", "m", "--rate", "200", "--margin", "99", "--json", "--slo", "p95=10s", "--slo", "failures=0%")
	if code != exitUndecided || !strings.Contains(errs, "; kept: at most") && !strings.Contains(errs, "; kept: between") || !strings.Contains(errs, "that nothing ever fails can't be proved") {
		t.Errorf("status %d: %s", code, errs)
	}
	var v struct {
		Pairs   int
		Verdict string
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &v); err != nil || v.Pairs < 48 || v.Pairs > 200 || v.Verdict != "same" {
		t.Errorf("%+v, %v", v, err)
	}
}

// One side that never answers is named, and a run that the other answers is no run
// without an answer.
func TestADeadSide(t *testing.T) {
	t.Parallel()
	alive := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Short() })
	dead := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Refuse(500, `{"error":{"message":"boom"}}`) })
	out, errs, code := ttftop(t, "run", "--ab", alive.URL+"/v1", dead.URL+"/v1", "-m", "m", "--name", "ok", "--name", "dead", "--for", "4s")
	if code != exitUndecided || !strings.Contains(out, "nothing can be said yet of ok and dead: dead has not answered: HTTP 500: boom") || strings.Contains(errs, "no probe succeeded") {
		t.Errorf("status %d: %s%s", code, out, errs)
	}
}

// A time that calibration takes up is no fault of the endpoint's.
func TestATimeForCalibrationAlone(t *testing.T) {
	t.Parallel()
	slow := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) {
		time.Sleep(300 * time.Millisecond)
		a.Short()
	})
	_, errs, code := ttftop(t, "run", slow.URL+"/v1", "-m", "m", "--for", "1500ms")
	if code != exitNoSuccess || !strings.Contains(errs, "the time went into calibration, so give a longer --for") {
		t.Errorf("status %d: %s", code, errs)
	}
}

// What is refused is told wherever the verdict is.
func TestARunThatIsRefused(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	open := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) { a.Short() })
	limited := testserver.New(t, nil, func(a *testserver.Answer, _ *testserver.Request) {
		if n.Add(1)%3 == 0 {
			a.Refuse(400, `{"error":{"message":"no"}}`)
			return
		}
		a.Short()
	})
	out, _, _ := ttftop(t, "run", "--ab", open.URL+"/v1", limited.URL+"/v1", "-m", "m", "--name", "open", "--name", "limited", "--rate", "50", "--max-pairs", "20", "--margin", "0")
	for _, want := range []string{"but limited was refused ", "(HTTP 400)", "! limited refused ", "left out"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
}

// A disk that is full is no success.
func TestCompareToAFullDisk(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, flag := range []string{"--margin=5", "--json", "--markdown"} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "compare", recorded(t), flag)
		cmd.Env = []string{asProgram + "=1", "HOME=" + t.TempDir(), "LANG=C.UTF-8"}
		cmd.Stdout = full
		if cmd.Run(); cmd.ProcessState.ExitCode() != exitLost {
			t.Errorf("%s: status %d, want %d", flag, cmd.ProcessState.ExitCode(), exitLost)
		}
	}
}

// A is the side that was A, whichever was written first; a target that was compared
// with itself has both.
func TestCompareKeepsSides(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "r.jsonl")
	w, err := record.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	self := filepath.Join(t.TempDir(), "self.jsonl")
	w2, err := record.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer w2.Close()
	for pair := 1; pair <= 20; pair++ {
		for _, side := range []int{1, 0} {
			r := &probe.Result{Kind: probe.Ordinary, Pair: pair, Side: side, At: time.Unix(int64(pair), 0)}
			r.Timeline.FirstToken = probe.At(time.Duration(100*(side+1)+pair) * time.Millisecond)
			if err := errors.Join(w.Write(record.FromResult(r, []string{"base", "head"}[side])), w2.Write(record.FromResult(r, "one"))); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{file}, `"a":"base","b":"head","verdict":"a_faster"`},
		{[]string{file, "--a", "head"}, `"a":"head","b":"base","verdict":"b_faster"`},
		{[]string{file, "--b", "base"}, `"a":"head","b":"base","verdict":"b_faster"`},
		{[]string{self}, `"a":"one (A)","b":"one (B)","verdict":"a_faster"`},
	} {
		if out, errs, code := ttftop(t, append(append([]string{"compare"}, c.args...), "--json")...); code != 0 || !strings.Contains(out, c.want) {
			t.Errorf("%v: status %d, %s%s", c.args[1:], code, out, errs)
		}
	}
	if out, _, _ := ttftop(t, "compare", file, file, "--a", "base", "--b", "base"); !strings.Contains(out, "r.jsonl (A) and ") {
		t.Errorf("one file twice: %s", out)
	}
}
