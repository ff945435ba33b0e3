package browse

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
)

// PictureStore is what the gallery reads the pictures from.
type PictureStore struct {
	Find func(query string) (answers []int64, err error) // newest first
	// Read returns what is known of the pictures of answers; deleted ones are missing.
	Read func(answers []int64) ([]history.PictureHit, error)
}

// grid is the state of the gallery: a list of every picture ever made as thumbnails, newest first. Of the pictures only
// the ids are all in memory, as those of the items.
type grid struct {
	drawings
	store    PictureStore
	hits     map[int64]history.PictureHit
	marks    []pictureMark // in the order in which they were marked
	shape    thumbShape
	deleting bool // the marked pictures are being deleted
	reading  bool
	hasRatio bool // the shape is that of pictures that were read
	first    int  // the row that the newest movement has put first
	moving   bool // it scrolled a moment ago
}

type pictureMark struct {
	answer int64
	path   string
}

type picturesReadMsg struct {
	asked []int64
	hits  []history.PictureHit
	err   error
}

// NewGallery returns the gallery; it asks for its pictures once it is open.
func NewGallery(store PictureStore, m keys.Map, s *themes.Styles, look Look) *List {
	c := Config{
		Name: action.ListPictures, Title: "Pictures", Empty: noPictures(m),
		Placeholder: "text of its prompt, or model: rated: before: after:", HasQuery: true,
		Hints: []keys.Command{keys.Choose, keys.Close, keys.ViewLarge, keys.MarkPicture, keys.Export, keys.Edit,
			keys.Remove, keys.OpenPicture, keys.CopyPath, keys.EditChain, keys.LargerPictures, keys.SmallerPictures},
		Search: func(query string) func() SearchResult {
			return func() SearchResult {
				answers, err := store.Find(query)
				return searchResult(answers, len(answers), err, func(id int64) Item { return Item{ID: id} })
			}
		},
	}
	if look.IsRemote {
		c.Hints = append(c.Hints, keys.FetchLine)
	}
	l := NewList(c, m, s)
	l.Base = overlay.NewBase("gallery", keys.Gallery, m, s)
	l.grid = &grid{store: store, shape: thumbShape{aspect: 2, ratio: 9. / 16},
		hits: map[int64]history.PictureHit{}, drawings: newDrawings(l, look, "too large to show")}
	return l
}

// Len implements [action.Album].
func (l *List) Len() int { return l.n }

// At implements [action.Album]. ok is false while the picture is not read, or when it was deleted.
func (l *List) At(i int) (h history.PictureHit, ok bool) {
	if i < 0 || i >= l.n {
		return h, false
	}
	h = l.grid.hits[l.items[i].ID]
	return h, h.Answer.Picture != nil
}

// Show implements [action.Album]: the cursor follows.
func (l *List) Show(i int) tea.Cmd {
	l.moveTo(i)
	l.showFacts()
	return l.read()
}

// gridWork asks for what is seen and the next screenful, and says what is known of the picture under the cursor.
func (l *List) gridWork() tea.Cmd {
	l.showFacts()
	cmds := []tea.Cmd{l.read()}
	box := l.layout.thumb()
	if l.grid.moving || box.X < 1 || box.Y < 1 {
		return cmds[0]
	}
	from, to := l.window(1)
	for i := from; i < to; i++ {
		if h, ok := l.At(i); ok {
			cmds = append(cmds, l.grid.request(h.Answer.Picture, box, true))
		}
	}
	return tea.Batch(cmds...)
}

