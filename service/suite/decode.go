package suite

import (
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// decode reads the root of a suite.
func (d *decoder) decode(root *yaml.Node) (Suite, error) {
	var s Suite
	found, err := entries(root, "a suite")
	if err != nil {
		return s, err
	}
	if i := slices.IndexFunc(found, func(e entry) bool { return e.name == "targets" }); i >= 0 &&
		slices.ContainsFunc(found, func(e entry) bool { return e.name == "providers" }) {
		return s, problem(found[i].line, "providers and targets are two names of one thing: write one of them")
	}
	for _, e := range found {
		switch e.name {
		case "description":
			s.Description, err = decodeText(e.value, "the description")
		case "prompts":
			s.Prompts, err = each(e.value, d.prompt)
		case "providers", "targets":
			s.Providers, err = each(e.value, d.provider)
		case "defaultTest":
			s.Default, s.DefaultFile, err = d.defaultTest(e.value)
		case "tests":
			s.Tests, err = each(e.value, d.test)
		case "evaluateOptions":
			s.Options, err = d.options(e.value)
		case "scenarios":
			d.leaveOut(e, "scenarios are not run")
		case "extensions":
			d.leaveOut(e, "extensions run code and are not applied")
		case "x-checks":
			err = problem(e.line, "x-checks belong into a test or defaultTest")
		default:
			err = d.other(suiteNames(), e)
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

func looksLikeFile(raw string) bool {
	return !strings.ContainsAny(raw, " \n") &&
		slices.Contains([]string{".txt", ".md", ".json", ".yaml", ".yml", ".csv", ".j2", ".js", ".py"}, extension(raw))
}

func (d *decoder) prompt(n *yaml.Node) (p Prompt, err error) {
	p.Line = n.Line
	if n.Kind == yaml.MappingNode {
		err = d.promptEntries(n, &p)
	} else {
		p.Raw, err = decodeTemplate(n, "a prompt")
	}
	switch {
	case err != nil:
		return p, err
	case blank(p.Raw):
		return p, problem(n.Line, "a prompt is empty")
	case !strings.HasPrefix(p.Raw, fileScheme) && looksLikeFile(p.Raw):
		d.note(p.Line, quote(p.Raw)+" is sent as it stands: write file:// before the name of a file")
	}
	return p, nil
}

func (d *decoder) promptEntries(n *yaml.Node, p *Prompt) error {
	found, err := entries(n, "a prompt")
	if err != nil {
		return err
	}
	for _, e := range found {
		switch e.name {
		case "id":
			p.ID, err = decodeText(e.value, "the id of a prompt")
		case "label", "display":
			p.Label, err = decodeText(e.value, "the label of a prompt")
		case "raw":
			p.Raw, err = decodeTemplate(e.value, "the text of a prompt")
		default:
			err = d.other(promptNames(), e)
		}
		if err != nil {
			return err
		}
	}
	if p.Raw == "" && strings.HasPrefix(p.ID, fileScheme) {
		p.Raw = p.ID
	}
	return nil
}

func (d *decoder) provider(n *yaml.Node) (p Provider, err error) {
	p.Line = n.Line
	if n.Kind == yaml.MappingNode {
		err = d.providerEntries(n, &p)
	} else {
		p.ID, err = decodeText(n, "a provider")
	}
	if err == nil && p.ID == "" {
		err = problem(p.Line, "a provider needs an id such as llm:<model>")
	}
	return p, err
}

func (d *decoder) providerEntries(n *yaml.Node, p *Provider) error {
	found, err := entries(n, "a provider")
	if err != nil {
		return err
	}
	// promptfoo also writes {llm:alpha: {label: …}}.
	if len(found) == 1 && found[0].name != "id" {
		p.ID = found[0].name
		if isNull(found[0].value) {
			return nil
		}
		if found, err = entries(found[0].value, "a provider"); err != nil {
			return err
		}
	}
	for _, e := range found {
		switch e.name {
		case "id":
			p.ID, err = decodeText(e.value, "the id of a provider")
		case "label":
			p.Label, err = decodeText(e.value, "the label of a provider")
		case "prompts":
			p.Prompts, err = decodeTexts(e.value, "the prompts of a provider")
		case "config":
			p.Config, err = d.settings(e.value)
		case "transform":
			p.notJudged = "its provider has a transform, and confab runs no code"
			d.note(e.line, "transform runs code: the checks of this provider's answers are skipped")
		default:
			err = d.other(providerNames(), e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) settings(n *yaml.Node) ([]Setting, error) {
	if isNull(n) {
		return nil, nil
	}
	found, err := entries(n, "the config of a provider")
	if err != nil {
		return nil, err
	}
	var out []Setting
	for _, e := range found {
		v, err := decodeValue(e.value, "a config")
		if err == nil && slices.Contains(configNames().applied, e.name) {
			// A ratio such as 16:9 without quotes is a number to old YAML; its text is what was meant.
			v, err = decodeTemplate(e.value, e.name)
		} else if err == nil {
			err = d.other(configNames(), e)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, Setting{e.name, v})
	}
	return out, nil
}

func (d *decoder) options(n *yaml.Node) (o Options, err error) {
	if isNull(n) {
		return o, nil
	}
	found, err := entries(n, "evaluateOptions")
	if err != nil {
		return o, err
	}
	const day = 24 * 60 * 60 * 1000
	for _, e := range found {
		limit := map[string]float64{"repeat": 1000, "maxConcurrency": 64, "delay": day, "timeoutMs": day}[e.name]
		if limit == 0 {
			if err := d.other(optionNames(), e); err != nil {
				return o, err
			}
			continue
		}
		v, err := decodeNumber(e.value, e.name, limit)
		if err != nil {
			return o, err
		}
		n := int(v)
		if v != float64(n) {
			return o, problem(e.value.Line, "%s must be a whole number", e.name)
		}
		switch e.name {
		case "repeat":
			o.Repeat = n
		case "maxConcurrency":
			o.Concurrency = n
		case "delay":
			o.Delay = time.Duration(n) * time.Millisecond
		case "timeoutMs":
			o.Timeout = time.Duration(n) * time.Millisecond
		}
	}
	return o, nil
}
