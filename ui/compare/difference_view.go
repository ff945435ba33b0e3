package compare

import (
	"fmt"
	"slices"

	"confab/themes"
	"confab/ui/widget"
)

func (d *difference) boxes() []box              { return nil }
func (d *difference) margins() (top, below int) { return 1, 2 }
func (d *difference) position() string          { return fmt.Sprint(d.top, d.hunk) }
func (d *difference) close() bool               { return true }

func (d *difference) lines() []string {
	v := d.shown
	lines := []string{v.styles.Faint.Render(" comparing…")}
	if d.drawn.w > 0 {
		lines = nil
		for i := d.top; i < min(len(d.view.Lines), d.top+v.h-2); i++ {
			lines = append(lines, d.view.Line(i, d.hunk))
		}
	}
	if v.isPreview {
		return widget.BoxLines(widget.Box{W: v.w, H: v.h, Styles: v.styles, Title: d.head(v, v.w-6),
			Bottom: widget.ScrollPosition(d.top, v.h-2, len(d.view.Lines))}, lines)
	}
	out := []string{" " + d.head(v, v.w-2), ""}
	for _, line := range lines {
		out = append(out, " "+line)
	}
	return out
}

// head names the two answers, with the sign and color of their own text, and describes how much they differ. To fit w
// cells it omits facts, then cuts names.
func (d *difference) head(v *View, w int) string {
	s := v.styles
	line := func(nameWidth int, showsPin bool, facts widget.Pieces) widget.Pieces {
		name := func(x comparedAnswer) string {
			text := v.numbered(x.number, v.shortName(x.cell, nameWidth))
			if x.cell == v.pin && showsPin {
				text += " (pinned)"
			}
			return v.nameStyle(x.cell, s.Strong).On(text)
		}
		head := widget.Pieces{{Text: name(d.a)}, piece("→", s.Muted), {Text: name(d.b)}}
		if d.drawn.w > 0 && !d.result.Equal() {
			removed, added := diffSigns(s)
			head = widget.Pieces{{Text: removed + name(d.a)}, {Text: added + name(d.b)}}
		}
		if showsPin {
			head = append(widget.Pieces{piece("diff", s.Muted)}, head...)
		}
		return append(head, facts...).Join(lineGap)
	}
	const anyWidth = 1000
	facts := d.facts(s)
	short := facts[len(facts)-1]
	for i, f := range append(facts[:], short) {
		if l := line(anyWidth, i < len(facts), f); l.Width() <= w {
			return l.String()
		}
	}
	space := w - line(0, false, short).Width()
	return line(max(space/2, 6), false, short).String()
}

// facts describes how much the two differ, in three lengths, the longest first.
func (d *difference) facts(s *themes.Styles) [3]widget.Pieces {
	if d.drawn.w == 0 {
		return [3]widget.Pieces{}
	}
	var more widget.Pieces
	if d.result.IsCoarse {
		more = append(more, piece("only in part: long and very different", s.Muted))
	}
	if d.wantColumns && !d.drawn.columns {
		more = append(more, piece("too narrow for two columns", s.Warning))
	}
	if d.result.Equal() {
		same := widget.Pieces{piece("the same text", s.Success)}
		return [3]widget.Pieces{slices.Concat(same, more), slices.Concat(same, more), same}
	}
	unit := "by words"
	if d.drawn.byLines {
		unit = "by lines"
	}
	if d.drawn.ofSource {
		more = append(more, piece("source", s.Muted))
	}
	facts := func(similarity, place, unit string) widget.Pieces {
		return append(widget.Pieces{piece(fmt.Sprintf(similarity, d.result.Similarity), s.Muted),
			piece(fmt.Sprintf(place, d.hunk+1, len(d.view.Hunks)), s.Muted), piece(unit, s.Muted)}, more...)
	}
	return [3]widget.Pieces{facts("similarity %.2f (text, not merit)", "%d of %d", unit),
		facts("similarity %.2f (text, not merit)", "%d of %d", ""), facts("similarity %.2f", "%d/%d", "")}
}
