package suite

import (
	"cmp"
	"slices"

	"confab/history"
	"confab/service/variable"
)

// FromTurn returns a suite that asks what a turn asked: the same prompt and
// system prompt, the same models in their order, as often. Texts that would be
// read as templates are escaped. What an earlier conversation added to the
// prompts is not part of it.
func FromTurn(t history.Turn) Suite {
	s := Suite{Prompts: []Prompt{{Raw: variable.Escape(t.Prompt)}}}
	if t.System != "" {
		s.Tests = []Test{{Vars: []Var{{Name: Reserved, Values: []string{variable.Escape(t.System)}}}}}
	}
	prefix := map[history.Kind]string{history.KindText: "llm:", history.KindImage: "image:", history.KindEdit: "edit:"}
	for _, a := range t.Answers {
		p := Provider{ID: prefix[a.Kind] + a.Model}
		if prefix[a.Kind] == "" || slices.ContainsFunc(s.Providers, func(have Provider) bool { return have.ID == p.ID }) {
			continue
		}
		set := func(name, value string) {
			if value != "" {
				p.Config = append(p.Config, Setting{name, variable.Escape(value)})
			}
		}
		switch a.Kind {
		case history.KindImage:
			set("aspect_ratio", t.Aspect)
			switch t.Nonce.Mode {
			case history.NonceFixed:
				set("nonce", t.Nonce.Value)
			case history.NonceFresh:
				set("nonce", "new")
			}
		case history.KindEdit:
			if t.Source != nil {
				set("imageUrl", cmp.Or(t.Source.URL, t.Source.Path))
			}
		}
		s.Providers = append(s.Providers, p)
	}
	if t.Samples > 1 {
		s.Options.Repeat = t.Samples
	}
	return s
}
