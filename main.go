// Command ttftop is top for time to first token: it streams live probes
// against LLM endpoints, shows where each TTFT went, and lets a person turn
// prompt length, batch pressure and model to see what each one does.
package main

import "ttftop/tui/cli"

func main() { cli.Main() }
