package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/widget"
)

// listColumn is a column of the list.
type listColumn struct {
	head        string
	position    int // among the columns that fit
	leftAligned bool
	text        func(x *cell) string
	width       int
}

const (
	minNameWidth = 11 // cells of the narrowest name, before columns are left out
	minNotesList = 44 // cells of the list from which it has a column for notes
	minWordsList = 50 // cells of the list from which the heads of its columns are whole words
	minNoteWidth = 5
)

// possibleColumns returns the columns for a list of w cells, the most important first.
func (v *View) possibleColumns(w int) []listColumn {
	if v.showsPictures() {
		nonce := func(x *cell) string { return nonceText(x.answer()) }
		size := func(x *cell) string { return sizeOfPicture(x.answer()) }
		shape := func(x *cell) string { // with a sign for an identical picture
			if v.identicalTo(x) > 0 {
				return shapeText(x) + " ="
			}
			return shapeText(x)
		}
		return []listColumn{{head: "time", position: 1, text: (*cell).shortTime},
			{head: "shape", position: 3, leftAligned: true, text: shape},
			{head: "nonce", position: 0, leftAligned: true, text: nonce}, {head: "size", position: 2, text: size}}
	}
	words := func(x *cell) string {
		if n := v.wordCount(x); n >= 0 {
			return strconv.Itoa(n)
		}
		return ""
	}
	checks := func(x *cell) string { return summarizeChecks(x.checks()).String() }
	checksHead, similarityHead := "checks", "similarity"
	if w < minWordsList {
		checksHead, similarityHead = "ok", "sim"
	}
	return []listColumn{
		{head: "time", position: 0, text: (*cell).shortTime},
		{head: "words", position: 1, text: words},
		{head: checksHead, position: 2, leftAligned: true, text: checks},
		{head: similarityHead, position: 3, text: v.similarityText},
		{head: "note", position: 4, leftAligned: true, text: v.noteText},
	}
}

// wholeList returns the width of a list with all columns and whole names; notes may be cut.
func (v *View) wholeList() int {
	const enough = 1 << 10
	columns, names := v.listColumns(enough)
	width := enough - names + v.longestName() + listFrame
	for _, col := range columns {
		if col.head == "note" {
			width -= col.width - minNoteWidth
		}
	}
	return width
}

// longestName returns the width of the longest name or of the head.
func (v *View) longestName() int {
	longest := len("model")
	for _, x := range v.listed {
		longest = max(longest, ansi.StringWidth(v.listName(x, v.w)))
	}
	return longest
}

// listColumns returns the columns that fit into a list of w cells, and the width of the names before them.
func (v *View) listColumns(w int) (out []listColumn, names int) {
	longest := v.longestName()
	names = w - v.listStart()
	for _, col := range v.possibleColumns(w) {
		for _, x := range v.listed {
			if x.isDone() {
				col.width = max(col.width, ansi.StringWidth(col.text(x)))
			}
		}
		isUsed := col.width > 0 || col.head == "time"
		col.width = max(col.width, len(col.head))
		if col.head == "note" {
			col.width = min(col.width, max(names-1-min(longest, 24), minNoteWidth))
			isUsed = isUsed && w >= minNotesList
		}
		if !isUsed || names-1-col.width < min(longest, minNameWidth) {
			continue
		}
		out = append(out, col)
		names -= 1 + col.width
	}
	slices.SortFunc(out, func(a, b listColumn) int { return a.position - b.position })
	return out, names
}

// listFrame is the cells of a list for its border and a blank at the right.
const listFrame = 3

// listStart returns the cells before a name: sign of the focus, number, blank, mark, blank.
func (v *View) listStart() int { return 4 + v.numberWidth() }

func (v *View) numberWidth() int { return len(fmt.Sprint(len(v.cells))) }

// listName returns the name of an answer with its rating, in w cells.
func (v *View) listName(x *cell, w int) string {
	rating := part.RatingSign(v.styles, x.answer())
	if rating != "" {
		rating = " " + rating
	}
	return v.shortName(x.name, w-ansi.StringWidth(rating)) + rating
}

