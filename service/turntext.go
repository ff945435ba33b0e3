package service

import "strings"

// TurnMarkdown returns a turn as markdown, as [Service.Write] writes it,
// pictures by their full paths.
func TurnMarkdown(t Turn) string {
	var b strings.Builder
	// Writing to a builder cannot fail.
	_ = (&exporter{as: FormatMarkdown}).markdownTurn(&b, "", t)
	return b.String()
}
