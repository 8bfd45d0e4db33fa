package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// Writer writes records, one line each, in one write each. It is safe for
// concurrent use.
type Writer struct {
	mu     sync.Mutex
	out    io.Writer
	close  func() error
	broken bool // the last write left half a line
	err    error
}

// NewWriter writes to out, which Close leaves open.
func NewWriter(out io.Writer) *Writer {
	return &Writer{out: out, close: func() error { return nil }}
}

// Open appends to a file, or makes it. A file that ends in half a line gets a
// line end first; a file that holds something else than records is refused, so
// that nothing is spoilt.
func Open(path string) (*Writer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("the record file can't be opened: %w", err)
	}
	half, err := examine(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Writer{out: f, close: f.Close, broken: half}, nil
}

// examine reports whether a file ends in half a line, and refuses one that
// holds no records. Files that are no regular ones (a pipe, /dev/stdout) are
// taken as they are.
func examine(f *os.File) (half bool, err error) {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return false, err
	}
	first, err := bufio.NewReader(io.LimitReader(f, 1<<20)).ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	if text := bytes.TrimSpace(bytes.TrimPrefix(first, []byte("\xef\xbb\xbf"))); len(text) > 0 && !bytes.HasPrefix(text, []byte(`{"type":`)) {
		return false, errors.New("the file is there and holds no records: name another file")
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, info.Size()-1); err != nil {
		return false, err
	}
	return last[0] != '\n', nil
}

// Write writes one record. After an error the next record starts on a line of
// its own; Err tells of the last one.
func (w *Writer) Write(line any) error {
	var text bytes.Buffer
	text.WriteByte('\n')
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line); err != nil {
		return fmt.Errorf("a record can't be written as JSON: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	data := text.Bytes()
	if !w.broken {
		data = data[1:]
	}
	n, err := w.out.Write(data)
	switch {
	case err == nil:
		w.broken = false
	case n > 0:
		w.broken = data[n-1] != '\n'
	}
	w.err = err
	return err
}

// Err is the error of the last write, nil after one that went well.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Close closes the file.
func (w *Writer) Close() error { return w.close() }
