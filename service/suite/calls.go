package suite

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"confab/history"
	"confab/service/api"
)

// Call is a prompt that a suite sends to a model.
type Call struct {
	TestIndex   int    // from 0, with cases of files in their positions
	Description string // of the test
	PromptID    string // id, label or number of the prompt
	Prompt      string // the sent text
	Provider    string // label or id of the provider
	Model       api.Model
	Vars        map[string]string // shared between cells: read-only
	System      string            // empty for models that take none
	Aspect      string            // for pictures: "16:9"; empty means the model's default
	Params      history.Params    // for texts
	Nonce       string            // for pictures: empty, a value, or "new" for a fresh one
	Source      string            // for edits: a URL, or a path with or without file://
	Repeat      int               // from 1
	Checks      []Check

	// Template and SystemTemplate are the texts before substitution.
	Template, SystemTemplate string

	// Row and Column are the position in the table of the run, from 1: the combination of test, values and prompt,
	// and the provider.
	Row, Column int

	// Key identifies the cell when a run is resumed: the sha256 of the request, the repetition, and the number of
	// earlier cells with the same request. Checks, labels and the order of tests do not change it.
	Key string

	provider Provider
	chat     *Chat // of a prompt written as messages
}

// providerPrefix returns the prefix of provider ids of a kind: "llm:", "image:" or "edit:"; empty for an unknown
// kind.
func providerPrefix(kind api.ModelKind) string {
	return map[api.ModelKind]string{api.Text: "llm:", api.Image: "image:", api.Edit: "edit:"}[kind]
}

// slugOf returns the kind and slug of a provider's id.
func slugOf(id string) (kind api.ModelKind, slug string, ok bool) {
	for _, kind := range []api.ModelKind{api.Text, api.Image, api.Edit} {
		if slug, ok := strings.CutPrefix(id, providerPrefix(kind)); ok && slug != "" {
			return kind, slug, true
		}
	}
	return "", "", false
}

// ProviderName returns the suite's name of a provider without the prefix of its kind.
func ProviderName(id string) string {
	if _, slug, ok := slugOf(id); ok {
		return slug
	}
	return id
}

// Calls returns the calls of a suite: for each test every combination of its variables, for each of these every
// prompt, model and repetition. The error is an [api.Error]: a variable has no value, a model is not in the
// catalogue, or there are more than [MaxCells] calls.
func Calls(s Suite, catalogue api.Catalogue) ([]Call, error) {
	b := callBuilder{suite: s, seen: map[[sha256.Size]byte]int{}, repeat: max(1, s.Options.Repeat)}
	var err error
	b.models, err = s.models(catalogue)
	for i, t := range s.Tests {
		if err == nil {
			err = inFile(t.file, b.test(i, t))
		}
	}
	if err != nil {
		return nil, describeError(s.Name, err)
	}
	return b.calls, nil
}

type callBuilder struct {
	suite  Suite
	models []model
	repeat int
	rows   int
	seen   map[[sha256.Size]byte]int
	bytes  int // of the texts of all calls
	calls  []Call
}

type model struct {
	Provider
	model api.Model
}

