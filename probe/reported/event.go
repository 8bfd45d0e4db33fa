package reported

import (
	"bytes"
	"encoding/json"

	"ttftop/probe/stream"
)

// carries reports whether an event has the key with another value than null.
// The same text inside generated content has escaped quotes and doesn't match.
func carries(event []byte, key string) bool {
	quoted := []byte(`"` + key + `"`)
	for {
		i := bytes.Index(event, quoted)
		if i < 0 {
			return false
		}
		event = event[i+len(quoted):]
		value, isKey := bytes.CutPrefix(bytes.TrimLeft(event, " \t\r\n"), []byte(":"))
		if isKey && !bytes.HasPrefix(bytes.TrimLeft(value, " \t\r\n"), []byte("null")) {
			return true
		}
	}
}

// last returns the object at a path of the last event that has one.
func last(events []json.RawMessage, path ...string) (object, bool) {
	for i := len(events) - 1; i >= 0; i-- {
		if !carries(events[i], path[len(path)-1]) {
			continue
		}
		o := decode(events[i])
		for _, key := range path {
			o = o.object(key)
		}
		if o != nil {
			return o, true
		}
	}
	return nil, false
}

// lastWith returns the last event itself that has a key at its top.
func lastWith(events []json.RawMessage, key string) (object, bool) {
	for i := len(events) - 1; i >= 0; i-- {
		if !carries(events[i], key) {
			continue
		}
		if o := decode(events[i]); o.has(key) {
			return o, true
		}
	}
	return nil, false
}

// decode reads one event, or returns nil. Python's json writes NaN and
// Infinity, which are no JSON: such an event is read with these as texts, so
// that one bad figure doesn't hide the good ones.
func decode(event []byte) object {
	if o, err := parse(event); err == nil {
		return o
	}
	o, err := parse(stream.QuoteNonFinite(event))
	if err != nil {
		return nil
	}
	return o
}

func parse(event []byte) (object, error) {
	d := json.NewDecoder(bytes.NewReader(event))
	d.UseNumber()
	var o map[string]any
	err := d.Decode(&o)
	return o, err
}
