package config

import _ "embed"

//go:embed example.toml
var example string

// Example is a commented configuration file. Nothing in it is in force: it
// loads as it is, and with every setting uncommented too.
func Example() string { return example }
