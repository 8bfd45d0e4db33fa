package views_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"ttftop/probe/race"
	"ttftop/themes"
	"ttftop/views"
	"ttftop/views/viewtest"
)

func TestCompareGolden(t *testing.T) {
	th := mono(t)
	for _, sc := range viewtest.Contests() {
		var out strings.Builder
		for _, size := range [][2]int{{80, 19}, {160, 40}, {60, 10}} {
			fmt.Fprintf(&out, "%d × %d\n%s\n", size[0], size[1], ansi.Strip(views.ComparePanel(sc.Snap, size[0], size[1], th)))
		}
		t.Run(sc.Name, func(t *testing.T) { golden.RequireEqual(t, out.String()) })
	}
	t.Run("ascii", func(t *testing.T) {
		golden.RequireEqual(t, views.ComparePanel(viewtest.Contests()[0].Snap, 80, 19, th.ASCII()))
	})
}

// Exact in every size, whatever the comparison holds.
func TestCompareIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	for _, th := range []themes.Theme{mono(t), mono(t).ASCII()} {
		for range race.Fewer(60) {
			snap := viewtest.Random(r, 3)
			for range 5 {
				w, h := r.IntN(170), r.IntN(50)
				wantExact(t, fmt.Sprintf("at %d×%d", w, h), views.ComparePanel(snap, w, h, th), w, h)
			}
		}
		for _, sc := range viewtest.Contests() {
			for w := 1; w < 130; w += 17 {
				for h := 1; h < 45; h += 5 {
					wantExact(t, fmt.Sprintf("%s at %d×%d", sc.Name, w, h), views.ComparePanel(sc.Snap, w, h, th), w, h)
				}
			}
		}
	}
}

// A small window has the verdict, where two are compared.
func TestSmallWindowHasTheVerdict(t *testing.T) {
	for _, scene := range viewtest.Contests() {
		if scene.Snap.Versus == nil {
			continue
		}
		text := strings.Join(strings.Fields(ansi.Strip(views.Summary(scene.Snap, 44, 14, themes.Mono()))), " ")
		start := strings.Fields(scene.Snap.Versus.Verdict.Sentence())
		if want := strings.Join(start[:6], " "); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %s", scene.Name, want, text)
		}
	}
}
