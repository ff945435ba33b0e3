package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/editing"
	"confab/ui/keys"
	"confab/ui/widget"
)

// row is a field of a form: choices, a text of several lines, or else a text of one line.
type row struct {
	label   string // empty in a form of one row, which has the whole width
	choices []string
	at      int
	area    *widget.Area
	text    widget.Field
	note    string // explains the field
	problem string // why the form was not accepted, instead of the note
	hidden  bool
}

func (r *row) choice() string { return r.choices[r.at] }

// choose chooses an alternative by its name and reports whether it exists.
func (r *row) choose(name string) bool {
	i := slices.Index(r.choices, name)
	r.at = max(i, 0)
	return i >= 0
}

// edit gives a key or a paste to the text of the row.
func (r *row) edit(msg tea.Msg) editing.Result {
	r.problem = ""
	switch msg := msg.(type) {
	case tea.PasteMsg:
		if r.area == nil {
			r.text.Update(msg)
		} else {
			r.area.Insert(widget.NormalizeLines(msg.Content))
		}
	case keys.Press:
		if r.area == nil {
			return r.text.Press(msg.KeyPressMsg)
		}
		return r.area.Press(msg.KeyPressMsg)
	}
	return editing.Result{}
}

// edits reports whether a key edits the text of the row or moves in it.
func (r *row) edits(msg keys.Press) bool {
	if r.area != nil {
		return r.area.Edits(msg.KeyPressMsg)
	}
	return r.choices == nil && r.text.Edits(msg)
}

// choiceMarks stand before and after the chosen alternative, and before and after the others.
type choiceMarks [4]string

func radioMarks(s *themes.Styles) choiceMarks {
	return choiceMarks{" " + s.Sign("●", "*") + " ", " ", " " + s.Sign("○", "-") + " ", " "}
}

// buttonMarks are those of questions.
func buttonMarks() choiceMarks { return choiceMarks{"[ ", " ]", "  ", "  "} }

// choices draws alternatives in w cells: those around the chosen one, between angles, if not all fit.
func (m choiceMarks) choices(s *themes.Styles, names []string, chosen int, focused bool, w int) string {
	style := s.Accent
	if focused {
		style = s.Selected
	}
	from, to := visibleChoices(names, chosen, w)
	var b strings.Builder
	if from > 0 {
		b.WriteString(s.Muted.On("‹"))
	}
	for i := from; i < to; i++ {
		if i == chosen {
			b.WriteString(style.On(m[0] + names[i] + m[1]))
		} else {
			b.WriteString(s.Muted.On(m[2] + names[i] + m[3]))
		}
	}
	if to < len(names) {
		b.WriteString(s.Muted.On("›"))
	}
	return b.String()
}

// Cells of the marks of an alternative, and of the angle at a side where more follow.
const (
	choiceMargin = 4
	choiceAngle  = 1
)

// visibleChoices returns the alternatives that fit in w cells together with the chosen one.
func visibleChoices(names []string, chosen, w int) (from, to int) {
	fits := func(from, to int) bool {
		needed := 0
		for _, name := range names[from:to] {
			needed += termtext.Width(name) + choiceMargin
		}
		if from > 0 {
			needed += choiceAngle
		}
		if to < len(names) {
			needed += choiceAngle
		}
		return needed <= w
	}
	for from, to = chosen, chosen+1; to < len(names) && (fits(from, to+1) || fits(from, len(names))); {
		to++
	}
	for from > 0 && fits(from-1, to) {
		from--
	}
	return from, to
}

// choiceAt returns the alternative in a column of what choices draws.
func choiceAt(names []string, chosen, w, x int) (int, bool) {
	first, end := visibleChoices(names, chosen, w)
	from := 0
	if first > 0 {
		from = choiceAngle
	}
	for i := first; i < end; i++ {
		to := from + termtext.Width(names[i]) + choiceMargin
		if x >= from && x < to {
			return i, true
		}
		from = to
	}
	return 0, false
}

// line draws the text of one line in w cells, as a field that can be filled in.
func (r *row) line(s *themes.Styles, focused bool, w int) string {
	bracket := s.Muted
	if focused {
		bracket = s.Accent
	}
	return bracket.On("[") + s.Surface.Behind(termtext.Fit(r.text.View(focused), w-1)) + bracket.On("]")
}
