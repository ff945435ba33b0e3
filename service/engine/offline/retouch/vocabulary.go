package retouch

import (
	_ "embed" // vocabulary.toml
	"image/color"
	"regexp"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

//go:embed vocabulary.toml
var vocabularyFile string

// vocabulary is what instructions are read with. Nothing changes it after loading.
type vocabulary struct {
	Operations []operation
	Colours    []namedColour
	Hues       []namedHue
	Words      map[string]wordPattern
}

// operation is something that an instruction can ask for.
type operation struct {
	Phase int    // operations of a lower phase are carried out first
	Name  string // as a refusal lists it
	Match wordPattern
}

type namedColour struct {
	Match wordPattern
	RGB   [3]uint8
}

// namedHue is a hue, in degrees, that ends the range of a name, for colours with less light, from 0 to 255.
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

// loadedVocabulary parses the embedded file when the first instruction is read. It panics when the file is malformed,
// which only a faulty build can cause.
var loadedVocabulary = sync.OnceValue(func() vocabulary {
	var v vocabulary
	if err := toml.Unmarshal([]byte(vocabularyFile), &v); err != nil {
		panic("retouch: vocabulary.toml: " + err.Error())
	}
	return v
})

// has reports whether text contains one of the words of that name in vocabulary.toml.
func has(text, name string) bool { return loadedVocabulary().Words[name].MatchString(text) }

// colourIn returns the first colour of the vocabulary that text names, else white.
func colourIn(text string) color.RGBA {
	for _, c := range loadedVocabulary().Colours {
		if c.Match.MatchString(text) {
			return color.RGBA{c.RGB[0], c.RGB[1], c.RGB[2], 255}
		}
	}
	return color.RGBA{250, 249, 246, 255}
}
