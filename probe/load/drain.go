package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// tailSize holds the last event with usage; bufferSize is what is read at once.
const (
	tailSize   = 4 << 10
	bufferSize = 32 << 10
)

var buffers = sync.Pool{New: func() any { b := make([]byte, tailSize+bufferSize); return &b }}

// Usage is the token count of one load stream.
type Usage struct {
	Prompt int // 0 where the endpoint did not say
	Output int // as the endpoint says, else the number of events
}

// ErrOverrun is that of a stream that went on after most events.
var ErrOverrun = errors.New("the stream goes on after many more tokens than were asked for: cut")

// Drain reads a stream to its end and throws it away, but for the usage that
// its last events may carry. It stops with ErrOverrun after more than most
// events.
func Drain(body io.Reader, most int) (Usage, error) {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	tail, events := 0, 0
	for {
		n, err := body.Read((*buffer)[tail:])
		fresh := (*buffer)[:tail+n]
		events += bytes.Count(fresh[max(0, tail-len(eventStart)+1):], eventStart)
		tail = copy(*buffer, fresh[max(0, len(fresh)-tailSize):])
		if err == nil && events > most {
			err = ErrOverrun
		}
		if err == nil {
			continue
		}
		usage := usageIn((*buffer)[:tail])
		if usage.Output == 0 {
			usage.Output = events
		}
		if err == io.EOF {
			err = nil
		}
		return usage, err
	}
}

var (
	eventStart = []byte("data:")
	usageKey   = []byte(`"usage":`)
)

// usageIn finds the last usage object that is not null.
func usageIn(tail []byte) Usage {
	for {
		i := bytes.LastIndex(tail, usageKey)
		if i < 0 {
			return Usage{}
		}
		var usage struct {
			Prompt int `json:"prompt_tokens"`
			Output int `json:"completion_tokens"`
		}
		err := json.NewDecoder(bytes.NewReader(tail[i+len(usageKey):])).Decode(&usage)
		if err == nil && usage.Prompt+usage.Output > 0 {
			return Usage{Prompt: usage.Prompt, Output: usage.Output}
		}
		tail = tail[:i]
	}
}
