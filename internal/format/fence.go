package format

import "strings"

// fence returns a fence of Markdown that no line of the text closes: longer than every run of backticks in it.
func fence(text string) string {
	longest, run := 2, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}

// Fenced returns a text as a fenced part of Markdown in a language, which may be empty.
func Fenced(language, text string) string {
	fence := fence(text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return fence + language + "\n" + text + fence + "\n"
}
