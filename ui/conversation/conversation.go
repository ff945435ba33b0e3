package conversation

import (
	"image"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/themes"
	"confab/ui/flow"
	"confab/ui/frame"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/markdown"
)

// textCap is the widest a text is set, in cells: longer lines are hard to read.
const textCap = 100

// Pane shows the turns of a session. It holds a window of the turns,
// knows or estimates the height of every part, renders what is on screen and
// the next screenful in commands, and keeps the reader's place.
type Pane struct {
	keys    keys.Map
	styles  *themes.Styles
	profile colorprofile.Profile
	w, h    int
	focused bool

	session history.Session
	turns   []history.Turn
	older   bool // turns before the window exist
	newer   bool // turns after the window exist
	loading bool
	flow    flow.Flow
	at      ref // the selected answer as chosen last; see selected for the one on screen
	now     time.Time
	typical func(slug string) time.Duration

	gen     int // of width, styles and unformatted view; rendered lines of another are stale
	lines   map[flow.Key][]string
	blocks  map[textKey][]markdown.Block
	pending map[any]bool // work under way: flow.Key, textKey or a picture's path

	previews map[string]preview
	names    *graphics.ImageIDs // ids of pictures for a terminal that knows them; nil for cells
	aspect   float64            // height of a cell of the screen over its width, 0 for the usual one
	words    map[int64]int      // by answer, those of its text
	raw      map[int64]bool     // answers shown unformatted
	before   map[int64]bool     // edits that show what they were made from
	find     finder
	only     int64 // the one answer that is read, without its head; 0 for all
	blind    bool  // what tells the answer's maker is left out
	sel      selection
	choosing []markdown.Code // code blocks to pick one of, after CopyCode
	notes    Notes
	still    bool // nothing turns while an answer is awaited
}

// Notes are what an empty session tells beside its keys; each may be empty.
type Notes struct {
	Left     string // a sentence on what was left behind, and how to go on with it
	Ways     string // a sentence on the ways on from here
	Examples []Example
}

// Example is a prompt for people who have just arrived. Its key may be empty.
type Example struct{ Key, Title, Models string }

// ref names an answer of a turn.
type ref struct{ turn, answer int64 }

// textKey names a version of an answer's text.
type textKey struct {
	answer  int64
	version int
}

// preview is a picture scaled down for the screen, or why there is none.
type preview struct {
	img     image.Image
	problem string
	id      int // by which the terminal knows it, 0 for cells
}

// New returns an empty conversation. typical returns the usual
// time of a model, zero when it is not known.
func New(m keys.Map, s *themes.Styles, typical func(string) time.Duration) *Pane {
	c := &Pane{keys: m, styles: s, typical: typical, previews: map[string]preview{}, raw: map[int64]bool{},
		before: map[int64]bool{}, words: map[int64]int{}}
	c.reset()
	return c
}

// reset forgets everything that was rendered.
func (c *Pane) reset() {
	c.gen++
	c.lines = map[flow.Key][]string{}
	c.pending = map[any]bool{}
	if c.blocks == nil {
		c.blocks = map[textKey][]markdown.Block{}
	}
}

// SetSession replaces what is shown by the newest turns of a session.
func (c *Pane) SetSession(s history.Session, turns []history.Turn, older bool) {
	c.session, c.turns, c.older, c.newer, c.loading = s, turns, older, false, false
	c.blocks, c.previews, c.raw, c.find, c.at = nil, map[string]preview{}, map[int64]bool{}, finder{}, ref{}
	c.before, c.words = map[int64]bool{}, map[int64]int{}
	c.reset()
	c.flow = flow.Flow{}
	c.flow.SetHeight(c.room())
	c.selectNewest()
	c.rebuild()
}

// UpdateSession replaces the session's name and counts.
func (c *Pane) UpdateSession(s history.Session) { c.session = s }

// Session returns the session shown.
func (c *Pane) Session() history.Session { return c.session }

