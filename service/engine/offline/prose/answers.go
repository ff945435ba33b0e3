package prose

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"confab/internal/format"
)

// maxMaterial is how many bytes of a text are summarised or reworded, so that an answer does not take seconds.
const maxMaterial = 64 << 10

// Entries returns as many list entries about the topic as the prompt or else the style asks for.
func (c *composer) Entries() []string {
	n := c.Count
	if n == 0 {
		n = c.ByDetail(3, 5, 7)
	}
	prompt := strings.ToLower(c.Prompt)
	pool := c.List("ideas")
	if c.matches("names", prompt) {
		pool = c.List("names")
	}
	if c.IsKnown() && c.matches("facts", prompt) {
		facts := []string{c.What, c.Why, c.Pitfall}
		for _, p := range c.Parts {
			facts = append(facts, fmt.Sprintf("**%s**: %s", p.Name, p.Text))
		}
		pool = append(facts, pool...)
	} else {
		c.rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	}
	pool = pool[:min(n, len(pool))]
	for i := range pool {
		pool[i] = format.Capitalize(pool[i])
	}
	return pool
}

// Steps returns steps towards the topic.
func (c *composer) Steps() []string {
	all := c.List("steps")
	n := c.ByDetail(4, 5, 7)
	if c.Count > 0 {
		n = min(c.Count, len(all))
	}
	if c.IsKnown() {
		for i, p := range c.Parts[:min(n-1, len(c.Parts))] {
			all[i+1] = fmt.Sprintf("**%s**: %s.", p.Name, p.Text)
		}
	}
	return all[:n]
}

// Article returns the article that stands before the topic in the prompt, with a space, or "".
func (c *composer) Article() string {
	head, _, _ := strings.Cut(" "+strings.ToLower(c.Prompt), strings.ToLower(c.Topic))
	for _, article := range []string{"a ", "an ", "the "} {
		if strings.HasSuffix(head, " "+article) {
			return article
		}
	}
	return ""
}

func (c *composer) Summary() string { return c.summarise(firstBytes(c.Material, maxMaterial), 3) }

// Language returns the programming language to answer in: that of the prompt, or else that of the style.
func (c *composer) Language() string {
	switch {
	case c.CodeLanguage != "":
		return c.CodeLanguage
	case c.matches("sql_language", strings.ToLower(c.Prompt)):
		return "sql"
	}
	return c.Style.Code
}

// Program returns the template of the program that the prompt asks for, or of a frame for one.
func (c *composer) Program() string {
	task := firstMatch(c.Programs, strings.ToLower(c.Prompt))
	for _, name := range []string{task + " " + c.Language(), "frame " + c.Language()} {
		if c.templates.Lookup("program "+name) != nil {
			return "program " + name
		}
	}
	return "program frame text"
}

// IsFrame reports whether the program is a frame, because the task is not known in the language.
func (c *composer) IsFrame() bool { return strings.HasPrefix(c.Program(), "program frame") }

// nameWords returns the words of the topic that can stand in the name of a function.
func (c *composer) nameWords() []string {
	words := strings.FieldsFunc(strings.ToLower(c.Topic), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	words = words[:min(4, len(words))]
	if len(words) == 0 || unicode.IsDigit(rune(words[0][0])) {
		words = append([]string{"do"}, words...)
	}
	return words
}

func (c *composer) SnakeName() string { return strings.Join(c.nameWords(), "_") }

func (c *composer) CamelName() string {
	words := c.nameWords()
	for i := range words[1:] {
		words[i+1] = format.Capitalize(words[i+1])
	}
	return strings.Join(words, "")
}

// translation is what the phrasebook makes of a text.
type translation struct {
	Original, Language, Text string
	Whole                    bool // the phrasebook has the text as a whole
	Missing                  int  // words that the phrasebook does not have
}

// Translation translates the phrases and words that the phrasebook has and puts other words into brackets.
func (c *composer) Translation() translation {
	original := shorten(oneLine(c.Material), 300)
	out := translation{Original: plain(original), Language: format.Capitalize(c.TargetLanguage)}
	if out.Text, out.Whole = c.lookUp(original); out.Whole {
		return out
	}
	var words []string
	for _, phrase := range strings.FieldsFunc(original, func(r rune) bool { return strings.ContainsRune(",.!?;", r) }) {
		if text, ok := c.lookUp(phrase); ok {
			words = append(words, text)
			continue
		}
		for _, word := range strings.Fields(phrase) {
			text, ok := c.lookUp(word)
			if !ok {
				text = "⟨" + word + "⟩"
				out.Missing++
			}
			words = append(words, text)
		}
	}
	out.Original, out.Text = plain(shorten(original, 200)), plain(strings.Join(words, " "))
	return out
}

// lookUp returns a phrase in the target language.
func (c *composer) lookUp(phrase string) (string, bool) {
	row, ok := c.translations[strings.ToLower(strings.Trim(strings.TrimSpace(phrase), ".,!?;:\"'“”"))]
	if !ok {
		return "", false
	}
	return row[slices.Index(c.Phrasebook[0], c.TargetLanguage)], true
}
