package runs

import (
	"slices"
	"strings"

	"confab/internal/termtext"
)

// fieldWidths divides w cells among the fields of a row's name, and returns the gap between them. Where not all are
// whole, those that tell no more than another one are left out with 0 cells, then the widest lose first. It returns nil
// where fields would be unreadable.
func (t *runTable) fieldWidths(w int) (widths []int, gap int) {
	if t.RowFields == nil {
		return nil, 0
	}
	widths = t.FieldWidths()
	if sum(widths)+fieldGap*(len(widths)-1) > w {
		t.leaveOutRepeated(widths)
	}
	shown := len(slices.DeleteFunc(slices.Clone(widths), func(width int) bool { return width == 0 }))
	const minField = 4
	gap = fieldGap
	if t.IsPlain && w <= t.LeastRow { // which has a gap of one cell
		gap = 1
	}
	for ; gap > 0; gap-- {
		missing := sum(widths) + gap*(shown-1) - w
		for ; missing > 0 && slices.Max(widths) > minField; missing-- {
			widths[slices.Index(widths, slices.Max(widths))]--
		}
		if missing <= 0 {
			return widths, gap
		}
	}
	return nil, 0
}

const fieldGap = 2

// leaveOutRepeated sets the width of each field to 0 that has the same text in the same rows as a narrower one.
func (t *runTable) leaveOutRepeated(widths []int) {
	for i := range widths {
		for j := range i {
			if wider := max(widths[i], widths[j]); min(widths[i], widths[j]) > 0 && t.hasSameGroups(i, j) {
				if widths[i] == wider {
					widths[i] = 0
				} else {
					widths[j] = 0
				}
			}
		}
	}
}

// hasSameGroups reports whether two fields tell the same rows apart. For large tables it does not look.
func (t *runTable) hasSameGroups(i, j int) bool {
	const maxRows = 1000
	if len(t.RowFields) > maxRows {
		return false
	}
	other, back := map[string]string{}, map[string]string{}
	for _, fields := range t.RowFields {
		a, b := fields[i], fields[j]
		if x, isKnown := other[a]; isKnown && x != b {
			return false
		}
		if x, isKnown := back[b]; isKnown && x != a {
			return false
		}
		other[a], back[b] = b, a
	}
	return true
}

// rowName returns the name of a row, or that of its fields for -1. Fields are below each other, and cut where they
// differ from the same field of other rows.
func (t *runTable) rowName(row, w int, l tableLayout) string {
	switch {
	case row < 0 && l.fields == nil:
		return t.Heading
	case l.fields == nil:
		names := termtext.WithoutCommonBeginning(t.Rows, w)
		return termtext.CutName(names[row], w, names)
	}
	var texts []string
	for i, text := range t.FieldNames {
		if width := l.fields[i]; width > 0 {
			names := termtext.WithoutCommonBeginning(fieldTexts(t.RowFields, i), width)
			if row >= 0 {
				text = names[row]
			}
			text = termtext.CutName(text, width, names)
			texts = append(texts, termtext.Fit(text, width))
		}
	}
	return strings.Join(texts, strings.Repeat(" ", l.fieldGap))
}

// fieldTexts returns one field of all rows or columns.
func fieldTexts(all [][]string, field int) []string {
	texts := make([]string, len(all))
	for i, fields := range all {
		texts[i] = fields[field]
	}
	return texts
}
