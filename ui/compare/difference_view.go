package compare

import (
	"fmt"
	"strings"

	"confab/internal/termtext"
	"confab/service/diff"
	"confab/ui/keys"
	"confab/ui/widget"
)

func (d *difference) boxes() []box              { return nil }
func (d *difference) margins() (top, below int) { return 2, 1 }
func (d *difference) close() bool               { return true }

func (d *difference) lines() []string {
	v := d.shown
	lines := []string{d.names()}
	if d.drawn.w == 0 {
		lines = append(lines, v.styles.Faint.Render(" comparing…"))
	}
	above, below := d.heights()
	top := d.top
	if below > 0 { // each ends with its own last line
		top = min(top, max(len(d.view.Lines)-above, 0))
	}
	for i := range above {
		line := d.view.Line(top+i, d.hunk)
		if line == "" && d.hasColumns {
			line = strings.Repeat(" ", d.drawn.w/2) + v.styles.Faint.On("│")
		}
		lines = append(lines, line)
	}
	if len(d.below.Lines) > 0 {
		name := "  " + d.name(d.b, v.w-4, "") + " "
		lines = append(lines, name+v.styles.Rule.On(strings.Repeat("─", max(v.w-4-termtext.Width(name), 0))))
		for i := range below {
			lines = append(lines, d.below.Line(min(d.top, max(len(d.below.Lines)-below, 0))+i, 0))
		}
	}
	bottom := joinTexts(titleGap, v.styles.Faint.On(d.scrollPosition()), widget.HintLine(v.styles, d.borderHints()))
	return widget.BoxLines(widget.Box{W: v.w, H: v.h, Focused: v.takesKeys() && !v.isPreview, Styles: v.styles,
		Title: d.title(v.w - 6), Bottom: bottom}, lines)
}

func (d *difference) scrollPosition() string {
	rows, length := d.scrolled()
	return widget.ScrollPosition(d.top, rows, length)
}

// borderHints returns the hints in the lower border that fit beside the scroll position.
func (d *difference) borderHints() (hints []keys.Hint) {
	v := d.shown
	hint := func(command keys.Command, text string) {
		hints = append(hints, v.env.Keys.HintAs(keys.Compare, command, text)...)
	}
	switch {
	case v.isPreview || !v.takesKeys() || d.result.Equal():
	case d.isWhole():
		hint(keys.Write, "mark changes")
	default:
		if len(d.view.Hunks) > 1 {
			hint(keys.FindNext, "next change")
		}
		hint(keys.Write, "without marks")
		if len(d.view.Hunks) > 1 {
			hint(keys.FindPrevious, "previous")
		}
	}
	fits := func() bool {
		line := joinTexts(titleGap, d.scrollPosition(), widget.HintLine(v.styles, hints))
		return termtext.Width(line) <= v.w-6
	}
	for len(hints) > 0 && !fits() {
		hints = hints[:len(hints)-1]
	}
	return hints
}

// heights returns how many lines of the difference are on the screen, or of each of two texts below each other: a short
// one gives what it does not need to the other.
func (d *difference) heights() (above, below int) {
	if len(d.below.Lines) == 0 {
		return max(d.shown.h-3, 1), 0
	}
	all := max(d.shown.h-4, 2) // each has a name
	above = all / 2
	if n := len(d.below.Lines); n < all-above {
		above = all - n
	} else {
		above = min(above, max(len(d.view.Lines), 1))
	}
	return above, all - above
}

// scrolled returns how many lines are on the screen of the text that can be scrolled the farthest, and all it has.
func (d *difference) scrolled() (rows, length int) {
	above, below := d.heights()
	if below > 0 && len(d.below.Lines)-below > len(d.view.Lines)-above {
		return below, len(d.below.Lines)
	}
	return above, len(d.view.Lines)
}

func (d *difference) rows() int {
	rows, _ := d.scrolled()
	return rows
}

// names names the two answers above their columns, or beside each other, with the signs of their own text.
func (d *difference) names() string {
	v, s := d.shown, d.shown.styles
	w := (v.w - 2) / 2
	removed, added := diffSigns(s)
	if d.result.Equal() || d.isWhole() {
		removed, added = "", ""
	}
	switch {
	case len(d.below.Lines) > 0:
		return "  " + d.name(d.a, v.w-4, "")
	case d.hasColumns:
		return termtext.Fit("  "+d.name(d.a, w, removed), w) + s.Faint.On("│") + " " + d.name(d.b, w, added)
	}
	return "  " + d.name(d.a, w, removed) + lineGap + d.name(d.b, w, added)
}

// name draws the name of an answer after the sign of its text.
func (d *difference) name(x comparedAnswer, w int, sign string) string {
	v, s := d.shown, d.shown.styles
	after, style := strings.TrimPrefix(x.label(), x.cell), s.Strong
	if x.cell == v.pin {
		after += " pinned"
	}
	if i := v.indexOf(x.cell); i >= 0 {
		style = v.modelStyle(v.listed[i], style)
	}
	text := v.numbered(x.number, "")
	text += v.shortName(x.cell, w-termtext.Width(sign+text+after)-3)
	return sign + style.On(text) + s.Muted.On(after)
}

func (d *difference) similarityText() string {
	return diff.Percent(d.result.Similarity) + " same wording"
}

// title describes how much the two differ, as long as fits w cells.
func (d *difference) title(w int) string {
	s, style := d.shown.styles, d.shown.styles.Title
	if d.shown.focused && !d.shown.isPreview {
		style = s.TitleFocused
	}
	title := widget.Pieces{piece("Difference", style)}
	switch {
	case d.drawn.w == 0:
	case d.result.Equal():
		title = append(title, piece("same text", s.Success))
	case d.isWhole():
		title = append(title, piece(d.similarityText(), s.Text), piece("without marks", s.Muted))
	case d.shown.isPreview: // which goes to no change
		title = append(title, piece(d.similarityText(), s.Text))
	default:
		title = append(title, piece(d.similarityText(), s.Text),
			piece(fmt.Sprintf("change %d of %d", d.hunk+1, len(d.view.Hunks)), s.Text))
		if d.drawn.ofSource {
			title = append(title, piece("source", s.Muted))
		}
	}
	if d.result.IsCoarse {
		title = append(title, piece("only in part: long and very different", s.Muted))
	}
	if d.wantsColumns() && d.drawn.w > 0 && !d.drawn.columns && !d.shown.isPreview {
		title = append(title, piece("too narrow for two columns", s.Warning))
	}
	return title.Fitting(lineGap, w).String()
}
