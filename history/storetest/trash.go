package storetest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"confab/history"
)

func trashTests() []named {
	return []named{
		{"trash/a session", func(f *fixture) {
			s, kept := f.session("goner"), f.session("kept")
			t := f.chat(s.ID, "vanishing prompt", "alpha", "vanishing answer")
			p := f.drawn(f.send(s.ID, "vanishing picture", "pic").Answers[0], "/p/1.png")
			f.chat(kept.ID, "staying prompt", "alpha", "staying answer")
			before := f.turns(s.ID)
			was, err := f.Session(f.ctx, s.ID)
			f.must(err)
			trash, err := f.DeleteSession(f.ctx, s.ID)
			f.must(err)
			deleted, err := f.DeletedSessions(f.ctx)
			f.must(err)
			f.same("deleted sessions", deleted, []int64{s.ID})
			f.hidden(s.ID, t.ID, p.ID)
			f.same("search", f.search("vanishing"), []string{})
			f.same("search for the rest", len(f.search("staying")), 2)
			last, err := f.LastSession(f.ctx)
			f.must(err)
			f.same("last session", last.ID, kept.ID)
			for _, text := range []string{"", "vanishing", "goner"} {
				hits, total, err := f.Sessions(f.ctx, history.Query{Text: text})
				f.must(err)
				for _, h := range hits {
					f.same("sessions with "+text, h.ID, kept.ID)
				}
				f.same("total", total, 1)
				prompts, err := f.Prompts(f.ctx, history.Query{Text: text})
				f.must(err)
				f.same("prompts with "+text, len(prompts), map[string]int{"": 1}[text])
				pictures, err := f.Pictures(f.ctx, history.Query{Text: text})
				f.must(err)
				f.same("pictures with "+text, len(pictures), 0)
			}
			f.must(f.Undelete(f.ctx, trash))
			f.same("turns are back", f.turns(s.ID), before)
			now, err := f.Session(f.ctx, s.ID)
			f.must(err)
			f.same("session is back", now, was)
			f.same("search", len(f.search("vanishing")), 3)
			f.fails("undone once", f.Undelete(f.ctx, trash), history.ErrNotFound)
		}},
		{"trash/a turn", func(f *fixture) {
			s := f.session("s")
			one := f.chat(s.ID, "one", "alpha", "vanishing")
			two := f.chat(s.ID, "two", "alpha", "staying")
			trash, err := f.DeleteTurn(f.ctx, one.ID)
			f.must(err)
			f.same("turns", ids(f.turns(s.ID)), []int64{two.ID})
			f.counts(s.ID, 1, 1, 0)
			f.same("search", f.search("vanishing"), []string{})
			found, err := f.FindInSession(f.ctx, s.ID, "vanishing")
			f.must(err)
			f.same("find", len(found), 0)
			_, err = f.Answer(f.ctx, one.Answers[0].ID)
			f.fails("its answer: not found", err, history.ErrNotFound)
			_, err = f.DeleteTurn(f.ctx, one.ID)
			f.fails("deleted once", err, history.ErrNotFound)
			f.must(f.Undelete(f.ctx, trash))
			f.same("turns", ids(f.turns(s.ID)), []int64{one.ID, two.ID})
			f.counts(s.ID, 2, 2, 0)
		}},
		{"trash/an answer", func(f *fixture) {
			s := f.session("s")
			t := f.send(s.ID, "p", "alpha", "pic")
			a := f.drawn(t.Answers[1], "/p/1.png")
			f.counts(s.ID, 1, 2, 1)
			trash, err := f.DeleteAnswer(f.ctx, a.ID)
			f.must(err)
			f.same("answers", models(f.turns(s.ID)[0].Answers), "alpha/1")
			f.counts(s.ID, 1, 1, 0)
			f.must(f.Undelete(f.ctx, trash))
			f.same("answers", models(f.turns(s.ID)[0].Answers), "alpha/1 pic/1")
			f.counts(s.ID, 1, 2, 1)
		}},
		{"trash/what ends while it is hidden", func(f *fixture) {
			s := f.session("s")
			f.send(s.ID, "another")
			t := f.send(s.ID, "p", "pic")
			trash, err := f.DeleteTurn(f.ctx, t.ID)
			f.must(err)
			a := t.Answers[0]
			a.Version, a.State, a.Picture = 1, history.Done, &history.Picture{Path: "/p/1.png"}
			f.must(f.SaveAnswer(f.ctx, a))
			f.counts(s.ID, 1, 0, 0)
			f.must(f.Undelete(f.ctx, trash))
			f.counts(s.ID, 2, 1, 1)
			f.same("state", f.answer(a.ID).State, history.Done)
			_, err = f.DeleteTurn(f.ctx, t.ID)
			f.must(err)
			f.must(f.Purge(f.ctx, 0, nil))
			a.Version++
			f.fails("saved after the purge", f.SaveAnswer(f.ctx, a), history.ErrNotFound)
		}},
		{"trash/the last turn takes its session along", testLastTurn},
		{"trash/a name goes with its turn", testNamesOfDeletedTurns},
		{"trash/purge waits for its age", func(f *fixture) {
			s := f.session("s")
			one, two := f.chat(s.ID, "one", "alpha", "x"), f.chat(s.ID, "two", "alpha", "x")
			old, err := f.DeleteTurn(f.ctx, one.ID)
			f.must(err)
			f.clock.set(noon().Add(time.Hour))
			young, err := f.DeleteTurn(f.ctx, two.ID)
			f.must(err)
			f.must(f.Purge(f.ctx, time.Minute, nil))
			f.fails("the old one is gone", f.Undelete(f.ctx, old), history.ErrNotFound)
			f.must(f.Undelete(f.ctx, young))
			f.same("turns", ids(f.turns(s.ID)), []int64{two.ID})
			f.must(f.Check(f.ctx))
		}},
		{"trash/purge when the clock went back", func(f *fixture) {
			s := f.session("s")
			f.send(s.ID, "another")
			gone, err := f.DeleteTurn(f.ctx, f.chat(s.ID, "one", "alpha", "x").ID)
			f.must(err)
			f.clock.set(noon().AddDate(-50, 0, 0))
			f.must(f.Purge(f.ctx, time.Minute, nil))
			f.clock.set(noon().AddDate(-50, 0, 0).Add(2 * time.Minute))
			f.must(f.Purge(f.ctx, time.Minute, nil))
			f.fails("gone a minute after the clock went back", f.Undelete(f.ctx, gone), history.ErrNotFound)
			_, err = f.DeleteSession(f.ctx, s.ID)
			f.must(err)
			f.same("files", len(f.purged()), 0)
			found, err := f.Stats(f.ctx)
			f.must(err)
			f.same("nothing left", len(found), 0)
		}},
		{"trash/purge leaves what others can undo", testPurgeOfOthers},
		{"trash/pictures go when nothing names them", testSharedPictures},
		{"trash/files of prompts", testTurnFiles},
		{"trash/files go before the rows that name them", testFilesFirst},
		{"trash/purge a large session", testLargePurge},
	}
}

