package suite

import (
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// decoder decodes resolved nodes to a suite and reads the files that it names. It collects notes on settings that are
// not applied.
type decoder struct {
	folder *folder
	notes  []UnappliedSetting
	env    *strings.Replacer
}

// suite reads the root of a suite.
func (d *decoder) suite(root *yaml.Node) (s Suite, err error) {
	d.insertEnv(root)
	var scenarios []Test
	providers := func(e entry) error {
		if s.Providers != nil {
			return errorAt(e.line, "providers and targets are two names of one thing: write one of them")
		}
		return d.providers(&s.Providers, e.value)
	}
	err = d.read(root, form{what: "a suite", fields: map[string]field{
		"description":     textField(&s.Description),
		"prompts":         d.prompts(&s.Prompts),
		"providers":       providers,
		"targets":         providers,
		"defaultTest":     d.defaultTest(&s.Default),
		"tests":           d.tests(&s.Tests),
		"evaluateOptions": d.options(&s.Options),
		"x-checks":        refused("belong into a test or defaultTest"),

		"scenarios":          d.scenarios(&scenarios),
		"extensions":         d.leftOut("run code and are not applied"),
		"commandLineOptions": d.noted("are not applied"),
		"derivedMetrics":     d.noted("are not calculated"),
		"nunjucksFilters":    d.noted("run code and are not applied"),
		"providerPromptMap":  d.noted("is not applied: write prompts in the provider"),
		"transform":          d.noted("runs code and is not applied"),
	}, ignored: []string{"$schema", "assertionTemplates", "author", "env", "metadata", "outputPath", "outputs",
		"redteam", "sharing", "tags", "tracing", "writeLatestResults"}})
	if s.Tests = append(s.Tests, scenarios...); len(s.Tests) == 0 {
		s.Tests = []Test{{}}
	}
	return s, err
}

// insertEnv replaces {{env.NAME}} by the value that the suite gives it. The environment of confab is not read.
func (d *decoder) insertEnv(root *yaml.Node) {
	var pairs []string
	env := valueOf(root, "env")
	for i := 0; env != nil && i+1 < len(env.Content); i += 2 {
		name, value := env.Content[i].Value, env.Content[i+1].Value
		pairs = append(pairs, "{{env."+name+"}}", value, "{{ env."+name+" }}", value)
	}
	d.env = strings.NewReplacer(pairs...)
	var insert func(n *yaml.Node)
	insert = func(n *yaml.Node) {
		n.Value = d.env.Replace(n.Value)
		for _, child := range n.Content {
			insert(child)
		}
	}
	insert(root)
}

// prompts decodes a list of prompts, or a mapping of prompts to labels, and inserts those of files.
func (d *decoder) prompts(to *[]Prompt) field {
	return func(e entry) error {
		list := items(e.value)
		if e.value.Kind == yaml.MappingNode && valueOf(e.value, "raw") == nil && valueOf(e.value, "id") == nil {
			list = nil
			for i := 0; i+1 < len(e.value.Content); i += 2 {
				item := mapping("raw", e.value.Content[i], "label", e.value.Content[i+1])
				item.Line = e.value.Content[i].Line
				list = append(list, item)
			}
		}
		for _, item := range list {
			p, err := d.prompt(item)
			if err != nil {
				return err
			}
			found := []Prompt{p}
			if ref, ok := fileRef(p.Raw); ok {
				if found, err = d.readPrompts(ref, p); err != nil {
					return err
				}
			}
			*to = append(*to, found...)
		}
		return nil
	}
}

func (d *decoder) prompt(n *yaml.Node) (p Prompt, err error) {
	p.Line = n.Line
	if n.Kind != yaml.MappingNode {
		p.Raw, err = decodeTemplate(n, "a prompt")
	} else {
		err = d.read(n, form{what: "a prompt", fields: map[string]field{
			"id": textField(&p.ID), "label": textField(&p.Label), "display": textField(&p.Label),
			"raw": templateField(&p.Raw),
			"config": func(e entry) error {
				fields := d.paramFields(&p.Params)
				return d.read(e.value, form{what: "the config of a prompt", isOpen: true, fields: fields})
			},
			"function": d.noted("of a prompt runs code and is not applied"),
		}})
		if p.Raw == "" && strings.HasPrefix(p.ID, fileScheme) {
			p.Raw, p.ID = p.ID, ""
		}
	}
	switch {
	case err != nil:
		return p, err
	case strings.TrimSpace(p.Raw) == "":
		return p, errorAt(n.Line, "a prompt is empty")
	case looksLikeFile(p.Raw):
		if !d.folder.has(p.Raw) {
			d.note(p.Line, quote(p.Raw)+" is no file beside the suite, and is sent as it stands")
			return p, nil
		}
		p.Raw = fileScheme + p.Raw
	}
	return p, nil
}

// looksLikeFile reports whether promptfoo takes a text without file:// for the name of a file.
func looksLikeFile(raw string) bool {
	return !strings.Contains(raw, "://") && !strings.ContainsAny(raw, " \n") && slices.Contains([]string{".txt",
		".md", ".json", ".jsonl", ".yaml", ".yml", ".csv", ".j2", ".js", ".py"}, extension(raw))
}

// providers decodes a list of providers and inserts those of files.
func (d *decoder) providers(to *[]Provider, n *yaml.Node) error {
	for _, item := range items(n) {
		ref, isFile := fileRef(item.Value)
		if !isFile || runsCode(ref) {
			p, err := d.provider(item)
			if err != nil {
				return err
			}
			*to = append(*to, p)
			continue
		}
		if err := d.folder.eachYAML(ref, item.Line, func(root *yaml.Node) error {
			return listField(to, d.provider)(entry{value: root})
		}); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) provider(n *yaml.Node) (p Provider, err error) {
	p.Line = n.Line
	if n.Kind != yaml.MappingNode {
		p.ID, err = decodeText(n, "a provider")
	} else {
		// promptfoo also writes {llm:alpha: {label: …}}.
		if len(n.Content) == 2 && n.Content[0].Value != "id" {
			p.ID, n = n.Content[0].Value, n.Content[1]
		}
		err = d.read(n, form{what: "a provider", fields: map[string]field{
			"id": textField(&p.ID), "label": textField(&p.Label), "prompts": textsField(&p.Prompts),
			"config": d.settings(&p),
			"transform": d.unjudged(&p.notJudged, "its provider has a %s, and confab runs no code",
				"runs code: the checks of this provider's answers are skipped"),
			"delay":  d.noted("of a provider is not applied"),
			"env":    d.noted("of a provider is not applied"),
			"inputs": d.noted("of a provider are not applied"),
		}})
	}
	if err == nil && p.ID == "" {
		err = errorAt(p.Line, "a provider needs an id such as llm:<model>")
	}
	return p, err
}

// settings decodes the applied part of a provider's configuration. Old YAML reads an unquoted 16:9 as a number, so it
// uses the written text.
func (d *decoder) settings(p *Provider) field {
	setting := func(e entry) error {
		value, err := decodeTemplate(e.value, e.name)
		p.Config = append(p.Config, Setting{e.name, value})
		return err
	}
	fields := d.paramFields(&p.Params)
	for name, param := range map[string]string{"max_completion_tokens": "max_tokens", "max_output_tokens": "max_tokens",
		"maxOutputTokens": "max_tokens", "max_new_tokens": "max_tokens", "num_predict": "max_tokens", "topP": "top_p",
		"topK": "top_k", "stopSequences": "stop", "stop_sequences": "stop"} {
		fields[name] = func(e entry) error {
			e.name = param
			return fields[param](e)
		}
	}
	for _, name := range []string{"aspect_ratio", "nonce", "imageUrl"} {
		fields[name] = setting
	}
	return func(e entry) error {
		return d.read(e.value, form{what: "the config of a provider", isOpen: true, fields: fields})
	}
}

func (d *decoder) options(o *EvaluateOptions) field {
	const day = 24 * 60 * 60 * 1000
	return func(e entry) error {
		return d.read(e.value, form{what: "evaluateOptions", fields: map[string]field{
			"repeat":         wholeField(&o.Repeat, MaxRepeat, 1),
			"maxConcurrency": wholeField(&o.Concurrency, MaxConcurrency, 1),
			"delay":          wholeField(&o.Delay, day, time.Millisecond),
			"timeoutMs":      wholeField(&o.Timeout, day, time.Millisecond),
			"maxEvalTimeMs":  d.noted("is not applied"),
		}, ignored: []string{"cache", "eventSource", "generateSuggestions", "interactiveProviders", "isRedteam",
			"progressCallback", "showProgressBar", "silent"}})
	}
}
