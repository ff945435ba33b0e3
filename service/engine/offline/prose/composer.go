package prose

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// composer writes one answer. It is the data of the templates, which use its exported fields and methods.
type composer struct {
	request
	subject
	*library
	Style style
	rng   *rand.Rand
}

// Write returns an answer to prompt under the instructions of system, in the style of model. The same three give the
// same text.
func Write(model, prompt, system string) string {
	l := embeddedLibrary()
	if model == "paraphrase" {
		return l.paraphrase(prompt)
	}
	c := l.newComposer(model, prompt, system)
	switch {
	case c.WantsJSON:
		return c.jsonAnswer(model)
	case c.Intent == echo:
		return c.Material + "\n\n" + c.Style.Notice
	case c.Sentences > 0:
		return c.inSentences()
	case c.Words > 0:
		return c.inWords()
	}
	answer := c.persona(140) + c.Render(c.templateName())
	if c.Style.Detail == "long" && c.Intent != explain || c.Intent == code {
		answer += fmt.Sprintf("\n\n*You asked:* “%s”", plain(shorten(c.Prompt, 160)))
	}
	return answer + "\n\n" + c.Style.Notice
}

func (l *library) newComposer(model, prompt, system string) *composer {
	sum := sha256.Sum256([]byte(model + "\x00" + prompt + "\x00" + system))
	source := rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:]))
	c := &composer{library: l, request: l.readRequest(prompt, system), Style: l.styleOf(model), rng: rand.New(source)}
	c.subject = l.subjectFor(c.request)
	return c
}

// styleOf returns the style of a model. A model that is not in the catalogue gets one of a few styles by its name.
func (l *library) styleOf(model string) style {
	if s, ok := l.styles[model]; ok {
		return s
	}
	others := l.texts["styles_of_unknown_models"]
	h := fnv.New32a()
	h.Write([]byte(model))
	return l.styles[others[int(h.Sum32())%len(others)]]
}

// subjectFor returns the known subject that the prompt is about, or one that only describes the shape of an answer.
func (l *library) subjectFor(r request) subject {
	text := strings.ToLower(r.Topic + " " + r.Prompt)
	for _, s := range l.subjects {
		if s.pattern.MatchString(text) {
			return s
		}
	}
	s := l.unknown
	s.What = fillTopic(s.What, r.Topic)
	s.Parts = append([]part(nil), s.Parts...)
	for i := range s.Parts {
		s.Parts[i].Text = fillTopic(s.Parts[i].Text, r.Topic)
	}
	return s
}

// templateName returns the template for the intent in the detail of the style.
func (c *composer) templateName() string {
	name := string(c.Intent)
	if c.Intent == explain {
		return name + " " + c.Style.Model
	}
	if detailed := name + " " + c.Style.Detail; c.templates.Lookup(detailed) != nil {
		return detailed
	}
	return name
}

// Render executes a template. It panics when a template is faulty, because all templates are embedded.
func (c *composer) Render(name string) string {
	var out strings.Builder
	must(name, c.templates.ExecuteTemplate(&out, name, c))
	return out.String()
}

// Frame renders a template between an opener and a closer of the style.
func (c *composer) Frame(name string) string {
	body := c.Render(name)
	return strings.TrimSpace(c.Opener() + "\n\n" + body + "\n\n" + c.Closer())
}

func (c *composer) Opener() string { return fillTopic(c.choose(c.Style.Openers), c.Topic) }
func (c *composer) Closer() string { return c.choose(c.Style.Closers) }

// Pick returns one of the texts of a list of texts.toml.
func (c *composer) Pick(list string) string { return c.choose(c.List(list)) }

// List returns all texts of a list of texts.toml.
func (c *composer) List(name string) []string {
	out := make([]string, len(c.texts[name]))
	for i, text := range c.texts[name] {
		out[i] = fillTopic(text, c.Topic)
	}
	return out
}

// Cycle returns the text at index i of a list that is thought to repeat without end.
func (c *composer) Cycle(list string, i int) string { return c.List(list)[i%len(c.texts[list])] }

