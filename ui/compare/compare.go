package compare

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/pane"
)

// follow is how the other cells scroll along with the focused one.
type follow int

const (
	byShare follow = iota
	byLine
	alone
)

func (f follow) String() string { return [...]string{"%", "line", "off"}[f] }

// order is what the answers are sorted by, show which of them are listed.
type (
	order int
	show  int
)

const (
	byPlace order = iota
	byTime
	byWords
	byLikeness
)

const (
	showAll show = iota
	showFailed
	showRated
	showDifferent
)

func (o order) String() string { return [...]string{"#", "time", "words", "likeness"}[o] }
func (s show) String() string  { return [...]string{"all", "failed", "rated", "different"}[s] }

// Compare is the view of the answers to one prompt side by side.
type Compare struct {
	keys    keys.Map
	styles  *themes.Styles
	profile colorprofile.Profile
	reader  func() *pane.Conversation
	now     time.Time

	w, h    int
	focused bool
	of      Case
	cells   []*cell
	listed  []*cell // those shown, in their order
	at      int     // the focused one of listed
	first   int     // first of listed in the window of boxes
	plan    plan
	wants   map[string]Layout // by the number of answers and the size, see wantKey
	zoom    bool
	whole   bool // the whole prompt is shown
	jump    string
	jumping bool

	sync  follow
	by    order
	show  show
	pin   string // name of the cell that is pinned
	likes map[int64]float64
	diff  *difference
	blind *blind
}

// New returns an empty view. reader makes the reader of a cell.
func New(m keys.Map, s *themes.Styles, reader func() *pane.Conversation) *Compare {
	return &Compare{keys: m, styles: s, reader: reader, wants: map[string]Layout{}, likes: map[int64]float64{}}
}

// SetCase shows a case, with one of its answers focused unless that is 0. Places,
// order and focus are kept while the case is the same.
func (c *Compare) SetCase(of Case, answer int64) {
	old := c.cells
	if !of.same(c.of) {
		old, c.at, c.first, c.zoom, c.diff, c.blind = nil, 0, 0, false, nil, nil
		c.show, c.likes = showAll, map[int64]float64{}
		if of.Name == "" || c.of.Name == "" { // the rows of one run are looked at in one way
			c.pin, c.by = "", byPlace
		}
	}
	c.of = of
	c.cells = cells(of, old, c.newReader)
	c.relist()
	for i, cell := range c.listed {
		for j, s := range cell.samples {
			if s.answer.ID == answer && answer != 0 {
				c.at = i
				cell.choose(j)
			}
		}
	}
	c.layout()
}

// Apply applies an event to the case when it is about one of its turns.
func (c *Compare) Apply(e service.Event) {
	for i, t := range c.of.Turns {
		if t.ID == e.Turn {
			c.put(service.Apply(t, e), i)
		}
	}
}

// PutTurn shows a turn of the case anew; another one is passed over.
func (c *Compare) PutTurn(t service.Turn) {
	for i := range c.of.Turns {
		if c.of.Turns[i].ID == t.ID {
			c.put(t, i)
		}
	}
}

func (c *Compare) put(t service.Turn, i int) {
	of := c.of
	of.Turns = slices.Clone(of.Turns)
	of.Turns[i] = t
	c.SetCase(of, 0)
}

// Column returns the name of the focused cell, to be focused in another case.
func (c *Compare) Column() string {
	if x := c.current(); x != nil {
		return x.name
	}
	return ""
}

// FocusColumn focuses the cell with a name, where there is one.
func (c *Compare) FocusColumn(name string) {
	if i := slices.IndexFunc(c.listed, func(x *cell) bool { return x.name == name }); i >= 0 {
		c.focus(i)
	}
}

func (c *Compare) newReader() *pane.Conversation {
	r := c.reader()
	r.SetProfile(c.profile)
	return r
}

// Focused returns the focused answer and its turn, zeros for none.
func (c *Compare) Focused() (turn, answer int64) {
	if x := c.current(); x != nil {
		return x.turn().ID, x.answer().ID
	}
	return 0, 0
}

// Case returns what is shown.
func (c *Compare) Case() Case { return c.of }

// Tick tells the time, for the seconds of running answers.
func (c *Compare) Tick(now time.Time) { c.now = now }

// SetProfile tells how many colours pictures can be drawn with.
func (c *Compare) SetProfile(p colorprofile.Profile) {
	c.profile = p
	for _, cell := range c.cells {
		cell.reader.SetProfile(p)
	}
}

// SetStyles implements [pane.Pane].
func (c *Compare) SetStyles(s *themes.Styles) {
	c.styles = s
	for _, cell := range c.cells {
		cell.reader.SetStyles(s)
	}
	c.redraw()
}

// SetSize implements [pane.Pane].
func (c *Compare) SetSize(w, h int) { c.w, c.h = w, h; c.layout() }

// SetFocused implements [pane.Pane].
func (c *Compare) SetFocused(focused bool) tea.Cmd { c.focused = focused; return nil }

// Scope implements [pane.Pane].
func (c *Compare) Scope() keys.Scope { return keys.Compare }

