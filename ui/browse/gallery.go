package browse

import (
	"image"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/textedit"
)

// restDelay is how long the grid must stand still before pictures are read, so
// that flipping through screens reads none of those it passes.
const restDelay = 80 * time.Millisecond

// mostDrawing is how many thumbnails are made at a time: while one is decoded the
// file of the next is read.
const mostDrawing = 2

// Looks is how a dialog of pictures draws what it does not know itself.
type Looks struct {
	Names func() *graphics.ImageIDs // ids of pictures where the terminal draws by them, else nil
	When  func(t time.Time) string  // a time as people say it, short
	// CellAspect is the height of a cell over its width; nil for the usual one.
	CellAspect func() float64
	Far        bool // the files are on another machine than the person
}

// cellAspect returns the height of a cell over its width.
func (l Looks) cellAspect() float64 {
	if l.CellAspect == nil {
		return 2
	}
	return l.CellAspect()
}

// Gallery shows every picture ever made as a grid of thumbnails, newest first,
// with a filter and the facts of the one under the cursor. Of the pictures only
// the ids are all in memory.
type Gallery struct {
	overlay.Base
	looks  Looks
	place  galleryPlace
	aspect float64 // of a cell, that thumbnails are drawn for

	filter textedit.Field
	ids    []int64 // answers that match, newest first
	total  int     // without the filter
	hits   map[int64]history.PictureHit
	marks  []mark // in the order in which they were marked
	going  bool   // the marked pictures are being deleted

	thumbs  map[string]thumb       // by path
	drawing map[string]image.Point // asked for, in which box
	reading bool
	still   bool // no scrolling for a moment
	tag     int  // of the newest scrolling

	problem string
	gen     int    // of the newest search
	found   int    // the gen of what is shown
	query   string // that it was found by
	pending bool   // enter was pressed before it was known on what

	at, first int // picture under the cursor, first row shown
	shift     int // lines of the facts scrolled out
}

// placeholder is a picture of the terminal's own pixels: blank while it has no id.
func (l Looks) placeholder(id int, size, box image.Point) thumb {
	cols, rows := graphics.FitCells(size.X, size.Y, box.X, box.Y, l.cellAspect())
	t := thumb{box: box, cells: image.Pt(cols, rows), placed: true, id: id}
	if id != 0 {
		t.lines = graphics.Placeholders(id, cols, rows)
	}
	return t
}

// mark is a marked picture.
type mark struct {
	answer int64
	path   string
}

// thumb is a drawn thumbnail, or why there is none.
type thumb struct {
	box     image.Point // it was drawn for
	cells   image.Point // it takes
	placed  bool        // it stands for pixels of the terminal
	id      int         // by which the terminal has it, 0 while it has not
	lines   []string
	problem string
}

// restedMsg comes when the grid may have stopped moving.
type restedMsg struct {
	of  *Gallery
	tag int
}

// NewGallery returns the gallery; it asks for its pictures once it is open.
func NewGallery(m keys.Map, s *themes.Styles, looks Looks) *Gallery {
	g := &Gallery{
		Base: overlay.NewBase("gallery", keys.Gallery, m, s), looks: looks, filter: textedit.NewField("", "text of its prompt, or model: rated: before: after:"), still: true,
		hits: map[int64]history.PictureHit{}, thumbs: map[string]thumb{}, drawing: map[string]image.Point{},
	}
	g.SetStyles(s)
	return g
}

// Query returns what the filter says.
func (g *Gallery) Query() string { return g.filter.Value() }

// SetStyles implements [action.Dialog].
func (g *Gallery) SetStyles(s *themes.Styles) {
	g.Styles, g.filter.Styles = s, s
}

// SetSize implements [action.Dialog].
func (g *Gallery) SetSize(w, h int) {
	if aspect := g.looks.cellAspect(); aspect != g.aspect {
		g.aspect = aspect
		clear(g.thumbs)
		clear(g.drawing)
	}
	g.place = placeGallery(w, h, g.aspect)
	g.filter.SetWidth(g.place.w - 6)
	g.shift = 0
	g.reveal()
}

// Target tells which picture is under the cursor.
func (g *Gallery) Target() string {
	id, _ := g.focused()
	return strconv.FormatInt(id, 10)
}

// open starts the first search; see [overlay.Stack.Push].
func (g *Gallery) Open(gen int) (action.Action, tea.Cmd) {
	g.gen = gen
	return g.search(), nil
}

func (g *Gallery) search() action.Action {
	g.gen++
	return action.FindPictures{Query: g.filter.Value(), Gen: g.gen}
}

// take shows what was found, unless it answers an older search.
func (g *Gallery) take(msg FoundPicturesMsg) (action.Action, tea.Cmd) {
	if msg.Gen != g.gen {
		return nil, nil
	}
	focused, had := g.focused()
	g.found, g.problem = msg.Gen, msg.Problem
	g.ids = msg.Answers
	if g.query != g.filter.Value() { // another search begins with its newest
		g.query, g.at, g.first, had = g.filter.Value(), 0, 0, false
	}
	if g.filter.Value() == "" {
		g.total = len(g.ids)
	}
	g.at = min(g.at, max(len(g.ids)-1, 0))
	if i := slices.Index(g.ids, focused); had && i >= 0 {
		g.at = i
	}
	g.reveal()
	if _, known := g.hit(); g.pending && known {
		return g.choose(), nil
	}
	return nil, nil
}

