package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"ttftop/probe/ab"
	"ttftop/probe/record"
	"ttftop/probe/recording"
	"ttftop/themes"
	"ttftop/views"
)

// termFlags say what is asked of a verdict.
type termFlags struct {
	Margin     float64 `default:"5" placeholder:"PERCENT" help:"A and B are the same when the difference is certain to lie within ± so many per cent (5); 0 for never."`
	Confidence float64 `default:"95" placeholder:"PERCENT" help:"Confidence of each interval, at any time of looking (95)."`
}

// verdictFlags say what is asked of a verdict and how it is told.
type verdictFlags struct {
	Markdown     bool `help:"Print the verdict as a table for a pull request."`
	FailIfSlower bool `help:"Exit with status 1 when B is slower than A."`
	termFlags
}

func (f termFlags) check() error {
	switch {
	case !(f.Margin >= 0 && f.Margin < 100):
		return fmt.Errorf("--margin %v is out of range: write per cent from 0 to below 100", f.Margin)
	case !(f.Confidence >= 50 && f.Confidence <= 99.999):
		return fmt.Errorf("--confidence %v is out of range: write per cent from 50 to 99.999", f.Confidence)
	}
	return nil
}

// config is what the flags ask for. Per cent are rounded so that 95 is 0.95.
func (f termFlags) config(a, b string) ab.Config {
	share := func(percent float64) float64 { return math.Round(percent*1e6) / 1e8 }
	return ab.Config{A: a, B: b, Margin: share(f.Margin), Confidence: share(f.Confidence)}
}

// tell prints a verdict to stdout.
func (f verdictFlags) tell(v ab.Verdict, json bool, theme themes.Theme) error {
	var err error
	switch {
	case json:
		err = record.NewWriter(os.Stdout).Write(v.Record(time.Now()))
	case f.Markdown:
		_, err = fmt.Print(v.Markdown())
	default:
		_, err = fmt.Println(views.PlainVerdict(v, theme))
	}
	if err != nil {
		return status{exitLost, "standard output could not be written: " + err.Error()}
	}
	return nil
}

// status is the exit status of a verdict.
func (f verdictFlags) status(v ab.Verdict) error {
	switch {
	case v.Outcome == ab.Undecided:
		return status{exitUndecided, "undecided"}
	case f.FailIfSlower && v.Outcome == ab.AFaster:
		return status{exitSlower, v.B + " is slower than " + v.A}
	case f.FailIfSlower && v.Outcome == ab.BFailsMore:
		return status{exitSlower, v.B + " fails more than " + v.A + ", and a failure is slower than every answer"}
	}
	return nil
}

type compareCmd struct {
	Files []string `arg:"" name:"recording" help:"Recordings of A and of B, or one that holds both."`
	A     string   `name:"a" placeholder:"NAME" help:"Target that is A, where a recording holds several."`
	B     string   `name:"b" placeholder:"NAME" help:"Target that is B."`
	JSON  bool     `name:"json" help:"Print the verdict as a record."`
	verdictFlags
}

func (c *compareCmd) Run() error {
	if err := c.check(); err != nil {
		return err
	}
	if c.JSON && c.Markdown {
		return errors.New("--json and --markdown both take stdout: leave one away")
	}
	theme := plainTheme()
	v, notes, err := c.compare()
	if err != nil {
		return err
	}
	for _, n := range notes {
		fmt.Fprintln(os.Stderr, "ttftop:", views.Clean(n, theme.Symbols.ASCII))
	}
	if err := c.tell(v, c.JSON, theme); err != nil {
		return err
	}
	return c.status(v)
}

func (c *compareCmd) compare() (v ab.Verdict, notes []string, err error) {
	switch len(c.Files) {
	case 1:
		return c.within()
	case 2:
		return c.between()
	}
	return v, nil, errors.New("compare takes two recordings, or one that holds two targets: write ttftop compare A.jsonl B.jsonl")
}

// between compares targets of two files.
func (c *compareCmd) between() (v ab.Verdict, notes []string, err error) {
	var targets [2]*recording.Target
	for i, name := range []string{c.A, c.B} {
		rec, err := recording.Open(c.Files[i])
		if err != nil {
			return v, nil, err
		}
		if targets[i], err = rec.Choose([]string{"--a", "--b"}[i], name); err != nil {
			return v, nil, err
		}
		notes = append(notes, rec.Notes()...)
	}
	a, b := targets[0].Name, targets[1].Name
	if a == b {
		a, b = c.Files[0], c.Files[1]
	}
	config := c.config(ab.Names(a, b))
	config.Unpaired = true
	x := ab.New(config)
	x.Match(targets[0].Results, targets[1].Results)
	return x.Verdict(), notes, nil
}

// within compares two targets of one file: in the pairs they were sent in,
// where they were.
func (c *compareCmd) within() (v ab.Verdict, notes []string, err error) {
	rec, err := recording.Open(c.Files[0])
	if err != nil {
		return v, nil, err
	}
	a, b, err := c.sides(rec)
	if err != nil {
		return v, nil, err
	}
	config := c.config(ab.Names(a.Name, b.Name))
	if a == b {
		x := ab.New(config)
		x.TakeAll(a.OfSide(0), a.OfSide(1))
		return x.Verdict(), rec.Notes(), nil
	}
	config.Unpaired = !rec.Paired(a, b)
	x := ab.New(config)
	if config.Unpaired {
		x.Match(a.Results, b.Results)
	} else {
		x.TakeAll(a.Results, b.Results)
	}
	return x.Verdict(), rec.Notes(), nil
}

// sides are the targets of one recording that are compared: those named, or else
// those of its pairs as they were sent, or else the only two. They are one where it
// was compared with itself.
func (c *compareCmd) sides(rec *recording.Recording) (a, b *recording.Target, err error) {
	if c.A == "" && c.B == "" {
		if a, b, ok := rec.Sides(); ok {
			return a, b, nil
		}
	}
	switch len(rec.Targets) {
	case 1:
		return nil, nil, fmt.Errorf("%s holds one target alone: name a second recording to compare it with", rec.Path)
	case 2:
		for i, t := range rec.Targets {
			other := rec.Targets[1-i].Name
			switch {
			case c.A == t.Name && c.B == "":
				c.B = other
			case c.B == t.Name && c.A == "":
				c.A = other
			}
		}
		if c.A == "" && c.B == "" {
			c.A, c.B = rec.Targets[0].Name, rec.Targets[1].Name
		}
	}
	if a, err = rec.Choose("--a and --b", c.A); err != nil {
		return nil, nil, err
	}
	if b, err = rec.Choose("--a and --b", c.B); err != nil {
		return nil, nil, err
	}
	if a == b {
		return nil, nil, fmt.Errorf("--a and --b both name %q: name two targets", a.Name)
	}
	return a, b, nil
}
