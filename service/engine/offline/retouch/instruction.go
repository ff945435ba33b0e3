package retouch

import (
	_ "embed" // vocabulary.toml
	"fmt"
	"image/color"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/pelletier/go-toml/v2"

	"confab/service/engine"
)

// step is one operation of an instruction.
type step struct {
	operation
	clause   clause
	position int // of the operation in its clause
}

// clause is a part of an instruction with its operations.
type clause struct {
	text   string // in lower case, without quoted text
	quotes []string
}

// strength returns the strength of an effect; 1 is usual.
func (c clause) strength() float64 {
	switch {
	case has(c.text, "slightly"):
		return 0.5
	case has(c.text, "strongly"):
		return 1.7
	}
	return 1
}

// change returns the strength, negative to reduce the effect.
func (c clause) change() float64 {
	if has(c.text, "less") {
		return -c.strength()
	}
	return c.strength()
}

// number returns the first number of the clause, or fallback.
func (c clause) number(fallback float64) float64 {
	found := regexp.MustCompile(`-?\d{1,4}(?:\.\d+)?`).FindString(c.text)
	if n, err := strconv.ParseFloat(found, 64); err == nil {
		return n
	}
	return fallback
}

// parse returns the steps of an instruction in the order of execution, or a refusal.
func parse(instruction string) ([]step, error) {
	var plan []step
	for _, c := range splitClauses(instruction) {
		steps, err := c.steps()
		if err != nil {
			return nil, err
		}
		plan = append(plan, steps...)
	}
	if len(plan) == 0 {
		return nil, refuse(instruction)
	}
	slices.SortStableFunc(plan, func(a, b step) int { return a.Phase - b.Phase })
	return plan, nil
}

func (c clause) steps() ([]step, error) {
	if has(c.text, "remove") && !has(c.text, "colour") {
		return nil, refuse(c.text)
	}
	var out []step
	rest := c.text
	for _, o := range loadedVocabulary().Operations {
		found := o.Match.FindStringIndex(rest)
		if found == nil {
			continue
		}
		out = append(out, step{o, c, found[0]})
		if strings.HasPrefix(o.Name, "caption") && len(c.quotes) == 0 {
			break // the rest is the caption
		}
		rest = o.Match.ReplaceAllStringFunc(rest, func(s string) string { return strings.Repeat(" ", len(s)) })
	}
	slices.SortStableFunc(out, func(a, b step) int { return a.position - b.position })
	isFiller := func(word string) bool { return has(word, "filler") }
	if len(out) == 0 && slices.ContainsFunc(strings.Fields(rest), func(word string) bool { return !isFiller(word) }) {
		return nil, refuse(c.text)
	}
	return out, nil
}

// quotedMark replaces quoted text in a clause.
const quotedMark = "\x01"

// splitClauses splits an instruction at punctuation and words like "and", and removes quoted text.
func splitClauses(instruction string) []clause {
	var quotes []string
	inQuotes := regexp.MustCompile(`"([^"]*)"|“([^”]*)”|«([^»]*)»|‘([^’]*)’|(?:^|\s)'([^']+)'`)
	text := strings.ReplaceAll(instruction, quotedMark, " ")
	text = inQuotes.ReplaceAllStringFunc(text, func(quote string) string {
		quotes = append(quotes, strings.Trim(strings.TrimSpace(quote), "\"“”«»‘’'"))
		return " " + quotedMark + " "
	})
	text = strings.NewReplacer(
		"black and white", "greyscale", "black & white", "greyscale", "b&w", "greyscale", "salt and pepper", "grain",
	).Replace(strings.ToLower(strings.Join(strings.Fields(text), " ")))
	text = loadedVocabulary().Words["separator"].ReplaceAllString(text, ",")
	var out []clause
	for _, part := range regexp.MustCompile(`[,;!?]|\.(?:\s|$)`).Split(text, -1) {
		c := clause{text: strings.TrimSpace(part)}
		n := strings.Count(part, quotedMark)
		c.quotes, quotes = quotes[:n], quotes[n:]
		if c.text != "" {
			out = append(out, c)
		}
	}
	return out
}

// refuse returns a refusal that lists the known operations.
func refuse(what string) error {
	what = ansi.Truncate(strings.Join(strings.Fields(strings.ReplaceAll(what, quotedMark, "…")), " "), 60, "…")
	var names, objects []string
	for _, o := range loadedVocabulary().Operations {
		if object, ok := strings.CutPrefix(o.Name, "add "); ok {
			objects = append(objects, object)
		} else {
			names = append(names, o.Name)
		}
	}
	message := fmt.Sprintf("The offline engine cannot do %q. It can do: %s; and add a %s.",
		what, strings.Join(names, ", "), strings.Join(objects, ", "))
	return &engine.Error{Status: 422, Code: "bad_request", Message: message}
}

//go:embed vocabulary.toml
var vocabularyFile []byte

// vocabulary is the content of vocabulary.toml. It does not change after loading.
type vocabulary struct {
	Operations []operation
	Colours    []namedColour
	Hues       []namedHue
	Words      map[string]wordPattern
}

// operation is an operation that an instruction can name.
type operation struct {
	Phase int    // operations of a lower phase come first
	Name  string // as in refusals
	Match wordPattern
}

type namedColour struct {
	Match wordPattern
	RGB   [3]uint8
}

// namedHue is the end, in degrees, of the range of a colour name, for colours with less light (0 to 255).
type namedHue struct {
	Below, Light int
	Name         string
}

// wordPattern is a regular expression that matches whole words.
type wordPattern struct{ *regexp.Regexp }

// UnmarshalText reads an expression of vocabulary.toml.
func (p *wordPattern) UnmarshalText(text []byte) (err error) {
	p.Regexp, err = regexp.Compile(`\b(?:` + string(text) + `)\b`)
	return err
}

// loadedVocabulary parses the embedded file on first use.
var loadedVocabulary = sync.OnceValue(func() (words vocabulary) {
	if err := toml.Unmarshal(vocabularyFile, &words); err != nil {
		panic("vocabulary.toml: " + err.Error()) // only a faulty build has it
	}
	return words
})

// has reports whether text contains a word of the named list in vocabulary.toml.
func has(text, name string) bool { return loadedVocabulary().Words[name].MatchString(text) }

// colourIn returns the first colour that text names, or else white.
func colourIn(text string) color.RGBA {
	for _, c := range loadedVocabulary().Colours {
		if c.Match.MatchString(text) {
			return color.RGBA{c.RGB[0], c.RGB[1], c.RGB[2], 255}
		}
	}
	return color.RGBA{250, 249, 246, 255}
}
