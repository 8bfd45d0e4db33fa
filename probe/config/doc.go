// Package config turns what a person asked for into targets: a configuration
// file, flags, or the environment.
//
// Load reads and checks a file; its Targets and Defaults are what the program
// needs of it. FromFlags and FromEnv do the same for the command line. Every
// fault is a sentence that says what to write instead, with file and line
// where there is a file, and none repeats a credential.
//
// Nothing here touches the network. The files named by cacert are read, to
// find a wrong one before the first probe does.
package config
