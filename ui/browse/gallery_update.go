package browse

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
)

// Update implements [action.Dialog].
func (g *Gallery) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case foundMsg[idsFound]:
		return g.show(msg)
	case picturesReadMsg:
		g.keepRead(msg)
		if g.isEnterPending {
			return g.choose()
		}
	case drawnMsg, graphics.PreviewMsg:
		g.update(msg)
	case restedMsg:
		g.moving = g.moving && msg.tag != g.tag
	case RefreshMsg:
		if g.deleting {
			g.marks, g.deleting = nil, false
		}
		return nil, g.search()
	case tea.PasteMsg:
		if g.filter.Update(msg) {
			return nil, g.search()
		}
	case keys.Press:
		return g.key(msg)
	case tea.MouseClickMsg:
		return g.click(msg)
	case tea.MouseWheelMsg:
		if by := keys.Wheel(msg); g.isInSide(msg.X, msg.Y) {
			g.side.Scroll(by)
		} else if g.moveRows(cmp.Compare(by, 0)) {
			return nil, g.moved()
		}
	}
	return nil, nil
}

func (g *Gallery) key(msg keys.Press) (action.Action, tea.Cmd) {
	command := g.meant(msg)
	if moved, ok := g.move(command, g.rows); moved {
		return nil, g.moved()
	} else if ok {
		return nil, nil
	}
	if a, cmd, ok := g.handleCommand(command); ok {
		return a, cmd
	}
	a, isText := g.commonKey(msg)
	switch {
	case a != nil:
		return a, nil
	case command != "" || !isText:
		_, known := g.At(g.at)
		return g.unused(command, msg, known), nil
	case g.filter.Update(msg):
		return nil, g.search()
	}
	return nil, nil
}

// handleCommand does a command of the gallery or of the picture under the cursor. ok is false where there is none for
// it.
func (g *Gallery) handleCommand(command keys.Command) (a action.Action, cmd tea.Cmd, ok bool) {
	switch command {
	case keys.Choose:
		a, cmd = g.choose()
		return a, cmd, true
	case keys.Close:
		return g.leave(nil), nil, true
	case keys.PreviewDown, keys.PreviewUp:
		return g.scrollSide(command == keys.PreviewDown), nil, true
	case keys.LargerPictures:
		return g.resize(1), nil, true
	case keys.SmallerPictures:
		return g.resize(-1), nil, true
	case keys.MarkNone:
		if len(g.marks) == 0 {
			a = action.Unused{Why: "No picture is marked."}
		}
		g.marks = nil
		return a, nil, true
	}
	h, known := g.At(g.at)
	if known && (command == keys.MarkPicture || command == keys.MarkEmpty) {
		return nil, g.mark(h), true
	}
	a = g.pictureActions()[command]
	if remove, ok := a.(action.DeletePictures); ok {
		a = g.confirmDelete(remove)
	}
	return a, nil, a != nil
}

// choose goes to the turn of the picture. It waits where what is shown is not what the filter says.
func (g *Gallery) choose() (action.Action, tea.Cmd) {
	h, known := g.At(g.at)
	if g.isEnterPending = g.gen != g.found || g.reading && !known; g.isEnterPending {
		return nil, nil
	}
	if !known {
		return choose(nil), nil
	}
	return choose(goToTurn(h.Turn)), nil
}

// resize makes the thumbnails larger or smaller.
func (g *Gallery) resize(by int) action.Action {
	before := g.layout.thumb()
	g.shape.larger += by
	if g.SetSize(g.w, g.h); g.layout.thumb() != before {
		return nil
	}
	g.shape.larger -= by
	g.SetSize(g.w, g.h)
	if by < 0 {
		return action.Unused{Why: "The pictures cannot be smaller."}
	}
	return action.Unused{Why: "The pictures cannot be larger" +
		g.Keys.Phrase(keys.Gallery, keys.ViewLarge, "; %s shows one alone") + "."}
}

