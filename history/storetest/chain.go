package storetest

import (
	"fmt"
	"strings"

	"confab/history"
)

func chainTests() []named {
	return []named{
		{"chain/a picture that was never edited", func(f *fixture) {
			s := f.session("s")
			fox := f.picture(s.ID, "fox", nil)
			f.chat(s.ID, "text", "alpha", "not a picture")
			f.same("chain", f.chain(fox), "fox")
		}},
		{"chain/branches, from wherever it is asked", func(f *fixture) {
			s := f.session("s")
			fox := f.picture(s.ID, "fox", nil)
			warm := f.picture(s.ID, "warm", &history.Source{Answer: fox})
			grey := f.picture(s.ID, "grey", &history.Source{Answer: fox})
			f.picture(s.ID, "owl", nil)
			night := f.picture(f.session("other").ID, "night", &history.Source{Answer: warm})
			f.picture(s.ID, "sepia", &history.Source{Answer: fox})
			for _, id := range []int64{fox, warm, grey, night} {
				f.same("chain", f.chain(id), "fox .warm ..night .grey .sepia")
			}
			c, err := f.EditChain(f.ctx, night)
			f.must(err)
			f.same("its turn and session",
				[]string{c.Links[2].Turn.Prompt, c.Links[2].SessionName,
					c.Links[2].Answer.Picture.Path}, []string{"night", "other",
					"/p/night.png"})
			f.same("cut", c.IsCut, false)
		}},
		{"chain/it starts with a file or a URL", func(f *fixture) {
			s := f.session("s")
			cat := f.picture(s.ID, "cat", &history.Source{Path: "/home/me/cat.png"})
			f.picture(s.ID, "warmer", &history.Source{Answer: cat})
			f.picture(s.ID, "dog", &history.Source{Path: "/home/me/dog.png"})
			f.picture(s.ID, "cat again", &history.Source{Path: "/home/me/cat.png"})
			web := f.picture(s.ID, "web", &history.Source{URL: "https://example.com/a.png"})
			f.same("file", f.chain(cat), "</home/me/cat.png> .cat ..warmer .cat again")
			f.same("URL", f.chain(web), "<https://example.com/a.png> .web")
		}},
		{"chain/deleted parents", func(f *fixture) {
			s := f.session("s")
			fox := f.picture(s.ID, "fox", nil)
			warm := f.picture(s.ID, "warm", &history.Source{Answer: fox, Path: "/p/fox.png"})
			grey := f.picture(s.ID, "grey", &history.Source{Answer: fox, Path: "/p/fox.png"})
			gone, err := f.DeleteAnswer(f.ctx, fox)
			f.must(err)
			f.same("while it is in the trash", f.chain(warm), "</p/fox.png> .warm .grey")
			_, err = f.EditChain(f.ctx, fox)
			f.fails("its own", err, history.ErrNotFound)
			f.must(f.Undelete(f.ctx, gone))
			f.same("brought back", f.chain(grey), "fox .warm .grey")
			_, err = f.DeleteAnswer(f.ctx, fox)
			f.must(err)
			err = f.Purge(f.ctx, 0, nil)
			f.must(err)
			f.same("gone for good", f.chain(grey), "</p/fox.png> .warm .grey")
			_, err = f.DeleteSession(f.ctx, s.ID)
			f.must(err)
			_, err = f.EditChain(f.ctx, grey)
			f.fails("with its session", err, history.ErrNotFound)
			_, err = f.EditChain(f.ctx, missingID)
			f.fails("one that never was", err, history.ErrNotFound)
		}},
		{"chain/it may lead back into itself", func(f *fixture) {
			s := f.session("s")
			makeOf := func(answer, parent int64) {
				a := f.answer(answer)
				a.Version++
				a.Picture.Parent = parent
				f.must(f.SaveAnswer(f.ctx, a))
			}
			a := f.picture(s.ID, "a", &history.Source{Path: "/p/x.png"})
			b := f.picture(s.ID, "b", &history.Source{Answer: a})
			makeOf(a, b)
			f.same("of two", []any{f.chain(a), f.chain(b)}, []any{"b .a", "a .b"})
			own := f.picture(s.ID, "own", &history.Source{Path: "/p/y.png"})
			makeOf(own, own)
			f.same("of one", f.chain(own), "own")
		}},
		{"chain/an edit that has no picture", func(f *fixture) {
			s := f.session("s")
			fox := f.picture(s.ID, "fox", nil)
			t, err := f.AddTurn(f.ctx, history.Turn{Session: s.ID, Prompt: "warm", Source: &history.Source{Answer: fox},
				Answers: []history.Answer{{Model: "edit", Kind: history.KindEdit, State: history.Failed}}})
			f.must(err)
			f.same("asked for it", f.chain(t.Answers[0].ID), "fox .warm")
			f.same("asked for its source", f.chain(fox), "fox")
		}},
		{"chain/it is bounded", func(f *fixture) {
			s := f.session("s")
			fox := f.picture(s.ID, "fox", nil)
			var many []history.Answer
			for range 520 {
				many = append(many, drawnEdit("many", fox))
			}
			t, err := f.AddTurn(f.ctx,
				history.Turn{Session: s.ID, Prompt: "many", Source: &history.Source{Answer: fox}, Answers: many})
			f.must(err)
			last := t.Answers[519].ID
			late := f.picture(s.ID, "late", &history.Source{Answer: last})
			c, err := f.EditChain(f.ctx, last)
			f.must(err)
			f.same("cut", []any{c.IsCut, len(c.Links)}, []any{true, 500})
			f.same("start", c.Links[0].Answer.ID, fox)
			deep := late
			for range 260 {
				deep = f.picture(s.ID, "deeper", &history.Source{Answer: deep})
			}
			below, err := f.EditChain(f.ctx, deep)
			f.must(err)
			f.same("one with no end in sight upwards", []any{below.IsCut, len(below.Links), below.Links[249].Answer.ID},
				[]any{true, 250, deep})
			f.same("the one it is about, and what was made from it",
				[]int64{c.Links[498].Answer.ID, c.Links[499].Answer.ID},
				[]int64{last, late})
		}},
	}
}

