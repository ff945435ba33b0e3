package markdown

import (
	_ "embed" // the table of commands
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed tex.txt
var texData string

// texTable maps the commands of TeX, by what kind of command they are, to what they are drawn as.
var texTable = sync.OnceValue(func() map[string]map[string]string {
	table := map[string]map[string]string{}
	for line := range strings.Lines(texData) {
		kind, rest, _ := strings.Cut(line, " ")
		if table[kind] == nil {
			table[kind] = map[string]string{}
		}
		words := strings.Fields(rest)
		for i := 0; i < len(words); i++ {
			name := words[i]
			if kind != "function" {
				i++
			}
			table[kind][name] = words[i]
		}
	}
	return table
})

// script draws a text as an index or an exponent: with small characters where all of it has them, else after a mark.
func script(s, kind string, mark rune) string {
	small := texTable()[kind]
	var out strings.Builder
	for _, c := range s {
		if found, ok := small[string(c)]; ok {
			out.WriteString(found)
		} else if c != ' ' {
			return string(mark) + inParentheses(s, true)
		}
	}
	return out.String()
}

// styledLetter draws letters in another alphabet, where it has them.
func styledLetter(s, alphabet string) string {
	letters := texTable()[alphabet]
	return strings.Map(func(c rune) rune {
		if styled, ok := letters[string(c)]; ok {
			c, _ = utf8.DecodeRuneInString(styled)
		}
		return c
	}, s)
}
