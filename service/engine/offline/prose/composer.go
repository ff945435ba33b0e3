package prose

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"confab/internal/format"
)

// composer writes one answer. It is the data of the templates, which use its exported fields and methods.
type composer struct {
	request
	subject
	*library
	Model    string
	Earlier  string // the prompt before this one, shortened
	Pictures string
	Style    style
	rng      *rand.Rand
}

// Request describes an answer to write in the style of Model.
type Request struct {
	Model, Prompt, System string
	Earlier               []string // the previous prompts of the conversation
	LastAnswer            string   // the answer to the last of them
	Pictures              string   // sentences that describe the pictures of the prompt; may be empty
	Seed                  string   // selects one of the possible answers
}

// Answer is a text with its reasoning, which is empty for models that do not reason.
type Answer struct{ Text, Reasoning string }

// Write returns an answer. Equal requests get equal answers.
func Write(r Request) Answer {
	l := embeddedLibrary()
	if rest := l.restOf(r); rest != "" {
		return Answer{Text: rest}
	}
	if r.Model == "paraphrase" {
		return Answer{Text: l.paraphrase(r.Prompt)}
	}
	c := l.newComposer(r)
	a := Answer{Text: c.text()}
	if c.Style.Reasons {
		a.Reasoning = c.Render("reasoning")
	}
	return a
}

// restOf returns what is missing of the last answer, where the prompt asks to continue and the answer was cut.
func (l *library) restOf(r Request) string {
	last := len(r.Earlier) - 1
	if last < 0 || r.LastAnswer == "" || !l.matches("continues", strings.ToLower(r.Prompt)) {
		return ""
	}
	whole := r
	whole.Prompt, whole.Earlier, whole.LastAnswer = r.Earlier[last], r.Earlier[:last], ""
	rest, isCut := strings.CutPrefix(Write(whole).Text, r.LastAnswer)
	if !isCut {
		return ""
	}
	return rest
}

func (c *composer) text() string {
	switch {
	case c.WantsJSON:
		return c.Render("json")
	case c.Intent == echo:
		return c.Material + "\n\n" + c.Style.Notice
	case c.Sentences > 0:
		return c.short()
	}
	return c.Render("answer")
}

func (l *library) newComposer(r Request) *composer {
	key := r.Model + "\x00" + r.Prompt + "\x00" + r.System
	if r.Seed != "" {
		key += "\x00" + r.Seed
	}
	sum := sha256.Sum256([]byte(key))
	source := rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:]))
	c := &composer{library: l, request: l.readRequest(l.antecedent(r), r.System), Model: r.Model,
		rng: rand.New(source), Pictures: r.Pictures}
	if last := len(r.Earlier) - 1; last >= 0 {
		c.Earlier = plain(shorten(oneLine(r.Earlier[last]), 80))
	}
	c.subject = l.subjectFor(c.request)
	if own := oneLine(l.questionOf(r.Prompt)); own != c.Prompt {
		c.Prompt = own
		l.readLimits(&c.request, strings.ToLower(own+"\n"+c.System))
	}
	c.Style = l.Styles[c.styleName()]
	return c
}

// styleName returns the model, or for an unknown one a model selected by the length of its name.
func (c *composer) styleName() string {
	if _, ok := c.Styles[c.Model]; ok {
		return c.Model
	}
	others := c.Texts["styles_of_unknown_models"]
	return others[len(c.Model)%len(others)]
}

// subjectFor returns the known subject of the prompt, or one that only describes the form of an answer.
func (l *library) subjectFor(r request) subject {
	text := strings.ToLower(r.Topic + " " + r.Prompt)
	for _, s := range l.Subjects {
		if s.Match.MatchString(text) {
			return s
		}
	}
	s := l.Unknown
	s.What, s.Parts = fillTopic(s.What, r.Topic), slices.Clone(s.Parts)
	for i := range s.Parts {
		s.Parts[i].Text = fillTopic(s.Parts[i].Text, r.Topic)
	}
	return s
}

// IsKnown reports whether the answer can state facts.
func (c *composer) IsKnown() bool { return c.Match.Regexp != nil }

