package views

import "ttftop/themes"

// Title is the rule above a panel with the panel's name in it, and a remark
// after it that may be empty.
func Title(name, remark string, width int, th themes.Theme) string {
	s := newSheet(width, 1, th)
	s.title(name, remark)
	return s.String()
}

// titleMargin is the cells of a title that neither the name nor the remark has.
const titleMargin = 8

// title draws the rule with the names on the first line.
func (s *sheet) title(name, remark string) {
	s.fill(0, 0, s.w, s.sym.Rule, themes.Border)
	x := s.text(1, 0, " ", themes.Plain)
	x = s.text(x, 0, clip(name, s.w-x-2, s.sym), themes.Accent)
	x = s.text(x, 0, " ", themes.Plain)
	if remark != "" && s.w-x > 8 {
		x = s.spans(x, 0, span{s.sym.Dot + " ", themes.Border}, span{clip(remark, s.w-x-5, s.sym), themes.Dim})
		s.text(x, 0, " ", themes.Plain)
	}
}

// TooSmall is the one thing to say in a window without room for anything.
func TooSmall(width, height int, th themes.Theme) string {
	s := newSheet(width, height, th)
	s.text(0, 0, clip("window too small (need 20x5)", s.w, s.sym), themes.Warn)
	return s.String()
}
