package retouch

import (
	_ "embed" // vocabulary.toml
	"image/color"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

//go:embed vocabulary.toml
var vocabularyFile string

// framePattern matches a border with the words right before it, as in "a thick black frame".
const framePattern = `(?:(?:an?|the|thin|thick|wide|narrow|broad|big|large|small|heavy|fine|red|orange|yellow|green|` +
	`teal|cyan|blue|purple|violet|pink|gold|golden|brown|black|white|gr[ae]y|silver|cream|ivory|wood|wooden|polaroid)` +
	`[ -])*(?:border|frame|bordered|framed)`

// vocabulary is what instructions are read with. Nothing changes it after loading.
type vocabulary struct {
	operations []operation
	colours    []namedColour
	words      map[string]*regexp.Regexp
	filters    map[string][]filter
}

// operation is something that an instruction can ask for.
type operation struct {
	name  string // as a refusal lists it
	phase int    // index in phases
	match *regexp.Regexp
}

type namedColour struct {
	match *regexp.Regexp
	color.RGBA
}

// phases are the groups of operations in the order in which they are carried out.
func phases() []string {
	return []string{"shape", "season", "tone", "style", "object", "edge", "frame", "words"}
}

// loadedVocabulary parses the embedded file when the first instruction is read. It panics when the file is malformed,
// which only a faulty build can cause.
var loadedVocabulary = sync.OnceValue(func() vocabulary {
	var file struct {
		Operations [][3]string
		Colours    []struct {
			Match string
			RGB   [3]uint8
		}
		Words   map[string]string
		Filters map[string][]filter
	}
	if err := toml.Unmarshal([]byte(strings.ReplaceAll(vocabularyFile, "{frame}", framePattern)), &file); err != nil {
		panic("retouch: vocabulary.toml: " + err.Error())
	}
	wholeWords := func(pattern string) *regexp.Regexp { return regexp.MustCompile(`\b(?:` + pattern + `)\b`) }
	v := vocabulary{words: map[string]*regexp.Regexp{}, filters: file.Filters}
	for _, o := range file.Operations {
		v.operations = append(v.operations, operation{o[1], slices.Index(phases(), o[0]), wholeWords(o[2])})
	}
	for _, c := range file.Colours {
		rgb := color.RGBA{c.RGB[0], c.RGB[1], c.RGB[2], 255}
		v.colours = append(v.colours, namedColour{wholeWords(c.Match), rgb})
	}
	for name, pattern := range file.Words {
		v.words[name] = wholeWords(pattern)
	}
	return v
})

// has reports whether text contains one of the words of that name in vocabulary.toml.
func has(text, name string) bool { return loadedVocabulary().words[name].MatchString(text) }

// colourIn returns the first colour of the vocabulary that text names, else white.
func colourIn(text string) color.RGBA {
	for _, c := range loadedVocabulary().colours {
		if c.match.MatchString(text) {
			return c.RGBA
		}
	}
	return color.RGBA{250, 249, 246, 255}
}
