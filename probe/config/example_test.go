package config

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestExampleLoads(t *testing.T) {
	f := load(t, Example())
	if targets, err := f.Targets(env(nil)); err != nil || len(targets) != 0 {
		t.Errorf("%v, %v: the example is not to probe anything", targets, err)
	}
	if got := f.Defaults(Builtin()); got != Builtin() {
		t.Errorf("the example changes the defaults: %+v", got)
	}
}

// uncommented is the example with everything in force.
func uncommented() string {
	return regexp.MustCompile(`(?m)^# ((# .*)|([a-z_]+ = .*|\[.*))$`).ReplaceAllString(Example(), "$1")
}

func TestUncommentedExampleLoads(t *testing.T) {
	path := write(t, strings.Replace(uncommented(), "cacert = ", "# cacert = ", 1))
	f, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	targets, err := f.Targets(env(map[string]string{"US_API_KEY": "k", "US_TOKEN": "t"}))
	if err != nil || len(targets) != 2 || targets[0].Name != "us-east" || targets[1].Name != "local" {
		t.Errorf("%v, %v", targets, err)
	}
	want := Builtin() // what the example says is in force is what is
	want.Theme = "auto"
	got := f.Defaults(Builtin())
	if got.ThemeAt == "" {
		t.Error("the place of the theme is lost")
	}
	got.ThemeAt = ""
	if got != want {
		t.Errorf("the example says %+v, want %+v", got, want)
	}
}

func TestExampleHasEveryKey(t *testing.T) {
	for _, k := range schema {
		if k.table != "" && !regexp.MustCompile(`(?m)^`+k.name+` = `).MatchString(uncommented()) {
			t.Errorf("%s is not in the example", k.name)
		}
	}
	for line := range strings.Lines(Example()) {
		if utf8.RuneCountInString(line) > 81 {
			t.Errorf("too wide: %s", line)
		}
	}
}

func TestPath(t *testing.T) {
	home := filepath.FromSlash("/home/anna")
	tests := []struct {
		goos string
		env  map[string]string
		want string
	}{
		{"linux", map[string]string{"XDG_CONFIG_HOME": "/xdg", "HOME": home}, "/xdg/ttftop/config.toml"},
		{"linux", map[string]string{"HOME": home}, "/home/anna/.config/ttftop/config.toml"},
		{"linux", map[string]string{"XDG_CONFIG_HOME": "relative", "HOME": home}, "/home/anna/.config/ttftop/config.toml"},
		{"linux", nil, ""},
		{"darwin", map[string]string{"HOME": home}, "/home/anna/.config/ttftop/config.toml"},
		{"darwin", map[string]string{"XDG_CONFIG_HOME": "/xdg", "HOME": home}, "/xdg/ttftop/config.toml"},
		{"windows", map[string]string{"AppData": "/roaming", "HOME": home}, "/roaming/ttftop/config.toml"},
		{"windows", nil, ""},
	}
	for _, tt := range tests {
		if got := path(tt.goos, env(tt.env)); got != filepath.FromSlash(tt.want) {
			t.Errorf("on %s with %v: %q, want %q", tt.goos, tt.env, got, tt.want)
		}
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	if got := Path(os.Getenv); !strings.HasPrefix(got, os.Getenv("XDG_CONFIG_HOME")) {
		t.Errorf("Path gives %q", got)
	}
}
