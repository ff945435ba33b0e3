package compare

import (
	"fmt"
	"image"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/graphics"
	"confab/ui/keys"
)

// follow is how the other cells scroll along with the focused one.
type follow int

const (
	byShare follow = iota
	byLine
	alone
)

func (f follow) String() string { return [...]string{"%", "line", "off"}[f] }

// Compare is the view of the answers to one prompt side by side.
type Compare struct {
	keys    keys.Map
	styles  *themes.Styles
	profile colorprofile.Profile
	names   *graphics.ImageIDs
	aspect  float64 // of a cell of the screen
	reader  func() *conversation.Pane
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
	bare    bool              // the strip stands in the place of the line above
	zoom    bool
	whole   bool // the whole prompt is shown
	jump    string
	jumping bool

	sync    follow
	by      order
	show    show
	pin     string            // name of the cell that is pinned
	likes   map[int64]float64 // by answer, likeness to the pinned one
	liking  map[int64]bool    // asked for
	likesOf int64             // the pinned answer they are of
	figures map[int64]figure  // by answer
	asked   map[int64]int     // by answer, the version whose figures were asked for
	twins   map[string]int    // by cell, the place of an earlier one with the same answer
	find    finder
	diff    *difference
	blind   *blind
	wins    history.Wins
	toss    func(n int) int // a random number below n

	beside bool // an edit and what it was made from side by side
	annex  annex
	chains map[int64]string // by answer, where it stands in its chain of edits; empty once asked for
}

// New returns an empty view. reader makes the reader of a cell.
func New(m keys.Map, s *themes.Styles, reader func() *conversation.Pane) *Compare {
	return &Compare{keys: m, styles: s, reader: reader, wants: map[string]Layout{}, find: finder{at: -1}, toss: toss,
		figures: map[int64]figure{}, asked: map[int64]int{}, chains: map[int64]string{}}
}

// SetCase shows a case, with one of its answers focused unless that is 0. Places,
// order and focus are kept while the case is the same.
func (c *Compare) SetCase(of Case, answer int64) {
	old := c.cells
	if !of.same(c.of) {
		old, c.at, c.first, c.zoom, c.diff, c.blind = nil, 0, 0, false, nil, nil
		c.show, c.figures, c.asked = showAll, map[int64]figure{}, map[int64]int{}
		c.find = finder{at: -1}
		c.beside, c.chains = false, map[int64]string{}
		if of.Name == "" || c.of.Name == "" { // the rows of one run are looked at in one way
			c.pin, c.by = "", byPlace
		}
	}
	c.of = of
	c.cells = cells(of, old, c.newReader)
	c.relist()
	c.lookAtNew(old)
	for i, x := range c.listed {
		if j := x.holding(answer); j >= 0 && answer != 0 {
			c.at = i
			x.choose(j)
		}
	}
	c.changed()
	c.layout()
}

// Apply applies an event to the case when it is about one of its turns.
func (c *Compare) Apply(e history.Event) {
	for i, t := range c.of.Turns {
		if t.ID == e.Turn {
			c.put(history.Apply(t, e), i)
		}
	}
}

// PutTurn shows a turn of the case anew; another one is passed over.
func (c *Compare) PutTurn(t history.Turn) {
	for i := range c.of.Turns {
		if c.of.Turns[i].ID == t.ID {
			c.put(t, i)
		}
	}
}

func (c *Compare) put(t history.Turn, i int) {
	of := c.of
	of.Turns = slices.Clone(of.Turns)
	of.Turns[i] = t
	c.SetCase(of, 0)
}

