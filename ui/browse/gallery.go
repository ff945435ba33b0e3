package browse

import (
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// restDelay is how long the grid must stand still before pictures are read, so that flipping through screens reads none
// of those it passes.
const restDelay = 80 * time.Millisecond

// PictureStore is what the gallery reads the pictures from.
type PictureStore struct {
	Find func(query string) (answers []int64, err error) // newest first
	// Read returns what is known of the pictures of answers; deleted ones are missing.
	Read func(answers []int64) ([]history.PictureHit, error)
}

// Gallery shows every picture ever made as a grid of thumbnails, newest first, with a filter and the facts of the one
// under the cursor. Of the pictures only the ids are all in memory.
type Gallery struct {
	finder
	drawings
	store  PictureStore
	layout galleryLayout

	ids      []int64 // answers that match, newest first
	total    int     // without the filter
	hits     map[int64]history.PictureHit
	marks    []mark // in the order in which they were marked
	deleting bool   // the marked pictures are being deleted

	query   string // of what is shown
	reading bool
	moving  bool // it scrolled a moment ago
	tag     int  // of the newest scrolling
	shift   int  // lines of the facts scrolled out
}

// mark is a marked picture.
type mark struct {
	answer int64
	path   string
}

// Results and delays of the gallery's own commands.
type (
	picturesFoundMsg struct {
		gen     int
		query   string
		answers []int64
		err     error
	}
	picturesReadMsg struct {
		asked []int64
		hits  []history.PictureHit
		err   error
	}
	restedMsg struct{ tag int }
)

// NewGallery returns the gallery; it asks for its pictures once it is open.
func NewGallery(store PictureStore, m keys.Map, s *themes.Styles, look Look) *Gallery {
	g := &Gallery{
		finder: newFinder(action.ListPictures, keys.Gallery, "text of its prompt, or model: rated: before: after:", m,
			s),
		store: store, hits: map[int64]history.PictureHit{},
	}
	g.drawings = newDrawings(g, look, "too large to show")
	return g
}

// SetSize implements [action.Dialog].
func (g *Gallery) SetSize(w, h int) {
	g.fitAspect()
	g.layout = layOutGallery(w, h, g.aspect)
	g.setBox(g.layout.w, g.layout.h)
	g.cols, g.rows = g.layout.cols, g.layout.rows
	g.shift = 0
	g.reveal()
}

// Target tells which picture is under the cursor.
func (g *Gallery) Target() string {
	id, _ := g.focused()
	return strconv.FormatInt(id, 10)
}

func (g *Gallery) search() tea.Cmd {
	g.gen++
	gen, query, find := g.gen, g.filter.Value(), g.store.Find
	return func() tea.Msg {
		answers, err := find(query)
		return part.Result{To: g, Msg: picturesFoundMsg{gen, query, answers, err}}
	}
}

// show shows what was found, unless it answers an older search.
func (g *Gallery) show(msg picturesFoundMsg) (action.Action, tea.Cmd) {
	if msg.gen != g.gen {
		return nil, nil
	}
	focused, had := g.focused()
	g.found, g.problem = msg.gen, ""
	if msg.err != nil {
		g.problem = part.Sentence(msg.err)
	}
	g.ids, g.n = msg.answers, len(msg.answers)
	if g.query != msg.query { // another search begins with its newest
		g.query, g.at, g.first, had = msg.query, 0, 0, false
	}
	if msg.query == "" {
		g.total = g.n
	}
	to := g.at
	if i := slices.Index(g.ids, focused); had && i >= 0 {
		to = i
	}
	g.moveTo(to)
	if _, known := g.hit(); g.pending && known {
		return g.choose(), nil
	}
	return nil, nil
}

// focused returns the answer under the cursor.
func (g *Gallery) focused() (int64, bool) {
	if !g.selected() {
		return 0, false
	}
	return g.ids[g.at], true
}

// hit returns what is known of the picture under the cursor; ok is false while it is not read, or when it was deleted.
func (g *Gallery) hit() (history.PictureHit, bool) { return g.At(g.at) }

// Len implements [action.Album].
func (g *Gallery) Len() int { return len(g.ids) }

// At implements [action.Album].
func (g *Gallery) At(i int) (history.PictureHit, bool) {
	if i < 0 || i >= len(g.ids) {
		return history.PictureHit{}, false
	}
	h := g.hits[g.ids[i]]
	return h, h.Answer.Picture != nil
}

// Show implements [action.Album]: the cursor follows.
func (g *Gallery) Show(i int) tea.Cmd {
	g.moveTo(i)
	return g.read()
}

// Work asks for what is seen and the next screenful.
func (g *Gallery) Work() tea.Cmd {
	if g.gen == 0 {
		return g.search()
	}
	cmds := []tea.Cmd{g.read()}
	box := g.layout.box()
	if g.moving || box.X < 1 || box.Y < 1 {
		return cmds[0]
	}
	from, to := g.window(1)
	for i := from; i < to; i++ {
		if h, ok := g.At(i); ok {
			cmds = append(cmds, g.request(h.Answer.Picture, box, true))
		}
	}
	return tea.Batch(cmds...)
}

// read asks for the facts of the pictures that are seen and of the next screenful.
func (g *Gallery) read() tea.Cmd {
	if g.reading {
		return nil
	}
	var want []int64
	from, to := g.window(1)
	for _, id := range g.ids[from:to] {
		if _, have := g.hits[id]; !have {
			want = append(want, id)
		}
	}
	if len(want) == 0 {
		return nil
	}
	g.reading = true
	read := g.store.Read
	return func() tea.Msg {
		hits, err := read(want)
		return part.Result{To: g, Msg: picturesReadMsg{want, hits, err}}
	}
}

// keep keeps what was read; what was asked for and is missing was deleted.
func (g *Gallery) keep(msg picturesReadMsg) {
	g.reading, g.problem = false, ""
	if msg.err != nil {
		g.problem = part.Sentence(msg.err)
		return
	}
	for _, id := range msg.asked {
		g.hits[id] = history.PictureHit{}
	}
	for _, h := range msg.hits {
		g.hits[h.Answer.ID] = h
	}
	g.trim()
}

// trim forgets what is far from the screen.
func (g *Gallery) trim() {
	screen := g.cols * max(g.rows, 1)
	if len(g.hits) <= 10*screen {
		return
	}
	from, _ := g.window(0)
	hits, done := map[int64]history.PictureHit{}, map[string]Drawing{}
	for _, id := range g.ids[max(from-3*screen, 0):min(from+5*screen, len(g.ids))] {
		h, ok := g.hits[id]
		if !ok {
			continue
		}
		hits[id] = h
		if h.Answer.Picture == nil {
			continue
		}
		if x, ok := g.done[h.Answer.Picture.Path]; ok {
			done[h.Answer.Picture.Path] = x
		}
	}
	g.hits, g.done = hits, done
}
