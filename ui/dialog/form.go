package dialog

import (
	"cmp"
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/widget"
)

// questionWidth is the width of questions and forms, in cells.
const questionWidth = 66

// form is a dialog of rows. changed adapts rows after each change; accept returns nil when a row has a problem.
type form struct {
	overlay.Base
	title            string
	verb             string // what enter does, "" for accepting
	rows             []*row
	before           string // first value of the text of several lines
	lines            int    // of that text, where the screen has room
	maxLines         int    // to which they grow with that text, 0 for not at all
	at               int
	screenW, screenH int
	w, h             int
	pitch            int      // lines from one row to the next
	above, below     []string // lines above the first row and below the last

	maxWidth   int                          // 0 for questionWidth
	leastAbove int                          // lines above the rows below which rows have no notes
	summary    func(w, height int) []string // returns at most height lines above the rows; nil for none
	listBelow  func(w, height int) []string // returns at most height lines below the rows; nil for below as it is
	changed    func()
	typed      func() action.Action // keeps the text of several lines after each change; nil where only accept does
	accept     func() action.Action
	own        map[keys.Command]func() action.Action // commands that other forms do not have
	yes        action.Action                         // of a question; nil in other forms
	hints      []keys.Hint                           // nil for those of the commands
	lookups    []keys.Lookup
}

func (f *form) init(name string, m keys.Map, s *themes.Styles) {
	f.Base = overlay.NewBase(name, formCommands.For(f, m), m, s)
	if f.lookups == nil {
		f.lookups = keys.LookupsIn(f.Scope())
	}
	f.SetStyles(s)
}

func (f *form) isQuestion() bool { return f.yes != nil }

// State implements [action.Dialog]. The target of a question is what it asks.
func (f *form) State() action.LayerState {
	state := action.LayerState{Lookups: f.lookups, CopySelection: f.copySelection,
		TakesKey: f.takesKey}
	if f.isQuestion() {
		state.Target = f.title
	}
	return state
}

// Size implements [action.Dialog].
func (f *form) Size() image.Point { return image.Pt(f.w, f.h) }

// Work implements [action.Dialog].
func (f *form) Work() tea.Cmd { return nil }

// SetStyles implements [action.Dialog].
func (f *form) SetStyles(s *themes.Styles) {
	f.Styles = s
	for _, r := range f.rows {
		if r.text.Styles = s; r.area != nil {
			r.area.SetStyles(s.Editor)
		}
	}
	f.sync()
}

// SetSize implements [action.Dialog].
func (f *form) SetSize(w, h int) {
	f.screenW, f.screenH = w, h
	f.layOut()
}

// layOut sets the size of the box and the lines above its rows.
func (f *form) layOut() {
	width := cmp.Or(f.maxWidth, questionWidth)
	for _, r := range f.rows {
		width = max(width, f.labels()+6+termtext.Width(r.note))
	}
	f.maxWidth = width // it never shrinks, so that the box stands still
	w, h := overlay.Size(f.screenW, f.screenH, width)
	f.w, f.pitch = w, 2
	if h < 3+2*len(f.rows)+f.leastAbove+len(f.below) || f.valueColumn() == 0 {
		f.pitch = 1
	}
	height := 2 + f.pitch - 1 + f.pitch*len(f.shown()) + len(f.below)
	if f.hasNotes() && f.pitch == 1 {
		height++ // for the note of the current row
	}
	if area := f.rows[0].area; area != nil {
		height += max(f.lines, min(wrappedLines(area, w-4, f.maxLines), f.maxLines)) - 1
	}
	if f.summary != nil {
		f.above = f.summary(max(w-4, 1), max(h-height, 0))
	}
	if f.listBelow != nil {
		height -= len(f.below)
		f.below = f.listBelow(max(w-4, 1), max(h-height-len(f.above), 0))
		height += len(f.below)
	}
	f.h = min(height+len(f.above), h)
	for _, r := range f.rows {
		if r.text.SetWidth(max(f.valueWidth()-2, 1)); r.area != nil {
			r.area.SetWidth(max(f.w-4, 1))
			r.area.SetHeight(max(f.h-2-len(f.above)-len(f.below), 1))
		}
	}
}

// labels returns the cells of the labels, with a gap after them; 0 for a form without.
func (f *form) labels() (w int) {
	for _, r := range f.rows {
		if r.label != "" {
			w = max(w, termtext.Width(r.label)+2)
		}
	}
	return w
}

// valueColumn returns the first column of values, after the mark of a row and its label.
func (f *form) valueColumn() int {
	if f.rows[0].label == "" {
		return 0
	}
	return 1 + f.labels()
}

// noteColumn returns the first column of notes: under the values, or under the labels if one would be cut.
func (f *form) noteColumn() int {
	const underLabel = 2
	for _, r := range f.shown() {
		if f.labels()+2+termtext.Width(cmp.Or(r.problem, r.note)) > f.w-4 {
			return underLabel
		}
	}
	return f.labels() + 2
}

func (f *form) hasNotes() bool {
	return slices.ContainsFunc(f.rows, func(r *row) bool { return r.note != "" })
}

func (f *form) valueWidth() int { return max(f.w-5-f.valueColumn(), 1) }

// shown returns the rows that are not hidden.
func (f *form) shown() []*row {
	return slices.DeleteFunc(slices.Clone(f.rows), func(r *row) bool { return r.hidden })
}

func (f *form) current() *row {
	shown := f.shown()
	f.at = max(min(f.at, len(shown)-1), 0)
	return shown[f.at]
}

