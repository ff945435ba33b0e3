package browse

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

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
			return g.choose(), nil
		}
	case drawnMsg, graphics.PreviewMsg:
		g.update(msg)
	case restedMsg:
		g.moving = g.moving && msg.tag != g.tag
	case RefreshMsg:
		if g.deleting && !msg.OnlyEnded {
			g.marks, g.deleting = nil, false
		}
		return nil, g.search()
	case tea.MouseClickMsg:
		return g.click(msg)
	}
	return g.handleInput(msg)
}

// choose goes to the turn of the picture, once the newest search was answered.
func (g *Gallery) choose() action.Action {
	h, known := g.At(g.at)
	if g.isEnterPending = g.gen != g.found || g.reading && !known; g.isEnterPending {
		return nil
	}
	if !known {
		return choose(nil)
	}
	return choose(goToTurn(h.Turn))
}

func (g *Gallery) resize(by int) action.Action {
	if g.canResize(by) {
		g.larger += by
		g.layOut()
		return nil
	}
	if by < 0 {
		return action.Unused{Why: "Pictures are as small as they get."}
	}
	return action.Unused{Why: "Pictures are as large as they get" +
		g.Keys.Phrase(keys.Gallery, keys.ViewLarge, "; %s shows one full screen") + "."}
}

// mark marks a picture and moves to the next one, or unmarks it.
func (g *Gallery) mark() action.Action {
	h, _ := g.At(g.at)
	if i := g.marked(h.Answer.ID); i >= 0 {
		g.marks = slices.Delete(g.marks, i, i+1)
		return nil
	}
	g.marks = append(g.marks, pictureMark{h.Answer.ID, h.Answer.Picture.Path})
	if g.moveTo(g.at + 1) {
		return action.WithCmd(g.moved())
	}
	return nil
}

func (g *Gallery) unmark() action.Action {
	if len(g.marks) == 0 {
		return action.Unused{Why: "No picture marked."}
	}
	g.marks = nil
	return nil
}

// marked returns the index of an answer among the marked ones, -1 for none.
func (g *Gallery) marked(answer int64) int {
	return slices.IndexFunc(g.marks, func(m pictureMark) bool { return m.answer == answer })
}

// chosen returns the answers and files of the marked pictures, or of the one under the cursor when none is marked.
func (g *Gallery) chosen() (answers []int64, paths []string) {
	marks := g.marks
	if h, ok := g.At(g.at); ok && len(marks) == 0 {
		marks = []pictureMark{{h.Answer.ID, h.Answer.Picture.Path}}
	}
	for _, m := range marks {
		answers, paths = append(answers, m.answer), append(paths, m.path)
	}
	return answers, paths
}

// confirmDelete deletes pictures; it asks first if some of them are not on the screen.
func (g *Gallery) confirmDelete() action.Action {
	answers, _ := g.chosen()
	remove := action.DeletePictures{Answers: answers}
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
		Question: fmt.Sprintf("%s marked, %d of them off screen. Delete all?",
			format.Count(len(remove.Answers), "picture"), unseen)}
}

// open shows the picture under the cursor large.
func (g *Gallery) open() (action.Action, tea.Cmd) { return g.Run(keys.ViewLarge), nil }
