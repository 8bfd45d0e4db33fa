package tui

import (
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/xo/terminfo"
)

// Colours is how many colours a terminal shows.
type Colours colorprofile.Profile

// Any reports whether it shows any.
func (c Colours) Any() bool { return colorprofile.Profile(c) >= colorprofile.ANSI }

// ColoursOf finds out the colours of the terminal behind out, by an
// environment of NAME=value. NO_COLOR with any value takes them away
// (no-color.org), unless a person has named a theme, which is the more
// specific wish.
func ColoursOf(out io.Writer, environ []string, named bool) Colours {
	if lookup(environ, "NO_COLOR") != "" && !named {
		return Colours(colorprofile.ASCII)
	}
	environ = slices.DeleteFunc(slices.Clone(environ), func(e string) bool { return strings.HasPrefix(e, "NO_COLOR=") })
	p := colorprofile.Detect(out, environ)
	if p == colorprofile.ANSI && colourless(environ) {
		p = colorprofile.ASCII
	}
	return Colours(p)
}

// leastColours is that of the ANSI colours: black, red, green, and so on.
const leastColours = 8

// colourless reports whether the terminal is known to have no colours.
// colorprofile takes every one that it doesn't know for one of 16 colours, a
// vt100 too; so its own description is asked.
func colourless(environ []string) bool {
	if lookup(environ, "CLICOLOR_FORCE") != "" || lookup(environ, "CLICOLOR") != "" {
		return false // a person has asked for colours
	}
	kind := lookup(environ, "TERM")
	description, err := terminfo.Load(kind)
	if err != nil { // most of those that come without a description today have colours; DEC's have none
		return strings.HasPrefix(kind, "vt")
	}
	return description.Nums[terminfo.MaxColors] < leastColours
}

// ASCIILocale reports whether the locale of an environment names a character
// set that is not UTF-8. One that names none is taken to be UTF-8, but for C
// and POSIX.
func ASCIILocale(environ []string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(lookup(environ, name)); v != "" {
			set := strings.ReplaceAll(v, "-", "")
			return v == "c" || v == "posix" || strings.Contains(v, ".") && !strings.Contains(set, "utf8")
		}
	}
	return false
}

// Dumb reports whether the terminal of an environment takes no control
// sequences.
func Dumb(environ []string) bool {
	kind := lookup(environ, "TERM")
	return kind == "" || kind == "dumb"
}

// lookup is the value of a variable, the last one where it is there twice.
func lookup(environ []string, name string) string {
	for _, e := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(e, name+"="); ok {
			return value
		}
	}
	return ""
}
