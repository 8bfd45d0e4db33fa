package scrape

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorded is the body of a recorded response.
func recorded(t *testing.T, name string) io.Reader {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(raw)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return resp.Body
}

func mustParse(t *testing.T, r io.Reader) Sample {
	t.Helper()
	s, err := Parse(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sample(t *testing.T, page ...string) Sample {
	t.Helper()
	return mustParse(t, strings.NewReader(strings.Join(page, "")))
}

// histogram writes one as prometheus_client does, with a bucket and a
// creation time.
func histogram(name, labels string, sum float64, count int) string {
	bucket := strings.TrimSuffix(labels+",", ",")
	if bucket != "" {
		bucket += ","
	}
	return fmt.Sprintf("# HELP %[1]s Histogram of it.\n# TYPE %[1]s histogram\n%[1]s_bucket{%[3]sle=\"0.3\"} %[5]d.0\n%[1]s_bucket{%[3]sle=\"+Inf\"} %[5]d.0\n%[1]s_count{%[2]s} %[5]d.0\n%[1]s_sum{%[2]s} %[4]v\n"+
		"# HELP %[1]s_created Histogram of it.\n# TYPE %[1]s_created gauge\n%[1]s_created{%[2]s} 1.796021654e+09\n", name, labels, bucket, sum, count)
}

func gauge(name, labels string, value float64) string {
	return fmt.Sprintf("# HELP %[1]s It.\n# TYPE %[1]s gauge\n%[1]s{%[2]s} %[3]v\n", name, labels, value)
}

func counter(name, labels string, value float64) string {
	return fmt.Sprintf("# HELP %[1]s It.\n# TYPE %[1]s counter\n%[1]s{%[2]s} %[3]v\n", name, labels, value)
}

// more is further series of the metric written before: the lines without
// comments.
func more(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") && !strings.Contains(line, "_created") {
			b.WriteString(line)
		}
	}
	return b.String()
}
