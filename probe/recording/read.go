package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"

	"ttftop/probe"
	"ttftop/probe/record"
	"ttftop/probe/stream"
)

// Recording is a file of records.
type Recording struct {
	Path    string
	Targets []Target // in the order of their first probes
	Left    int      // lines that are no records and were left out
	Torn    bool     // the last line is cut off and was left out
	CutOff  int      // probes that were under way at the end of their session, or sent after one that was, and were left out
	Twice   int      // probes whose pair and side another had already: they are in no pair
}

// Target is one target of a recording.
type Target struct {
	Name    string
	Results []*probe.Result // ordinary probes in the order they were sent; Target is the index in Targets, Pair unique in the file
}

// longestLine limits what is read as one line, in bytes.
const longestLine = 16 << 20

// Open reads a file. The error is a sentence about what is wrong with it.
func Open(path string) (*Recording, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the recording can't be read: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name a file that ttftop wrote with --record or run --json", path)
	}
	rec := &Recording{Path: path}
	if err := rec.read(f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rec.Targets) == 0 {
		return nil, fmt.Errorf("%s holds no probes: name a file that ttftop wrote with --record or run --json", path)
	}
	return rec, nil
}

// reader folds the lines of a file.
type reader struct {
	*Recording
	session int
	line    int
	places  map[*probe.Result]place
	halves  map[half]bool // that there are
}

// place is where in a file a result stands: its session, and its pair in that.
type place struct{ session, pair int }

// half is one side of a pair.
type half struct {
	place
	target string
	side   int
}

func (rec *Recording) read(in io.Reader) error {
	r := reader{Recording: rec, places: map[*probe.Result]place{}, halves: map[half]bool{}}
	lines := bufio.NewReader(in)
	for {
		line, err := whole(lines)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		ended := err != nil
		r.line++
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
		if len(line) > 0 {
			switch ok, err := r.take(line); {
			case err != nil:
				return fmt.Errorf("line %d: %w", r.line, err)
			case !ok && ended:
				r.Torn = true
			case !ok:
				r.Left++
			}
		}
		if ended {
			r.sort()
			r.number()
			r.cutOff()
			return nil
		}
	}
}

// whole reads one line, of a limited length.
func whole(lines *bufio.Reader) (line []byte, err error) {
	for {
		part, err := lines.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > longestLine {
			return nil, errors.New("a line is too long for a record: name a file that ttftop wrote with --record or run --json")
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// take folds one line. It reports whether it is a record at all; the error is
// that of a format which can't be read.
func (r *reader) take(line []byte) (ok bool, err error) {
	var kind struct {
		Type   string `json:"type"`
		Schema string `json:"schema"`
	}
	if json.Unmarshal(line, &kind) != nil || kind.Type == "" {
		return false, nil
	}
	switch kind.Type {
	case "session":
		if kind.Schema != record.Schema {
			return false, fmt.Errorf("the records are of the format %q, and this ttftop reads %q: read them with the ttftop that wrote them, or record anew", kind.Schema, record.Schema)
		}
		r.session++
	case "probe":
		var p record.Probe
		switch err := json.Unmarshal(line, &p); {
		case errors.Is(err, record.ErrAbsurd):
			return false, err
		case err != nil || p.Target == "":
			return false, nil
		}
		p.Target = shown(p.Target)
		if p.Kind == probe.Ordinary {
			r.add(p)
		}
	}
	return true, nil
}

// userInfo is what a URL may hold before its host.
var userInfo = regexp.MustCompile(`://[^/\s]*@`)

// shown is a name without what must not be shown: no ttftop writes such a name, but
// somebody else may.
func shown(name string) string {
	return stream.Redact(userInfo.ReplaceAllString(name, "://"))
}

func (r *reader) add(p record.Probe) {
	i := slices.IndexFunc(r.Targets, func(t Target) bool { return t.Name == p.Target })
	if i < 0 {
		i = len(r.Targets)
		r.Targets = append(r.Targets, Target{Name: p.Target})
	}
	res := result(p)
	res.Target = i
	at := place{session: r.session}
	if p.Pair != nil && *p.Pair > 0 {
		if p.Side == "b" {
			res.Side = 1
		}
		if h := (half{place{r.session, *p.Pair}, p.Target, res.Side}); r.halves[h] {
			r.Twice++
		} else {
			r.halves[h], at.pair = true, *p.Pair
		}
	}
	r.places[res] = at
	r.Targets[i].Results = append(r.Targets[i].Results, res)
}

// sort puts probes in the order they were sent: they were written as they
// ended.
func (r *reader) sort() {
	for _, t := range r.Targets {
		slices.SortStableFunc(t.Results, func(a, b *probe.Result) int { return a.At.Compare(b.At) })
	}
}
