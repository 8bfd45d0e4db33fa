package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// told is a target as the table of a test writes it.
type told struct{ name, model, key, region string }

func TestFromFlags(t *testing.T) {
	vars := map[string]string{"A_KEY": "a", "B_KEY": "b", "OPENAI_API_KEY": "own", "OPENAI_BASE_URL": "http://localhost:9000/v1"}
	tests := []struct {
		name  string
		flags Flags
		want  []told
		err   string
	}{
		{"one", Flags{URLs: []string{"https://h"}, Models: []string{"m"}, KeyEnvs: []string{"A_KEY"}}, []told{{"h", "m", "a", ""}}, ""},
		{"no model", Flags{URLs: []string{"https://h:8443"}}, []told{{"h:8443", "", "", ""}}, ""},
		{"one for all", Flags{URLs: []string{"https://h", "https://i"}, Models: []string{"m"}, KeyEnvs: []string{"A_KEY"}, Regions: []string{"eu"}},
			[]told{{"h", "m", "a", "eu"}, {"i", "m", "a", "eu"}}, ""},
		{"by position", Flags{URLs: []string{"https://h", "https://i"}, Models: []string{"m", "n"}, KeyEnvs: []string{"A_KEY", "B_KEY"}, Names: []string{"x", "y"}, Regions: []string{"eu", "us"}},
			[]told{{"x", "m", "a", "eu"}, {"y", "n", "b", "us"}}, ""},
		{"one skipped", Flags{URLs: []string{"https://h", "https://i"}, Models: []string{"", "n"}, KeyEnvs: []string{"", "B_KEY"}, Names: []string{"", "y"}},
			[]told{{"h", "", "", ""}, {"y", "n", "b", ""}}, ""},
		{"OPENAI_API_KEY goes to its hosts alone", Flags{URLs: []string{"https://h", "https://api.openai.com", "localhost:9000"}, Models: []string{"m"}},
			[]told{{"h", "m", "", ""}, {"api.openai.com", "m", "own", ""}, {"localhost:9000", "m", "own", ""}}, ""},
		{"the same host with two models", Flags{URLs: []string{"https://h", "https://h/v1"}, Models: []string{"m", "n"}}, []told{{"h m", "m", "", ""}, {"h n", "n", "", ""}}, ""},
		{"the same host and model", Flags{URLs: []string{"https://h/a", "https://h/b", "https://h/c"}, Models: []string{"m"}},
			[]told{{"h m", "m", "", ""}, {"h m 2", "m", "", ""}, {"h m 3", "m", "", ""}}, ""},
		{"the same host without models", Flags{URLs: []string{"https://h/a", "https://h/b"}}, []told{{"h", "", "", ""}, {"h 2", "", "", ""}}, ""},
		{"the same host on two ports", Flags{URLs: []string{"http://h:1", "http://h:2"}, Models: []string{"m"}}, []told{{"h:1", "m", "", ""}, {"h:2", "m", "", ""}}, ""},
		{"a name that another host has", Flags{URLs: []string{"https://h", "https://i"}, Names: []string{"", "h"}}, []told{{"h 2", "", "", ""}, {"h", "", "", ""}}, ""},
		{"an IPv6 address", Flags{URLs: []string{"http://[::1]:80/v1", "http://[::1]:81/v1"}}, []told{{"[::1]", "", "", ""}, {"[::1]:81", "", "", ""}}, ""},
		{"an Azure deployment", Flags{URLs: []string{"https://r.openai.azure.com/openai/deployments/gpt-3.5-turbo"}}, []told{{"r.openai.azure.com", "gpt-3.5-turbo", "", ""}}, ""},
		{"an Azure deployment said twice", Flags{URLs: []string{"https://r.openai.azure.com/openai/deployments/d"}, Models: []string{"d"}}, []told{{"r.openai.azure.com", "d", "", ""}}, ""},

		{"no URL", Flags{Models: []string{"m"}}, nil, "no URL is given: write ttftop https://host/v1 -m MODEL"},
		{"too many models", Flags{URLs: []string{"https://h"}, Models: []string{"m", "n"}}, nil, "-m is given 2 times for one URL"},
		{"too many keys", Flags{URLs: []string{"https://h", "https://i"}, KeyEnvs: []string{"A", "B", "C"}}, nil, "--key-env is given 3 times for 2 URLs"},
		{"too few models", Flags{URLs: []string{"https://h", "https://i", "https://j"}, Models: []string{"m", "n"}}, nil, "-m is given 2 times for 3 URLs: give it once for all, or once for each (-m '' skips one)"},
		{"too few names", Flags{URLs: []string{"https://h", "https://i"}, Names: []string{"x"}}, nil, "--name is given once for 2 URLs: give it once for each"},
		{"too few of many names", Flags{URLs: []string{"https://h", "https://i", "https://j"}, Names: []string{"x", "y"}}, nil, "--name is given 2 times for 3 URLs: give it once for each"},
		{"the same name", Flags{URLs: []string{"https://h", "https://i"}, Names: []string{"x", "x"}}, nil, `the name "x" is given twice`},
		{"a bad URL", Flags{URLs: []string{"h"}}, nil, "the URL has no scheme"},
		{"a bad URL of two", Flags{URLs: []string{"https://h", "i"}}, nil, "URL 2 of 2: the URL has no scheme"},
		{"a key that is not set", Flags{URLs: []string{"https://h"}, KeyEnvs: []string{"NO_KEY"}}, nil, "NO_KEY is not set"},
		{"a bad name", Flags{URLs: []string{"https://h"}, Names: []string{"a\x1b"}}, nil, "the name has a line break"},
		{"a bad region of two", Flags{URLs: []string{"https://h", "https://i"}, Regions: []string{"eu", " us"}}, nil, "URL 2 of 2: the region begins or ends with a space"},
		{"a bad model", Flags{URLs: []string{"https://h"}, Models: []string{" "}}, nil, "the name of a model is empty"},
		{"a model with a control character", Flags{URLs: []string{"https://h"}, Models: []string{"a\tb"}}, nil, "control character"},
		{"a bad header", Flags{URLs: []string{"https://h"}, Headers: []string{"X"}}, nil, "no colon"},
		{"a header twice", Flags{URLs: []string{"https://h"}, Headers: []string{"X: 1", "x: 2"}}, nil, "X is given twice"},
		{"two credentials", Flags{URLs: []string{"https://h"}, Headers: []string{"authorization: x"}, KeyEnvs: []string{"A_KEY"}}, nil, "give one of them"},
		{"CA and insecure", Flags{URLs: []string{"https://h"}, CACert: "x", Insecure: true}, nil, "--cacert and --insecure are both given"},
		{"no such CA", Flags{URLs: []string{"https://h"}, CACert: "no-such.pem"}, nil, "the certificate file can't be read"},
		{"Azure without a model", Flags{URLs: []string{"https://r.openai.azure.com"}}, nil, "can't be listed"},
		{"Azure's v1 form without a model", Flags{URLs: []string{"https://r.openai.azure.com/openai/v1"}}, nil, "can't be listed"},
		{"Azure with two models", Flags{URLs: []string{"https://r.openai.azure.com/openai/deployments/d"}, Models: []string{"m"}}, nil, `names the deployment "d" already`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.flags.Getenv = env(vars)
			targets, err := FromFlags(tt.flags)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []told
			for _, target := range targets {
				e := target.Endpoint
				if e.Name != target.Name {
					t.Errorf("the endpoint is called %q, its target %q", e.Name, target.Name)
				}
				got = append(got, told{target.Name, strings.Join(target.Models, ","), e.Key.Reveal(), e.Region})
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

func TestFromFlagsSharesHeadersAndTLS(t *testing.T) {
	targets, err := FromFlags(Flags{URLs: []string{"https://h", "https://i"}, Headers: []string{"x-a: 1", "X-B: 2"}, Insecure: true, Getenv: env(nil)})
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		e := target.Endpoint
		if e.Headers["X-A"].Reveal() != "1" || e.Headers["X-B"].Reveal() != "2" || !e.Insecure {
			t.Errorf("%s: headers %v, insecure %v", target.Name, e.Headers, e.Insecure)
		}
	}
	targets[0].Endpoint.Headers["X-A"] = targets[0].Endpoint.Headers["X-B"]
	if targets[1].Endpoint.Headers["X-A"].Reveal() != "1" {
		t.Error("two endpoints share one map of headers")
	}
}

func TestFromFlagsErrorsShowNoSecret(t *testing.T) {
	const key = "sk-TESTKEY-0000-do-not-print"
	for _, f := range []Flags{
		{URLs: []string{key}},
		{URLs: []string{"https://h"}, KeyEnvs: []string{key}},
		{URLs: []string{"https://h"}, Headers: []string{key}},
		{URLs: []string{"https://h"}, Headers: []string{"Authorization: " + key, "Authorization: " + key}},
		{URLs: []string{"https://u:" + key + "@h:x"}},
		{URLs: []string{"https://u:" + key + "@r.openai.azure.com?api-key=" + key}},
	} {
		f.Getenv = env(nil)
		_, err := FromFlags(f)
		if err == nil {
			t.Errorf("%v: no error", f)
		} else if text := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(text, "TESTKEY") {
			t.Errorf("the error shows the secret: %s", text)
		}
	}
}

func TestFromEnv(t *testing.T) {
	tests := []struct {
		name  string
		env   map[string]string
		flags Flags
		want  told
		err   string
	}{
		{"all three", map[string]string{"OPENAI_BASE_URL": "https://gw.example/v1", "OPENAI_API_KEY": "k", "OPENAI_MODEL": "m"}, Flags{}, told{"gw.example", "m", "k", ""}, ""},
		{"no model", map[string]string{"OPENAI_BASE_URL": "https://gw.example/v1", "OPENAI_API_KEY": "k"}, Flags{}, told{"gw.example", "", "k", ""}, ""},
		{"no key", map[string]string{"OPENAI_BASE_URL": "http://localhost:8000"}, Flags{}, told{"localhost:8000", "", "", ""}, ""},
		{"flags win", map[string]string{"OPENAI_BASE_URL": "https://gw.example", "OPENAI_API_KEY": "k", "OPENAI_MODEL": "m", "K": "k2"},
			Flags{Models: []string{"n"}, KeyEnvs: []string{"K"}, Names: []string{"x"}}, told{"x", "n", "k2", ""}, ""},
		{"an Azure deployment", map[string]string{"OPENAI_BASE_URL": "https://r.openai.azure.com/openai/deployments/d", "OPENAI_API_KEY": "k"}, Flags{}, told{"r.openai.azure.com", "d", "k", ""}, ""},
		{"not set", nil, Flags{}, told{}, "OPENAI_BASE_URL is not set or empty: set it"},
		{"white space", map[string]string{"OPENAI_BASE_URL": " "}, Flags{}, told{}, "OPENAI_BASE_URL is not set or empty"},
		{"no URL", map[string]string{"OPENAI_BASE_URL": "gw.example"}, Flags{}, told{}, "OPENAI_BASE_URL: the URL has no scheme"},
		{"a URL beside it", map[string]string{"OPENAI_BASE_URL": "https://h"}, Flags{URLs: []string{"https://i"}}, told{}, "leave env away"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.flags.Getenv = env(tt.env)
			targets, err := FromEnv(tt.flags)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil || len(targets) != 1 {
				t.Fatalf("%v, %v", targets, err)
			}
			got := told{targets[0].Name, strings.Join(targets[0].Models, ","), targets[0].Endpoint.Key.Reveal(), ""}
			if got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

func TestFlagsReadTheEnvironmentByThemselves(t *testing.T) {
	t.Setenv("TTFTOP_TEST_KEY", "from the environment")
	targets, err := FromFlags(Flags{URLs: []string{"https://h"}, KeyEnvs: []string{"TTFTOP_TEST_KEY"}})
	if err != nil || targets[0].Endpoint.Key.Reveal() != "from the environment" {
		t.Errorf("%v, %v", targets, err)
	}
}