// The deletions of a living process can be undone there, whoever purges and however old they are; those of an ended
// process are purged like the store's own.
func testPurgeOfOthers(f *fixture) {
	s := f.session("s")
	kept := f.send(s.ID, "kept by all")
	var turns []int64
	for _, prompt := range []string{"of a living process", "of another store of this process", "of a dead process",
		"own"} {
		turns = append(turns, f.chat(s.ID, prompt, "alpha", "x").ID)
	}
	living, neighbour, dead := f.open(Options{Process: process(2)}), f.open(Options{Process: process(1)}), f.open(
		Options{Process: process(3)},
	)
	f.alive["here/1"], f.alive["here/2"] = true, true
	var deletions []history.Trash
	for i, store := range []history.Store{living, neighbour, dead, f.Store} {
		trash, err := store.DeleteTurn(f.ctx, turns[i])
		f.must(err)
		deletions = append(deletions, trash)
	}
	f.must(f.Purge(f.ctx, time.Minute, nil))
	f.must(dead.Undelete(f.ctx, deletions[2])) // it was too recent to be purged
	trash, err := dead.DeleteTurn(f.ctx, turns[2])
	f.must(err)
	f.clock.set(noon().Add(time.Hour))
	f.must(f.Purge(f.ctx, 0, nil))
	f.fails("its own is gone", f.Undelete(f.ctx, deletions[3]), history.ErrNotFound)
	f.fails("that of the dead one is gone", dead.Undelete(f.ctx, trash), history.ErrNotFound)
	f.must(living.Undelete(f.ctx, deletions[0]))
	f.must(neighbour.Undelete(f.ctx, deletions[1]))
	f.same("turns", ids(f.turns(s.ID)), []int64{kept.ID, turns[0], turns[1]})

	// A closed store of this process never purges its own deletions.
	trash, err = neighbour.DeleteTurn(f.ctx, turns[1])
	f.must(err)
	f.clock.set(noon().Add(30 * time.Hour))
	f.must(f.Purge(f.ctx, 0, nil))
	f.fails("gone after a day", neighbour.Undelete(f.ctx, trash), history.ErrNotFound)
	f.must(f.Check(f.ctx))
}

