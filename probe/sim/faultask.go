package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// FaultHeader is the request header that asks for a fault.
const FaultHeader = "X-Sim-Fault"

// faultForms is what ParseFault takes, for sentences.
const faultForms = `a status such as 429 or 429:2s (with Retry-After), stall@3:10s (after 3 tokens, for 10 s), cut@3, reset@3 or late-headers`

// faultNames are those of faults that are no status.
var faultNames = []string{FaultStall: "stall", FaultCut: "cut", FaultReset: "reset", FaultLateHeaders: "late-headers"}

// ParseFault reads a fault as a client asks for it: a status from 400 to 599,
// with a colon and the time of its Retry-After header or without; stall, cut or
// reset, with @ and the number of tokens before it or without; late-headers. A
// stall may have a colon and its length behind it, else it has no end.
func ParseFault(text string) (Fault, error) {
	what, period, timed := strings.Cut(text, ":")
	what, after, placed := strings.Cut(what, "@")
	f := Fault{Kind: FaultStatus}
	var errs []error
	if i := slices.Index(faultNames, what); i > int(FaultStatus) {
		f.Kind = FaultKind(i)
	} else {
		n, err := strconv.Atoi(what)
		f.Status = n
		errs = append(errs, err)
	}
	if placed {
		n, err := strconv.Atoi(after)
		f.After = n
		errs = append(errs, err)
	}
	if timed {
		errs = append(errs, f.take(period))
	}
	if placed && (f.Kind == FaultStatus || f.Kind == FaultLateHeaders) || errors.Join(errs...) != nil {
		return Fault{}, fmt.Errorf("%q is no fault: write %s", text, faultForms)
	}
	if err := f.check(); err != nil {
		return Fault{}, fmt.Errorf("%q: %w", text, err)
	}
	return f, nil
}

// take reads the time that a fault has behind its colon.
func (f *Fault) take(period string) error {
	d, err := time.ParseDuration(period)
	switch f.Kind {
	case FaultStatus:
		f.RetryAfter = d
	case FaultStall:
		f.For = d
	default:
		return errors.New("it takes no time")
	}
	return err
}

// String is the fault as ParseFault reads it; "off" for none. When it hits is not
// in it.
func (f Fault) String() string {
	if f.Kind == 0 {
		return "off"
	}
	if f.Kind == FaultStatus {
		return strconv.Itoa(f.Status) + timed(f.RetryAfter)
	}
	text := faultNames[f.Kind]
	if f.After > 0 {
		text += "@" + strconv.Itoa(f.After)
	}
	if f.Kind == FaultStall {
		text += timed(f.For)
	}
	return text
}

// timed is the period of a fault, with its colon.
func timed(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return ":" + brief(d)
}

// brief is a duration without the zeros that String has behind it: 10m, 2s.
func brief(d time.Duration) string {
	text := d.String()
	for _, unit := range []struct{ long, short string }{{"m0s", "m"}, {"h0m", "h"}} {
		if strings.HasSuffix(text, unit.long) {
			text = strings.TrimSuffix(text, unit.long) + unit.short
		}
	}
	return text
}

// splitFault splits a model's name and the fault that stands behind a plus sign.
func splitFault(model string) (name, fault string) {
	name, fault, _ = strings.Cut(model, "+")
	return name, fault
}

// faultAsked is the fault that a request asks for itself, by the header
// X-Sim-Fault, the query ?fault= or a model name such as sim-8b+429; the zero
// Fault for none.
func faultAsked(r *http.Request, body []byte) (Fault, error) {
	text := r.Header.Get(FaultHeader)
	if text == "" {
		text = r.URL.Query().Get("fault")
	}
	if text == "" {
		var q struct {
			Model string `json:"model"`
		}
		if json.Unmarshal(body, &q) == nil { // what is wrong with a body is said later
			_, text = splitFault(q.Model)
		}
	}
	if text == "" {
		return Fault{}, nil
	}
	return ParseFault(text)
}
