package storetest

import "confab/history"

// turnFiles returns files of a prompt with every field.
func turnFiles() []history.File {
	return []history.File{
		{Name: "a.md", Kind: history.TextFile, Bytes: 9, SHA256: "h", Text: "a Lighthouse\x00\xff```"},
		{Name: "b.png", Kind: history.PictureFile, Bytes: 50, SHA256: "i", Path: "/p/attached.png"},
		{Name: "a.md", Kind: history.TextFile},
	}
}

// A fork has the files of a prompt too, and a picture among them goes with the last prompt that names it.
func testTurnFiles(f *fixture) {
	s := f.session("s")
	files := turnFiles()
	turn, err := f.AddTurn(f.ctx, history.Turn{Session: s.ID, Prompt: "look", Files: files,
		Answers: []history.Answer{{Model: "alpha", Kind: history.KindText, State: history.Done, Text: "yes"}}})
	f.must(err)
	f.send(s.ID, "without", "alpha")
	fork, err := f.ForkSession(f.ctx, s.ID, 0, "")
	f.must(err)
	for _, session := range []int64{s.ID, fork.ID} {
		turns := f.turns(session)
		f.same("files", turns[0].Files, files)
		f.same("no files", len(turns[1].Files), 0)
		found, err := f.FindInSession(f.ctx, session, "lighthouse")
		f.must(err)
		f.same("found", found, []int64{turns[0].ID})
	}
	paths, err := f.PicturePaths(f.ctx)
	f.must(err)
	f.same("named", paths, map[string]bool{"/p/attached.png": true})
	bytes, err := f.PictureBytes(f.ctx)
	f.must(err)
	f.same("bytes", bytes, int64(50))
	_, err = f.DeleteTurn(f.ctx, turn.ID)
	f.must(err)
	f.same("the fork has it", f.purged(), []string(nil))
	_, err = f.DeleteSession(f.ctx, fork.ID)
	f.must(err)
	f.same("nothing has it", f.purged(), []string{"/p/attached.png"})
	paths, err = f.PicturePaths(f.ctx)
	f.must(err)
	f.same("named", len(paths), 0)
}
