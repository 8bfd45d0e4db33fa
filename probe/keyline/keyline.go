// Package keyline finds on which line of a TOML file a key stands, for sentences
// about values that are wrong by rules of ours: the decoder gives positions for its
// own errors alone.
package keyline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Lines tells on which line of a file a key stands. Keys are written with
// dots, and with the index of the table in an array: endpoints.0.url.
type Lines map[string]int

// Of is the line of a key, or of the nearest table around it; 0 for unknown.
func (l Lines) Of(key string) int {
	for {
		if line, there := l[key]; there {
			return line
		}
		i := strings.LastIndexByte(key, '.')
		if i < 0 {
			return 0
		}
		key = key[:i]
	}
}

// Key is the key on a line whose last part is the one given, without indices; ""
// where there is none.
func (l Lines) Key(line int, last string) string {
	for key, at := range l {
		parts := strings.Split(key, ".")
		if at == line && strings.EqualFold(parts[len(parts)-1], last) {
			return strings.Join(slices.DeleteFunc(parts, isIndex), ".")
		}
	}
	return ""
}

func isIndex(part string) bool {
	_, err := strconv.Atoi(part)
	return err == nil
}

// Read finds the line of every key of a file that is TOML.
func Read(data []byte) Lines {
	w := walker{lines: Lines{}, count: map[string]int{}}
	w.parser.Reset(data)
	table := ""
	for w.parser.NextExpression() {
		e := w.parser.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = w.table(e)
		case unstable.KeyValue:
			w.keyValue(table, e)
		}
	}
	return w.lines
}

type walker struct {
	parser unstable.Parser
	lines  Lines
	count  map[string]int // tables seen of each array
}

// table notes a header and returns the key of the table it opens.
func (w *walker) table(e *unstable.Node) string {
	key, line, last := "", 0, ""
	for it := e.Key(); it.Next(); {
		key, line = w.join(key, it.Node()), w.line(it.Node())
		last = key
		if n := w.count[key]; n > 0 {
			key += "." + strconv.Itoa(n-1)
		}
	}
	// The decoder takes a single [endpoints] for the first of the array.
	if e.Kind == unstable.ArrayTable || last == "endpoints" {
		key = last + "." + strconv.Itoa(w.count[last])
		w.count[last]++
	}
	w.lines[key] = line
	return key
}

func (w *walker) keyValue(table string, e *unstable.Node) {
	key, line := table, 0
	for it := e.Key(); it.Next(); {
		key, line = w.join(key, it.Node()), w.line(it.Node())
	}
	w.lines[key] = line
	w.value(key, e.Value())
}

// value notes the keys inside inline tables.
func (w *walker) value(key string, v *unstable.Node) {
	index := 0
	for it := v.Children(); it.Next(); {
		switch n := it.Node(); n.Kind {
		case unstable.KeyValue:
			w.keyValue(key, n)
		case unstable.InlineTable, unstable.Array:
			w.value(key+"."+strconv.Itoa(index), n)
			index++
		}
	}
}

func (w *walker) join(key string, n *unstable.Node) string {
	part := strings.ToLower(string(n.Data)) // the decoder doesn't mind the case
	if key == "" {
		return part
	}
	return key + "." + part
}

func (w *walker) line(n *unstable.Node) int { return w.parser.Shape(n.Raw).Start.Line }
