package scrape

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

const (
	maxPage  = 8 << 20 // bytes of a page that are read
	maxKnown = 1 << 20 // bytes of it that the parser is given; it takes some forty times as many
	maxLine  = 1 << 18 // bytes of one line
)

// ErrNothingKnown says that a page holds no metric of a known server: the
// server is another, has its metrics switched off, or the page is no metrics
// page at all.
var ErrNothingKnown = errors.New("the page holds no metrics of vLLM, SGLang, llama.cpp or TGI; are they switched on (llama.cpp: --metrics, SGLang: --enable-metrics)?")

// Parse reads one page in Prometheus' text format. The error is
// ErrNothingKnown, or tells in which line the page is damaged, that it is too
// long, or what r said.
func Parse(r io.Reader) (Sample, error) {
	page, err := known(r)
	if err != nil {
		return Sample{}, fmt.Errorf("reading the metrics page: %w", err)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(page))
	if err != nil {
		return Sample{}, fmt.Errorf("the metrics page is damaged: %w", err)
	}
	return collect(flatten(families))
}

// known keeps the lines of a page that are read and blanks the others, so that
// line numbers stay. What other libraries of the server export, and the
// buckets, are most of a page, and never reach the parser.
func known(r io.Reader) ([]byte, error) {
	limited := &io.LimitedReader{R: r, N: maxPage + 1}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxLine)
	var page []byte
	for lines.Scan() {
		if line := lines.Bytes(); matters(line) {
			page = append(page, line...)
		}
		page = append(page, '\n')
		if len(page) > maxKnown {
			return nil, fmt.Errorf("its series that are read take more than %d MiB", maxKnown>>20)
		}
	}
	if limited.N == 0 {
		return nil, fmt.Errorf("it is longer than %d MiB", maxPage>>20)
	}
	return page, lines.Err()
}

// matters reports whether a line is about a metric that is read.
func matters(line []byte) bool {
	rest, _ := bytes.CutPrefix(line, []byte("# TYPE "))
	if end := bytes.IndexAny(rest[:min(len(rest), longestName)], "{ \t"); end >= 0 {
		rest = rest[:end]
	}
	return names[string(bytes.TrimPrefix(rest, []byte(rayPrefix)))]
}

// series is one number of a page. The sum and count of a histogram or summary
// are series of their own, as on pages that lost their TYPE lines.
type series struct {
	labels map[string]string
	value  float64
}

// flatten lists the series by the name of their metric, without the prefix of
// Ray. Values that are no finite number are left out.
func flatten(families map[string]*dto.MetricFamily) map[string][]series {
	out := map[string][]series{}
	for name, family := range families {
		name = strings.TrimPrefix(name, rayPrefix)
		for _, m := range family.GetMetric() {
			labels := make(map[string]string, len(m.GetLabel()))
			for _, l := range m.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			for suffix, value := range values(m) {
				if !math.IsNaN(value) && !math.IsInf(value, 0) {
					out[name+suffix] = append(out[name+suffix], series{labels, value})
				}
			}
		}
	}
	return out
}

// values is the numbers of one series by the suffix of their name.
func values(m *dto.Metric) map[string]float64 {
	switch {
	case m.Histogram != nil:
		return withCount(m.Histogram.SampleSum, m.Histogram.SampleCount)
	case m.Summary != nil:
		return withCount(m.Summary.SampleSum, m.Summary.SampleCount)
	case m.Counter != nil:
		return map[string]float64{"": m.Counter.GetValue()}
	case m.Gauge != nil:
		return map[string]float64{"": m.Gauge.GetValue()}
	case m.Untyped != nil:
		return map[string]float64{"": m.Untyped.GetValue()}
	}
	return nil
}

// withCount leaves out what the page did not have. A count that is no whole
// number is none.
func withCount(sum *float64, count *uint64) map[string]float64 {
	v := map[string]float64{}
	if sum != nil {
		v["_sum"] = *sum
	}
	if count != nil {
		v["_count"] = float64(*count)
	}
	return v
}
