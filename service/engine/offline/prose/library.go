// Package prose writes the texts of the offline engine by rules. It parses the prompt, selects a template and texts
// from the files in data, and fills them in. Each model has its own style. The engine knows little about the world,
// and every answer says that it is simulated.
package prose

import (
	"embed"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/pelletier/go-toml/v2"

	"confab/internal/format"
)

//go:embed data
var dataFiles embed.FS

// library is the content of the files in data. It does not change after loading.
type library struct {
	Styles    map[string]style
	Subjects  []subject
	Unknown   subject // for any other topic
	Intents   []namedPattern
	Languages []namedPattern // programming languages
	Patterns  map[string]pattern
	Numbers   map[string]int
	Texts     map[string][]string

	Replacements map[string]string // of phrases and words

	replaceable *regexp.Regexp // matches any key of Replacements
	templates   *template.Template
}

// style is a model's style of writing, see styles.toml.
type style struct {
	Detail, Mark, Code, Lead, Notice, Persona string
	Openers, Closers                          []string
	Reasons                                   bool
}

// subject is the knowledge of a topic.
type subject struct {
	Match                       pattern
	What, Why, Pitfall, Analogy string
	Parts                       []struct{ Name, Text string }
}

type namedPattern struct {
	Name  string
	Match pattern
}

// pattern is a regular expression that may span several lines.
type pattern struct{ *regexp.Regexp }

// UnmarshalText reads an expression from a data file.
func (p *pattern) UnmarshalText(text []byte) (err error) {
	p.Regexp, err = regexp.Compile(regexp.MustCompile(`\n\s+`).ReplaceAllString(string(text), ""))
	return err
}

// embeddedLibrary loads the library on first use.
var embeddedLibrary = sync.OnceValue(loadLibrary)

func loadLibrary() *library {
	l := &library{}
	for _, file := range []string{"texts.toml", "knowledge.toml", "styles.toml", "rewording.toml", "patterns.toml"} {
		b, err := dataFiles.ReadFile("data/" + file)
		must(file, err)
		text := strings.ReplaceAll(string(b), "{number}", `\d{1,4}|`+alternatives(l.Numbers))
		must(file, toml.Unmarshal([]byte(text), l))
	}
	l.replaceable = regexp.MustCompile(`(?i)\b(?:` + alternatives(l.Replacements) + `)\b`)
	l.templates = template.New("").Funcs(template.FuncMap{
		"lower": strings.ToLower, "lowerFirst": lowerFirst, "upperFirst": format.Capitalize, "lineBreaks": lineBreaks,
		"shorten": shorten, "split": strings.Split, "json": toJSON, "add": func(a, b int) int { return a + b },
		"plain": plain, "contains": strings.Contains, "replace": strings.ReplaceAll,
	})
	template.Must(l.templates.ParseFS(dataFiles, "data/*.tmpl"))
	return l
}

// alternatives returns a pattern that matches any of the keys, the longer of two with a common beginning.
func alternatives[V any](words map[string]V) string {
	list := slices.Sorted(maps.Keys(words))
	slices.Reverse(list)
	return strings.Join(list, "|")
}

// must panics if an embedded file is invalid.
func must(file string, err error) {
	if err != nil {
		panic("prose: " + file + ": " + err.Error())
	}
}

// toJSON returns v as JSON.
func toJSON(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

func (l *library) matches(name, s string) bool { return l.Patterns[name].MatchString(s) }

// capture returns the first group of a match, or "".
func (l *library) capture(name, s string) string {
	if m := l.Patterns[name].FindStringSubmatch(s); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}

// remove deletes every match from s.
func (l *library) remove(name, s string) string { return l.Patterns[name].ReplaceAllString(s, "") }
