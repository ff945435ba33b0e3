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
	for i := d.top; i < min(len(d.view.Lines), d.top+d.rows()); i++ {
		lines = append(lines, d.view.Line(i, d.hunk))
	}
	for d.hasColumns && len(lines) < d.height()-2 {
		lines = append(lines, strings.Repeat(" ", d.drawn.w/2)+v.styles.Faint.On("│"))
	}
	bottom := joinTexts(titleGap, v.styles.Faint.On(d.scrollPosition()), widget.HintLine(v.styles, d.borderHints()))
	return widget.BoxLines(widget.Box{W: v.w, H: d.height(), Focused: v.takesKeys() && !v.isPreview, Styles: v.styles,
		Title: d.title(v.w - 6), Bottom: bottom}, lines)
}

func (d *difference) scrollPosition() string {
	return widget.ScrollPosition(d.top, d.rows(), len(d.view.Lines))
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
		if d.second > 0 && d.scrollPosition() != "" {
			hint(keys.FindNext, "other text")
		}
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

// height returns the lines of the box, which ends below the texts.
func (d *difference) height() int {
	if d.shown.isPreview {
		return d.shown.h
	}
	return min(len(d.view.Lines)+4, d.shown.h) // a blank one above the border
}

// rows returns how many lines of the difference are on the screen: all but the borders and the names.
func (d *difference) rows() int { return max(d.shown.h-3, 1) }

// names names the two answers above their columns, or beside each other, with the signs of their own text. Where both
// texts stand below each other without marks, it names the one on top of the screen, and says where the other one is.
func (d *difference) names() string {
	v, s := d.shown, d.shown.styles
	w := (v.w - 2) / 2
	removed, added := diffSigns(s)
	if d.result.Equal() || d.isWhole() {
		removed, added = "", ""
	}
	switch {
	case d.second > 0 && d.top >= d.second:
		return d.nameWithOther(d.name(d.b, w, ""), d.name(d.a, w, "")+s.Muted.On(" ↑"))
	case d.second >= d.top+d.rows():
		line := fmt.Sprintf(" from line %d ↓", d.second+1)
		return d.nameWithOther(d.name(d.a, w, ""), d.name(d.b, w-termtext.Width(line), "")+s.Muted.On(line))
	case d.second > 0:
		return "  " + d.name(d.a, w, "")
	case d.hasColumns:
		return termtext.Fit("  "+d.name(d.a, w, removed), w) + s.Faint.On("│") + " " + d.name(d.b, w, added)
	}
	return "  " + d.name(d.a, w, removed) + lineGap + d.name(d.b, w, added)
}

// nameWithOther puts the name of a text on the left of a line, and what is said of the other text on its right.
func (d *difference) nameWithOther(name, other string) string {
	gap := d.shown.w - 2 - 3 - termtext.Width(name+other) // as far from the borders as the texts
	return "  " + name + strings.Repeat(" ", max(gap, 1)) + other
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
