package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// control answers GET /sim with the levers and how well the machine keeps up,
// and POST /sim?NAME=VALUE&… by turning levers.
func (s *Server) control(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		asked, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			badRequest("", "The address can't be read: %v.", err).write(w, 0)
			return
		}
		if len(asked) == 0 {
			badRequest("", "Name the levers in the address, such as POST /sim?max-batch=8.").write(w, 0)
			return
		}
		turned := make(map[string]string, len(asked))
		for name, values := range asked {
			if len(values) > 1 {
				badRequest("", "%s stands %d times in the address: name each lever once.", name, len(values)).write(w, 0)
				return
			}
			turned[name] = values[0]
		}
		if err := s.Turn(turned); err != nil {
			badRequest("", "%v.", err).write(w, 0)
			return
		}
	}
	s.show(w)
}

// controlLever and controlLag are what GET /sim tells.
type controlLever struct {
	Name  string   `json:"name"`
	Value string   `json:"value"`
	Steps []string `json:"steps"`
	Group string   `json:"group"`
	About string   `json:"about"`
}

type controlLag struct {
	Behind   bool    `json:"behind"`
	Steps    int     `json:"steps"`
	StepP50  float64 `json:"step_p50_ms"`
	StepP95  float64 `json:"step_p95_ms"`
	WriteP50 float64 `json:"write_p50_ms"`
	WriteP95 float64 `json:"write_p95_ms"`
	Stood    float64 `json:"stood_ms"`
}

// show answers with the levers and the lag of the moment. It is JSON with a line
// for each lever, to be read by a person too.
func (s *Server) show(w http.ResponseWriter) {
	l := s.LagSince(time.Now().Add(-LagNow))
	lag := controlLag{l.Behind(), l.Steps, ms(l.StepP50), ms(l.StepP95), ms(l.WriteP50), ms(l.WriteP95), ms(l.Stood)}
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"name\":%s,\"hardware\":%s,\"models\":%s,\n\"lag\":%s,\n\"refused\":%s,\n\"levers\":[",
		text(s.fixed.Name), text(s.fixed.Hardware.Name), text(s.names), text(lag), text(s.Refused()))
	for i, l := range s.Levers() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n " + text(controlLever{l.Name, l.Value, l.Steps, l.Group, l.About}))
	}
	b.WriteString("]}")
	answerJSON(w, http.StatusOK, b.Bytes())
}

// text is a value of plain data as JSON.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // no value here can fail
	}
	return string(b)
}

// String is the lag in one sentence.
func (l Lag) String() string {
	if l.Steps == 0 {
		return "no step has run yet"
	}
	text := fmt.Sprintf("steps began %v late at p95 (median %v)", short(l.StepP95), short(l.StepP50))
	if l.WriteP95 > 0 {
		text += fmt.Sprintf(" and their writes took %v at p95 (median %v)", short(l.WriteP95), short(l.WriteP50))
	}
	if l.Stood > 0 {
		text += fmt.Sprintf("; the machine stood still for %v in all", short(l.Stood))
	}
	if l.Behind() {
		text += ": this machine can't keep up, so times that clients see are its own and not the engine's"
	}
	return text
}

func short(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
