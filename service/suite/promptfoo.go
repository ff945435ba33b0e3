package suite

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"confab/service/api"
)

// KeyVariable is the environment variable with the key of an exported suite. The key itself is never written.
const KeyVariable = "CONFAB_API_KEY"

// ExportPromptfoo returns a loaded suite in a form that promptfoo can run: each provider is an HTTP request to the
// service at baseURL, with the key from the environment. It inlines prompts of files, but not cases. It omits
// x-checks and settings of providers that the service does not take, and keeps other settings that confab does not
// apply. A picture becomes the text "[picture]". The error is an [api.Error].
func ExportPromptfoo(s Suite, baseURL string, catalogue api.Catalogue) ([]byte, error) {
	text, err := s.export(baseURL, catalogue)
	return text, describeError("", err)
}

func (s Suite) export(baseURL string, catalogue api.Catalogue) ([]byte, error) {
	base, err := url.Parse(baseURL)
	if err != nil || base.Host == "" || base.User != nil || base.Scheme != "https" && base.Scheme != "http" {
		return nil, errorAt(0, "the base URL %s is not one that promptfoo can ask", quote(baseURL))
	}
	models, err := s.models(catalogue)
	if err != nil {
		return nil, err
	}
	var prompts, providers []*yaml.Node
	for _, p := range s.Prompts {
		if p.ID != "" || p.Label != "" {
			p.ID = p.name // promptfoo requires both or none
		}
		if p.Raw, err = nunjucks(p.Raw); err != nil {
			return nil, err
		}
		prompts = append(prompts, p.node())
	}
	for _, m := range models {
		provider, err := httpProvider(m, base)
		if err != nil {
			return nil, err
		}
		providers = append(providers, provider)
	}
	root, err := resolveAliases(s.document) // a copy
	if err != nil {
		return nil, err
	}
	for i := 0; i+1 < len(root.Content) && err == nil; i += 2 {
		value := &root.Content[i+1]
		switch root.Content[i].Value {
		case "prompts":
			*value = listNode(prompts)
		case "providers", "targets":
			*value = listNode(providers)
		case "defaultTest", "tests":
			for _, test := range items(*value) {
				err = cmp.Or(err, exportTest(test))
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return encode(root)
}

// exportTest converts the values of a test to promptfoo's templates.
func exportTest(test *yaml.Node) error {
	for i := 0; i+1 < len(test.Content); i += 2 {
		if test.Content[i].Value == "x-checks" {
			test.Content = slices.Delete(test.Content, i, i+2)
			break
		}
	}
	if err := exportChecks(test); err != nil {
		return err
	}
	vars := valueOf(test, "vars")
	for i := 0; vars != nil && i+1 < len(vars.Content); i += 2 {
		name := vars.Content[i].Value
		if err := exportable(name); err != nil {
			return err
		}
		for _, item := range items(vars.Content[i+1]) {
			text, err := decodeVarValue(item)
			if err == nil && name == Reserved {
				err = replaceText(item, text, nunjucks)
			} else if err == nil && !strings.HasPrefix(text, fileScheme) {
				err = replaceText(item, text, func(s string) (string, error) { return literal(s), nil })
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// exportChecks converts the values of a test's checks to promptfoo's templates. Those of checks that only promptfoo
// judges already are, and promptfoo expands nothing within mappings.
func exportChecks(test *yaml.Node) error {
	asserts := valueOf(test, "assert")
	if asserts == nil {
		return nil
	}
	for _, assert := range items(asserts) {
		if err := exportChecks(assert); err != nil { // of an assert-set
			return err
		}
		kind, value := valueOf(assert, "type"), valueOf(assert, "value")
		if kind == nil || value == nil || value.Kind == yaml.MappingNode ||
			isForeignCheckType(strings.TrimPrefix(kind.Value, "not-")) {
			continue
		}
		for _, item := range items(value) {
			if item.Kind != yaml.ScalarNode || item.ShortTag() != "!!str" || strings.HasPrefix(item.Value, fileScheme) {
				continue
			}
			if err := replaceText(item, item.Value, nunjucks); err != nil {
				return err
			}
		}
	}
	return nil
}

// replaceText replaces a text node whose exported text differs.
func replaceText(n *yaml.Node, text string, export func(string) (string, error)) error {
	exported, err := export(text)
	if err == nil && exported != text {
		*n = *textNode(exported)
	}
	return err
}

// exportable refuses a variable name that promptfoo would evaluate.
func exportable(name string) error {
	if strings.Contains(name, "-") {
		return errorAt(0, "promptfoo cannot read the variable %s: it takes - for minus; rename it", quote(name))
	}
	return nil
}

// literal returns a text in a form that promptfoo's templates do not change.
func literal(text string) string {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "{%") && !strings.Contains(text, "{#") {
		return text
	}
	return "{{ " + jsString(text) + " }}"
}

// nunjucks converts a template to one of promptfoo's.
func nunjucks(template string) (string, error) {
	var bad error
	variable := func(name string) string {
		bad = cmp.Or(bad, exportable(name))
		return "{{" + name + "}}"
	}
	if len(foreignTemplates(template)) == 0 {
		return rewriteTemplate(template, literal, variable), bad
	}
	var out strings.Builder
	walkTemplate(template, func(s string) {
		if s == "{{" || s == "}}" { // of doubled braces
			s = "{{ " + jsString(s) + " }}"
		}
		out.WriteString(s)
	}, func(name string) { out.WriteString(variable(name)) })
	return out.String(), bad
}

// expression converts a template to a promptfoo expression that yields a JSON string.
func expression(template string) (string, error) {
	var parts []string
	var bad error
	walkTemplate(template, func(s string) { parts = append(parts, jsString(s)) }, func(name string) {
		bad = cmp.Or(bad, exportable(name))
		parts = append(parts, name)
	})
	if len(foreignTemplates(template)) > 0 {
		return "", errNotExpression
	}
	if len(parts) == 0 {
		parts = []string{`""`}
	}
	return "{{ (" + strings.Join(append([]string{`""`}, parts...), " + ") + ") | dump }}", bad
}

var errNotExpression = errors.New("a setting with a filter or a tag cannot be written for promptfoo")

// jsString quotes a text for an expression. It splits braces that would end it, and uses only escapes that nunjucks
// knows.
func jsString(text string) string {
	s := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text) + `"`
	for _, pair := range []string{"}}", "%}", "#}", "{{", "{%", "{#"} {
		for strings.Contains(s, pair) {
			s = strings.ReplaceAll(s, pair, pair[:1]+`" + "`+pair[1:])
		}
	}
	return s
}

// httpProvider returns promptfoo's HTTP provider for a model. The body is one JSON template, so that a prompt in JSON
// stays a text.
func httpProvider(m model, base *url.URL) (*yaml.Node, error) {
	path := "api/generative/"
	body := `{"apikey":"{{env.` + KeyVariable + `}}","prompt":{{prompt | dump}}`
	if m.model.Kind == api.Text {
		path = "api/llm/"
		if m.model.TakesSystem {
			body += `{% if ` + Reserved + ` %},"systemprompt":{{` + Reserved + ` | dump}}{% endif %}`
		}
		params, err := exportParams(m.Params)
		if err != nil {
			return nil, errorAt(m.Line, "%s", err)
		}
		if params != "" {
			body += `,"params":` + params
		}
	}
	for _, s := range m.Config {
		value := s.Value
		takes := m.model.Kind == api.Image && (s.Name == "aspect_ratio" || s.Name == "nonce") ||
			m.model.Kind == api.Edit && s.Name == "imageUrl"
		if !takes || value == "" {
			continue
		}
		if s.Name == "nonce" && value == "new" {
			body += `,"nonce":"` + strings.Repeat("{{ [0,1,2,3,4,5,6,7,8,9] | random }}", 10) + `"`
			continue
		}
		e, err := expression(value)
		if err != nil {
			return nil, err
		}
		body += `,"` + s.Name + `":` + e
	}
	body += "}"

	transform := "json.data.text"
	if m.model.Kind != api.Text {
		transform = `"[picture]"`
	}
	out := mapping("id", base.Scheme, "label", cmp.Or(m.Label, m.ID), "config", mapping(
		"url", base.JoinPath(path, m.model.Slug).String(), "method", "POST",
		"headers", mapping("Content-Type", "application/json"), "body", body, "transformResponse", transform,
	), "prompts", m.Prompts)
	putOthers(out, m.written, "id", "label", "config", "prompts")
	return out, nil
}