// current returns the focused cell; nil while nothing is listed.
func (c *Compare) current() *cell {
	if c.at < 0 || c.at >= len(c.listed) {
		return nil
	}
	return c.listed[c.at]
}

// pinned returns the cell that is pinned, nil for none.
func (c *Compare) pinned() *cell {
	if i := slices.IndexFunc(c.cells, func(x *cell) bool { return x.name == c.pin }); i >= 0 && c.pin != "" {
		return c.cells[i]
	}
	return nil
}

// relist filters and sorts the cells and keeps the focus on its cell.
func (c *Compare) relist() {
	focused := c.current()
	c.listed = slices.DeleteFunc(slices.Clone(c.cells), func(x *cell) bool { return !c.shows(x) })
	slices.SortStableFunc(c.listed, func(a, b *cell) int {
		switch c.by {
		case byTime:
			return cmp.Or(later(a), later(b), cmp.Compare(a.answer().Elapsed, b.answer().Elapsed))
		case byWords:
			return cmp.Compare(b.words(), a.words())
		case byLikeness:
			return cmp.Compare(c.likes[b.answer().ID], c.likes[a.answer().ID])
		}
		return cmp.Compare(a.place, b.place)
	})
	c.at = min(c.at, max(len(c.listed)-1, 0))
	if focused != nil {
		if i := slices.IndexFunc(c.listed, func(x *cell) bool { return x.name == focused.name }); i >= 0 {
			c.at = i
		}
	}
}

// later puts what has no time of its own behind what has.
func later(c *cell) int {
	if c.done() {
		return 0
	}
	return 1
}

func (c *Compare) shows(x *cell) bool {
	switch c.show {
	case showFailed:
		return x.answer().State.Ended() && !x.done()
	case showRated:
		return x.marks() != "" || x.answer().Note != ""
	case showDifferent:
		for _, o := range c.cells {
			if o.place < x.place && o.done() && x.done() && o.answer().Text == x.answer().Text && o.answer().Picture == nil {
				return false
			}
		}
	}
	return true
}

// wantKey names what a chosen layout is remembered for.
func (c *Compare) wantKey() string {
	size := "wide"
	switch {
	case c.w < 100:
		size = "narrow"
	case c.w < 160:
		size = "middle"
	}
	return fmt.Sprintf("%d %s", len(c.listed), size)
}

// body is the room of the boxes: all but the line above and the line below.
func (c *Compare) body() image.Rectangle {
	top := 1
	if c.whole {
		top = min(len(c.promptLines()), c.h/2)
	}
	return image.Rect(0, top, c.w, max(c.h-1, top+1))
}

// layout places the boxes and sizes the readers in them.
func (c *Compare) layout() {
	if c.w == 0 || c.h == 0 || len(c.cells) == 0 {
		return
	}
	body := c.body()
	r := room{w: body.Dx(), h: body.Dy(), n: max(len(c.listed), 1), want: c.wants[c.wantKey()]}
	if p := c.pinned(); p != nil && p != c.current() {
		r.pinned = true
	}
	if c.zoom {
		c.plan = plan{layout: Columns, cells: []image.Rectangle{image.Rect(0, 0, r.w, r.h)}}
	} else {
		c.plan = arrange(r)
	}
	c.window()
	if c.blind != nil {
		c.showPair()
		return
	}
	for i, box := range c.plan.cells {
		if x := c.boxed(i); x != nil {
			x.reader.SetSize(box.Dx()-2, box.Dy()-2)
		}
	}
	if p := c.pinned(); p != nil && !c.plan.pinned.Empty() {
		p.reader.SetSize(c.plan.pinned.Dx()-2, c.plan.pinned.Dy()-2)
	}
}

// window moves the window of boxes so that the focused answer is in it.
func (c *Compare) window() {
	n := len(c.plan.cells)
	if c.zoom || c.plan.layout == List {
		c.first = c.at
		return
	}
	c.first = max(min(c.first, c.at), c.at-n+1)
	c.first = max(min(c.first, len(c.listed)-n), 0)
}

// boxed returns the cell in the i-th box, nil for an empty box.
func (c *Compare) boxed(i int) *cell {
	if at := c.first + i; at < len(c.listed) {
		return c.listed[at]
	}
	return nil
}

// visible returns the cells that can be read now.
func (c *Compare) visible() []*cell {
	if c.blind != nil {
		return c.blind.cells()
	}
	var out []*cell
	for i := range c.plan.cells {
		if x := c.boxed(i); x != nil {
			out = append(out, x)
		}
	}
	if p := c.pinned(); p != nil && !c.plan.pinned.Empty() && !slices.Contains(out, p) {
		out = append(out, p)
	}
	return out
}

// Work asks for what the visible cells need; see [pane.Conversation.Work].
func (c *Compare) Work() (action.Action, tea.Cmd) {
	var wishes action.Several
	cmds := []tea.Cmd{c.likeness()}
	for _, x := range c.visible() {
		wish, cmd := x.reader.Work()
		if wish != nil {
			wishes = append(wishes, wish)
		}
		cmds = append(cmds, cmd)
	}
	if len(wishes) == 0 {
		return nil, tea.Batch(cmds...)
	}
	return wishes, tea.Batch(cmds...)
}
