// Package curl writes a probe as a command that a person can run by hand.
//
// Start with Command. It holds no key: what authorizes is taken from the
// environment when the command is run.
package curl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"ttftop/probe"
	"ttftop/probe/chat"
	"ttftop/probe/endpoint"
	"ttftop/probe/prompt"
)

// Command is the request of a result for sh, bash or zsh: the same address,
// headers and body, with a prompt of the same length in other words. Each
// variable of the environment that it needs is in needs. Its lines fit on a screen
// of 80 cells, but for those of long names of variables. The error is that of a
// result that was never sent.
func Command(e *probe.Endpoint, r *probe.Result) (command string, needs []string, err error) {
	if len(r.Body) == 0 {
		return "", nil, errors.New("this probe was never sent: there is no request to show")
	}
	var body bytes.Buffer
	if err := json.Indent(&body, r.Body, "", " "); err != nil {
		return "", nil, fmt.Errorf("the request of this probe is no JSON: %w", err)
	}
	var b strings.Builder
	line := func(text string) { b.WriteString(text + " \\\n  ") }
	const call = "curl -sN --http1.1 "
	if url := quoted(endpoint.DisplayChat(e, r.Knobs.Model)); len(call)+len(url) < lineWidth {
		line(call + url)
	} else {
		b.WriteString(call + "\\\n")
		line(quotedLines(endpoint.DisplayChat(e, r.Knobs.Model)))
	}
	if e.Insecure {
		line("--insecure")
	}
	if e.CACert != "" {
		line("--cacert " + quoted(e.CACert))
	}
	line("-H 'Content-Type: application/json' -H 'Accept: text/event-stream'")
	for _, h := range secretHeaders(e) {
		line(fmt.Sprintf(`-H "%s: %s$%s"`, h.name, h.before, h.variable))
		needs = append(needs, h.variable)
	}
	b.WriteString("--data-binary @- <<EOF\n")
	before, after, found := strings.Cut(escaped(endpoint.Redact(e, body.String())), chat.PromptPlace)
	b.WriteString(folded(before, 0))
	if found {
		b.WriteString(prompt.Shell(r.PromptChars, r.Knobs.Cache))
	}
	b.WriteString(folded(after, column(b.String())))
	b.WriteString("\nEOF\n")
	return b.String(), needs, nil
}

// secretHeader is a header whose value is taken from the environment.
type secretHeader struct{ name, before, variable string }

// secretHeaders are the headers that may hold a secret.
func secretHeaders(e *probe.Endpoint) []secretHeader {
	var list []secretHeader
	if !e.Key.IsZero() {
		key := secretHeader{"Authorization", "Bearer ", e.KeyEnv}
		if e.API == probe.Azure {
			key = secretHeader{"Api-Key", "", e.KeyEnv}
		}
		if key.variable == "" {
			key.variable = "API_KEY"
		}
		list = append(list, key)
	}
	for _, name := range endpoint.HeaderNames(e) {
		list = append(list, secretHeader{name, "", variable(name)})
	}
	return list
}

// variable is a variable of the environment for the value of a header.
func variable(name string) string {
	return "HEADER_" + strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		}
		return '_'
	}, name)
}

// quoted is a text as one word of the shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// escaped is a text as it stands in a here-document.
var escapes = strings.NewReplacer(`\`, `\\`, "$", `\$`, "`", "\\`")

func escaped(text string) string { return escapes.Replace(text) }
