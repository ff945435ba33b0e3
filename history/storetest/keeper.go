package storetest

import (
	"encoding/json"
	"sync"

	"confab/history"
)

func keeperTests() []named {
	return []named{
		{"keep/personas", func(f *fixture) {
			pirate, err := f.SavePersona(f.ctx, history.Persona{Name: "pirate", Text: "You talk like a Pirate\x00\xff"})
			f.must(err)
			cook, err := f.SavePersona(f.ctx, history.Persona{Name: "Cook", Text: "You cook",
				Models: []string{"beta", "alpha"},
				Params: history.Params{"temperature": json.Number("0.25"), "stop": []any{"."}}})
			f.must(err)
			list := func(text string) []history.Persona {
				ps, err := f.Personas(f.ctx, text)
				f.must(err)
				return ps
			}
			f.same("all, by name", list(""), []history.Persona{cook, pirate})
			f.same("by text", list("LIKE A"), []history.Persona{pirate})
			f.same("by name", list("cOOK"), []history.Persona{cook})
			cook.Name, cook.Models, cook.Params = "chef", nil, history.Params{"max_tokens": json.Number("10")}
			cook, err = f.SavePersona(f.ctx, cook)
			f.must(err)
			f.same("changed", list("chef"), []history.Persona{cook})
			f.must(f.DeletePersona(f.ctx, pirate.ID))
			f.same("deleted", list(""), []history.Persona{cook})
			f.fails("deleted once", f.DeletePersona(f.ctx, pirate.ID), history.ErrNotFound)
			_, err = f.SavePersona(f.ctx, pirate)
			f.fails("changing what is gone", err, history.ErrNotFound)
		}},
		{"AnswersOfADay", func(f *fixture) {
			for i, step := range []struct {
				day                    string
				answers, limit, before int
			}{
				{"2026-11-26", 0, 0, 0}, {"2026-11-26", 3, 5, 0}, {"2026-11-26", 3, 5, 3}, {"2026-11-26", 2, 5, 3},
				{"2026-11-26", 1, 5, 5}, {"2026-11-26", -4, 0, 5}, {"2026-11-26", 0, 0, 1}, {"2026-11-27", 2, 5, 0},
				{"2026-11-27", -9, 0, 2}, {"2026-11-27", 0, 0, 0},
			} {
				before, err := f.CountAnswers(f.ctx, step.day, step.answers, step.limit)
				if f.must(err); before != step.before {
					f.Errorf("step %d: %d were counted before, want %d", i, before, step.before)
				}
			}
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					_, err := f.CountAnswers(f.ctx, "2026-11-28", 1, 5)
					f.must(err)
				})
			}
			all.Wait()
			before, err := f.CountAnswers(f.ctx, "2026-11-28", 0, 0)
			if f.must(err); before != 5 {
				f.Errorf("%d of 8 at once were counted, want 5", before)
			}
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
