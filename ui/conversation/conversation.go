// Package conversation is the pane that shows the turns of a session, and the answers in the cells of the comparison.
//
// It holds a window of turns. Each turn is drawn as parts (the line above the prompt, the prompt, and for each answer
// its head, the blocks of its text or its picture, and notes), whose heights are exact or estimated (package flow).
// Only parts on or near the screen are rendered, in commands; until then a part shows its plain text. A rendered part
// is kept until what it was made from, the width or the theme changes: of a text that grows only the blocks that may
// still change are cut and drawn anew.
package conversation

import (
	"hash/maphash"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/themes"
	"confab/ui/action"
	"confab/ui/flow"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/markdown"
	"confab/ui/part"
	"confab/ui/turns"
	"confab/ui/widget"
)

// Pane shows the turns of a session. It renders what is on screen and the next screenful in commands, and keeps the
// reader's place.
type Pane struct {
	canvas
	part.Commands
	focused       bool
	now           func() time.Time
	typical       func(slug string) time.Duration // usual time of a model, zero when it is not known
	ReducesMotion bool                            // signs of work do not move; seconds are counted

	turns     *turns.Turns
	revision  int   // of the turns that are laid out
	order     []ref // the answers that are laid out
	isLoading bool
	chosen    ref                   // the answer selected last; see selected for the one on screen
	goal      ref                   // to go to once the pane has a size
	views     map[int64]*answerView // by answer

	flow       flow.Flow
	generation int         // of width and styles; what was rendered in another is stale
	spareParts []flow.Part // memory for the next ones
	rendered   renderings
	renderers  *sync.Pool        // of [*markdown.Renderer] for the width and styles of now
	seed       maphash.Seed      // of the versions of blocks
	pending    map[any]bool      // work under way: drawing a part, cutting a text or reading a [graphics.File]
	delayed    map[flow.Key]bool // texts that grow and whose end is not drawn for a moment, by their textKey
	growing    int               // texts on the screen that grow
	Beside     int               // panes that show answers while they grow
	previews   map[graphics.File]graphics.PreviewMsg
	imageIDs   *graphics.ImageIDs // of a terminal that shows pictures by ids; nil for cells

	find        finder
	cellCodeKey string // copies code of the one answer that is read
	marking     marking
	choosing    []markdown.Code // code blocks to pick one of, after CopyCode
	isUnread    bool            // nobody has scrolled in the one answer that is read
}

// ref names an answer of a turn.
type ref struct{ turn, answer int64 }

// answerView is how an answer is shown, and what was computed of its text.
type answerView struct {
	isUnformatted   bool
	showsSource     bool // of an edit: what it was made from
	showsReasoning  bool
	sideways        int // cells of its long lines of code that are left out
	body, reasoning cutText
}

// New returns a conversation of turns, with a clock. The function typical returns the usual time of a model, zero when
// it is not known.
func New(held *turns.Turns, m keys.Map, s *themes.Styles, now func() time.Time,
	typical func(slug string) time.Duration) *Pane {
	c := &Pane{canvas: canvas{keys: m, styles: s, PathName: func(path string) string { return path }}, now: now,
		turns: held, typical: typical, seed: maphash.MakeSeed(),
		previews: map[graphics.File]graphics.PreviewMsg{}, views: map[int64]*answerView{}}
	c.Commands = commands.For(c, m)
	c.forgetRendered()
	return c
}

// NewReader returns an empty pane that draws as this one does.
func (c *Pane) NewReader() *Pane {
	r := New(c.turns, c.keys, c.styles, c.now, c.typical)
	r.ReducesMotion, r.PathName, r.imageIDs = c.ReducesMotion, c.PathName, c.imageIDs
	r.profile, r.cellAspect, r.Mask = c.profile, c.cellAspect, c.Mask
	return r
}

func (c *Pane) forgetRendered() {
	c.generation++
	c.keepRendered(nil)
	styles, width := c.styles, c.textWidth()
	c.renderers = &sync.Pool{New: func() any { return markdown.NewRenderer(styles, width) }}
	c.pending, c.delayed = map[any]bool{}, map[flow.Key]bool{}
}

func (c *Pane) restyle() {
	c.forgetRendered()
	c.rebuild()
}

