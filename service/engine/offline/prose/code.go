package prose

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// program answers with code: one of the few tasks known, in the language asked
// for or the voice's own, or a frame that compiles.
func (d *desk) program() string {
	lang := d.language
	if lang == "" {
		lang = d.voice.code
		if match(strings.ToLower(d.prompt), `\b(?:sql|query|select|table)\b`) {
			lang = "sql"
		}
	}
	task := taskOf(d.prompt)
	body, found := snippet(task, lang)
	if !found {
		body = frame(lang, d.topic)
	}
	fence := "```" + lang + "\n" + body + "\n```"
	notes := []string{
		"It handles the empty input on purpose: nothing in, nothing out.",
		"Names say what, comments would only say it again.",
		"A test comes next; the example at the end is its first line.",
		"It favours clarity over speed: measure before changing that.",
	}
	if !found {
		notes[0] = "This is a frame for “" + d.topic + "”: the part marked *here* is yours."
	}
	switch d.voice.chatty {
	case 0:
		return fence
	case 2:
		return d.opened(fmt.Sprintf("## Code\n\n%s\n\n## Why it looks like this\n\n1. %s\n2. %s\n3. %s\n\n## Cost\n\n| | |\n|---|---|\n| time | one pass over the input |\n| room | one copy of the output |", fence, notes[0], notes[1], notes[3]))
	}
	return d.opened(fence + "\n\n" + notes[0] + " " + d.pick(notes[1:]...))
}

func taskOf(prompt string) string {
	low := strings.ToLower(prompt)
	for _, t := range [][2]string{
		{"reverse", `\brevers`}, {"fizzbuzz", `fizz ?buzz`}, {"fibonacci", `fibonacci|\bfib\b`}, {"palindrome", `palindrom`}, {"prime", `\bprimes?\b`},
		{"server", `\b(?:web|http) ?server|hello world server`}, {"hello", `hello,? world`}, {"words", `count(?:s|ing)? (?:the )?words|word (?:count|frequen)`}, {"sort", `\bsort`},
		{"top", `\btop \d+|latest|newest|most recent|group by|per (?:user|customer|day|month)`},
	} {
		if match(low, t[1]) {
			return t[0]
		}
	}
	return ""
}

// snippet finds a known program.
func snippet(task, lang string) (string, bool) {
	if task == "" {
		return "", false
	}
	_, rest, ok := strings.Cut(snippets, "\n=== "+task+" "+lang+"\n")
	if !ok {
		return "", false
	}
	body, _, _ := strings.Cut(rest, "\n=== ")
	return strings.TrimRight(body, "\n"), true
}

// frame is a program of the right shape, named after the topic.
func frame(lang, topic string) string {
	words := strings.FieldsFunc(strings.ToLower(topic), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) || r > unicode.MaxASCII })
	if len(words) > 4 {
		words = words[:4]
	}
	if len(words) == 0 || words[0][0] >= '0' && words[0][0] <= '9' {
		words = append([]string{"do"}, words...)
	}
	snake := strings.Join(words, "_")
	camel := words[0]
	for _, w := range words[1:] {
		camel += upperFirst(w)
	}
	body, ok := snippet("frame", lang)
	if !ok {
		body, _ = snippet("frame", "text")
	}
	return regexp.MustCompile(`NAME|Name|name_it`).ReplaceAllStringFunc(body, func(m string) string {
		switch m {
		case "NAME":
			return camel
		case "Name":
			return upperFirst(camel)
		}
		return snake
	})
}
