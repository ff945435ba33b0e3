package prose

import (
	"embed"
	"encoding/csv"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"text/template"

	"github.com/pelletier/go-toml/v2"
)

//go:embed data
var dataFiles embed.FS

// library is everything that answers are made of, as read from the files in data. It is not changed after loading.
type library struct {
	styles     map[string]style
	subjects   []subject
	unknown    subject // what is said about any other topic
	programs   []program
	snippets   map[string]string   // code by "program language"
	texts      map[string][]string // see texts.toml
	patterns   map[string]*regexp.Regexp
	phrasebook [][]string // the first row names the languages
	rewording  rewording
	templates  *template.Template
}

// style is how a model writes, see styles.toml.
type style struct {
	Model   string
	Detail  string // terse, usual or long
	Mark    string
	Code    string
	Lead    string
	Openers []string
	Closers []string
	Notice  string
	Persona string
}

// subject is what can be said about a topic.
type subject struct {
	Match   string // expression for the prompts about it
	What    string
	Why     string
	Pitfall string
	Analogy string
	Parts   []part
	pattern *regexp.Regexp
}

type part struct{ Name, Text string }

// program is a programming task that the engine has code for.
type program struct {
	Name, Match string
	pattern     *regexp.Regexp
}

// rewording is what the model paraphrase exchanges.
type rewording struct {
	Phrases     [][2]string
	Synonyms    map[string]string
	Corrections map[string]string
	Stopwords   []string
	patterns    []*regexp.Regexp // of Phrases
}

// embeddedLibrary reads the embedded files when the first answer is written.
var embeddedLibrary = sync.OnceValue(func() *library {
	l := &library{
		styles: map[string]style{}, patterns: map[string]*regexp.Regexp{}, texts: map[string][]string{},
		snippets: sections("programs.txt"),
	}
	l.loadPatterns()
	l.loadTables()
	l.loadTemplates()
	return l
})

func (l *library) loadPatterns() {
	var file struct {
		Words, Patterns map[string]string
		Program         []program
	}
	decode("patterns.toml", &file)
	wrapped := regexp.MustCompile(`\n\s+`)
	var words []string
	for name, alternatives := range file.Words {
		words = append(words, "{"+name+"}", wrapped.ReplaceAllString(alternatives, ""))
	}
	expand := strings.NewReplacer(words...)
	for name, pattern := range file.Patterns {
		l.patterns[name] = regexp.MustCompile(expand.Replace(wrapped.ReplaceAllString(pattern, "")))
	}
	for _, p := range file.Program {
		p.pattern = regexp.MustCompile(p.Match)
		l.programs = append(l.programs, p)
	}
}

func (l *library) loadTables() {
	var knowledge struct {
		Unknown subject
		Subject []subject
	}
	decode("knowledge.toml", &knowledge)
	l.unknown = knowledge.Unknown
	for _, s := range knowledge.Subject {
		s.pattern = regexp.MustCompile(`\b(?:` + s.Match + `)\b`)
		l.subjects = append(l.subjects, s)
	}
	var styles struct{ Style []style }
	decode("styles.toml", &styles)
	for _, s := range styles.Style {
		l.styles[s.Model] = s
	}
	decode("rewording.toml", &l.rewording)
	for _, phrase := range l.rewording.Phrases {
		l.rewording.patterns = append(l.rewording.patterns, regexp.MustCompile(`(?i)\b`+phrase[0]+`\b`))
	}
	decode("texts.toml", &l.texts)
	table := csv.NewReader(strings.NewReader(read("phrasebook.csv")))
	table.Comma = '|'
	rows, err := table.ReadAll()
	must("phrasebook.csv", err)
	l.phrasebook = rows
}

func (l *library) loadTemplates() {
	l.templates = template.New("").Funcs(template.FuncMap{
		"lower": strings.ToLower, "lowerFirst": lowerFirst, "upperFirst": upperFirst, "lineBreaks": lineBreaks, "add": add,
	})
	for _, file := range []string{"answers.tmpl", "explain.tmpl"} {
		for name, text := range sections(file) {
			_, err := l.templates.New(name).Parse(text)
			must(file, err)
		}
	}
}

// sections splits a file into the parts that begin with a line "=== name".
func sections(file string) map[string]string {
	out := map[string]string{}
	for _, section := range strings.Split("\n"+read(file), "\n=== ")[1:] {
		name, text, _ := strings.Cut(section, "\n")
		out[name] = strings.TrimRight(text, "\n")
	}
	return out
}

func read(file string) string {
	b, err := dataFiles.ReadFile("data/" + file)
	must(file, err)
	return string(b)
}

func decode(file string, into any) { must(file, toml.Unmarshal([]byte(read(file)), into)) }

// must panics when an embedded file is malformed, which only a faulty build can cause.
func must(file string, err error) {
	if err != nil {
		panic(fmt.Sprintf("prose: %s: %v", file, err))
	}
}

// pattern returns an expression of patterns.toml.
func (l *library) pattern(name string) *regexp.Regexp {
	p, ok := l.patterns[name]
	if !ok {
		panic("prose: patterns.toml has no " + name)
	}
	return p
}

func (l *library) matches(name, s string) bool { return l.pattern(name).MatchString(s) }

// capture returns the first group of a match, or "".
func (l *library) capture(name, s string) string {
	if m := l.pattern(name).FindStringSubmatch(s); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}

// remove deletes every match from s.
func (l *library) remove(name, s string) string { return l.pattern(name).ReplaceAllString(s, "") }
