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
)

// Update implements [action.Dialog].
func (g *Gallery) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case FoundPicturesMsg:
		return g.take(msg)
	case ReadPicturesMsg:
		g.learn(msg)
		if g.pending {
			return g.choose(), nil
		}
	case DrawnMsg:
		g.drew(msg)
	case graphics.SentMsg:
		return g.Work(), nil
	case graphics.PreviewMsg: // why a picture cannot be shown with pixels
		if t, ok := g.thumbs[msg.Path]; ok && msg.Problem != "" {
			t.lines, t.problem = nil, msg.Problem
			g.thumbs[msg.Path] = t
		}
	case RefreshMsg:
		if msg.List == action.ListPictures {
			if g.going {
				g.marks, g.going = nil, false
			}
			return g.search(), nil
		}
	case restedMsg:
		if msg.of == g && msg.tag == g.tag {
			g.still = true
		}
	case tea.PasteMsg:
		if g.filter.Update(msg) {
			return g.search(), nil
		}
	case keys.Press:
		return g.key(msg)
	case tea.MouseClickMsg:
		return g.click(msg)
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelDown:
			return nil, g.move(g.at + g.place.cols)
		case tea.MouseWheelUp:
			return nil, g.move(g.at - g.place.cols)
		}
	}
	return nil, nil
}

func (g *Gallery) key(msg keys.Press) (action.Action, tea.Cmd) {
	g.pending = false
	command := msg.Command
	if command == keys.MarkEmpty && g.filter.Value() != "" {
		command = ""
	}
	if cmd, ok := g.navigate(command); ok {
		return nil, cmd
	}
	if command != "" && msg.Scope == keys.Gallery {
		return g.perform(command)
	}
	if list, ok := listOf(msg); ok {
		if list == action.ListPictures { // the key that opened it closes it
			return action.CloseDialog{}, nil
		}
		return overlay.CloseThen(action.RunCommand{Scope: keys.Everywhere, Command: command}), nil
	}
	if a := g.CommonKey(msg); a != nil {
		return a, nil
	}
	if !g.filter.Edits(msg) {
		return overlay.Unused(msg), nil
	}
	if g.filter.Update(msg) {
		return g.search(), nil
	}
	return nil, nil
}

// navigate moves the cursor.
func (g *Gallery) navigate(command keys.Command) (tea.Cmd, bool) {
	p := g.place
	_, factsH := p.factsRoom()
	switch command {
	case keys.PictureLeft:
		return g.move(g.at - 1), true
	case keys.PictureRight:
		return g.move(g.at + 1), true
	case keys.ListUp:
		return g.step(-1), true
	case keys.ListDown:
		return g.step(1), true
	case keys.ListPgUp:
		return g.step(-p.rows), true
	case keys.ListPgDown:
		return g.step(p.rows), true
	case keys.ListTop:
		return g.move(0), true
	case keys.ListEnd:
		return g.move(len(g.ids) - 1), true
	case keys.PreviewDown:
		g.shift += max(factsH/2, 1) // no further than there is, see facts
	case keys.PreviewUp:
		g.shift = max(g.shift-max(factsH/2, 1), 0)
	default:
		return nil, false
	}
	return nil, true
}

// step moves by rows and stays in the column, except in a last row that ends
// before it.
func (g *Gallery) step(rows int) tea.Cmd {
	p := g.place
	if p.cols == 0 || len(g.ids) == 0 {
		return nil
	}
	last := (len(g.ids) - 1) / p.cols
	row := max(min(g.at/p.cols+rows, last), 0)
	return g.move(row*p.cols + g.at%p.cols)
}

// move puts the cursor on a picture.
func (g *Gallery) move(to int) tea.Cmd {
	to = max(min(to, len(g.ids)-1), 0)
	if to == g.at {
		return nil
	}
	g.at, g.shift = to, 0
	first := g.first
	if g.reveal(); first == g.first {
		return nil
	}
	g.still = false
	g.tag++
	rested := restedMsg{g, g.tag}
	return tea.Tick(restDelay, func(time.Time) tea.Msg { return rested })
}

// perform carries out what is done with the picture under the cursor, or with
// the marked ones.
func (g *Gallery) perform(command keys.Command) (action.Action, tea.Cmd) {
	switch command {
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
		return nil, g.mark(h)
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
		return useAsSource(h.Answer), nil
	case keys.EditChain:
		return action.ShowChain{Answer: h.Answer.ID}, nil
	}
	return nil, nil
}

// useAsSource makes a picture the source of the next edit, to be written now.
func useAsSource(a history.Answer) action.Action {
	source := history.Source{Answer: a.ID, Path: a.Picture.Path}
	return action.Several{action.CloseDialog{All: true}, action.Compose{Source: &source},
		action.Focus{Pane: action.PanePrompt}}
}

// choose goes to the turn of the picture under the cursor, once it is known which
// one that is.
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

// mark marks the picture under the cursor and goes on, or unmarks it.
func (g *Gallery) mark(h history.PictureHit) tea.Cmd {
	if i := g.marked(h.Answer.ID); i >= 0 {
		g.marks = slices.Delete(g.marks, i, i+1)
		return nil
	}
	g.marks = append(g.marks, mark{h.Answer.ID, h.Answer.Picture.Path})
	return g.move(g.at + 1)
}

// marked returns the place of an answer among the marked ones, -1 for none.
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
	g.going = true
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
	per := max(g.place.cols, 1)
	from := min(max(g.first*per, 0), len(g.ids))
	to := min(from+per*max(g.place.rows, 1), len(g.ids))
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
	return nil, g.move(i)
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
