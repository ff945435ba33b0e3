package markdown

import (
	_ "embed" // the table of commands
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed tex.txt
var texData string

// texTable maps the commands of TeX, by what kind of command they are, to what they are drawn as; and letters to those
// of other alphabets. The table "kind" maps each name to its kind. A kind that ends with a colon has names only.
var texTable = sync.OnceValue(func() map[string]map[string]string {
	table := map[string]map[string]string{"kind": {}}
	for line := range strings.Lines(texData) {
		words := strings.Fields(line)
		kind, hasNamesOnly := strings.CutSuffix(words[0], ":")
		if table[kind] == nil {
			table[kind] = map[string]string{}
		}
		for i := 1; i < len(words); i++ {
			name := words[i]
			if !hasNamesOnly {
				i++
			}
			table["kind"][name], table[kind][name] = kind, words[i]
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
