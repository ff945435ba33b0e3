package storetest

import (
	"errors"

	"confab/history"
)

func keeperTests() []named {
	return []named{
		{"keep/personas", func(f *fixture) {
			pirate, err := f.SavePersona(f.ctx, history.Persona{Name: "pirate", Text: "You talk like a Pirate\x00\xff"})
			f.must(err)
			cool := 0.25
			cook, err := f.SavePersona(f.ctx, history.Persona{Name: "Cook", Text: "You cook",
				Params: history.Params{Temperature: &cool, Stop: []string{"."}}})
			f.must(err)
			list := func(text string) []history.Persona {
				ps, err := f.Personas(f.ctx, text)
				f.must(err)
				return ps
			}
			f.same("all, by name", list(""), []history.Persona{cook, pirate})
			f.same("by text", list("LIKE A"), []history.Persona{pirate})
			f.same("by name", list("cOOK"), []history.Persona{cook})
			cook.Name, cook.Params = "chef", history.Params{MaxTokens: 10}
			cook, err = f.SavePersona(f.ctx, cook)
			f.must(err)
			f.same("changed", list("chef"), []history.Persona{cook})
			f.must(f.DeletePersona(f.ctx, pirate.ID))
			f.same("deleted", list(""), []history.Persona{cook})
			f.same("deleted once", errors.Is(f.DeletePersona(f.ctx, pirate.ID), history.ErrNotFound), true)
			_, err = f.SavePersona(f.ctx, pirate)
			f.same("changing what is gone", errors.Is(err, history.ErrNotFound), true)
		}},
		{"keep/settings", func(f *fixture) {
			get := func(name string) string {
				v, err := f.Setting(f.ctx, name)
				f.must(err)
				return v
			}
			f.same("unset", get("theme"), "")
			f.must(f.SetSetting(f.ctx, "theme", "dark"))
			f.must(f.SetSetting(f.ctx, "theme", "light\x00\xff"))
			f.same("set", get("theme"), "light\x00\xff")
			f.same("another", get("Theme"), "")
			f.must(f.SetSetting(f.ctx, "theme", ""))
			f.same("unset again", get("theme"), "")
		}},
	}
}
