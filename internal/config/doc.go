// Package config says what confab was told: settings from flags, the
// environment and one TOML file, where each came from, the key, and the
// places where confab keeps things.
//
// Everything is computed from the [Sources] that are passed in. The places
// follow the XDG base directory specification from the passed environment, not
// through a library that reads the process's own when it is imported, so that
// tests and screens served to others can have theirs. Nothing is created by
// loading. It may import service/api for its error type, and no other layer.
package config
