package record

// SLO is the line that says whether an SLO of a target was kept.
type SLO struct {
	Type       string   `json:"type"`
	At         string   `json:"at"`
	Target     string   `json:"target"`
	SLO        string   `json:"slo"`
	State      string   `json:"state"`      // kept, broken or undecided
	Probes     int      `json:"probes"`     // that say something of it
	Skipped    int      `json:"skipped"`    // not sent, since too many were in flight
	Value      Interval `json:"value_ms"`   // null of failures
	Failed     *Millis  `json:"failed_pct"` // share of the probes; null of all but failures
	Confidence float64  `json:"confidence"`
}
