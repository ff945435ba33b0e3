package prose

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMaterial is how many bytes of a text are summarised or reworded, so that an answer does not take seconds.
const maxMaterial = 64 << 10

// byDetail returns one of three values by how long the style answers.
func byDetail[T any](c *composer, terse, usual, long T) T {
	switch c.Style.Detail {
	case "terse":
		return terse
	case "long":
		return long
	}
	return usual
}

// Example returns the analogy, addressed to the audience that the prompt names.
func (c *composer) Example() string {
	if c.Audience != "" && !strings.Contains(strings.ToLower(c.Analogy), c.Audience) {
		return "As one would say to " + withArticle(c.Audience) + ", " + lowerFirst(c.Analogy)
	}
	return c.Analogy
}

// Bullets lists the first n parts of the subject. The mark "1." numbers them.
func (c *composer) Bullets(mark string, n int) string {
	var out []string
	for i, p := range c.Parts[:min(n, len(c.Parts))] {
		m := mark
		if m == "1." {
			m = fmt.Sprintf("%d. ", i+1)
		}
		out = append(out, fmt.Sprintf("%s**%s**: %s", m, p.Name, p.Text))
	}
	return strings.Join(out, "\n")
}

// Table returns the parts of the subject as a table.
func (c *composer) Table(left, right string) string {
	out := fmt.Sprintf("| %s | %s |\n|---|---|", left, right)
	for _, p := range c.Parts {
		out += fmt.Sprintf("\n| %s | %s |", p.Name, p.Text)
	}
	return out
}

// Diagram draws the parts of the subject as boxes below one another.
func (c *composer) Diagram() string {
	width := 0
	for _, p := range c.Parts {
		width = max(width, utf8.RuneCountInString(p.Name))
	}
	var out []string
	for _, p := range c.Parts {
		out = append(out, fmt.Sprintf("[ %-*s ]──► %s", width, p.Name, shorten(p.Text, 44)))
	}
	return strings.Join(out, "\n"+strings.Repeat(" ", width/2+1)+"│\n")
}

// markedList writes list entries. The mark "1." numbers them, and "|" makes a table.
func markedList(mark string, entries []string) string {
	var out []string
	if mark == "|" {
		out = append(out, "| no. | entry |", "|--:|:--|")
	}
	for i, entry := range entries {
		switch mark {
		case "|":
			out = append(out, fmt.Sprintf("| %d | %s |", i+1, entry))
		case "1.":
			out = append(out, fmt.Sprintf("%d. %s", i+1, entry))
		default:
			out = append(out, mark+entry)
		}
	}
	return strings.Join(out, "\n")
}

// Entries returns as many list entries about the topic as the prompt or the style asks for.
func (c *composer) Entries() string {
	n := c.Count
	if n == 0 {
		n = byDetail(c, 3, 5, 7)
	}
	return markedList(c.Style.Mark, c.entries(n))
}

func (c *composer) entries(n int) []string {
	prompt := strings.ToLower(c.Prompt)
	if c.matches("names", prompt) {
		return c.inventNames(n)
	}
	pool := c.List("ideas")
	if c.Match != "" && c.matches("facts", prompt) {
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
		pool[i] = upperFirst(pool[i])
	}
	return pool
}

// inventNames makes n names of two words.
func (c *composer) inventNames(n int) []string {
	first, last := c.List("name_first"), c.List("name_last")
	for _, words := range [][]string{first, last} {
		c.rng.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	}
	var out []string
	for i := range min(n, len(first)) {
		switch (i + n) % 3 {
		case 0:
			out = append(out, "The "+first[i]+" "+last[i])
		case 1:
			out = append(out, first[i]+" "+last[i])
		default:
			out = append(out, last[i]+" & "+last[(i+5)%len(last)])
		}
	}
	return out
}

// Steps returns steps towards the topic, numbered unless the style makes tables.
func (c *composer) Steps() string {
	all := c.List("steps")
	n := byDetail(c, 4, 5, 7)
	if c.Count > 0 {
		n = min(c.Count, len(all))
	}
	if c.Match != "" {
		for i, p := range c.Parts[:min(n-1, len(c.Parts))] {
			all[i+1] = fmt.Sprintf("**%s**: %s.", p.Name, p.Text)
		}
	}
	mark := "1."
	if c.Style.Mark == "|" {
		mark = "|"
	}
	return markedList(mark, all[:n])
}

