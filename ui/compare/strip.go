package compare

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/ui/part"
	"confab/ui/widget"
)

// strip is the line that lists all answers, as tabs.
type strip struct {
	items    widget.Pieces // of all answers
	from, to int           // range of items that fit, with the focused one
	width    int           // cells for the items
	right    string        // counts the answers on the screen
}

// makeStrip fits the strip into the width of the view.
func (v *View) makeStrip() strip {
	n := len(v.listed)
	last := min(v.windowStart+len(v.layout.boxes), n)
	right := widget.Range(v.windowStart, last-v.windowStart, n)
	s := strip{to: n, right: right, width: max(v.w-ansi.StringWidth(right)-4, 8)}
	for _, form := range stripForms {
		const most = 6 // answers of which numbers alone say enough, but not when read aloud
		if (v.styles.ScreenReader || n > most) && !form.hasAllNames {
			break
		}
		if s.items = v.stripItems(v.fitNames(form, s.width)); s.items.Width() <= s.width {
			return s
		}
	}
	// The answers on the screen if they fit, and as many beside them as fit.
	s.items = v.stripItems(stripForm{nameWidth: 14, hasSigns: true, hasAllNames: true})
	fits := func(from, to int) bool { return s.items[from:to].Width() <= s.width-4 }
	if s.from, s.to = v.windowStart, last; !fits(s.from, s.to) {
		s.from, s.to = v.focusIndex, v.focusIndex+1
	}
	for from, to := -1, -1; from != s.from || to != s.to; {
		if from, to = s.from, s.to; s.to < n && fits(s.from, s.to+1) {
			s.to++
		}
		if s.from > 0 && fits(s.from-1, s.to) {
			s.from--
		}
	}
	return s
}

// stripForm selects the facts of the strip.
type stripForm struct {
	nameWidth   int  // cells of the widest name
	least       int  // to which names are cut
	focused     int  // to which the name of the focused answer is cut
	hasTimes    bool // of finished answers
	hasSigns    bool // states are signs, not words
	hasNoTimes  bool // of running answers either
	hasAllNames bool // otherwise answers without a box are numbers
}

// stripForms are the forms of the strip, the longest first.
var stripForms = [...]stripForm{
	{nameWidth: 32, least: 20, hasAllNames: true, hasTimes: true},
	{nameWidth: 32, least: 14, hasAllNames: true},
	{nameWidth: 20, least: 6, focused: 18, hasAllNames: true, hasSigns: true},
	{nameWidth: 20, least: 4, focused: 20, hasAllNames: true, hasSigns: true, hasNoTimes: true},
	{nameWidth: 20, least: 7, hasSigns: true},
}

// fitNames returns a form with the widest names with which the strip fits w cells.
func (v *View) fitNames(form stripForm, w int) stripForm {
	over := v.stripItems(form).Width() - w
	for ; over > 0 && form.nameWidth > form.least; form.nameWidth-- {
		for i, x := range v.listed {
			isCut := i != v.focusIndex && ansi.StringWidth(termtext.Line(x.name)) >= form.nameWidth
			if isCut && (form.hasAllNames || v.hasBox(i)) {
				over--
			}
		}
	}
	return form
}

// stripMore stands for omitted answers before those of the strip.
const stripMore = "… "

func (v *View) stripLine() string {
	s := v.makeStrip()
	line := s.items[s.from:s.to].String()
	if s.from > 0 {
		line = stripMore + line
	}
	if s.to < len(s.items) {
		line += " …"
	}
	return " " + termtext.Fit(line, s.width) + "  " + v.styles.Muted.Render(s.right)
}

// stripAt returns the index in listed of the answer at a column of the strip, -1 for none.
func (v *View) stripAt(x int) int {
	s := v.makeStrip()
	x--
	if s.from > 0 {
		x -= ansi.StringWidth(stripMore)
	}
	for i := s.from; i < s.to && x >= 0; i++ {
		if x -= ansi.StringWidth(s.items[i].Text); x < 0 {
			return i
		}
	}
	return -1
}

// hasBox reports whether the i-th listed answer is in a box.
func (v *View) hasBox(i int) bool { return i >= v.windowStart && i < v.windowStart+len(v.layout.boxes) }

// stripItems draws number, name and state of each answer in a form. A sign of the state stands before the number.
func (v *View) stripItems(form stripForm) widget.Pieces {
	var out widget.Pieces
	for i, x := range v.listed {
		isVisible, width := v.hasBox(i), form.nameWidth
		if i == v.focusIndex {
			width = max(width, form.focused)
		}
		name, state := v.listName(x, width), v.stripState(x, form)
		number, mark := strconv.Itoa(x.number), ""
		if !form.hasAllNames && !isVisible {
			name = ""
		}
		if x.isDone() {
			mark = strings.TrimSpace(v.markText(x))
		}
		style := v.styles.Muted
		switch {
		case i == v.focusIndex && v.takesKeys():
			style = v.styles.Selected
		case i == v.focusIndex: // as the title of its box
			style = v.modelStyle(x, v.styles.Strong)
		case isVisible:
			style = v.modelStyle(x, v.styles.Text)
		}
		text := style.On(" " + joinTexts(" ", number, mark, name, state) + " ")
		if i == v.focusIndex && !v.takesKeys() {
			text = v.styles.SelectedIdle.Behind(text)
		}
		out = append(out, widget.Piece{Text: text})
	}
	return out
}

// stripState returns the state of an answer in a form of the strip, or the time of a finished one.
func (v *View) stripState(x *cell, form stripForm) string {
	state, a := x.stateText(v.env.Now()), x.answer()
	switch {
	case x.isDone() && summarizeChecks(x.checks()).Failed > 0:
		if state = checkFailedSign; form.hasTimes {
			state = x.shortTime() + " " + checkFailedSign
		}
	case x.isDone() && form.hasTimes:
		state = x.shortTime()
	case x.isDone():
		state = part.TextIf(v.isRunning(), v.styles.Sign("✓", "done")) // else all are
	case form.hasNoTimes && a.State == history.Running:
		state = v.styles.Sign("◐", a.State.Word())
	case form.hasSigns && a.State != history.Running:
		signs := map[history.State]string{history.Queued: "○", history.Failed: "✗"}
		state = v.styles.Sign(cmp.Or(signs[a.State], "−"), a.State.Word())
	}
	return state
}
