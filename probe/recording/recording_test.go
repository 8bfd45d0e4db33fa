package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"ttftop/probe"
	"ttftop/probe/record"
)

const session = `{"type":"session","schema":"ttftop/1","version":"v1","started":"2030-01-02T03:04:05Z","targets":[]}` + "\n"

func line(target string, seq, pair int, ms float64) string {
	p := "null"
	if pair > 0 {
		p = fmt.Sprint(pair)
	}
	return fmt.Sprintf(`{"type":"probe","seq":%d,"at":"2030-01-02T03:04:%02dZ","target":%q,"model":"m","kind":"probe","pair":%s,"ttft_ms":%v,"segments":[],"error":null}`+"\n", seq, seq, target, p, ms)
}

func open(t *testing.T, text string) (*Recording, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Open(path)
}

// What a record holds of a result comes back as it was.
func TestARecordComesBack(t *testing.T) {
	const ms = time.Millisecond
	want := &probe.Result{
		Seq: 17, At: time.Date(2030, 1, 2, 3, 4, 5, 678000000, time.UTC), Kind: probe.Ordinary, Epoch: 3, Pair: 1,
		Knobs:   probe.Knobs{Model: "m", PromptTokens: 1024, MaxTokens: 16, Pressure: 4, Cache: probe.Bust},
		Address: "203.0.113.7:443", Reused: true, Clock: probe.KernelClock, Status: 200, RequestID: "r-1",
		Timeline: probe.Timeline{Headers: probe.At(40 * ms), FirstToken: probe.At(412346 * time.Microsecond), FirstAnswer: probe.At(412346 * time.Microsecond), Done: probe.At(903 * ms)},
		Waterfall: probe.Waterfall{
			{Name: probe.RTT, Duration: 212346 * time.Microsecond, Source: probe.Measured},
			{Name: probe.Prefill, Duration: 200 * ms, Source: probe.Estimated, Lo: 190 * ms, Hi: 210 * ms},
		},
		PromptTokens: 1024, PromptExact: true, CachedTokens: 12, CachedTold: true, OutputTokens: 3, OutputExact: true,
		RTT: probe.At(38200 * time.Microsecond), Lag: 100 * time.Microsecond, Reported: map[string]any{"x": 1.5}, Flags: []probe.Flag{probe.FlagCached},
	}
	for _, r := range []*probe.Result{want, {
		Seq: 18, At: want.At, Kind: probe.Ordinary, Reported: map[string]any{}, Flags: []probe.Flag{},
		Failure: &probe.Failure{Kind: probe.FailTimeout, Phase: probe.PhaseHeaders, Message: "late", Status: 503, RetryAfter: 2 * time.Second},
	}} {
		var out bytes.Buffer
		if err := record.NewWriter(&out).Write(record.FromResult(r, "us")); err != nil {
			t.Fatal(err)
		}
		rec, err := open(t, session+out.String())
		if err != nil {
			t.Fatal(err)
		}
		if got := rec.Targets[0].Results[0]; !reflect.DeepEqual(got, r) {
			t.Errorf("got  %+v\nwant %+v", got, r)
		}
	}
}

func TestAFileIsTakenAsItIs(t *testing.T) {
	ladder := strings.Replace(line("us", 9, 0, 1), `"kind":"probe"`, `"kind":"calibration"`, 1)
	text := "\xef\xbb\xbf" + session + line("us", 2, 1, 200) + line("eu", 1, 1, 100) + `{"type":"pro` + "\n" + "\n" + `{"type":"later","x":1}` + "\n" + ladder +
		session + line("eu", 4, 1, 110) + line("us", 3, 1, 210) + line("us", 1, 0, 190) + `{"type":"probe","seq":5,"tar`
	rec, err := open(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Targets) != 2 || !rec.Torn || rec.Left != 1 || len(rec.Notes()) != 2 {
		t.Fatalf("%+v", rec)
	}
	us, _ := rec.Choose("--a", "us")
	eu, _ := rec.Choose("--b", "eu")
	var order []int
	for _, r := range us.Results {
		order = append(order, int(r.TTFT().At/time.Millisecond))
	}
	if !reflect.DeepEqual(order, []int{190, 200, 210}) {
		t.Errorf("in the order of sending: %v", order)
	}
	if p := us.Results; p[0].Pair != 0 || p[1].Pair != eu.Results[0].Pair || p[2].Pair != eu.Results[1].Pair || p[1].Pair == p[2].Pair {
		t.Errorf("pairs of two sessions: %d, %d, %d", p[0].Pair, p[1].Pair, p[2].Pair)
	}
	if !rec.Paired(us, eu) || rec.Paired(us, &Target{Results: us.Results[:1]}) {
		t.Error("which targets are paired is not seen")
	}
}