// TemplateName returns the template for the intent in the detail of the style.
func (c *composer) TemplateName() string {
	name := c.Intent
	if c.Intent == explain {
		return name + " " + c.styleName()
	}
	if detailed := name + " " + c.Style.Detail; c.templates.Lookup(detailed) != nil {
		return detailed
	}
	return name
}

// ByDetail returns one of three numbers by the length of the style's answers.
func (c *composer) ByDetail(terse, usual, long int) int {
	return map[string]int{"terse": terse, "usual": usual, "long": long}[c.Style.Detail]
}

// Render executes a template. It panics if an embedded template is invalid.
func (c *composer) Render(name string) string {
	var out strings.Builder
	must(name, c.templates.ExecuteTemplate(&out, name, c))
	return out.String()
}

// Frame renders a template between an opening and a closing of the style.
func (c *composer) Frame(name string) string {
	body := c.Render(name)
	return strings.TrimSpace(c.Opener() + "\n\n" + body + "\n\n" + c.Closer())
}

func (c *composer) Opener() string { return fillTopic(c.choose(c.Style.Openers), c.Topic) }
func (c *composer) Closer() string { return c.choose(c.Style.Closers) }

// Pick returns a text of a list of texts.toml.
func (c *composer) Pick(list string) string { return c.choose(c.List(list)) }

// List returns all texts of a list of texts.toml.
func (c *composer) List(name string) []string {
	out := make([]string, len(c.Texts[name]))
	for i, text := range c.Texts[name] {
		out[i] = fillTopic(text, c.Topic)
	}
	return out
}

// Cycle returns the text at index i modulo the length of a list.
func (c *composer) Cycle(list string, i int) string { return c.List(list)[i%len(c.Texts[list])] }

func (c *composer) choose(from []string) string { return from[c.Roll(len(from))] }

// Roll returns a random number from 0 to n-1, which is equal for equal requests.
func (c *composer) Roll(n int) int { return c.rng.IntN(n) }

func fillTopic(text, topic string) string { return strings.ReplaceAll(text, "{topic}", topic) }

// Persona acknowledges the system prompt, if there is one.
func (c *composer) Persona(length int) string {
	if c.System == "" {
		return ""
	}
	return strings.ReplaceAll(c.Style.Persona, "{persona}", plain(shorten(c.System, length))) + "\n\n"
}

// short answers in the number of sentences that the prompt requests.
func (c *composer) short() string {
	all := strings.Split(c.Render("sentences"), "\n")
	return c.Persona(60) + c.Style.Lead + strings.Join(all[:min(c.Sentences, len(all))], " ") + "\n\n" + c.Style.Notice
}

// maxMaterial bounds the bytes of a text to summarise or reword, to limit the time of an answer.
const maxMaterial = 64 << 10

// Entries returns list entries about the topic, as many as the prompt or else the style requests.
func (c *composer) Entries() []string {
	n := cmp.Or(c.Count, c.ByDetail(3, 5, 7))
	prompt := strings.ToLower(c.Prompt)
	pool := c.List("ideas")
	if c.matches("names", prompt) {
		pool = c.List("names")
	}
	c.rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	pool = pool[:min(n, len(pool))]
	for i := range pool {
		pool[i] = format.Capitalize(pool[i])
	}
	return pool
}

// Steps returns steps towards the topic.
func (c *composer) Steps() []string {
	all := c.List("steps")
	n := min(cmp.Or(c.Count, c.ByDetail(4, 5, 7)), len(all))
	if c.IsKnown() {
		for i, p := range c.Parts[:min(n-1, len(c.Parts))] {
			all[i+1] = fmt.Sprintf("**%s**: %s.", p.Name, p.Text)
		}
	}
	return all[:n]
}

// Summary returns the first sentences of the material.
func (c *composer) Summary() string {
	all := c.splitSentences(firstBytes(c.Material, maxMaterial))
	return strings.Join(all[:min(3, len(all))], " ")
}

// Language returns the programming language of the prompt, or else that of the style.
func (c *composer) Language() string { return cmp.Or(c.CodeLanguage, c.Style.Code) }

// Program returns the template of a program's frame in the language.
func (c *composer) Program() string {
	if name := "program " + c.Language(); c.templates.Lookup(name) != nil {
		return name
	}
	return "program text"
}