// read asks for the facts of the pictures that are seen and of the next screenful.
func (l *List) read() tea.Cmd {
	g := l.grid
	if g.reading {
		return nil
	}
	var missing []int64
	from, to := l.window(1)
	for _, item := range l.items[from:to] {
		if _, known := g.hits[item.ID]; !known {
			missing = append(missing, item.ID)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	g.reading = true
	return func() tea.Msg {
		hits, err := g.store.Read(missing)
		return part.Result{To: l, Msg: picturesReadMsg{missing, hits, err}}
	}
}

// updateGrid takes what was read and drawn for the grid.
func (l *List) updateGrid(msg tea.Msg) (action.Action, tea.Cmd) {
	if l.grid == nil {
		return nil, nil
	}
	l.grid.update(msg)
	if msg, ok := msg.(picturesReadMsg); ok {
		l.keepRead(msg)
		if l.isEnterPending {
			return l.choose()
		}
	}
	return nil, nil
}

// keepRead keeps what was read; what was asked for and is missing was deleted.
func (l *List) keepRead(msg picturesReadMsg) {
	g := l.grid
	g.reading, l.problem = false, ""
	if msg.err != nil {
		l.problem = part.Sentence(msg.err)
		return
	}
	for _, id := range msg.asked {
		g.hits[id] = history.PictureHit{}
	}
	for _, h := range msg.hits {
		g.hits[h.Answer.ID] = h
	}
	l.forgetDistant()
	l.fitRatio(msg.hits)
}

// fitRatio gives the thumbnails the shape of most of the pictures. Only the first that are read decide, so that the
// grid stands still while one scrolls.
func (l *List) fitRatio(hits []history.PictureHit) {
	var ratios []float64
	for _, h := range hits {
		if p := h.Answer.Picture; p.Width > 0 && p.Height > 0 {
			ratios = append(ratios, float64(p.Height)/float64(p.Width))
		}
	}
	if l.grid.hasRatio || len(ratios) == 0 {
		return
	}
	slices.Sort(ratios)
	l.grid.hasRatio, l.grid.shape.ratio = true, max(min(ratios[len(ratios)/2], 1.25), 0.4)
	l.SetSize(l.w, l.h)
}

// resize makes the thumbnails larger or smaller.
func (l *List) resize(by int) action.Action {
	before := l.layout.thumb()
	l.grid.shape.larger += by
	if l.SetSize(l.w, l.h); l.layout.thumb() != before {
		return nil
	}
	l.grid.shape.larger -= by
	l.SetSize(l.w, l.h)
	if by < 0 {
		return action.Unused{Why: "The pictures cannot be smaller."}
	}
	return action.Unused{Why: "The pictures cannot be larger" +
		l.Keys.Phrase(keys.Gallery, keys.ViewLarge, "; %s shows one alone") + "."}
}

// forgetDistant forgets what is far from the screen.
func (l *List) forgetDistant() {
	g, screen := l.grid, l.cols*max(l.rows, 1)
	if len(g.hits) <= 10*screen {
		return
	}
	from, _ := l.window(0)
	hits, done := map[int64]history.PictureHit{}, map[string]Drawing{}
	for i := max(from-3*screen, 0); i < min(from+5*screen, l.n); i++ {
		id := l.items[i].ID
		if h, known := g.hits[id]; known {
			hits[id] = h
		}
		if h, ok := l.At(i); ok {
			if x, drawn := g.done[h.Answer.Picture.Path]; drawn {
				done[h.Answer.Picture.Path] = x
			}
		}
	}
	g.hits, g.done = hits, done
}

// pictureItem returns what is known of the picture under the cursor, with what keys do with it or with the marked ones.
func (l *List) pictureItem() Item {
	item := l.items[l.at]
	h, ok := l.At(l.at)
	if !ok {
		return item
	}
	answers, paths := l.chosen(h)
	item.Enter = goToTurn(h.Turn)
	item.Keys = pictureKeys(history.Source{Answer: item.ID, Path: h.Answer.Picture.Path})
	item.Keys[keys.ViewLarge] = action.ViewPictures{Album: l, At: l.at}
	item.Keys[keys.Export] = action.ShowWrite{Answers: answers}
	item.Keys[keys.FetchLine] = action.FetchPictures{Paths: paths}
	item.Keys[keys.EditChain] = action.ShowChain{Answer: h.Answer.ID}
	item.Keys[keys.Remove] = action.DeletePictures{Answers: answers}
	if len(paths) > 1 {
		item.Keys[keys.CopyPath] = action.Copy{Text: strings.Join(paths, "\n"),
			What: fmt.Sprintf("the paths of %d pictures", len(paths))}
	}
	return item
}

// handleMarkCommand handles the commands that mark pictures. ok is false where it is none of them.
func (l *List) handleMarkCommand(command keys.Command) (a action.Action, cmd tea.Cmd, ok bool) {
	g := l.grid
	h, known := l.At(l.at)
	switch {
	case command == keys.MarkNone && len(g.marks) == 0:
		return action.Unused{Why: "No picture is marked."}, nil, true
	case command == keys.MarkNone:
		g.marks = nil
		return nil, nil, true
	case command != keys.MarkPicture && command != keys.MarkEmpty || !known:
		return nil, nil, false
	}
	if i := g.marked(h.Answer.ID); i >= 0 {
		g.marks = slices.Delete(g.marks, i, i+1)
		return nil, nil, true
	}
	g.marks = append(g.marks, pictureMark{h.Answer.ID, h.Answer.Picture.Path})
	if l.moveTo(l.at + 1) {
		a, cmd = l.moved()
	}
	return a, cmd, true
}

// marked returns the index of an answer among the marked ones, -1 for none.
func (g *grid) marked(answer int64) int {
	return slices.IndexFunc(g.marks, func(m pictureMark) bool { return m.answer == answer })
}

// chosen returns the marked pictures, or this one when none is marked.
func (l *List) chosen(h history.PictureHit) (answers []int64, paths []string) {
	marks := l.grid.marks
	if len(marks) == 0 {
		marks = []pictureMark{{h.Answer.ID, h.Answer.Picture.Path}}
	}
	for _, m := range marks {
		answers, paths = append(answers, m.answer), append(paths, m.path)
	}
	return answers, paths
}

// confirmDelete deletes pictures, after a question where some of them are not on screen.
func (l *List) confirmDelete(remove action.DeletePictures) action.Action {
	l.grid.deleting = true
	from, to := l.window(0)
	unseen := len(remove.Answers)
	for _, item := range l.items[from:to] {
		if slices.Contains(remove.Answers, item.ID) {
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

// gridHints are the commands whose keys the gallery shows: with marks, what is done with all of them comes first.
func (l *List) gridHints() []keys.Command {
	if len(l.grid.marks) == 0 {
		return l.c.Hints
	}
	order := map[keys.Command]int{keys.Choose: -2, keys.Export: -1}
	hints := append([]keys.Command{keys.MarkNone}, l.c.Hints...)
	slices.SortStableFunc(hints, func(a, b keys.Command) int { return cmp.Compare(order[a], order[b]) })
	return hints
}