// pictureActions returns what keys do with the picture under the cursor, or with the marked ones; nil while it is not
// read.
func (g *Gallery) pictureActions() map[keys.Command]action.Action {
	h, ok := g.At(g.at)
	if !ok {
		return nil
	}
	answers, paths := g.chosen(h)
	actions := pictureKeys(history.Source{Answer: h.Answer.ID, Path: h.Answer.Picture.Path})
	actions[keys.ViewLarge] = action.ViewPictures{Album: g, At: g.at}
	actions[keys.Export] = action.ShowWrite{Answers: answers}
	actions[keys.FetchLine] = action.FetchPictures{Paths: paths}
	actions[keys.EditChain] = action.ShowChain{Answer: h.Answer.ID}
	actions[keys.Remove] = action.DeletePictures{Answers: answers}
	if len(paths) > 1 {
		actions[keys.CopyPath] = action.Copy{Text: strings.Join(paths, "\n"),
			What: fmt.Sprintf("the paths of %d pictures", len(paths))}
	}
	return actions
}

// mark marks a picture and moves on, or unmarks it.
func (g *Gallery) mark(h history.PictureHit) tea.Cmd {
	if i := g.marked(h.Answer.ID); i >= 0 {
		g.marks = slices.Delete(g.marks, i, i+1)
		return nil
	}
	g.marks = append(g.marks, pictureMark{h.Answer.ID, h.Answer.Picture.Path})
	if g.moveTo(g.at + 1) {
		return g.moved()
	}
	return nil
}

// marked returns the index of an answer among the marked ones, -1 for none.
func (g *Gallery) marked(answer int64) int {
	return slices.IndexFunc(g.marks, func(m pictureMark) bool { return m.answer == answer })
}

// chosen returns the marked pictures, or this one when none is marked.
func (g *Gallery) chosen(h history.PictureHit) (answers []int64, paths []string) {
	marks := g.marks
	if len(marks) == 0 {
		marks = []pictureMark{{h.Answer.ID, h.Answer.Picture.Path}}
	}
	for _, m := range marks {
		answers, paths = append(answers, m.answer), append(paths, m.path)
	}
	return answers, paths
}

// confirmDelete deletes pictures, after a question where some of them are not on screen.
func (g *Gallery) confirmDelete(remove action.DeletePictures) action.Action {
	g.deleting = true
	from, to := g.window(0)
	unseen := len(remove.Answers)
	for _, id := range g.ids[from:to] {
		if slices.Contains(remove.Answers, id) {
			unseen--
		}
	}
	if unseen == 0 {
		return remove
	}
	return action.Confirm{Title: "Delete marked pictures", Yes: remove,
		Question: fmt.Sprintf("%s marked, %d of them not on screen now. Delete all of them?",
			format.Count(len(remove.Answers), "picture"), unseen)}
}

// click moves the cursor; a click on the picture under the cursor shows it large.
func (g *Gallery) click(msg tea.MouseClickMsg) (action.Action, tea.Cmd) {
	g.isEnterPending = false
	i, ok := g.pictureAt(msg.X, msg.Y)
	switch {
	case !ok || msg.Button != tea.MouseLeft:
		return nil, nil
	case g.moveTo(i):
		return nil, g.moved()
	}
	return g.pictureActions()[keys.ViewLarge], nil
}

// pictureAt returns the picture at a position of the view.
func (g *Gallery) pictureAt(x, y int) (int, bool) {
	row, isInside := g.rowAt(x, y, g.layout.picH+2)
	col := (x - 2) / (g.layout.colW + 1)
	i := (g.first+row)*g.cols + col
	return i, isInside && x >= 2 && col < g.cols && row < g.rows && i < g.n
}

// Hints implements [action.Dialog]. With marks, what is done with all of them comes first.
func (g *Gallery) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	_, known := g.At(g.at)
	hasMarks := len(g.marks) > 0
	var commands keys.CommandList
	commands.AddIf(known, keys.Choose)
	commands.AddIf(known && hasMarks, keys.Export, keys.MarkNone)
	commands.AddIf(true, keys.Close)
	commands.AddIf(known, keys.ViewLarge, keys.MarkPicture)
	commands.AddIf(known && !hasMarks, keys.Export)
	commands.AddIf(known, keys.Edit, keys.Remove, keys.OpenPicture, keys.CopyPath, keys.EditChain)
	commands.AddIf(g.n > 0 && g.filter.Value() == "", keys.LargerPictures, keys.SmallerPictures)
	commands.AddIf(known && g.look.IsRemote, keys.FetchLine)
	return g.BorderHints(g.Keys.Hints(keys.Gallery, commands...), g.listW, g.sideW)
}
