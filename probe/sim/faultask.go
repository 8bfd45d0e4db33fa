package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// FaultHeader is the request header that asks for a fault.
const FaultHeader = "X-Sim-Fault"

// faultForms is what ParseFault takes, for sentences.
const faultForms = `a status such as 429 or 429:2s (with Retry-After), stall@3:10s (after 3 tokens, for 10 s), cut@3, reset@3 or late-headers`

// ParseFault reads a fault as a client asks for it: a status from 400 to 599,
// with a colon and the time of its Retry-After header or without; stall, cut or
// reset, with @ and the number of tokens before it or without; late-headers. A
// stall may have a colon and its length behind it, else it has no end.
func ParseFault(text string) (Fault, error) {
	what, period, timed := strings.Cut(text, ":")
	what, after, placed := strings.Cut(what, "@")
	var f Fault
	var errs []error
	if timed {
		d, err := time.ParseDuration(period)
		f.For, f.RetryAfter = d, d
		errs = append(errs, err)
	}
	if placed {
		n, err := strconv.Atoi(after)
		f.After = n
		errs = append(errs, err)
	}
	switch what {
	case "stall":
		f.Kind = FaultStall
	case "cut":
		f.Kind = FaultCut
	case "reset":
		f.Kind = FaultReset
	case "late-headers":
		f.Kind = FaultLateHeaders
	default:
		n, err := strconv.Atoi(what)
		f.Kind, f.Status = FaultStatus, n
		errs = append(errs, err)
	}
	if errors.Join(append(errs, f.check())...) != nil {
		return Fault{}, fmt.Errorf("%q is no fault: write %s", text, faultForms)
	}
	return f, nil
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