// ComparisonTable compares the two sides, and adds what is known about the subject.
func (c *composer) ComparisonTable() string {
	isSwapped := c.Roll(2) == 0
	out := fmt.Sprintf("| | %s | %s |\n|:--|:--|:--|", c.Left, c.Right)
	for _, row := range c.texts["comparison"][:byDetail(c, 3, 5, 6)] {
		if cells := strings.Split(row, " | "); isSwapped {
			row = cells[0] + " | " + cells[2] + " | " + cells[1]
		}
		out += "\n| " + row + " |"
	}
	if c.Match != "" {
		out += "\n\n" + c.What + " " + c.Why
	}
	return out
}

func (c *composer) WantsHaiku() bool { return strings.Contains(strings.ToLower(c.Prompt), "haiku") }

// Article returns the article that stands before the topic in the prompt, with a space, or "".
func (c *composer) Article() string {
	prompt := " " + strings.ToLower(c.Prompt)
	for _, article := range []string{"a ", "an ", "the "} {
		if strings.Contains(prompt, " "+article+strings.ToLower(c.Topic)) {
			return article
		}
	}
	return ""
}

func (c *composer) Summary() string { return c.summarise(firstBytes(c.Material, maxMaterial), 3) }

// language returns the programming language to answer in: that of the prompt, or else that of the style.
func (c *composer) language() string {
	switch {
	case c.CodeLanguage != "":
		return c.CodeLanguage
	case c.matches("sql_language", strings.ToLower(c.Prompt)):
		return "sql"
	}
	return c.Style.Code
}

// knownProgram returns the code of the task that the prompt names, if there is any in the language.
func (c *composer) knownProgram() (string, bool) {
	prompt := strings.ToLower(c.Prompt)
	for _, p := range c.programs {
		if p.pattern.MatchString(prompt) {
			text, ok := c.snippets[p.Name+" "+c.language()]
			return text, ok
		}
	}
	return "", false
}

// Fence returns the program as a code block.
func (c *composer) Fence() string {
	text, ok := c.knownProgram()
	if !ok {
		text = c.programFrame()
	}
	return "```" + c.language() + "\n" + text + "\n```"
}

// FirstNote is the first remark on the program.
func (c *composer) FirstNote() string {
	if _, ok := c.knownProgram(); ok {
		return "It handles the empty input on purpose: nothing in, nothing out."
	}
	return "This is a frame for “" + c.Topic + "”: the part marked *here* is yours."
}

// programFrame returns a program without a body, named after the topic.
func (c *composer) programFrame() string {
	words := strings.FieldsFunc(strings.ToLower(c.Topic), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	words = words[:min(4, len(words))]
	if len(words) == 0 || unicode.IsDigit(rune(words[0][0])) {
		words = append([]string{"do"}, words...)
	}
	camel := words[0]
	for _, w := range words[1:] {
		camel += upperFirst(w)
	}
	text, ok := c.snippets["frame "+c.language()]
	if !ok {
		text = c.snippets["frame text"]
	}
	return strings.NewReplacer("NAME", camel, "Name", upperFirst(camel), "name_it", strings.Join(words, "_")).Replace(text)
}

// translation is the result of looking a text up in the phrasebook.
type translation struct {
	Original, Language, Text string
	Whole                    bool // the phrasebook has the text as a whole
	Missing                  int  // words that the phrasebook does not have
}

// Translation translates what the phrasebook has and leaves other words in brackets.
func (c *composer) Translation() translation {
	original := shorten(oneLine(c.Material), 300)
	out := translation{Original: plain(original), Language: upperFirst(c.TargetLanguage)}
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
	phrase = strings.ToLower(strings.Trim(strings.TrimSpace(phrase), ".,!?;:\"'“”"))
	for column, language := range c.phrasebook[0] {
		if language != c.TargetLanguage {
			continue
		}
		for _, row := range c.phrasebook[1:] {
			for _, text := range row {
				if strings.ToLower(text) == phrase {
					return row[column], true
				}
			}
		}
	}
	return "", false
}
