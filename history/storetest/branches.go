package storetest

import (
	"slices"

	"confab/history"
)

func branchTests() []named {
	return []named{
		{"branch/a sibling hides what it stands beside", func(f *fixture) {
			b := newBranches(f)
			f.same("shown", b.shown(), []string{"one", "two again", "four"})
			f.same("siblings", b.siblings("two again"), []string{"two", "two again"})
			f.same("of others", [][]string{b.siblings("one"), b.siblings("three"), b.siblings("four")},
				[][]string{nil, nil, nil})
			f.same("parents", []int64{b.turn("one").Parent, b.turn("two").Parent, b.turn("two again").Parent,
				b.turn("four").Parent}, []int64{0, b.id["one"], b.id["one"], b.id["two again"]})
			n, err := f.AnsweredTurns(f.ctx, b.session, b.id["four"])
			f.must(err)
			f.same("answered turns before the last", n, 2)
			found, err := f.FindInSession(f.ctx, b.session, "two")
			f.must(err)
			f.same("found on the path", found, []int64{b.id["two again"]})
			all, err := f.Turns(f.ctx, b.session, history.Page{HasHidden: true})
			f.must(err)
			f.same("with what is hidden", promptsOf(all), []string{"one", "two", "three", "two again", "four"})
			f.same("which", []string{all[1].BranchText(), all[2].BranchText(), all[3].BranchText()},
				[]string{"branch 1 of 2", "", "branch 2 of 2"})
			f.same("found in the history", f.search("three"), []string{"prompt: [three]"})
		}},
		{"branch/switching shows the newest of each branch", func(f *fixture) {
			b := newBranches(f)
			f.must(f.ShowBranch(f.ctx, b.id["two"]))
			f.same("shown", b.shown(), []string{"one", "two", "three"})
			b.add("three again", "three")
			f.must(f.ShowBranch(f.ctx, b.id["two again"]))
			f.same("back", b.shown(), []string{"one", "two again", "four"})
			f.must(f.ShowBranch(f.ctx, b.id["two"]))
			f.same("the newest", b.shown(), []string{"one", "two", "three again"})
			f.must(f.ShowBranch(f.ctx, b.id["four"]))
			f.same("from within", b.shown(), []string{"one", "two again", "four"})
			f.fails("of no turn", f.ShowBranch(f.ctx, missingID), history.ErrNotFound)
		}},
		{"branch/of the first turn", func(f *fixture) {
			b := newBranches(f)
			b.add("one again", "one")
			f.same("shown", b.shown(), []string{"one again"})
			f.same("siblings", b.siblings("one again"), []string{"one", "one again"})
			b.add("one more", "one again")
			f.same("siblings", b.siblings("one"), []string{"one", "one again", "one more"})
			f.same("read at once", b.beside("one again"), []string{"one", "one again", "one more"})
			f.same("one without others", b.beside("three"), []string{"three"})
		}},
		{"branch/deleting", func(f *fixture) {
			b := newBranches(f)
			t, err := f.DeleteTurn(f.ctx, b.id["two again"])
			f.must(err)
			f.same("followed: what followed it stays", b.shown(), []string{"one", "four"})
			f.same("beside what it stood beside", b.siblings("four"), []string{"two", "four"})
			last, err := f.DeleteTurn(f.ctx, b.id["four"])
			f.must(err)
			f.same("the last of a branch: the other one", b.shown(), []string{"one", "two", "three"})
			f.must(f.Undelete(f.ctx, last))
			f.same("undone", b.shown(), []string{"one", "four"})
			f.must(f.Undelete(f.ctx, t))
			f.same("undone", b.shown(), []string{"one", "two again", "four"})
			_, err = f.DeleteTurn(f.ctx, b.id["one"])
			f.must(err)
			f.must(f.Purge(f.ctx, 0, nil))
			f.same("gone for good", b.shown(), []string{"two again", "four"})
			f.same("siblings", b.siblings("two again"), []string{"two", "two again"})
			f.same("parent", b.turn("two").Parent, int64(0))
		}},
		{"branch/a fork copies what is shown", func(f *fixture) {
			b := newBranches(f)
			fork, err := f.ForkSession(f.ctx, b.session, 0, "copy")
			f.must(err)
			turns := f.turns(fork.ID)
			f.same("prompts", promptsOf(turns), []string{"one", "two again", "four"})
			f.same("parents", []int64{turns[0].Parent, turns[1].Parent, turns[2].Parent},
				[]int64{0, turns[0].ID, turns[1].ID})
		}},
	}
}

// branches is a session with the turns one, two and three, and a branch beside two with another one after it.
type branches struct {
	*fixture
	session int64
	id      map[string]int64 // by prompt
}

func newBranches(f *fixture) *branches {
	b := &branches{fixture: f, session: f.session("s").ID, id: map[string]int64{}}
	for _, prompt := range []string{"one", "two", "three"} {
		b.id[prompt] = f.chat(b.session, prompt, "alpha", "a").ID
	}
	b.add("two again", "two")
	b.id["four"] = f.chat(b.session, "four", "alpha", "a").ID
	return b
}

// add adds a turn beside another one.
func (b *branches) add(prompt, beside string) {
	b.Helper()
	t, err := b.AddTurn(b.ctx, history.Turn{Session: b.session, Prompt: prompt, Siblings: []int64{b.id[beside]},
		Answers: []history.Answer{{Model: "alpha", Kind: history.KindText}}})
	b.must(err)
	b.done(t.Answers[0], "a")
	b.id[prompt] = t.ID
	b.same("shown as stored", slices.Contains(t.Siblings, t.ID) && !t.IsHidden, true)
}

func (b *branches) turn(prompt string) history.Turn {
	b.Helper()
	t, err := b.Turn(b.ctx, b.id[prompt])
	b.must(err)
	return t
}

func (b *branches) shown() []string {
	b.Helper()
	return promptsOf(b.turns(b.session))
}

// beside returns the prompts of a turn and its siblings, as they are read at once.
func (b *branches) beside(prompt string) []string {
	b.Helper()
	turns, err := b.Turns(b.ctx, b.session, history.Page{Beside: b.id[prompt]})
	b.must(err)
	for _, t := range turns {
		b.same("answers", len(t.Answers), 1)
	}
	return promptsOf(turns)
}

func (b *branches) siblings(prompt string) []string {
	b.Helper()
	var all []string
	for _, id := range b.turn(prompt).Siblings {
		for prompt, of := range b.id {
			if of == id {
				all = append(all, prompt)
			}
		}
	}
	return all
}

func promptsOf(turns []history.Turn) (prompts []string) {
	for _, t := range turns {
		prompts = append(prompts, t.Prompt)
	}
	return prompts
}
