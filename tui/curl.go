package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ttftop/probe"
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
	lines, command := curlLines(m.targets[r.Target].Endpoint, r)
	if m.page.Lines = lines; command == "" {
		return m, nil
	}
	m.page.Lines = append(lines, copiedWhole)
	return m, tea.SetClipboard(command)
}

// curlLines is a probe as a command, with what to know of it below; or why there
// is none, and no command.
func curlLines(e *probe.Endpoint, r *probe.Result) (lines []string, command string) {
	command, needs, err := curl.Command(e, r)
	if err != nil {
		return []string{err.Error()}, ""
	}
	lines = append(strings.Split(strings.TrimSuffix(command, "\n"), "\n"), "",
		"For sh, bash, zsh. The prompt is as long as the one sent, in other words.")
	if len(needs) > 0 {
		lines = append(lines, "It holds no key: what authorizes comes from the environment: "+strings.Join(needs, ", ")+".")
	}
	if strings.Contains(command, "***") {
		lines = append(lines, "*** stands for what must not be shown: put it in by hand.")
	}
	return lines, command
}
