package config

import (
	"path/filepath"
	"runtime"
)

// Path is where the configuration file is looked for when no --config is
// given: $XDG_CONFIG_HOME/ttftop/config.toml, or the same in ~/.config; in
// %AppData% on Windows. "" where the environment names no such place. The file
// need not be there.
func Path(getenv func(string) string) string { return path(runtime.GOOS, getenv) }

func path(goos string, getenv func(string) string) string {
	dir := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // a relative one is to be ignored, says the XDG specification
		dir = ""
	}
	if dir == "" && goos == "windows" {
		dir = getenv("AppData")
	}
	if home := getenv("HOME"); dir == "" && home != "" {
		dir = filepath.Join(home, ".config")
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "ttftop", "config.toml")
}
