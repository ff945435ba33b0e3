// Package config computes the configuration: settings from flags, the environment and one TOML file, where each came
// from, the API key, and the paths of what confab keeps. Everything is computed from the [Sources] that are passed in,
// so that tests and served screens can have their own; the XDG base directories too come from the passed environment,
// not from a library that reads the process's when it is imported. Loading creates nothing. It may import service/api
// for its error type, and no other layer.
package config
