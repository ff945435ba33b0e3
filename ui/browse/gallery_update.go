package browse

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
)

// Update implements [action.Dialog].
func (g *Gallery) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case picturesFoundMsg:
		return g.show(msg)
	case picturesReadMsg:
		g.keep(msg)
		if g.pending {
			return g.choose(), nil
		}
	case drawnMsg, graphics.PreviewMsg:
		g.update(msg)
	case RefreshMsg:
		if g.deleting {
			g.marks, g.deleting = nil, false
		}
		return nil, g.search()
	case restedMsg:
		g.moving = g.moving && msg.tag != g.tag
	case tea.PasteMsg:
		if g.filter.Update(msg) {
			return nil, g.search()
		}
	case keys.Press:
		return g.key(msg)
	case tea.MouseClickMsg:
		return g.click(msg)
	case tea.MouseWheelMsg:
		first := g.first
		return nil, g.moved(first, g.moveRows(wheelStep(msg)))
	}
	return nil, nil
}

func (g *Gallery) key(msg keys.Press) (action.Action, tea.Cmd) {
	g.pending = false
	command := msg.Command
	if msg.Scope != keys.Gallery || command == keys.MarkEmpty && g.filter.Value() != "" {
		command = ""
	}
	first := g.first
	if moved, ok := g.move(command, g.rows); ok {
		return nil, g.moved(first, moved)
	}
	if command != "" {
		return g.handleCommand(command)
	}
	a, isText := g.commonKey(msg, action.CloseDialog{})
	switch {
	case a != nil:
		return a, nil
	case !isText:
		return overlay.Unused(msg), nil
	case g.filter.Update(msg):
		return nil, g.search()
	}
	return nil, nil
}

// moved follows a movement of the cursor: pictures are not drawn while the grid scrolls.
func (g *Gallery) moved(formerFirst int, moved bool) tea.Cmd {
	if !moved {
		return nil
	}
	g.shift = 0
	if g.first == formerFirst {
		return nil
	}
	g.moving = true
	g.tag++
	rested := part.Result{To: g, Msg: restedMsg{g.tag}}
	return tea.Tick(restDelay, func(time.Time) tea.Msg { return rested })
}

// scrollFacts scrolls the facts by half their height.
func (g *Gallery) scrollFacts(down bool) {
	pager := g.facts()
	pager.ScrollHalf(down)
	g.shift = pager.Top()
}

// handleCommand handles a command on the picture under the cursor, or on the marked ones.
func (g *Gallery) handleCommand(command keys.Command) (action.Action, tea.Cmd) {
	switch command {
	case keys.PreviewDown, keys.PreviewUp:
		g.scrollFacts(command == keys.PreviewDown)
		return nil, nil
	case keys.Close:
		return action.CloseDialog{}, nil
	case keys.Choose:
		return g.choose(), nil
	case keys.MarkNone:
		if len(g.marks) == 0 {
			return action.Unused{Why: "No picture is marked."}, nil
		}
		g.marks = nil
		return nil, nil
	}
	h, ok := g.hit()
	if !ok {
		return action.Unused{Why: "No picture is selected."}, nil
	}
	switch p := h.Answer.Picture; command {
	case keys.MarkPicture, keys.MarkEmpty:
		return nil, g.toggleMark(h)
	case keys.ViewLarge:
		return action.ViewPictures{Album: g, At: g.at}, nil
	case keys.Export:
		answers, _ := g.chosen(h)
		return action.ShowWrite{Answers: answers}, nil
	case keys.FetchLine:
		_, paths := g.chosen(h)
		return action.FetchPictures{Paths: paths}, nil
	case keys.Remove:
		return g.remove(h), nil
	case keys.OpenPicture:
		return action.Open{Target: p.Path}, nil
	case keys.CopyPath:
		_, paths := g.chosen(h)
		what := "the picture's path"
		if len(paths) > 1 {
			what = fmt.Sprintf("the paths of %d pictures", len(paths))
		}
		return action.Copy{Text: strings.Join(paths, "\n"), What: what}, nil
	case keys.Edit:
		return useAsSource(history.Source{Answer: h.Answer.ID, Path: p.Path}), nil
	case keys.EditChain:
		return action.ShowChain{Answer: h.Answer.ID}, nil
	}
	return nil, nil
}

// choose goes to the turn of the picture under the cursor, once it is known which one that is.
func (g *Gallery) choose() action.Action {
	h, ok := g.hit()
	if g.pending = g.gen != g.found || !ok && g.reading; g.pending {
		return nil
	}
	if !ok {
		return action.Unused{Why: "No picture is selected."}
	}
	return action.Several{action.CloseDialog{All: true}, action.OpenSession{Session: h.Turn.Session, Turn: h.Turn.ID}}
}

// toggleMark marks the picture under the cursor and moves on, or unmarks it.
func (g *Gallery) toggleMark(h history.PictureHit) tea.Cmd {
	if i := g.marked(h.Answer.ID); i >= 0 {
		g.marks = slices.Delete(g.marks, i, i+1)
		return nil
	}
	g.marks = append(g.marks, mark{h.Answer.ID, h.Answer.Picture.Path})
	first := g.first
	return g.moved(first, g.moveTo(g.at+1))
}

// marked returns the index of an answer among the marked ones, -1 for none.
func (g *Gallery) marked(answer int64) int {
	return slices.IndexFunc(g.marks, func(m mark) bool { return m.answer == answer })
}

// chosen returns the marked pictures, or this one when none is marked.
func (g *Gallery) chosen(h history.PictureHit) (answers []int64, paths []string) {
	marks := g.marks
	if len(marks) == 0 {
		marks = []mark{{h.Answer.ID, h.Answer.Picture.Path}}
	}
	for _, m := range marks {
		answers, paths = append(answers, m.answer), append(paths, m.path)
	}
	return answers, paths
}

// remove deletes the marked pictures, or the one under the cursor when none is
// marked.
func (g *Gallery) remove(h history.PictureHit) action.Action {
	answers, _ := g.chosen(h)
	remove := action.DeletePictures{Answers: answers}
	g.deleting = true
	unseen := 0
	for _, id := range answers {
		if !g.seen(id) {
			unseen++
		}
	}
	if unseen > 0 {
		return action.Confirm{Title: "Delete marked pictures", Yes: remove,
			Question: fmt.Sprintf("%s marked, %d of them not on screen now. Delete all of them?",
				format.Count(len(answers), "picture"), unseen)}
	}
	return remove
}

// seen tells whether the thumbnail of an answer is on screen.
func (g *Gallery) seen(answer int64) bool {
	from, to := g.window(0)
	return slices.Contains(g.ids[from:to], answer)
}

// click moves the cursor; a click on the picture under it shows it large.
func (g *Gallery) click(msg tea.MouseClickMsg) (action.Action, tea.Cmd) {
	i, ok := g.thumbAt(msg.X, msg.Y)
	if !ok || msg.Button != tea.MouseLeft {
		return nil, nil
	}
	if i == g.at {
		return action.ViewPictures{Album: g, At: i}, nil
	}
	first := g.first
	return nil, g.moved(first, g.moveTo(i))
}

// count says how many pictures there are.
func (g *Gallery) count() string {
	n := fmt.Sprint(len(g.ids))
	if g.filter.Value() != "" {
		n = fmt.Sprintf("%d of %d match", len(g.ids), max(g.total, len(g.ids)))
	}
	if len(g.marks) > 0 {
		n += fmt.Sprintf("   %d marked", len(g.marks))
	}
	return n
}