// view returns how an answer is shown, to be read or changed.
func (c *Pane) view(answer int64) *answerView {
	if c.views[answer] == nil {
		c.views[answer] = &answerView{}
	}
	return c.views[answer]
}

// SetProfile tells how many colors pictures can be drawn with.
func (c *Pane) SetProfile(p colorprofile.Profile) {
	if p != c.profile {
		c.profile = p
		c.restyle()
	}
}

// SetSize implements [part.Pane].
func (c *Pane) SetSize(w, h int) {
	wider, taller := w != c.w, h != c.h
	c.w, c.h = w, h
	c.flow.SetHeight(c.turnLines())
	switch {
	case wider:
		c.restyle()
		if c.w > 0 && c.goal != (ref{}) {
			c.GoTo(c.goal.turn, c.goal.answer)
		}
	case taller: // on which the size of pictures depends, but not that of texts
		c.rebuild()
	}
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
		c.find.IsTyping = false
	}
	c.rebuild()
	return nil
}

// State implements [part.Pane].
func (c *Pane) State() action.LayerState {
	return action.LayerState{Lookups: c.lookups(), CapturesText: c.find.IsTyping, Target: c.target(),
		Pictures: c.Pictures(), HintAt: c.hintAt, DoubleClick: c.doubleClick,
		TakesKey: c.find.Takes}
}

// lookups returns where keys are looked up.
func (c *Pane) lookups() []keys.Lookup {
	switch {
	case c.find.IsTyping:
		return keys.InLine()
	case c.IsChoosing():
		return nil
	}
	return keys.LookupsIn(keys.Conversation)
}

// turnLines is the number of lines for turns; the line of the search takes one.
func (c *Pane) turnLines() int {
	if c.only == 0 && c.IsFinding() {
		return max(c.h-1, 0)
	}
	return c.h
}

// BottomText says which of the lines are on the screen, with the key to the last one while keys are the pane's, or that
// an answer is followed as it is written.
func (c *Pane) BottomText() string {
	total, above := c.flow.Lines()
	switch {
	case c.isEmpty():
		return ""
	case c.growing > 0 && c.flow.IsAtEnd() && c.flow.IsFollowing() && !c.turns.HasNewer():
		return "following the answer"
	}
	text := c.styles.Faint.On(widget.ScrollPosition(above, c.turnLines(), total))
	if end := widget.HintLine(c.styles, c.BottomHints()); end != "" {
		text += "  " + end
	}
	return text
}

// BottomHints returns the hints of [Pane.BottomText].
func (c *Pane) BottomHints() []keys.Hint {
	if !c.focused || c.isEmpty() || c.flow.IsAtEnd() && !c.turns.HasNewer() {
		return nil
	}
	return c.keys.HintAs(keys.Conversation, keys.Bottom, "end")
}

// Cursor implements [part.Pane].
func (c *Pane) Cursor() *tea.Cursor {
	return c.find.Cursor(1, c.h-1)
}

// View implements [part.Pane].
func (c *Pane) View() []string {
	if c.isEmpty() && !c.isLoading {
		return widget.FillLines(nil, c.w, c.h)
	}
	out := make([]string, 0, c.h)
	selected, colors := c.selected(), turnColors{}
	for _, span := range c.flow.Visible() {
		key := span.Part.Key
		mark, style := "", themes.Style{}
		if t, a := c.answerOf(key); c.only == 0 && a.ID != 0 {
			mark, style = rail, colors.styleOf(c.styles, t, a.Model)
			if a.ID == selected.answer {
				mark = selectedRail
			}
			mark = style.On(mark)
		}
		lines := c.partLines(span.Part, selected, style)
		found := c.matches(span, lines)
		for i := span.From; i < span.To; i++ {
			line := ""
			if i < len(lines) {
				line = lines[i]
			}
			line = c.highlight(line, found[i], c.find.line == partLine{key, i})
			if key.Role != roleHead || i > 0 {
				line = mark + line
			}
			out = append(out, line)
		}
	}
	out = widget.FillLines(out, c.w, c.h)
	if c.turnLines() < c.h {
		out[c.h-1] = c.findLine()
	}
	if c.marking.moved {
		pictures := c.Pictures()
		for y := range out {
			out[y] = widget.MarkSpans(out[y], c.markedSpans(y, pictures), c.w, c.styles.SelectedText)
		}
	}
	return out
}
