package dialog

import (
	"cmp"
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

// formLabels is the room of the labels of a form, in cells.
const formLabels = 17

// row is one field of a form: alternatives, or a text where there are none.
type row struct {
	label   string
	choices []string
	at      int
	text    widget.Field
	note    string // what the field means, under it
	problem string // why the form was not accepted, in place of the note
	hidden  bool
}

func (r *row) choice() string { return r.choices[r.at] }

// choose chooses an alternative by its name, and tells whether there is one.
func (r *row) choose(name string) bool {
	i := slices.Index(r.choices, name)
	r.at = max(i, 0)
	return i >= 0
}

// form is a dialog of rows. Its maker sets changed, which adapts rows to each other after each change, and accept,
// which returns nil when a row has a problem.
type form struct {
	overlay.Base
	title            string
	rows             []*row
	at               int
	screenW, screenH int
	w, h             int
	pitch            int      // lines from one row to the next
	above            []string // lines above the first row

	maxWidth   int                          // 0 for questionWidth
	leastAbove int                          // rows show no notes where they leave fewer lines for what is above them
	summary    func(w, height int) []string // returns the lines above the rows, at most as many; nil for none
	changed    func()
	accept     func() action.Action
}

// SetStyles implements [action.Dialog].
func (f *form) SetStyles(s *themes.Styles) {
	f.Styles = s
	for _, r := range f.rows {
		r.text.Styles = s
	}
	f.layOut()
}

// SetSize implements [action.Dialog].
func (f *form) SetSize(w, h int) {
	f.screenW, f.screenH = w, h
	f.layOut()
}

// layOut sets the size of the box, and what stands above its rows.
func (f *form) layOut() {
	width := cmp.Or(f.maxWidth, questionWidth)
	for _, r := range f.rows {
		width = max(width, formLabels+6+termtext.Width(r.note))
	}
	f.maxWidth = width // it never shrinks, so that the box stands still
	w, h := overlay.Size(f.screenW, f.screenH, width, f.screenH)
	f.w, f.pitch = w, 2
	if h < 3+2*len(f.rows)+f.leastAbove {
		f.pitch = 1
	}
	height := 2 + f.pitch - 1 + f.pitch*len(f.rows)
	if f.summary != nil {
		f.above = f.summary(max(w-4, 1), max(h-height, 0))
	}
	f.h = min(height+len(f.above), h)
	for _, r := range f.rows {
		r.text.SetWidth(f.valueWidth())
	}
}

func (f *form) valueWidth() int { return max(f.w-4-formLabels-2, 1) }

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
			f.edit(r, msg)
		}
	case tea.MouseClickMsg:
		f.click(msg)
	case keys.Press:
		return f.key(r, msg)
	}
	return nil, nil
}

func (f *form) key(r *row, msg keys.Press) (action.Action, tea.Cmd) {
	if msg.Text != "" { // letters are text, whatever they mean elsewhere
		if r.choices == nil {
			f.edit(r, msg)
		} else {
			f.jump(r, msg.Text)
		}
		return nil, nil
	}
	switch command := msg.Command; {
	case command == keys.Accept:
		return f.accepted(), nil
	case command == keys.Close:
		return action.CloseDialog{}, nil
	case command == keys.NextField:
		f.at = (f.at + 1) % len(f.shown())
	case command == keys.PreviousField:
		f.at = (f.at + len(f.shown()) - 1) % len(f.shown())
	case (command == keys.NextChoice || command == keys.PreviousChoice) && len(r.choices) == 1:
		return action.Unused{Why: "There is no other choice."}, nil
	case command == keys.NextChoice && r.choices != nil:
		f.turn(r, 1)
	case command == keys.PreviousChoice && r.choices != nil:
		f.turn(r, -1)
	default:
		if a := f.CommonKey(msg); a != nil {
			return a, nil
		}
		if r.choices != nil || !r.text.Edits(msg) {
			return overlay.UnusedKey(msg), nil
		}
		f.edit(r, msg)
	}
	return nil, nil
}

// accepted returns what the form was opened for, or goes to the first row that
// has a problem.
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

func (f *form) edit(r *row, msg tea.Msg) {
	r.problem = ""
	r.text.Update(msg)
	f.sync()
}

func (f *form) turn(r *row, by int) {
	r.at = (r.at + by + len(r.choices)) % len(r.choices)
	f.sync()
}

// jump goes to the next alternative that begins with the letter; a blank goes
// to the next one.
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

// click goes to a row, and to the alternative under the pointer.
func (f *form) click(msg tea.MouseClickMsg) {
	y := msg.Y - 1 - f.top()
	shown := f.shown()
	if msg.Button != tea.MouseLeft || y < 0 || y/f.pitch >= len(shown) {
		return
	}
	f.at = y / f.pitch
	if r := shown[f.at]; y%f.pitch == 0 && choicesWidth(r.choices) <= f.valueWidth() {
		if i, ok := choiceAt(r.choices, msg.X-2-formLabels-1); ok {
			r.at = i
			f.sync()
		}
	}
}

// top is how many lines are above the first row.
func (f *form) top() int { return len(f.above) + f.pitch - 1 }

// View implements [action.Dialog].
func (f *form) View() string {
	lines := append(slices.Clone(f.above), make([]string, f.pitch-1)...)
	for i, r := range f.shown() {
		focused := i == f.at
		bar, label, behind := " ", f.Styles.Text, themes.Style{}
		if focused {
			bar, label, behind = f.Styles.SelectedMark.On("▌"), f.Styles.Selected, f.Styles.Surface
		}
		value := ""
		if r.choices != nil {
			value = choices(f.Styles, r.choices, r.at, focused, f.valueWidth())
		} else {
			value = " " + r.text.View(focused)
		}
		line := bar + label.On(termtext.Fit(r.label, formLabels)) + value
		lines = append(lines, behind.Behind(termtext.Fit(line, max(f.w-4, 1))))
		if f.pitch > 1 {
			note := f.Styles.Faint.On(r.note)
			if r.problem != "" {
				note = f.Styles.Danger.On(r.problem)
			}
			lines = append(lines, strings.Repeat(" ", formLabels+2)+note)
		}
	}
	borders, _ := f.Hints()
	return widget.DrawBox(f.Box(f.title, "", borders[0], f.w, f.h), lines)
}

// Hints implements [action.Dialog].
func (f *form) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	commands := []keys.Command{keys.Accept, keys.Close}
	if len(f.shown()) > 1 {
		commands = append(commands, keys.NextField)
	}
	if len(f.current().choices) > 1 {
		commands = append(commands, keys.NextChoice)
	}
	return f.BorderHints(f.Keys.Hints(keys.Form, commands...), f.w)
}

// Cursor implements [action.Dialog].
func (f *form) Cursor() *tea.Cursor {
	r, y := f.current(), 1+f.top()+f.at*f.pitch
	if r.choices != nil || f.w < formLabels+8 || y >= f.h {
		return nil
	}
	return r.text.Cursor(2+1+formLabels+1, y)
}
