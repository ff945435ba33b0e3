package suite

import (
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// decode reads the root of a suite.
func (r *reader) decode(root *yaml.Node) (Suite, error) {
	var s Suite
	entries, err := r.pairs(root, "a suite", 0)
	if err != nil {
		return s, err
	}
	if i := slices.IndexFunc(entries, func(p pair) bool { return p.name == "targets" }); i >= 0 &&
		slices.ContainsFunc(entries, func(p pair) bool { return p.name == "providers" }) {
		return s, problem(entries[i].key.Line, "providers and targets are two names of one thing: write one of them")
	}
	for _, p := range entries {
		switch p.name {
		case "description":
			s.Description, err = r.text(p.value, "the description", 1)
		case "prompts":
			s.Prompts, err = r.prompts(p.value)
		case "providers", "targets":
			s.Providers, err = r.providers(p.value)
		case "defaultTest":
			s.Default, s.DefaultFile, err = r.defaultTest(p.value)
		case "tests":
			s.Tests, err = r.tests(p.value)
		case "evaluateOptions":
			s.Options, err = r.options(p.value)
		case "scenarios":
			r.leaveOut(p, "scenarios are not run")
		case "extensions":
			r.leaveOut(p, "extensions run code and are not applied")
		case "x-checks":
			err = problem(p.key.Line, "x-checks belong into a test or defaultTest")
		default:
			err = r.other(suiteNames(), p)
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

func (r *reader) prompts(n *yaml.Node) ([]Prompt, error) {
	items, err := r.items(n, 1)
	if err != nil {
		return nil, err
	}
	var out []Prompt
	for _, item := range items {
		p, err := r.prompt(item)
		if err != nil {
			return nil, err
		}
		if blank(p.Raw) {
			return nil, problem(item.Line, "a prompt is empty")
		}
		if !strings.HasPrefix(p.Raw, fileScheme) && looksLikeFile(p.Raw) {
			r.note(p.Line, quote(p.Raw)+" is sent as it stands: write file:// before the name of a file")
		}
		out = append(out, p)
	}
	return out, nil
}

func looksLikeFile(raw string) bool {
	return !strings.ContainsAny(raw, " \n") &&
		slices.Contains([]string{".txt", ".md", ".json", ".yaml", ".yml", ".csv", ".j2", ".js", ".py"}, extension(raw))
}

func (r *reader) prompt(n *yaml.Node) (Prompt, error) {
	line := n.Line
	n, err := r.follow(n, 2)
	if err != nil {
		return Prompt{}, err
	}
	p := Prompt{Line: line}
	if n.Kind != yaml.MappingNode {
		p.Raw, err = r.template(n, "a prompt", 2)
		return p, err
	}
	entries, err := r.pairs(n, "a prompt", 2)
	if err != nil {
		return p, err
	}
	for _, e := range entries {
		switch e.name {
		case "id":
			p.ID, err = r.text(e.value, "the id of a prompt", 3)
		case "label", "display":
			p.Label, err = r.text(e.value, "the label of a prompt", 3)
		case "raw":
			p.Raw, err = r.template(e.value, "the text of a prompt", 3)
		default:
			err = r.other(promptNames(), e)
		}
		if err != nil {
			return p, err
		}
	}
	if p.Raw == "" && strings.HasPrefix(p.ID, fileScheme) {
		p.Raw = p.ID
	}
	return p, nil
}

func (r *reader) providers(n *yaml.Node) ([]Provider, error) {
	items, err := r.items(n, 1)
	if err != nil {
		return nil, err
	}
	var out []Provider
	for _, item := range items {
		p, err := r.provider(item)
		if err != nil {
			return nil, err
		}
		if p.ID == "" {
			return nil, problem(p.Line, "a provider needs an id such as llm:<model>")
		}
		out = append(out, p)
	}
	return out, nil
}

func (r *reader) provider(n *yaml.Node) (Provider, error) {
	p := Provider{Line: n.Line}
	n, err := r.follow(n, 2)
	if err != nil {
		return p, err
	}
	if n.Kind != yaml.MappingNode {
		p.ID, err = r.text(n, "a provider", 2)
		return p, err
	}
	entries, err := r.pairs(n, "a provider", 2)
	if err != nil {
		return p, err
	}
	// promptfoo also writes {llm:alpha: {label: …}}.
	if len(entries) == 1 && entries[0].name != "id" {
		p.ID = entries[0].name
		if isNull(entries[0].value) {
			return p, nil
		}
		if entries, err = r.pairs(entries[0].value, "a provider", 3); err != nil {
			return p, err
		}
	}
	for _, e := range entries {
		switch e.name {
		case "id":
			p.ID, err = r.text(e.value, "the id of a provider", 3)
		case "label":
			p.Label, err = r.text(e.value, "the label of a provider", 3)
		case "prompts":
			p.Prompts, err = r.texts(e.value, "the prompts of a provider", 3)
		case "config":
			p.Config, err = r.settings(e.value)
		case "transform":
			p.unfit = "its provider has a transform, and confab runs no code"
			r.note(e.key.Line, "transform runs code: the checks of this provider's answers are skipped")
		default:
			err = r.other(providerNames(), e)
		}
		if err != nil {
			return p, err
		}
	}
	return p, nil
}

func (r *reader) settings(n *yaml.Node) ([]Setting, error) {
	if isNull(n) {
		return nil, nil
	}
	entries, err := r.pairs(n, "the config of a provider", 4)
	if err != nil {
		return nil, err
	}
	var out []Setting
	for _, e := range entries {
		v, err := r.value(e.value, "a config", 5)
		if err == nil && slices.Contains(configNames().applied, e.name) {
			// A ratio such as 16:9 without quotes is a number to old YAML;
			// its text is what was meant.
			v, err = r.template(e.value, e.name, 5)
		} else if err == nil {
			err = r.other(configNames(), e)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, Setting{e.name, v})
	}
	return out, nil
}

func (r *reader) options(n *yaml.Node) (o Options, err error) {
	if isNull(n) {
		return o, nil
	}
	entries, err := r.pairs(n, "evaluateOptions", 1)
	if err != nil {
		return o, err
	}
	const day = 24 * 60 * 60 * 1000
	for _, e := range entries {
		limit := map[string]float64{"repeat": 1000, "maxConcurrency": 64, "delay": day, "timeoutMs": day}[e.name]
		if limit == 0 {
			if err := r.other(optionNames(), e); err != nil {
				return o, err
			}
			continue
		}
		v, err := r.number(e.value, e.name, limit, 2)
		if err != nil {
			return o, err
		}
		whole := v == float64(int(v))
		switch e.name {
		case "repeat":
			o.Repeat = int(v)
		case "maxConcurrency":
			o.Concurrency = int(v)
		case "delay":
			o.Delay = time.Duration(v * float64(time.Millisecond))
		case "timeoutMs":
			o.Timeout = time.Duration(v * float64(time.Millisecond))
		}
		if !whole {
			return o, problem(e.value.Line, "%s must be a whole number", e.name)
		}
	}
	return o, nil
}
