package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	toml "github.com/pelletier/go-toml/v2"

	"ttftop/probe/nearest"
)

// known is a key that the file may have.
type known struct {
	table string // "" for the file itself
	name  string
	is    string // what its value must be, for a sentence
}

// schema is every key, for sentences about unknown ones and wrong types. A
// test holds it to the structs that are decoded into.
var schema = []known{
	{"", "endpoints", "tables, each begun with [[endpoints]]"},
	{"", "settings", "a table, begun with [settings]"},
	{"endpoints", "name", `a text in quotes, such as "us-east"`},
	{"endpoints", "url", `a text in quotes, such as "https://host/v1"`},
	{"endpoints", "models", `a list of texts, such as ["model-a", "model-b"]`},
	{"endpoints", "handoff", `the name of a model in quotes, such as "model-small"`},
	{"endpoints", "key_env", `the name of an environment variable in quotes, such as "MY_API_KEY"`},
	{"endpoints", "headers", `a table of texts, such as { X-Tenant = "acme" }`},
	{"endpoints", "region", `a text in quotes, such as "eu-west"`},
	{"endpoints", "cacert", `the name of a file in quotes, such as "ca.pem"`},
	{"endpoints", "insecure", "true or false"},
	{"settings", "prompt_tokens", "a whole number, such as 256"},
	{"settings", "pressure", "a whole number, such as 0"},
	{"settings", "max_tokens", "a whole number, such as 16"},
	{"settings", "cache", `"bust" or "warm"`},
	{"settings", "cache_share", "a number from 0 to 1, such as 0.9"},
	{"settings", "conn", `"warm" or "cold"`},
	{"settings", "rate", "a number, such as 1"},
	{"settings", "timeout", `a duration in quotes, such as "30s"`},
	{"settings", "token_budget", "a whole number, such as 1000000"},
	{"settings", "theme", "the name of a theme in quotes"},
	{"settings", "slo", `a list of texts, such as ["p95=600ms", "failures=1%"]`},
}

// meant are names that people use for a key and that look like none of ours.
var meant = map[string]string{
	"base_url": "url", "api_base": "url", "endpoint": "endpoints", "base": "url",
	"ca_cert": "cacert", "ca": "cacert", "verify": "insecure", "defaults": "settings",
	"qps": "rate", "budget": "token_budget", "connection": "conn",
}

// keyNames are what people call a key that they would put into the file.
var keyNames = []string{"key", "api_key", "apikey", "api-key", "token", "secret"}

// decodeError says in sentences what the decoder found.
func decodeError(path string, err error) error {
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		var all []error
		for i := range strict.Errors {
			line, _ := strict.Errors[i].Position()
			all = append(all, located(path, line, unknownKey(strict.Errors[i].Key())))
		}
		return errors.Join(all...)
	}
	decode, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return located(path, 0, errors.New("the file can't be read as TOML"))
	}
	line, _ := decode.Position()
	return located(path, line, wrongValue(decode))
}

// wrongValue is a value of the wrong type, or text that is no TOML. The
// decoder's own words about types name Go's types and are left out.
func wrongValue(decode *toml.DecodeError) error {
	message := strings.TrimPrefix(decode.Error(), "toml: ")
	wrongType := strings.HasPrefix(message, "cannot ")
	if table, name := tableOf(decode.Key()); wrongType && name != "" {
		if i := slices.IndexFunc(schema, func(k known) bool { return k.table == table && k.name == name }); i >= 0 {
			return fmt.Errorf("%s must be %s", name, schema[i].is)
		}
	}
	if wrongType {
		message = "a value of the wrong type"
	}
	return fmt.Errorf("this is no TOML: %s", message)
}

// tableOf splits a key into its table and its name there, as the schema has
// them. Headers have names of their own: what is wrong below is wrong in headers.
func tableOf(key toml.Key) (table, name string) {
	switch {
	case len(key) == 0:
		return "", ""
	case len(key) == 1:
		return "", strings.ToLower(key[0])
	}
	return strings.ToLower(key[0]), strings.ToLower(key[1])
}

// unknownKey says which key was meant.
func unknownKey(key toml.Key) error {
	table, name := tableOf(key)
	shown := fmt.Sprintf("unknown key %q", shorten(name))
	if table != "" {
		shown += fmt.Sprintf(" in %s", header(table))
	}
	if slices.Contains(keyNames, name) {
		return errors.New(shown + ": a key does not belong in the file; put it into an environment variable and name that with key_env")
	}
	if k, found := suggest(table, name); found {
		switch {
		case k.table != table:
			return fmt.Errorf("%s: %s belongs in %s", shown, k.name, header(k.table))
		case table == "":
			return fmt.Errorf("%s: write %s", shown, header(k.name))
		}
		return fmt.Errorf("%s: write %s", shown, k.name)
	}
	return fmt.Errorf("%s: the keys are %s", shown, strings.Join(namesIn(table), ", "))
}

// suggest finds the key that was meant: in the same table first, then in any.
func suggest(table, name string) (known, bool) {
	if other, there := meant[name]; there {
		name = other
	}
	for _, here := range []bool{true, false} {
		var names []string
		for _, k := range schema {
			if !here || k.table == table {
				names = append(names, k.name)
			}
		}
		if best := nearest.Of(name, names); best != "" {
			i := slices.IndexFunc(schema, func(k known) bool { return k.name == best && (!here || k.table == table) })
			return schema[i], true
		}
	}
	return known{}, false
}

// namesIn are the keys of a table, of the file itself where there is none such.
func namesIn(table string) []string {
	var names []string
	for _, k := range schema {
		if k.table == table {
			names = append(names, k.name)
		}
	}
	if names == nil {
		return namesIn("")
	}
	return names
}

// header is how a table is begun.
func header(table string) string {
	switch table {
	case "":
		return "the file itself, outside of every table"
	case "endpoints":
		return "[[endpoints]]"
	}
	return "[" + table + "]"
}

// shorten keeps a text that stands in the place of a key, and may be anything,
// from filling the screen or showing a credential.
func shorten(text string) string {
	if runes := []rune(text); len(runes) > 18 {
		return string(runes[:4]) + "…"
	}
	return text
}
