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
		{"keep/expired", func(f *fixture) {
			old, mixed, asked := f.session("old"), f.session("mixed"), f.session("asked again")
			f.drawn(f.send(old.ID, "picture", "pic").Answers[0], "/p/1.png")
			f.chat(old.ID, "one", "alpha", "text")
			expired := f.chat(mixed.ID, "expired", "alpha", "text")
			again := f.chat(asked.ID, "asked again", "alpha", "text")
			running := f.send(mixed.ID, "running", "alpha")
			before := noon().AddDate(0, 0, 30)
			f.clock.set(before.AddDate(0, 0, 60))
			f.chat(mixed.ID, "new", "alpha", "text")
			_, err := f.AddAnswers(f.ctx, again.ID, []history.Answer{{Model: "alpha", Kind: history.KindText,
				Sample: 2, State: history.Done, Version: 1, Queued: f.clock.now()}})
			f.must(err)
			find := func(limit int) history.Expired {
				e, err := f.Expired(f.ctx, before, limit)
				f.must(err)
				return e
			}
			want := history.Expired{Sessions: []int64{old.ID}, Turns: []int64{expired.ID}, Answers: 3, Pictures: 1,
				Bytes: 99}
			f.same("expired", find(10), want)
			e, err := f.DeleteExpired(f.ctx, before, 1)
			f.must(err)
			f.same("deleted", e, want)
			f.same("nothing more", find(10), history.Expired{})
			f.same("after a deletion", find(10).Sessions, []int64(nil))
			running.Answers[0].State, running.Answers[0].Version = history.Done, 9
			f.must(f.SaveAnswer(f.ctx, running.Answers[0]))
			f.same("what has ended", find(10).Turns, []int64{running.ID})
		}},
	}
}