// drawnEdit returns a finished edit of a picture.
func drawnEdit(name string, parent int64) history.Answer {
	return history.Answer{Model: "edit", Kind: history.KindEdit, State: history.Done, Version: 1,
		Picture: &history.Picture{Path: "/p/" + name + ".png", ContentType: "image/png", Width: 16, Height: 9,
			Bytes:  99,
			SHA256: name, Parent: parent}}
}

// picture adds a turn with one picture, edited from a source unless that is nil, and returns the answer's id.
func (f *fixture) picture(session int64, prompt string, from *history.Source) int64 {
	f.Helper()
	a := drawnEdit(prompt, 0)
	if from == nil {
		a.Model, a.Kind = "pic", history.KindImage
	} else {
		a.Picture.Parent = from.Answer
	}
	t, err := f.AddTurn(f.ctx,
		history.Turn{Session: session, Prompt: prompt, Source: from, Answers: []history.Answer{a}})
	f.must(err)
	return t.Answers[0].ID
}

// chain returns the chain of edits of an answer: prompts after a dot for each edit in between, and a start that is no
// answer in angle brackets.
func (f *fixture) chain(answer int64) string {
	f.Helper()
	c, err := f.EditChain(f.ctx, answer)
	f.must(err)
	var out []string
	for _, l := range c.Links {
		name := l.Turn.Prompt
		if l.Source != nil {
			name = fmt.Sprintf("<%s%s>", l.Source.Path, l.Source.URL)
		}
		out = append(out, strings.Repeat(".", l.Depth)+name)
	}
	return strings.Join(out, " ")
}
