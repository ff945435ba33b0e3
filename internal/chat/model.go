package chat

import (
	"path"
	"strings"
)

// MatchModel reports whether the name of a model matches a glob, whose * goes over slashes. The error is that of
// [path.Match].
func MatchModel(pattern, name string) (bool, error) {
	plain := func(s string) string { return strings.ReplaceAll(s, "/", "\x00") }
	return path.Match(plain(pattern), plain(name)) //nolint:wrapcheck // it says what is wrong with the pattern
}