// Turns returns the turns of the window, oldest first.
func (c *Pane) Turns() []history.Turn { return c.turns }

// Turn returns a turn of the window.
func (c *Pane) Turn(id int64) (history.Turn, bool) {
	at := slices.IndexFunc(c.turns, func(t history.Turn) bool { return t.ID == id })
	if at < 0 {
		return history.Turn{}, false
	}
	return c.turns[at], true
}

// PutTurn shows a turn anew, or adds it at the end and goes there.
func (c *Pane) PutTurn(t history.Turn) {
	at := slices.IndexFunc(c.turns, func(x history.Turn) bool { return x.ID == t.ID })
	if at >= 0 {
		c.at = c.neighbour(func(r ref) bool {
			return r.turn == t.ID && !slices.ContainsFunc(t.Answers, func(a history.Answer) bool { return a.ID == r.answer })
		})
		c.turns[at] = t
		c.rebuild()
		return
	}
	if c.newer {
		return // the window is elsewhere; the turn is read when the reader comes back
	}
	c.turns = append(c.turns, t)
	c.selectNewest()
	c.rebuild()
	c.flow.FollowFrom(flow.Key{Turn: t.ID, Role: roleYou})
}

// Apply applies an event to the turn it belongs to.
func (c *Pane) Apply(e history.Event) {
	for i, t := range c.turns {
		if t.ID == e.Turn {
			c.turns[i] = history.Apply(t, e)
			c.rebuild()
			return
		}
	}
}

// RemoveTurn takes a turn away.
func (c *Pane) RemoveTurn(id int64) {
	c.at = c.neighbour(func(r ref) bool { return r.turn == id })
	c.turns = slices.DeleteFunc(slices.Clone(c.turns), func(t history.Turn) bool { return t.ID == id })
	c.rebuild()
}

// maxWindow bounds the turns held, so that a long session costs no more than
// a short one.
const maxWindow = 240

// AddOlder puts a page before the window; more tells whether there are even
// older ones.
func (c *Pane) AddOlder(turns []history.Turn, more bool) {
	c.loading = false
	c.turns = append(slices.Clone(turns), c.turns...)
	c.older = more
	if len(c.turns) > maxWindow {
		c.turns, c.newer = c.turns[:maxWindow], true
	}
	c.rebuild()
}

// AddNewer puts a page after the window.
func (c *Pane) AddNewer(turns []history.Turn, more bool) {
	c.loading = false
	c.turns = append(slices.Clone(c.turns), turns...)
	c.newer = more
	if len(c.turns) > maxWindow {
		c.turns, c.older = c.turns[len(c.turns)-maxWindow:], true
	}
	c.rebuild()
}

// SetWindow replaces the window by a page and goes to one of its turns, or to
// its first when turn is 0.
func (c *Pane) SetWindow(turns []history.Turn, older, newer bool, turn int64) {
	c.loading = false
	c.turns, c.older, c.newer = turns, older, newer
	c.rebuild()
	c.GoTo(turn, 0)
}

// Tick tells the time, for the seconds of running answers.
func (c *Pane) Tick(now time.Time) { c.now = now }

// Newest returns the newest answer that is done, of the newest turn that has one.
func (c *Pane) Newest() (history.Answer, bool) {
	for i := len(c.turns) - 1; i >= 0; i-- {
		answers := c.turns[i].Answers
		newest := -1
		for j, a := range answers {
			if a.State == history.Done && (newest < 0 || a.Ended.After(answers[newest].Ended)) {
				newest = j
			}
		}
		if newest >= 0 {
			return answers[newest], true
		}
	}
	return history.Answer{}, false
}

// Running returns the answers that have not ended, of the whole window.
func (c *Pane) Running() []history.Answer {
	var out []history.Answer
	for _, t := range c.turns {
		for _, a := range t.Answers {
			if !a.State.Ended() {
				out = append(out, a)
			}
		}
	}
	return out
}

