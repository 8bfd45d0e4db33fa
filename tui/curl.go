package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ttftop/probe/curl"
	"ttftop/views"
)

// curl shows the selected probe as a command and gives it to the clipboard of
// the terminal.
func (m model) curl() (tea.Model, tea.Cmd) {
	r := m.table.chosen()
	if r == nil {
		return m, nil
	}
	m.page = &views.Page{Title: fmt.Sprintf("probe %d as a command", r.Seq)}
	command, needs, err := curl.Command(m.targets[r.Target].Endpoint, r)
	if err != nil {
		m.page.Lines = []string{err.Error()}
		return m, nil
	}
	m.page.Lines = append(strings.Split(strings.TrimSuffix(command, "\n"), "\n"), "", copiedWhole,
		"For sh, bash, zsh. The prompt is as long as the one sent, in other words.")
	if len(needs) > 0 {
		m.page.Lines = append(m.page.Lines, "It holds no key: what authorizes comes from the environment: "+strings.Join(needs, ", ")+".")
	}
	if strings.Contains(command, "***") {
		m.page.Lines = append(m.page.Lines, "*** stands for what must not be shown: put it in by hand.")
	}
	return m, tea.SetClipboard(command)
}
