package views

import (
	"fmt"
	"strings"

	"ttftop/probe"
	"ttftop/themes"
)

// Line is a line of a session without a screen: text from outside is made
// harmless, and blanks within are kept.
func Line(text string, th themes.Theme) string {
	return strings.TrimRight(cleanLine(text, th.Symbols.ASCII), " ")
}

// PlainTarget says which target a letter stands for: "A near: sim-8b, us-east".
func PlainTarget(t Target, i int) string {
	text := letter(i) + " " + t.Name + ": " + t.Model
	if t.Model == "" {
		text = letter(i) + " " + t.Name + ": model not chosen yet"
	}
	if t.Region != "" {
		text += ", " + t.Region
	}
	if t.Insecure {
		text += ", TLS not verified"
	}
	return text
}

// PlainProbe is one probe as a line to read aloud: "12 near 108 ms: network
// 8.20 m, prefill 85.2 r, …".
func PlainProbe(r *probe.Result, target string, th themes.Theme) string {
	sym := th.Symbols
	name := fmt.Sprintf("%d %s", r.Seq, target)
	if r.Kind != probe.Ordinary {
		name += " " + string(r.Kind)
	}
	if r.Failure != nil {
		return name + " failed: " + r.Failure.Error()
	}
	if !r.TTFT().OK {
		return name + " had no token"
	}
	var parts []string
	for _, p := range probe.Parts {
		if source, ok := sourceOf(r.Waterfall, p); ok && r.Waterfall.Of(p) > 0 {
			parts = append(parts, string(p)+" "+boundOfProbe(r).signOf(p, sym)+millis(r.Waterfall.Of(p), sym)+" "+source)
		}
	}
	line := name + " " + Duration(r.TTFT().At, sym) + ": " + strings.Join(parts, ", ")
	if r.PromptTokens > 0 {
		line += "; prompt " + approximate(Count(int64(r.PromptTokens)), r.PromptExact, sym)
	}
	if remark := plainRemark(r, sym); remark != "" {
		line += "; " + remark
	}
	return line
}

// PlainEffect is what the last change of a knob did, as a sentence.
func PlainEffect(snap Snapshot, th themes.Theme) string {
	if snap.Effect == nil {
		return noEffect
	}
	s := newSheet(longestLine, 0, th)
	var b strings.Builder
	for _, sp := range s.effectSentence(snap, longestLine) {
		b.WriteString(sp.text)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// longestLine is the cells that a line of a session without a screen may have.
const longestLine = 4096

// PlainStatus is how things stand: for each target its figures, how they stand
// to the limits and the diagnosis, and then knobs and tokens.
func PlainStatus(snap Snapshot, th themes.Theme) string {
	sym := th.Symbols
	var lines []string
	for i := range snap.Targets {
		t := &snap.Targets[i]
		lines = append(lines, letter(i)+" "+PlainLine(t.Name, t.Model, t.Figures, th))
		for _, l := range snap.Limits {
			if i < len(l.Shares) {
				lines = append(lines, PlainLimit(l.SLO, l.Shares[i], t.Figures, th))
			}
		}
		lines = append(lines, PlainDiagnosis(t.Diagnosis, th))
		if sp, ok := newSheet(longestLine, 0, th).problem(t); ok {
			lines = append(lines, "  "+Clean(sp.text, sym.ASCII))
		}
	}
	if snap.Status.Behind != "" {
		lines = append(lines, "! "+snap.Status.Behind)
	}
	var knobs []string
	for _, k := range snap.Knobs {
		knobs = append(knobs, k.Name+" "+newSheet(longestLine, 0, th).knobValue(k, longestLine))
	}
	lines = append(lines, strings.Join(knobs, ", "))
	st := &snap.Status
	line := fmt.Sprintf("%s, %s failed, tokens %s sent %s received, at most %s a minute", plural(int64(st.Probes), "probe"), Count(int64(st.Failed)), Count(st.Sent), Count(st.Received), Count(st.PerMinute))
	if snap.Paused {
		line += ", paused"
	}
	if st.Record != "" {
		line += ", record " + st.Record
	}
	if st.RecordError != "" {
		line += ": " + st.RecordError
	}
	return strings.Join(append(lines, line), "\n")
}