// Update implements [action.Dialog].
func (f *form) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	r := f.current()
	switch msg := msg.(type) {
	case tea.PasteMsg:
		if r.choices == nil {
			return f.edit(r, msg), nil
		}
	case tea.MouseClickMsg:
		return f.click(msg), nil
	case keys.Press:
		return f.key(r, msg)
	}
	return nil, nil
}

func (f *form) key(r *row, msg keys.Press) (action.Action, tea.Cmd) {
	switch command := msg.Command; {
	case msg.Scope == keys.Vi:
		return f.edit(r, msg), nil
	case msg.Text != "" && !f.isQuestion() && r.choices == nil: // letters are text, whatever they mean elsewhere
		return f.edit(r, msg), nil
	case msg.Text != "" && !f.isQuestion():
		f.jump(r, msg.Text)
	case command == keys.Send:
		return f.accepted(), nil
	case f.has(command, r):
		return f.Run(command), nil
	default:
		switch a := f.CommonKey(msg); a {
		case nil:
		case action.CloseDialog{}:
			return f.close(), nil
		default:
			return a, nil
		}
		if !r.edits(msg) {
			return overlay.UnusedKey(msg), nil
		}
		return f.edit(r, msg), nil
	}
	return nil, nil
}

// close closes the form without a change. It asks before it discards a changed text of several lines.
func (f *form) close() action.Action {
	if own := f.own[keys.Close]; own != nil {
		return own()
	}
	if area := f.rows[0].area; area != nil && f.typed == nil && area.Text() != f.before {
		return action.Confirm{Title: f.title, Question: "Discard what you have written here?",
			Yes: action.Sequence{action.CloseDialog{}, action.CloseDialog{}}}
	}
	return action.CloseDialog{}
}

// accepted closes the form with its action, or goes to the first row with a problem.
func (f *form) accepted() action.Action {
	if a := f.accept(); a != nil {
		return overlay.CloseThen(a)
	}
	if i := slices.IndexFunc(f.shown(), func(r *row) bool { return r.problem != "" }); i >= 0 {
		f.at = i
	}
	f.layOut()
	return nil
}

// jump goes to the next choice that starts with the letter; a blank goes to the next one.
func (f *form) jump(r *row, letter string) {
	for i := 1; i <= len(r.choices); i++ {
		at := (r.at + i) % len(r.choices)
		if letter == " " || strings.HasPrefix(r.choices[at], strings.ToLower(letter)) {
			r.at = at
			break
		}
	}
	f.sync()
}

func (f *form) sync() {
	if f.changed != nil {
		f.changed()
	}
	f.layOut()
}

// click goes to a row and the choice under the pointer, and accepts it in a question.
func (f *form) click(msg tea.MouseClickMsg) action.Action {
	y := msg.Y - 1 - f.top()
	shown := f.shown()
	if msg.Button != tea.MouseLeft || y < 0 || y/f.pitch >= len(shown) {
		return nil
	}
	f.at = y / f.pitch
	if r := shown[f.at]; y%f.pitch == 0 {
		if i, ok := choiceAt(r.choices, r.at, f.valueWidth(), msg.X-2-f.valueColumn()); ok {
			r.at = i
			if f.sync(); f.isQuestion() {
				return f.accepted()
			}
		}
	}
	return nil
}

func (f *form) top() int { return len(f.above) + f.pitch - 1 }

// View implements [action.Dialog].
func (f *form) View() string {
	lines := append(slices.Clone(f.above), make([]string, f.pitch-1)...)
	margin := strings.Repeat(" ", f.noteColumn())
	for i, r := range f.shown() {
		if r.area != nil {
			lines = append(lines, r.area.Draw()...)
			continue
		}
		focused := i == f.at
		line := r.line(f.Styles, focused, f.valueWidth())
		if r.choices != nil {
			marks := radioMarks(f.Styles)
			if r.label == "" {
				marks = buttonMarks()
			}
			line = marks.choices(f.Styles, r.choices, r.at, focused, f.valueWidth())
		}
		if f.valueColumn() > 0 {
			line = f.labelled(r, line, focused)
		}
		lines = append(lines, line)
		if f.pitch > 1 {
			lines = append(lines, margin+f.note(r))
		}
	}
	if f.hasNotes() && f.pitch == 1 {
		lines = append(lines, margin+f.note(f.current()))
	}
	borders, _ := f.Hints()
	return widget.DrawBox(f.Box(f.title, f.mode(), borders[0], f.w, f.h), append(lines, f.below...))
}

func (f *form) labelled(r *row, value string, focused bool) string {
	bar, label, behind := " ", f.Styles.Text, themes.Style{}
	if focused {
		bar, label, behind = f.Styles.SelectedMark.On("▌"), f.Styles.Selected, f.Styles.Surface
	}
	line := bar + label.On(termtext.Fit(r.label, f.labels())) + value
	return behind.Behind(termtext.Fit(line, max(f.w-4, 1)))
}

// Hints implements [action.Dialog].
func (f *form) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	if f.hints != nil {
		return overlay.SplitHints(f.hints, f.w)
	}
	return overlay.SplitHints(f.Commands.Hints(), f.w)
}

// Cursor implements [action.Dialog].
func (f *form) Cursor() *tea.Cursor {
	r, y := f.current(), 1+f.top()+f.at*f.pitch
	switch column := f.valueColumn(); {
	case r.choices != nil || f.w < column+7 || y >= f.h-1:
		return nil
	case r.area == nil:
		return r.text.Cursor(2+column+1, y)
	}
	c := r.area.Cursor()
	if c != nil {
		c.X += 2
		c.Y += y
	}
	return c
}