func testSharedPictures(f *fixture) {
	s := f.session("s")
	t := f.send(s.ID, "draw", "pic", "pic-b")
	a := f.drawn(t.Answers[0], "/p/shared.png")
	f.drawn(t.Answers[1], "/p/own.png")
	edit, err := f.AddTurn(f.ctx,
		history.Turn{Session: s.ID, Prompt: "winter", Source: &history.Source{Answer: a.ID, Path: "/p/shared.png"}})
	f.must(err)
	mine, err := f.AddTurn(f.ctx,
		history.Turn{Session: s.ID, Prompt: "winter", Source: &history.Source{Path: "/home/me/cat.png"}})
	f.must(err)
	fork, err := f.ForkSession(f.ctx, s.ID, t.ID, "")
	f.must(err)

	purged := func(delete func() (history.Trash, error)) []string {
		f.Helper()
		_, err := delete()
		f.must(err)
		return f.purged()
	}
	paths, err := f.PicturePaths(f.ctx)
	f.must(err)
	f.same("named", paths, map[string]bool{"/p/shared.png": true, "/p/own.png": true, "/home/me/cat.png": false})
	bytes, err := f.PictureBytes(f.ctx)
	f.must(err)
	f.same("bytes of the two pictures", bytes, int64(2*99))
	f.same("shared with the fork", purged(func() (history.Trash, error) { return f.DeleteTurn(f.ctx, t.ID) }),
		[]string(nil))
	f.same("a person's own file", purged(func() (history.Trash, error) { return f.DeleteTurn(f.ctx, mine.ID) }),
		[]string(nil))
	hidden, err := f.DeleteTurn(f.ctx, edit.ID)
	f.must(err)
	f.clock.set(noon().Add(time.Hour))
	_, err = f.DeleteSession(f.ctx, fork.ID)
	f.must(err)
	f.must(f.Undelete(f.ctx, hidden))
	f.same("still the source of an edit", f.purged(), []string{"/p/own.png"})
	f.same("nothing names it", purged(func() (history.Trash, error) { return f.DeleteSession(f.ctx, s.ID) }),
		[]string{"/p/shared.png"})
	paths, err = f.PicturePaths(f.ctx)
	f.must(err)
	f.same("named", len(paths), 0)
	bytes, err = f.PictureBytes(f.ctx)
	f.must(err)
	f.same("bytes of pictures", bytes, int64(0))
}

// purged purges all deletions and returns the deleted files.
func (f *fixture) purged() []string {
	f.Helper()
	var files []string
	f.must(f.Purge(f.ctx, 0, func(some []string) { files = append(files, some...) }))
	slices.Sort(files)
	return files
}