func (c *composer) choose(from []string) string { return from[c.Roll(len(from))] }

// Roll returns a number from 0 to n-1 that is random, but the same for the same request.
func (c *composer) Roll(n int) int { return c.rng.IntN(n) }

func fillTopic(text, topic string) string { return strings.ReplaceAll(text, "{topic}", topic) }

func (c *composer) Heading() string { return upperFirst(c.Topic) }

// Quoted returns the prompt as a quotation that cannot break the markdown around it.
func (c *composer) Quoted() string { return "“" + plain(shorten(c.Prompt, 120)) + "”" }

// persona acknowledges the system prompt, if there is one.
func (c *composer) persona(length int) string {
	if c.System == "" {
		return ""
	}
	return strings.ReplaceAll(c.Style.Persona, "{persona}", plain(shorten(c.System, length))) + "\n\n"
}

// sentences returns statements about the topic, of which any number can follow one another.
func (c *composer) sentences() []string {
	analogy := c.Analogy
	if c.Audience != "" {
		analogy = "Told to " + withArticle(c.Audience) + ", it goes like this: " + lowerFirst(c.Analogy)
	}
	out := []string{c.What, c.Why, analogy, c.Pitfall}
	if c.Style.Detail == "long" { // so that the styles differ in short answers as well
		out[0], out[1] = out[1], out[0]
	}
	if c.Style.Mark == "|" {
		out[1], out[2] = out[2], out[1]
	}
	for _, p := range c.Parts {
		out = append(out, fmt.Sprintf("%s means this: %s.", p.Name, p.Text))
	}
	return append(out, c.List("advice")...)
}

// inSentences answers in the number of sentences that the prompt asks for.
func (c *composer) inSentences() string {
	all := c.sentences()
	return c.persona(60) + c.Style.Lead + strings.Join(all[:min(c.Sentences, len(all))], " ") + "\n\n" + c.Style.Notice
}

// inWords answers in about the number of words that the prompt asks for, the acknowledgement and the notice included.
func (c *composer) inWords() string {
	persona, all := c.persona(60), c.sentences()
	target := c.Words
	if c.AtMost {
		target = target * 4 / 5
	}
	target = max(6, target-len(strings.Fields(c.Style.Notice))-len(strings.Fields(persona)))
	var out strings.Builder
	out.WriteString(c.Style.Lead)
	length := len(strings.Fields(c.Style.Lead))
	for i := 0; i < target; i++ {
		sentence := all[i%len(all)]
		words := strings.Fields(sentence)
		if length+len(words) > target+3 {
			if length > target*3/4 && length > 0 {
				break
			}
			words = words[:max(1, min(len(words), target-length))]
			sentence = strings.TrimRight(strings.Join(words, " "), ",;:.") + "."
		}
		switch {
		case i > 0 && i%5 == 0:
			out.WriteString("\n\n")
		case i > 0:
			out.WriteString(" ")
		}
		out.WriteString(sentence)
		length += len(words)
	}
	return persona + out.String() + "\n\n" + c.Style.Notice
}

// jsonAnswer answers with nothing but a JSON object, because a program may read it.
func (c *composer) jsonAnswer(model string) string {
	type point struct {
		Name string `json:"name"`
		Text string `json:"text"`
	}
	points := []point{}
	if c.Count > 0 {
		for i, entry := range c.entries(c.Count) {
			points = append(points, point{fmt.Sprint(i + 1), entry})
		}
	} else {
		for _, p := range c.Parts {
			points = append(points, point(p))
		}
	}
	b, err := json.MarshalIndent(struct {
		Model   string  `json:"model"`
		Topic   string  `json:"topic"`
		Answer  string  `json:"answer"`
		Points  []point `json:"points"`
		Persona string  `json:"persona,omitempty"`
		Note    string  `json:"note"`
	}{model, c.Topic, c.What, points, shorten(c.System, 140), "simulated by the offline engine"}, "", "  ")
	must("answer in JSON", err)
	return string(b)
}