// focused returns the answer under the cursor.
func (g *Gallery) focused() (int64, bool) {
	if g.at < 0 || g.at >= len(g.ids) {
		return 0, false
	}
	return g.ids[g.at], true
}

// hit returns what is known of the picture under the cursor; ok is false while
// it is not read, or when it was deleted.
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

// Look implements [action.Album]: the cursor follows.
func (g *Gallery) Look(i int) action.Action {
	g.at = max(min(i, len(g.ids)-1), 0)
	g.reveal()
	return g.read()
}

// work asks for what is seen and the next screenful.
func (g *Gallery) Work() action.Action {
	wishes := action.Several{g.read()}
	if g.still {
		wishes = append(wishes, g.draw()...)
	}
	return overlay.Join(wishes...)
}

// window returns which pictures are seen, with the next screenful.
func (g *Gallery) window() (from, to int) {
	per := g.place.cols
	from = min(max(g.first*per, 0), len(g.ids))
	return from, min(from+2*per*g.place.rows, len(g.ids))
}

// read asks for the facts of the pictures in the window.
func (g *Gallery) read() action.Action {
	if g.reading {
		return nil
	}
	var want []int64
	from, to := g.window()
	for _, id := range g.ids[from:to] {
		if _, have := g.hits[id]; !have {
			want = append(want, id)
		}
	}
	if len(want) == 0 {
		return nil
	}
	g.reading = true
	return action.ReadPictures{Answers: want}
}

// learn takes facts; what was asked for and is not there was deleted.
func (g *Gallery) learn(msg ReadPicturesMsg) {
	g.reading = false
	if g.problem = msg.Problem; msg.Problem != "" {
		return
	}
	for _, id := range msg.Asked {
		g.hits[id] = history.PictureHit{}
	}
	for _, h := range msg.Hits {
		g.hits[h.Answer.ID] = h
	}
	g.trim()
}

// trim forgets what is far from the screen.
func (g *Gallery) trim() {
	screen := g.place.cols * max(g.place.rows, 1)
	if len(g.hits) <= 10*screen {
		return
	}
	from, _ := g.window()
	hits, thumbs := map[int64]history.PictureHit{}, map[string]thumb{}
	for _, id := range g.ids[max(from-3*screen, 0):min(from+5*screen, len(g.ids))] {
		h, ok := g.hits[id]
		if !ok {
			continue
		}
		hits[id] = h
		if h.Answer.Picture == nil {
			continue
		}
		if t, ok := g.thumbs[h.Answer.Picture.Path]; ok {
			thumbs[h.Answer.Picture.Path] = t
		}
	}
	g.hits, g.thumbs = hits, thumbs
}

// draw asks for the thumbnails in the window that are not there, a few at a time,
// those that are seen first. Where the terminal draws by ids nothing is read for
// them here: it is sent what [Gallery.Pictures] names, and has an id then.
func (g *Gallery) draw() action.Several {
	var wishes action.Several
	box, names := g.place.box(), g.looks.Names()
	if box.X < 1 || box.Y < 1 {
		return nil
	}
	from, to := g.window()
	for i := from; i < to; i++ {
		h, ok := g.At(i)
		if !ok {
			continue
		}
		p := h.Answer.Picture
		have, drawn := g.thumbs[p.Path]
		id, byID := names.ID(p.Path), names != nil && p.Width > 0 && p.Height > 0
		if drawn && have.box == box && (have.problem != "" || have.id == id && have.placed == (byID || id != 0)) {
			continue
		}
		switch {
		case p.TooLarge:
			g.thumbs[p.Path] = thumb{box: box, problem: "too large to show"}
		case byID:
			g.thumbs[p.Path] = g.looks.placeholder(id, image.Pt(p.Width, p.Height), box)
		case len(g.drawing) < mostDrawing && g.drawing[p.Path] == image.Point{}:
			g.drawing[p.Path] = box
			wishes = append(wishes, action.DrawPicture{Path: p.Path, W: box.X, H: box.Y})
		}
	}
	return wishes
}

// drew takes a thumbnail.
func (g *Gallery) drew(msg DrawnMsg) {
	box := image.Pt(msg.W, msg.H)
	if g.drawing[msg.Path] != box {
		return
	}
	delete(g.drawing, msg.Path)
	g.thumbs[msg.Path] = thumb{box: box, cells: msg.Cells, placed: msg.ID != 0, id: msg.ID, lines: msg.Lines,
		problem: msg.Problem}
}

// stale tells whether the terminal has not the pixels any more that a thumbnail
// stands for: they are being sent anew, and what was drawn before stays blank.
func (l Looks) stale(path string, t thumb) bool { return t.id != 0 && t.id != l.Names().ID(path) }

// seen tells whether there is a picture, or will be one in this place.
func (t thumb) seen() bool { return t.problem == "" && (t.placed || len(t.lines) > 0) }
