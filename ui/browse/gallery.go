package browse

import (
	"cmp"
	"image"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
)

// restDelay is the time without scrolling after which pictures are read, so that flipping through screens reads none.
const restDelay = 80 * time.Millisecond

// PictureStore reads pictures of the history.
type PictureStore struct {
	Find func(query string) (answers []int64, err error) // newest first
	// Read returns the pictures of answers without those that were deleted.
	Read func(answers []int64) ([]history.PictureHit, error)
}

// Gallery shows all pictures of the history as thumbnails, newest first. It keeps the ids of all pictures in memory,
// and facts and thumbnails of those near the screen.
type Gallery struct {
	finder
	drawings
	layout   thumbLayout
	store    PictureStore
	ids      []int64 // answers whose pictures match the filter
	hits     map[int64]history.PictureHit
	thumbs   []thumb       // of the pictures that were read first; later ones leave the layout as it is
	marks    []pictureMark // in the order in which they were marked
	larger   int           // requested rows fewer than usual
	deleting bool          // the marked pictures are being deleted
	reading  bool
	isEmpty  bool // the history has no picture
	seenRow  int  // first row after the newest movement
	moving   bool // scrolled less than restDelay ago
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

type idsFound struct {
	ids []int64
	err error
}

// NewGallery returns a gallery. Its first Work starts the search.
func NewGallery(store PictureStore, m keys.Map, s *themes.Styles, look Look) *Gallery {
	g := &Gallery{store: store, hits: map[int64]history.PictureHit{}}
	base := overlay.NewBase("gallery", galleryCommands.For(g, m), m, s)
	g.finder = newFinder(g, base, action.ListPictures, pictureTexts(m))
	g.drawings = newDrawings(g, look, "too large to show")
	g.filter.Styles = s
	return g
}

// SetStyles implements [action.Dialog].
func (g *Gallery) SetStyles(s *themes.Styles) { g.Styles, g.filter.Styles = s, s }

// SetSize implements [action.Dialog].
func (g *Gallery) SetSize(w, h int) {
	g.w, g.h = w, h
	g.fitAspect()
	g.layOut()
}

// layOut divides the screen into thumbnails.
func (g *Gallery) layOut() {
	g.layout = layOutGallery(g.w, g.h, len(g.ids), g.thumbs, g.larger, g.aspect)
	if g.isEmpty {
		g.layout.boxes = layOutList(Config{Texts: g.Texts}, 0, 1, g.w, g.h)
	}
	g.fitBoxes(g.layout.boxes, g.layout.cols, g.layout.rows)
}

// Len implements [action.Album].
func (g *Gallery) Len() int { return g.n }

// At implements [action.Album]. ok is false while the picture is not read, or when it was deleted.
func (g *Gallery) At(i int) (h history.PictureHit, ok bool) {
	if i < 0 || i >= g.n {
		return h, false
	}
	h = g.hits[g.ids[i]]
	return h, h.Answer.Picture != nil
}

// Show implements [action.Album]: the cursor follows.
func (g *Gallery) Show(i int) tea.Cmd {
	g.moveTo(i)
	g.showFacts()
	return g.read()
}

// State implements [action.Dialog].
func (g *Gallery) State() action.LayerState { return g.state(g.target(), g.Pictures()) }

// target names the picture under the cursor.
func (g *Gallery) target() string {
	if !g.isInRange() {
		return ""
	}
	return strconv.FormatInt(g.ids[g.at], 10)
}

// Work starts the first search, then requests the pictures on the screen and the next one.
func (g *Gallery) Work() tea.Cmd {
	if g.gen == 0 {
		return g.search()
	}
	g.showFacts()
	cmds := []tea.Cmd{g.read()}
	if g.moving || g.layout.box.Y < 1 {
		return cmds[0]
	}
	from, to := g.window(1)
	for i := from; i < to; i++ {
		if h, ok := g.At(i); ok {
			f := graphics.FileOf(h.Answer.Picture)
			cmds = append(cmds, g.request(f, h.Answer.Picture, g.layout.box, true))
		}
	}
	return tea.Batch(cmds...)
}

func (g *Gallery) filtered() (action.Action, tea.Cmd) { return nil, g.search() }

func (g *Gallery) page() int { return g.rows }

func (g *Gallery) search() tea.Cmd {
	query := g.filter.Value()
	return startSearch(&g.finder, query, func() idsFound {
		ids, err := g.store.Find(query)
		return idsFound{ids, err}
	})
}

// show shows the result of the newest search. The cursor stays on its picture.
func (g *Gallery) show(msg foundMsg[idsFound]) (action.Action, tea.Cmd) {
	former := g.target()
	if !g.noteFound(msg.gen, msg.query, msg.found.err) {
		return nil, nil
	}
	g.ids, g.n = msg.found.ids, len(msg.found.ids)
	if msg.query == "" {
		g.total = g.n
	}
	if msg.found.err == nil {
		g.isEmpty = msg.query == "" && g.n == 0
		g.SetSize(g.w, g.h)
	}
	g.selectFound(0, slices.IndexFunc(g.ids, func(id int64) bool { return strconv.FormatInt(id, 10) == former }))
	if _, known := g.At(g.at); g.isEnterPending && known {
		return g.choose(), nil
	}
	return g.moved()
}

// moved reads the pictures of another screen after a delay.
func (g *Gallery) moved() (action.Action, tea.Cmd) {
	g.side = overlay.Pager{}
	if g.first == g.seenRow {
		return nil, nil
	}
	g.seenRow, g.moving = g.first, true
	return nil, g.rest(restDelay)
}

// read requests the facts of the pictures on the screen and the next one.
func (g *Gallery) read() tea.Cmd {
	if g.reading {
		return nil
	}
	var missing []int64
	from, to := g.window(1)
	if len(g.thumbs) == 0 {
		to = max(to, min(from+sampled, g.n))
	}
	for _, id := range g.ids[from:to] {
		if _, known := g.hits[id]; !known {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	g.reading = true
	return func() tea.Msg {
		hits, err := g.store.Read(missing)
		return part.Result{To: g, Msg: picturesReadMsg{missing, hits, err}}
	}
}

// keepRead keeps the facts that were read. Requested pictures without facts were deleted.
func (g *Gallery) keepRead(msg picturesReadMsg) {
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
	g.forgetDistant()
	if len(g.thumbs) > 0 {
		return
	}
	for _, h := range msg.hits {
		size := cmp.Or(image.Pt(h.Answer.Picture.Width, h.Answer.Picture.Height), image.Pt(4, 3))
		g.thumbs = append(g.thumbs, thumb{size, termtext.Line(h.Turn.Prompt)})
	}
	g.layOut()
}

// forgetDistant drops the facts and thumbnails that are far from the screen.
func (g *Gallery) forgetDistant() {
	from, to := g.window(0)
	screen := max(to-from, 1)
	if len(g.hits) <= 10*screen {
		return
	}
	hits, done := map[int64]history.PictureHit{}, map[graphics.File]Drawing{}
	for i := max(from-3*screen, 0); i < min(from+5*screen, g.n); i++ {
		id := g.ids[i]
		if h, known := g.hits[id]; known {
			hits[id] = h
		}
		if h, ok := g.At(i); ok {
			f := graphics.FileOf(h.Answer.Picture)
			if x, drawn := g.done[f]; drawn {
				done[f] = x
			}
		}
	}
	g.hits, g.done = hits, done
}
