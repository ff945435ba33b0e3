package runs

import (
	"slices"
	"testing"
)

// TestNoPlanIsTooLarge looks at every size from the smallest one on: lines add up to the view where there are rows
// enough, cells do not exceed it, and no column is under ten cells.
func TestNoPlanIsTooLarge(t *testing.T) {
	for w := 20; w <= 240; w++ {
		for _, h := range []int{6, 7, 9, 10, 13, 14, 19, 20, 27, 28, 58} {
			for _, columns := range []int{0, 1, 2, 3, 4, 7, 15, 40} {
				for _, wide := range []int{6, 20, 100} {
					for _, rows := range []int{0, 9, 1000} {
						r := layoutInput{w: w, h: h, rows: rows, columns: columns, widestName: wide, goodCell: 16,
							fullCell: 24,
							totals:   3, need: func(_, w, _ int) int { return min(w, 20) }}
						p := arrange(r)
						lines := headLines + p.border() + p.heads + p.rows + p.rules + p.totals + p.status
						cells := p.border() + p.nameStart() + p.nameWidth + sum(p.cellWidths) + p.columns()*gutter
						switch {
						case lines > h, rows >= h && lines != h:
							t.Fatalf("%+v: %d lines: %+v", r, lines, p)
						case cells > w, p.nameWidth < 0, p.rows < 1, p.totals < 1, p.status < 1:
							t.Fatalf("%+v: %d lines, %d cells: %+v", r, lines, cells, p)
						case columns > 0 && (p.columns() < 1 || p.columns() > columns || slices.Min(p.cellWidths) < 10):
							t.Fatalf("%+v: %d columns of %d cells", r, p.columns(), p.cellWidths)
						}
					}
				}
			}
		}
	}
}

// TestNarrowFiguresLeaveSpaceForOthers checks that a column of figures takes what its own texts need, so that three of
// them stand beside the names of a screen of 60 cells.
func TestNarrowFiguresLeaveSpaceForOthers(t *testing.T) {
	widths := []int{6, 10, 11}
	l := arrange(layoutInput{w: 60, h: 18, rows: 9, columns: 3, widestName: 30, wholeName: 19, goodCell: 11,
		fullCell: 30, maxCell: 30, isPlain: true, need: func(column, w, _ int) int { return min(w, widths[column]) }})
	if l.columns() != 3 || l.nameWidth < 19 {
		t.Errorf("%d columns beside names of %d cells", l.columns(), l.nameWidth)
	}
}

// TestNamesAreWholeBeforeCellsSayMore checks that columns take what their shown texts need, and that names get the rest
// before texts of columns are long.
func TestNamesAreWholeBeforeCellsSayMore(t *testing.T) {
	for _, tt := range []struct{ w, name, cell int }{{80, 28, 13}, {120, 41, 22}, {200, 41, 30}} {
		l := arrange(layoutInput{w: tt.w, h: 15, rows: 8, columns: 3, widestName: 41, goodCell: 11, fullCell: 30,
			maxCell: 30, totals: 3, need: func(_, w, totals int) int {
				switch { // of texts of 30, 20 and 13 cells, and totals of which not all are shown
				case w >= 30:
					return 30
				case w >= 20:
					return 20
				case totals > 1:
					return 15
				}
				return 13
			}})
		if l.nameWidth < tt.name || l.cellWidths[0] != tt.cell {
			t.Errorf("%d cells: names have %d, columns %d, want %d and %d", tt.w, l.nameWidth, l.cellWidths[0], tt.name,
				tt.cell)
		}
	}
}