// SetProfile tells how many colours pictures can be drawn with.
func (c *Pane) SetProfile(p colorprofile.Profile) {
	if p != c.profile {
		c.profile = p
		c.restyle()
	}
}

// SetStill lets no sign of work move; seconds are counted all the same.
func (c *Pane) SetStill(on bool) { c.still = on }

// SetNotes tells what an empty session says beside its keys.
func (c *Pane) SetNotes(n Notes) { c.notes = n }

// SetSize implements [part.Pane].
func (c *Pane) SetSize(w, h int) {
	wider, taller := w != c.w, h != c.h
	c.w, c.h = w, h
	c.flow.SetHeight(c.room())
	switch {
	case wider:
		c.restyle()
	case taller:
		c.resizePictures()
	}
}

// restyle forgets what was rendered and measures everything anew.
func (c *Pane) restyle() {
	c.reset()
	c.rebuild()
}

// SetStyles implements [part.Pane].
func (c *Pane) SetStyles(s *themes.Styles) {
	c.styles = s
	c.restyle()
}

// SetFocused implements [part.Pane].
func (c *Pane) SetFocused(focused bool) tea.Cmd {
	c.focused = focused
	if !focused {
		c.find.typing = false
	}
	c.rebuild()
	return nil
}

// Scope implements [part.Pane].
func (c *Pane) Scope() keys.Scope { return keys.Conversation }

// Lookups implements [part.KeyLooker].
func (c *Pane) Lookups() []keys.Lookup {
	switch {
	case c.find.typing:
		return keys.InLine()
	case c.Choosing():
		return nil
	}
	return keys.In(keys.Conversation)
}

// Capturing tells whether letters are text now.
func (c *Pane) Capturing() bool { return c.find.typing }

// room is the number of lines for turns; the find line takes one.
func (c *Pane) room() int {
	if c.only == 0 && (c.find.typing || c.find.text != "") {
		return max(c.h-1, 0)
	}
	return c.h
}

// textWidth is the width texts are set in.
func (c *Pane) textWidth() int { return max(min(c.w-2, textCap), 8) }

// Position says where the reader is, for the border: how far down in percent,
// and whether the newest is followed.
func (c *Pane) Position() (percent int, following bool) {
	total, above := c.flow.Lines()
	if total <= c.room() {
		return 100, !c.newer
	}
	return min((above+c.room())*100/max(total, 1), 100), c.flow.Following() && c.flow.AtEnd() && !c.newer
}

// Cursor implements [part.Pane].
func (c *Pane) Cursor() *tea.Cursor {
	if !c.find.typing {
		return nil
	}
	return tea.NewCursor(min(c.find.column(), c.w-1), c.h-1)
}

// View implements [part.Pane].
func (c *Pane) View() []string {
	if len(c.turns) == 0 && !c.loading {
		lines, _ := c.welcome()
		return frame.Fill(lines, c.w, c.h)
	}
	out := make([]string, 0, c.h)
	selected := ref{}
	if c.only == 0 {
		selected = c.selected()
	}
	for _, span := range c.flow.Visible() {
		lines := c.partLines(span.Part)
		found := c.found(span, lines)
		railed := selected.answer != 0 && span.Part.Key.Answer == selected.answer && span.Part.Key.Role != roleHead
		for i := span.From; i < span.To; i++ {
			line := ""
			if i < len(lines) {
				line = lines[i]
			}
			if railed {
				line = c.withRail(line)
			}
			out = append(out, c.mark(line, found[i], c.find.here == spot{span.Part.Key, i}))
		}
	}
	out = frame.Fill(out, c.w, c.h)
	if c.room() < c.h {
		out[c.h-1] = c.findLine()
	}
	if c.sel.moved {
		for y := range out {
			out[y] = c.shade(y, out[y])
		}
	}
	return out
}