func TestWhatCantBeRead(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":          {"", "holds no probes"},
		"prose":          {"dear diary\n", "holds no probes"},
		"another schema": {strings.Replace(session, "ttftop/1", "ttftop/2", 1) + line("us", 1, 0, 1), `of the format "ttftop/2", and this ttftop reads "ttftop/1"`},
		"endless line":   {strings.Repeat("x", longestLine+10), "too long for a record"},
	} {
		if _, err := open(t, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that isn't there")
	}
}

func TestChoose(t *testing.T) {
	rec, err := open(t, session+line("us", 1, 0, 1)+line("eu", 2, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"": `holds 2 targets, "us", "eu": choose one with --a`, "x": `holds no target "x": write --a with one of "us", "eu"`} {
		if _, err := rec.Choose("--a", name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	one := &Recording{Targets: rec.Targets[:1]}
	if got, err := one.Choose("--a", ""); err != nil || got.Name != "us" {
		t.Errorf("the only one: %v, %v", got, err)
	}
}

// Whatever stands in a line: no panic, and every duration is one.
func FuzzRead(f *testing.F) {
	f.Add([]byte(line("us", 1, 1, 1e300)))
	f.Add([]byte(`{"type":"probe","target":"x","kind":"probe","segments":[{"name":"rtt","ms":-5}],"error":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		rec := &Recording{}
		if rec.read(bytes.NewReader(text)) != nil {
			return
		}
		for _, target := range rec.Targets {
			for _, r := range target.Results {
				for _, s := range r.Waterfall {
					if s.Duration < 0 {
						t.Errorf("%v", s)
					}
				}
				if _, err := json.Marshal(record.FromResult(r, target.Name)); err != nil {
					t.Skip(err) // figures of a server are kept as they are
				}
			}
		}
	})
}

// halfOf is a line of one side of a pair.
func halfOf(target, side string, seq, pair int, failure string) string {
	text := line(target, seq, pair, 100)
	text = strings.Replace(text, `"segments"`, fmt.Sprintf(`"side":%q,"segments"`, side), 1)
	if failure != "" {
		text = strings.Replace(text, `"error":null`, fmt.Sprintf(`"error":{"kind":%q}`, failure), 1)
	}
	return text
}

func sidesOf(rec *Recording) string {
	a, b, ok := rec.Sides()
	if !ok {
		return "none"
	}
	return a.Name + " " + b.Name
}

// Which side is A is what was asked for, not who was quicker to be written.
func TestSides(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"B ended first", halfOf("eu", "b", 1, 1, "") + halfOf("us", "a", 2, 1, ""), "us eu"},
		{"turned once", halfOf("us", "a", 1, 1, "") + halfOf("eu", "b", 2, 1, "") + halfOf("us", "a", 3, 2, "") + halfOf("eu", "b", 4, 2, "") + halfOf("eu", "a", 5, 3, "") + halfOf("us", "b", 6, 3, ""), "us eu"},
		{"beside a third", line("x", 1, 0, 1) + halfOf("eu", "b", 2, 1, "") + halfOf("us", "a", 3, 1, ""), "us eu"},
		{"one with itself", halfOf("us", "b", 1, 1, "") + halfOf("us", "a", 2, 1, ""), "us us"},
		{"two couples", halfOf("us", "a", 1, 1, "") + halfOf("eu", "b", 2, 1, "") + halfOf("x", "a", 3, 2, "") + halfOf("eu", "b", 4, 2, ""), "none"},
		{"no pairs", line("us", 1, 0, 1) + line("eu", 2, 0, 1), "none"},
	} {
		rec, err := open(t, session+c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := sidesOf(rec); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Pairs are numbered in the order they were sent, whatever ended first, and over
// sessions.
func TestPairsInOrder(t *testing.T) {
	text := session + halfOf("us", "a", 3, 2, "") + halfOf("us", "a", 1, 1, "") + session + halfOf("us", "a", 5, 1, "")
	rec, err := open(t, text)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rec.Targets[0].Results { // in the order of sending
		if r.Pair != i+1 {
			t.Errorf("probe %d is of pair %d, want %d", r.Seq, r.Pair, i+1)
		}
	}
}

// What was under way at the end takes along what was sent after it.
func TestCutOff(t *testing.T) {
	pairs := func(cancelled int) (text string) {
		for pair := 1; pair <= 4; pair++ {
			failure := ""
			if pair == cancelled {
				failure = "canceled"
			}
			text += halfOf("us", "a", 2*pair, pair, "") + halfOf("eu", "b", 2*pair+1, pair, failure)
		}
		return session + text
	}
	alone := session + line("us", 1, 0, 100) + line("us", 4, 0, 100) + line("eu", 3, 0, 100) +
		strings.Replace(line("us", 2, 0, 100), `"error":null`, `"error":{"kind":"canceled"}`, 1)
	for _, c := range []struct {
		name, text   string
		us, eu, left int
	}{
		{"nothing", pairs(0), 4, 4, 0}, {"the last", pairs(4), 3, 3, 2}, {"one before others", pairs(2), 1, 1, 6},
		{"of a session before", pairs(2) + pairs(0), 5, 5, 6}, {"no pairs", alone, 1, 1, 2},
	} {
		rec, err := open(t, c.text)
		if err != nil {
			t.Fatal(err)
		}
		counts := map[string]int{}
		for _, target := range rec.Targets {
			counts[target.Name] = len(target.Results)
		}
		if counts["us"] != c.us || counts["eu"] != c.eu || rec.CutOff != c.left {
			t.Errorf("%s: %v, %d left out", c.name, counts, rec.CutOff)
		}
		if notes := strings.Join(rec.Notes(), ""); strings.Contains(notes, "still under way") != (c.left > 0) {
			t.Errorf("%s: %q", c.name, notes)
		}
	}
}

func TestOddLines(t *testing.T) {
	rec, err := open(t, session+halfOf("us", "a", 1, 1, "")+halfOf("us", "a", 2, 1, "")+halfOf("eu", "b", 3, 1, ""))
	if err != nil || rec.Twice != 1 || rec.Targets[0].Results[0].Pair != 1 || rec.Targets[0].Results[1].Pair != 0 {
		t.Errorf("a pair twice: %v, %d", err, rec.Twice)
	}
	if _, err := open(t, session+line("us", 1, 0, 100)+line("us", 2, 0, 1e300)); err == nil || !strings.Contains(err.Error(), "line 3: ") || !strings.Contains(err.Error(), "longer than a year") {
		t.Errorf("an absurd figure: %v", err)
	}
	rec, err = open(t, session+line("http://user:pass@host/v1", 1, 0, 100))
	if err != nil || rec.Targets[0].Name != "http://host/v1" {
		t.Errorf("a name with a password: %v, %+v", err, rec.Targets)
	}
}

// What a server does not say of its cache is not said by its record; one that
// is older than the difference is taken at its word.
func TestWhatIsNotToldOfTheCache(t *testing.T) {
	for _, told := range []bool{true, false} {
		var out bytes.Buffer
		r := &probe.Result{Seq: 1, Kind: probe.Ordinary, CachedTold: told}
		if err := record.NewWriter(&out).Write(record.FromResult(r, "us")); err != nil {
			t.Fatal(err)
		}
		rec, err := open(t, session+out.String())
		if err != nil {
			t.Fatal(err)
		}
		if got := rec.Targets[0].Results[0].CachedTold; got != told {
			t.Errorf("told %v comes back as %v from %s", told, got, out.String())
		}
	}
	rec, err := open(t, session+line("us", 1, 0, 100))
	if err != nil || !rec.Targets[0].Results[0].CachedTold {
		t.Errorf("an older record: %v", err)
	}
}
