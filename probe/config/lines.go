package config

import (
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// lines tells on which line of the file a key stands. Keys are written with
// dots, and with the index of the table in an array: endpoints.0.url.
type lines map[string]int

// of is the line of a key, or of the nearest table around it; 0 for unknown.
func (l lines) of(key string) int {
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

// keyLines finds the line of every key of a file that decodes. The decoder
// gives positions for its own errors alone, not for values that are wrong by
// our rules.
func keyLines(data []byte) lines {
	w := walker{lines: lines{}, count: map[string]int{}}
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
	lines  lines
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