// changed works out anew what depends on the shown answers.
func (c *Compare) changed() {
	c.findTwins()
	c.findHits()
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

func (c *Compare) newReader() *conversation.Pane {
	r := c.reader()
	r.SetProfile(c.profile)
	r.SetPixels(c.names, c.aspect)
	return r
}

// Focused returns the focused answer and its turn, zeros for none.
func (c *Compare) Focused() (turn, answer int64) {
	if x := c.current(); x != nil {
		return x.turn().ID, x.answer().ID
	}
	return 0, 0
}

// Target tells which answer keys act on, or which pair is voted on.
func (c *Compare) Target() string {
	if c.blind != nil {
		return fmt.Sprint("pair ", c.blind.at)
	}
	turn, answer := c.Focused()
	return fmt.Sprint(turn, " ", answer)
}

// Voting tells whether keys are those of a blind vote.
func (c *Compare) Voting() bool { return c.blind != nil }

// Case returns what is shown.
func (c *Compare) Case() Case { return c.of }

// Tick tells the time, for the seconds of running answers.
func (c *Compare) Tick(now time.Time) { c.now = now }

// SetProfile tells how many colours pictures can be drawn with.
func (c *Compare) SetProfile(p colorprofile.Profile) {
	c.profile = p
	for _, r := range c.readers() {
		r.SetProfile(p)
	}
}

// SetStyles implements [part.Pane].
func (c *Compare) SetStyles(s *themes.Styles) {
	c.styles = s
	for _, r := range c.readers() {
		r.SetStyles(s)
	}
}

// SetSize implements [part.Pane].
func (c *Compare) SetSize(w, h int) { c.w, c.h = w, h; c.layout() }

// SetFocused implements [part.Pane].
func (c *Compare) SetFocused(focused bool) tea.Cmd { c.focused = focused; return nil }

// Scope implements [part.Pane].
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

// lowScreen is the height under which the strip takes the place of the prompt's
// line.
const lowScreen = 28

// body is the room of the boxes: all but the line above and the line below.
func (c *Compare) body() image.Rectangle {
	top := 1
	if c.bare {
		top = 0
	}
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
	c.bare = false
	body := c.body()
	r := room{w: body.Dx(), h: body.Dy(), n: max(len(c.listed), 1),
		want: c.wantFor(body.Dx(), len(c.listed), c.wants[c.wantKey()])}
	r.pinned = c.pinned() != nil
	if c.zoom {
		c.plan = plan{layout: Columns, cells: []image.Rectangle{image.Rect(0, 0, r.w, r.h)}}
	} else {
		c.plan = arrange(r)
		if c.plan.strip && c.h < lowScreen && !c.whole {
			c.bare = true
			r.h = c.body().Dy()
			c.plan = arrange(r)
		}
	}
	c.arrangePictures(r)
	c.window()
	c.showPair()
	for i, box := range c.plan.cells {
		if x := c.boxed(i); x != nil {
			c.widen(x, box)
		}
	}
	if p := c.pinned(); p != nil && !c.plan.pinned.Empty() {
		p.reader.SetSize(c.plan.pinned.Dx()-2, c.plan.pinned.Dy()-2)
	}
}

// widen sizes the reader of a cell for its box. A zoomed cell has one of its own,
// so that the other keeps its place.
func (c *Compare) widen(x *cell, box image.Rectangle) {
	w, h := box.Dx()-2, box.Dy()-2
	switch {
	case !c.zoom:
		x.reader.SetSize(w, h)
	case x.wide == nil:
		x.wide = c.newReader()
		x.wide.SetSize(w, h)
		x.wide.ReadLike(x.reader)
	default:
		x.wide.SetSize(w, h)
	}
}

// reading returns the reader in which a cell is seen.
func (c *Compare) reading(x *cell) *conversation.Pane {
	if c.zoom && x.wide != nil {
		return x.wide
	}
	return x.reader
}

// readers returns all readers there are.
func (c *Compare) readers() []*conversation.Pane {
	var out []*conversation.Pane
	for _, x := range c.cells {
		out = append(out, x.reader)
		if x.wide != nil {
			out = append(out, x.wide)
		}
	}
	if c.blind != nil {
		out = append(out, c.blind.readers[:]...)
	}
	if c.annex.reader != nil {
		out = append(out, c.annex.reader)
	}
	return out
}

// window moves the window of boxes so that the focused answer is in it.
func (c *Compare) window() {
	n := len(c.plan.cells)
	if c.zoom || c.beside || c.plan.layout == List {
		c.first = c.at
		return
	}
	c.first = max(min(c.first, c.at), c.at-n+1)
	c.first = max(min(c.first, len(c.listed)-n), 0)
}

// boxed returns the cell in the i-th box, nil for an empty box: beside the pinned
// answer nothing stands while that is the focused one.
func (c *Compare) boxed(i int) *cell {
	at := c.first + i
	if at >= len(c.listed) || !c.plan.pinned.Empty() && c.listed[at] == c.pinned() {
		return nil
	}
	return c.listed[at]
}

// visible returns the cells that can be read now.
func (c *Compare) visible() []*cell {
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

// atWork returns the readers that are seen now.
func (c *Compare) atWork() []*conversation.Pane {
	if c.blind != nil {
		return c.blind.readers[:]
	}
	var out []*conversation.Pane
	for _, x := range c.visible() {
		out = append(out, c.reading(x))
	}
	if !c.annex.source.Empty() {
		out = append(out, c.annex.reader)
	}
	return out
}

// Work asks for what the visible cells need; see [conversation.Pane.Work].
func (c *Compare) Work() (action.Action, tea.Cmd) {
	wishes := c.wantChain()
	cmds := []tea.Cmd{c.measure(), c.likeness(), c.drawDifference()}
	for _, r := range c.atWork() {
		wish, cmd := r.Work()
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