// Files are deleted before the rows that name them, however these came to name them.
func testFilesFirst(f *fixture) {
	s := f.session("s")
	t := f.send(s.ID, "draw", "pic", "slow")
	f.drawn(t.Answers[0], "/p/early.png")
	_, err := f.DeleteSession(f.ctx, s.ID)
	f.must(err)
	var steps []string
	f.must(f.Purge(f.ctx, 0, func(files []string) {
		named, err := f.PicturePaths(f.ctx)
		f.must(err)
		for _, path := range files {
			f.same(path+" is named while it goes", named[path], true)
		}
		steps = append(steps, files...)
		if len(steps) == 1 { // another process still draws
			late := t.Answers[1]
			late.Version, late.State, late.Picture = 1, history.Done, &history.Picture{Path: "/p/late.png"}
			f.must(f.SaveAnswer(f.ctx, late))
		}
	}))
	f.same("files", steps, []string{"/p/early.png", "/p/late.png"})
	paths, err := f.PicturePaths(f.ctx)
	f.must(err)
	f.same("named", len(paths), 0)

	// An interrupted purge remembers the remaining files.
	s = f.session("s")
	t = f.send(s.ID, "draw", "pic")
	f.drawn(t.Answers[0], "/p/third.png")
	_, err = f.DeleteTurn(f.ctx, t.ID)
	f.must(err)
	stopped, stop := context.WithCancel(f.ctx)
	err = f.Purge(stopped, 0, func([]string) { stop() })
	f.fails("stopped", err, context.Canceled)
	f.same("files of the next purge", f.purged(), []string{"/p/third.png"})
	f.must(f.Check(f.ctx))
}

func testLargePurge(f *fixture) {
	kept, gone := f.session("kept"), f.session("gone")
	var answers []history.Answer
	for i := range 40 {
		answers = append(answers,
			history.Answer{Model: fmt.Sprintf("m%d", i%3), Kind: history.KindText, State: history.Done, Version: 1,
				Text: fmt.Sprintf("common word%d", i)})
	}
	add := func(in int64, prompt string) {
		_, err := f.AddTurn(f.ctx, history.Turn{Session: in, Prompt: prompt, Answers: answers})
		f.must(err)
	}
	add(kept.ID, "kept one")
	add(gone.ID, "gone one")
	add(kept.ID, "kept two")
	add(gone.ID, "gone two")
	_, err := f.DeleteSession(f.ctx, gone.ID)
	f.must(err)
	f.must(f.Purge(f.ctx, 0, nil))
	hits, err := f.Search(f.ctx, history.Query{Text: "common", Limit: 1000})
	f.must(err)
	f.same("answers kept", len(hits), 80)
	hits, err = f.Search(f.ctx, history.Query{Text: "word7", Limit: 1000})
	f.must(err)
	f.same("answers with a rare word kept", len(hits), 2)
	f.same("prompts", len(f.search("gone")), 0)
	f.same("prompts kept", len(f.search("kept")), 2)
	stats, err := f.Stats(f.ctx)
	f.must(err)
	f.same("statistics", stats["m0"].Answers, 28)
	f.must(f.Check(f.ctx))
	// Refilled text can be removed from the index again.
	_, err = f.DeleteAnswer(f.ctx, hits[0].Answer)
	f.must(err)
	f.must(f.Purge(f.ctx, 0, nil))
	f.same("one less", len(f.search("word7 ")), 1)
	f.must(f.Check(f.ctx))
}

// hidden fails the test if one of these can still be read.
func (f *fixture) hidden(session, turn, answer int64) {
	f.Helper()
	_, err := f.Session(f.ctx, session)
	f.fails("session: not found", err, history.ErrNotFound)
	_, err = f.Turn(f.ctx, turn)
	f.fails("turn: not found", err, history.ErrNotFound)
	_, err = f.Answer(f.ctx, answer)
	f.fails("answer: not found", err, history.ErrNotFound)
	turns, err := f.Turns(f.ctx, session, history.Page{})
	f.must(err)
	f.same("turns", len(turns), 0)
	_, err = f.AddTurn(f.ctx, history.Turn{Session: session})
	f.fails("adding to it: not found", err, history.ErrNotFound)
}

func (f *fixture) counts(session int64, want ...int) {
	f.Helper()
	s, err := f.Session(f.ctx, session)
	f.must(err)
	f.same("turns, answers, pictures", []int{s.Turns, s.Answers, s.Pictures}, want)
}