// markText returns the sign of a special state of an answer, or a word for a screen reader.
func (v *View) markText(x *cell) string {
	a, s := x.answer(), v.styles
	switch {
	case a.State == history.Failed || a.State == history.Interrupted:
		return s.Sign("!", "failed")
	case a.State == history.Cancelled:
		return s.Sign("-", "stopped")
	case a.Ending() != history.EndsWhole:
		return s.Sign(doubtSign, string(a.Ending()))
	case a.IsWinner:
		return s.Sign("★", "best")
	case a.IsCached:
		return s.Sign(cachedSign, "cached")
	}
	return " "
}

// noteText returns samples, an identical answer and the note.
func (v *View) noteText(x *cell) string {
	simulated, identical := "", ""
	if v.isSimulatedOnly(x) {
		simulated = "simulated"
	}
	if number := v.identicalTo(x); number > 0 {
		identical = fmt.Sprintf("= %d", number)
	}
	return joinTexts(" ", simulated, x.sampleMark(), identical, termtext.Line(x.answer().Note))
}

// listTop returns the first visible row of the list.
func (v *View) listTop() int {
	rows := v.listRows()
	return max(min(v.focusIndex-rows/2, len(v.listed)-rows), 0)
}

func (v *View) listLines() []string {
	r, s := v.layout.list, v.styles
	cols, names := v.listColumns(r.Dx() - listFrame)
	head := termtext.Fit(strings.Repeat(" ", v.numberWidth())+"# ", v.listStart()) + termtext.Fit("model", names)
	for _, col := range cols {
		head += " " + col.fit(col.head)
	}
	lines := []string{s.Faint.Render(head)}
	top := v.listTop()
	for i := top; i < len(v.listed) && len(lines) <= v.listRows(); i++ {
		lines = append(lines, v.listRow(i, cols, names))
	}
	bottom := fmt.Sprintf("%d–%d/%d", min(top+1, len(v.listed)), top+len(lines)-1, len(v.listed))
	hints := widget.HintLine(s, v.hintsWithFocus(keys.SortAnswers, keys.ShowAnswers))
	bottom = joinTexts(s.Faint.On(widget.HintGap), s.Faint.On(bottom), hints)
	what := "answers"
	if v.showsPictures() {
		what = "pictures"
	}
	return widget.BoxLines(widget.Box{W: r.Dx(), H: r.Dy(), Styles: s, Title: fmt.Sprintf("%s %d", what, len(v.listed)),
		Right: "order: " + v.order.String(), Bottom: bottom}, append(lines, v.factsUnderList()...))
}

func (col listColumn) fit(text string) string {
	if !col.leftAligned {
		text = strings.Repeat(" ", max(col.width-ansi.StringWidth(text), 0)) + text
	}
	return termtext.Fit(text, col.width)
}

// listRow draws a row. Unfinished answers show their state instead of figures.
func (v *View) listRow(i int, cols []listColumn, names int) string {
	x, s := v.listed[i], v.styles
	start := fmt.Sprintf("%*d %s %s", v.numberWidth(), x.number, v.markText(x),
		termtext.Fit(v.listName(x, names), names))
	row := widget.Pieces{piece(start, v.modelStyle(x, s.Text))}
	if !x.isDone() {
		row = append(row, piece(" "+x.stateText(v.env.Now()), v.stateStyle(x, s.Muted)))
	} else {
		for _, col := range cols {
			text, style := col.text(x), s.Text
			switch {
			case col.head != "note" && strings.Contains(text, checkFailedSign):
				style = s.Danger
			case col.head == "shape" && strings.Contains(text, otherShapeSign):
				style = s.Warning
			}
			row = append(row, piece(" "+col.fit(text), style))
		}
	}
	line, width := row.String(), v.layout.list.Dx()-2
	switch {
	case i == v.focusIndex && v.focused:
		return v.modelStyle(x, s.Text).On("▌") + s.Selected.Render(termtext.Fit(ansi.Strip(line), width-1))
	case i == v.focusIndex:
		return s.Surface.Behind(s.Accent.On("▌") + termtext.Fit(line, width-1))
	}
	return " " + termtext.Fit(line, width-1)
}
