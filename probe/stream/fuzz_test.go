package stream

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ttftop/probe"
)

// FuzzParser holds for any bytes: no panic, the same answer however each read is
// split, times that never decrease, and bounded memory.
func FuzzParser(f *testing.F) {
	for _, pattern := range []string{"testdata/cases/*.tl", "testdata/captures/*.txt"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal(pattern, err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			text := strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(string(b))
			text = text[:min(len(text), 1500)] // a mutation should have a chance to hit
			f.Add([]byte(text), uint64(len(text)), false)
		}
	}
	f.Add([]byte("{\"message\":{\"content\":\"A\"}}\r\n{\"done\":true}"), uint64(1), true)
	f.Add([]byte("\xef\xbb\xbfdata: {\ndata: \"choices\":[{\"delta\":{\"content\":\"A\"}}]}\r\r\n: x\rerror: x"), uint64(2), false)
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"text\":\"x\"}]}]}}],\"usage\":{\"completion_tokens\":1}}\n"), uint64(3), false)
	f.Fuzz(func(t *testing.T, body []byte, seed uint64, ndjson bool) {
		opts := Options{MaxLine: 2000, TextLimit: 50}
		if ndjson {
			opts.Format = NDJSON
		}
		writes := readsOf(body, seed)
		a, stopped := parse(opts, writes, nil, uncut)
		for _, cut := range []func([]byte) [][]byte{byByte, atRandom(seed), atRandom(seed + 1)} {
			if b, s := parse(opts, writes, nil, cut); !reflect.DeepEqual(a, b) || s != stopped {
				t.Fatalf("split:\n%+v %v\nwhole:\n%+v %v", b, s, a, stopped)
			}
		}
		checkSane(t, a, opts)
		Body(int(seed%600), "text/html", body)
		checkLine(t, Body(int(seed%600), "", body).Message)
		if got := Redact(string(body), "data: {\"choices\"", "é\n"); utf8.Valid(body) && !utf8.ValidString(got) {
			t.Fatalf("redacting made %q", got)
		}
	})
}

// readsOf cuts a body into reads of its own, with arrivals that mostly grow.
func readsOf(body []byte, seed uint64) []write {
	var writes []write
	at := time.Duration(0)
	for i, piece := range atRandom(seed ^ 0xabc)(body) {
		at += time.Duration(len(piece)) - 3
		writes = append(writes, write{at: at, read: i, bytes: piece})
	}
	return writes
}

func checkSane(t *testing.T, a Answer, opts Options) {
	t.Helper()
	last := time.Duration(0)
	for _, k := range a.Tokens {
		if k.At < last {
			t.Fatalf("time goes back: %v", a.Tokens)
		}
		last = k.At
	}
	marks := []probe.Mark{a.FirstEvent, a.FirstToken, a.LastToken}
	for i := 1; i < len(marks); i++ {
		if marks[i].OK && (!marks[i-1].OK || marks[i].At < marks[i-1].At) {
			t.Fatalf("marks out of order: %v", marks)
		}
	}
	if a.FirstToken.OK != (a.TokenEvents > 0) || a.FirstToken.OK != (a.FirstAnswer.OK || a.FirstReasoning.OK) || a.TokenEvents > a.Events {
		t.Fatalf("tokens and marks differ: %+v", a)
	}
	if (a.FirstTokens > 0) != a.FirstToken.OK {
		t.Fatalf("%d first tokens", a.FirstTokens)
	}
	if n, _ := a.OutputTokens(); n < 0 {
		t.Fatalf("%d output tokens", n)
	}
	if len(a.Text) > opts.TextLimit || len(a.Thinking) > opts.TextLimit || !utf8.ValidString(a.Text+a.Thinking+a.ID+a.Model+a.FinishReason) {
		t.Fatalf("text %q, thinking %q", a.Text, a.Thinking)
	}
	if len(a.Raw) > keptEvents+3 {
		t.Fatalf("%d payloads kept", len(a.Raw))
	}
	if a.Failure == nil && (!a.Complete || !a.FirstToken.OK) {
		t.Fatalf("neither complete nor failed: %+v", a)
	}
	if a.Failure != nil {
		checkLine(t, a.Failure.Message)
	}
	if r := result(a).TPOT(); r.OK && r.At < 0 {
		t.Fatalf("TPOT %v", r)
	}
}