func (b *callBuilder) test(index int, t Test) error {
	names, values := variablesOf(b.suite.Default, t)
	combinations := Combinations(values, names)
	if combinations == nil { // every variable has a value
		return errorAt(t.line, "the variables of a test make more than %d combinations", MaxCells)
	}
	for _, vars := range combinations {
		system, err := expandTemplate(vars[systemVariable], vars) // may contain variables
		if err != nil {
			return errorAt(t.line, "the system prompt: %s", err)
		}
		checks := make([]Check, len(t.checks))
		for i, c := range t.checks {
			if checks[i], err = c.expand(vars); err != nil {
				return errorAt(t.line, "the check %s: %s", c, err)
			}
		}
		for _, p := range b.suite.Prompts {
			if !isInList(orDefaults(t.Prompts, b.suite.Default.Prompts), p.names()...) {
				continue
			}
			prefix := cmp.Or(t.Prefix, b.suite.Default.Prefix)
			if prefix != "" && isChat(p.Raw) {
				return errorAt(t.line, "prompt %s is a list of messages: it can have no prefix", p.name)
			}
			template := prefix + p.Raw + cmp.Or(t.Suffix, b.suite.Default.Suffix)
			text, chat, err := expandPrompt(template, vars)
			if err != nil {
				return errorAt(t.line, "prompt %s: %s", p.name, err)
			}
			if b.bytes += len(text) + len(system); b.bytes > maxText {
				return errorAt(t.line, "the prompts are larger than 64 MiB together")
			}
			b.rows++
			c := Call{
				TestIndex: index, Description: t.Description, PromptID: p.name, Prompt: text, Vars: vars,
				System: system, Checks: checks, Template: template, SystemTemplate: vars[systemVariable],
				Row: b.rows, chat: chat,
			}
			if err := b.add(c, t, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// variablesOf returns the values of a test merged over the defaults, and the order of the names.
func variablesOf(defaults, t Test) (names []string, values map[string][]string) {
	values = map[string][]string{}
	for _, v := range slices.Concat(defaults.Vars, t.Vars) {
		if !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
		values[v.Name] = v.Values
	}
	return names, values
}

// add adds the calls of one prompt: every model, every repetition.
func (b *callBuilder) add(call Call, t Test, p Prompt) error {
	for i, m := range b.models {
		isWanted := isInList(orDefaults(t.Providers, b.suite.Default.Providers), m.ID, m.Label)
		if !isWanted || !isInList(m.Prompts, p.names()...) {
			continue
		}
		c := call
		c.Provider, c.Model, c.provider, c.Column = cmp.Or(m.Label, m.ID), m.model, m.Provider, i+1
		if m.notJudged != "" {
			c.Checks = skipped(c.Checks, m.notJudged)
		}
		switch {
		case m.model.Kind != api.Text || !m.model.TakesSystem:
			c.System, c.SystemTemplate = "", ""
		case c.chat != nil && c.chat.System != "":
			c.System, c.SystemTemplate = c.chat.System, ""
		}
		if c.chat != nil && m.model.Kind != api.Text {
			return errorAt(t.line, "prompt %s is a list of messages, and %s takes none; choose prompts for it", p.name,
				c.Provider)
		}
		params := slices.Concat(m.Params, p.Params, b.suite.Default.Params, t.Params)
		if err := c.configure(t, params); err != nil {
			return err
		}
		for repeat := 1; repeat <= b.repeat; repeat++ {
			if len(b.calls) == MaxCells {
				return errorAt(0, "it makes more than %d calls", MaxCells)
			}
			c.Repeat = repeat
			sum := c.sum()
			c.Key = callKey(sum, b.seen[sum])
			b.seen[sum]++
			b.calls = append(b.calls, c)
		}
	}
	return nil
}

// configure sets the parameters of a text, or the options of a picture from the provider's configuration.
func (c *Call) configure(t Test, params []Param) (err error) {
	if c.Model.Kind == api.Text {
		if c.Params, err = paramsOf(params, c.Vars); err != nil {
			return errorAt(t.line, "%s, %s: %s", t.title(c.TestIndex), c.Provider, err)
		}
		return nil
	}
	for _, setting := range c.provider.Config {
		text, err := expandTemplate(setting.Value, c.Vars)
		if err != nil {
			return errorAt(t.line, "%s of %s: %s", setting.Name, c.Provider, err)
		}
		switch {
		case setting.Name == "aspect_ratio" && c.Model.Kind == api.Image:
			c.Aspect = text
		case setting.Name == "nonce" && c.Model.Kind == api.Image:
			c.Nonce = text
		case setting.Name == "imageUrl" && c.Model.Kind == api.Edit:
			c.Source = text
		}
	}
	if c.Model.Kind == api.Edit && c.Source == "" {
		return errorAt(c.provider.Line, "the provider %s needs a picture: write imageUrl in its config",
			quote(c.Provider))
	}
	return nil
}

// sum returns the sha256 of the request, each part preceded by its length.
func (c *Call) sum() (out [sha256.Size]byte) {
	h := sha256.New()
	parts := []string{"confab cell 1", string(c.Model.Kind), c.Model.Slug, c.Prompt, c.System, c.Aspect, c.Nonce,
		c.Source, strconv.Itoa(c.Repeat)}
	if !c.Params.IsZero() { // without parameters, keys stay those of earlier releases
		b, _ := json.Marshal(c.Params) // decoded from JSON, so it marshals
		parts = append(parts, string(b))
	}
	for _, part := range parts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write([]byte(part))
	}
	h.Sum(out[:0])
	return out
}

func callKey(sum [sha256.Size]byte, before int) string {
	if before > 0 {
		sum = sha256.Sum256(append(sum[:], strconv.Itoa(before)...))
	}
	return hex.EncodeToString(sum[:])
}

// PeerOf returns the call of another model with the test, variables, prompt and repetition of call i. The name is a
// provider's label, id or slug.
func PeerOf(calls []Call, i int, name string) (int, bool) {
	call := calls[i]
	from := i
	for from > 0 && calls[from-1].Row == call.Row {
		from--
	}
	for j := from; j < len(calls) && calls[j].Row == call.Row; j++ {
		c := calls[j]
		if j != i && c.Repeat == call.Repeat && (name == c.Provider || name == c.provider.ID || name == c.Model.Slug) {
			return j, true
		}
	}
	return 0, false
}

// title names a test with an index from 0 in messages.
func (t Test) title(index int) string {
	if t.Description != "" {
		return "the test " + quote(t.Description)
	}
	return "test " + strconv.Itoa(index+1)
}

// Combinations returns every combination of the values of the named variables; the last one changes fastest. It
// returns nil for more than [MaxCells] combinations, and for a variable without values.
func Combinations(values map[string][]string, names []string) []map[string]string {
	count := 1
	for _, v := range values {
		if count *= len(v); count == 0 || count > MaxCells {
			return nil
		}
	}
	out := make([]map[string]string, count)
	for i := range out {
		row := make(map[string]string, len(names))
		rest := i
		for _, name := range slices.Backward(names) {
			v := values[name]
			row[name] = v[rest%len(v)]
			rest /= len(v)
		}
		out[i] = row
	}
	return out
}

// variablesKey returns a text that is equal for equal values of variables.
func variablesKey(values map[string]string) string {
	b, _ := json.Marshal(values) // texts always marshal
	return string(b)
}
