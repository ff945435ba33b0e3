package suite

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"confab/service/api"
	"confab/service/variable"
)

// KeyVariable is the environment variable that an exported suite takes the key
// from. The key itself is never written.
const KeyVariable = "CONFAB_API_KEY"

// ExportPromptfoo returns the suite in a form that promptfoo runs itself: every
// provider an HTTP request to the service at baseURL, with the key taken from
// the environment when it runs. Prompts of files are written out, x-checks are
// left out; a picture is the text "[picture]" there. Cases of files stay in
// their files. The error is an [api.Error].
func ExportPromptfoo(s Suite, baseURL string, catalogue api.Catalogue) ([]byte, error) {
	base, err := url.Parse(baseURL)
	if err != nil || base.Host == "" || base.User != nil || base.Scheme != "https" && base.Scheme != "http" {
		return nil, problem(0, "the base URL %s is not one that promptfoo can ask", quote(baseURL))
	}
	b := builder{suite: s}
	if err := b.prepare(catalogue); err != nil {
		return nil, err
	}
	out := s
	out.Prompts = nil
	for _, p := range b.prompts {
		if p.Raw, err = nunjucks(p.Raw); err != nil {
			return nil, err
		}
		if p.ID != "" || p.Label != "" {
			p.ID = p.name // promptfoo wants both or none
		}
		out.Prompts = append(out.Prompts, p)
	}
	if out.Default, err = exported(s.Default); err != nil {
		return nil, err
	}
	out.Tests = slices.Clone(s.Tests)
	for i := range out.Tests {
		if out.Tests[i], err = exported(out.Tests[i]); err != nil {
			return nil, err
		}
	}
	root := out.node()
	if s.source != nil {
		out.Providers = nil // they are replaced below, under either of their names
		root = merged(s.source.root, s.source.node, out.node())
	}
	providers := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, m := range b.providers {
		n, err := httpProvider(m, base)
		if err != nil {
			return nil, err
		}
		providers.Content = append(providers.Content, n)
	}
	for _, name := range []string{"providers", "targets"} {
		if _, i := at(root, name); i >= 0 {
			root.Content[i+1] = providers
		}
	}
	text, err := encode(root)
	if err != nil {
		return nil, notWritable(err)
	}
	return text, nil
}

// exported returns a test as promptfoo reads it: values are templates there.
func exported(t Test) (Test, error) {
	t.Own = nil
	t.Vars = slices.Clone(t.Vars)
	for i, v := range t.Vars {
		if err := exportable(v.Name); err != nil {
			return t, err
		}
		v.Values = slices.Clone(v.Values)
		for j, value := range v.Values {
			switch {
			case v.Name == Reserved:
				text, err := nunjucks(value)
				if err != nil {
					return t, err
				}
				v.Values[j] = text
			case !strings.HasPrefix(value, fileScheme):
				v.Values[j] = literal(value)
			}
		}
		t.Vars[i] = v
	}
	return t, nil
}

// exportable refuses the name of a variable that promptfoo would calculate.
func exportable(name string) error {
	if strings.Contains(name, "-") {
		return problem(0, "promptfoo cannot read the variable %s: it takes - for minus; rename it", quote(name))
	}
	return nil
}

// literal returns a text that promptfoo's templates leave as it is.
func literal(text string) string {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "{%") && !strings.Contains(text, "{#") {
		return text
	}
	return "{{ " + jsString(text) + " }}"
}

// nunjucks returns a template of this program as one of promptfoo's.
func nunjucks(template string) (string, error) {
	var out, plain strings.Builder
	var bad error
	flush := func() {
		out.WriteString(literal(plain.String()))
		plain.Reset()
	}
	variable.Walk(template, func(s string) { plain.WriteString(s) }, func(name string) {
		flush()
		bad = cmp.Or(bad, exportable(name))
		out.WriteString("{{" + name + "}}")
	})
	flush()
	return out.String(), bad
}

// expression returns a template as an expression of promptfoo's that makes a
// JSON string.
func expression(template string) (string, error) {
	var parts []string
	var bad error
	variable.Walk(template, func(s string) { parts = append(parts, jsString(s)) }, func(name string) {
		bad = cmp.Or(bad, exportable(name))
		parts = append(parts, name)
	})
	if len(parts) == 0 {
		parts = []string{`""`}
	}
	return "{{ (" + strings.Join(append([]string{`""`}, parts...), " + ") + ") | dump }}", bad
}

// jsString quotes a text for an expression. The braces that would end it are
// divided; only the escapes that nunjucks knows are used.
func jsString(text string) string {
	s := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text) + `"`
	for _, pair := range []string{"}}", "%}", "#}", "{{", "{%", "{#"} {
		for strings.Contains(s, pair) {
			s = strings.ReplaceAll(s, pair, pair[:1]+`" + "`+pair[1:])
		}
	}
	return s
}

// httpProvider returns promptfoo's HTTP provider for a model. The body is one
// template of JSON, so that a prompt that is JSON itself stays a text.
func httpProvider(m model, base *url.URL) (*yaml.Node, error) {
	path := "api/generative/"
	body := `{"apikey":"{{env.` + KeyVariable + `}}","prompt":{{prompt | dump}}`
	if m.model.Kind == api.Text {
		path = "api/llm/"
		if m.model.TakesSystem {
			body += `{% if ` + Reserved + ` %},"systemprompt":{{` + Reserved + ` | dump}}{% endif %}`
		}
	}
	for _, s := range m.Config {
		value, _ := s.Value.(string)
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

	headers := mapNode()
	put(headers, "Content-Type", textNode("application/json"))
	config := mapNode()
	put(config, "url", textNode(base.JoinPath(path, m.model.Slug).String()))
	put(config, "method", textNode("POST"))
	put(config, "headers", headers)
	put(config, "body", textNode(body))
	transform := "json.data.text"
	if m.model.Kind != api.Text {
		transform = `"[picture]"`
	}
	put(config, "transformResponse", textNode(transform))
	out := mapNode()
	put(out, "id", textNode(base.Scheme))
	put(out, "label", textNode(cmp.Or(m.Label, m.ID)))
	put(out, "config", config)
	putContent(out, "prompts", listNode(m.Prompts, textNode))
	return out, nil
}
