package runs

import (
	"fmt"
	"testing"
)

// TestPlans looks at the usual screens: how many columns stand beside each
// other, and how wide names and cells are.
func TestPlans(t *testing.T) {
	for _, tt := range []struct {
		w, h, columns     int
		shown, name, cell int
		rows              int
	}{
		{80, 22, 3, 3, 32, 12, 11}, {120, 38, 3, 3, 48, 20, 26}, {200, 58, 3, 3, 60, 26, 46},
		{80, 22, 15, 4, 23, 11, 11}, {120, 38, 15, 7, 27, 11, 26}, {200, 58, 15, 15, 26, 10, 46},
		{20, 6, 15, 1, 3, 10, 2}, {20, 6, 1, 1, 3, 10, 2}, {40, 9, 2, 2, 10, 11, 5},
	} {
		t.Run(fmt.Sprintf("%dx%d with %d", tt.w, tt.h, tt.columns), func(t *testing.T) {
			p := arrange(layoutInput{w: tt.w, h: tt.h, rows: 200, columns: tt.columns, widestName: 60, goodCell: 11,
				fullCell: 13, totals: 2})
			if p.columns != tt.shown || p.nameWidth != tt.name || p.cellWidth != tt.cell || p.rows != tt.rows {
				t.Errorf("got %d columns of %d beside names of %d, %d rows; want %d of %d beside %d, %d rows",
					p.columns, p.cellWidth, p.nameWidth, p.rows, tt.shown, tt.cell, tt.name, tt.rows)
			}
		})
	}
}

// TestNoPlanIsTooLarge looks at every size from the smallest one on: lines and
// cells add up to the view, and no column is under ten cells.
func TestNoPlanIsTooLarge(t *testing.T) {
	for w := 20; w <= 240; w++ {
		for _, h := range []int{6, 7, 9, 10, 13, 14, 19, 20, 27, 28, 58} {
			for _, columns := range []int{0, 1, 2, 3, 4, 7, 15, 40} {
				for _, wide := range []int{6, 20, 100} {
					for _, rows := range []int{0, 9, 1000} {
						r := layoutInput{w: w, h: h, rows: rows, columns: columns, widestName: wide, goodCell: 16,
							fullCell: 24,
							totals:   3}
						p := arrange(r)
						lines := p.headLines + p.border() + 1 + p.rows + p.rules + p.totals + p.status
						cells := p.border() + p.nameStart() + p.nameWidth + p.columns*(p.cellWidth+1)
						switch {
						case lines != h, cells > w, p.nameWidth < 0, p.rows < 1, p.totals < 1, p.status < 1:
							t.Fatalf("%+v: %d lines, %d cells: %+v", r, lines, cells, p)
						case columns > 0 && (p.columns < 1 || p.columns > columns || p.cellWidth < minCellWidth):
							t.Fatalf("%+v: %d columns of %d cells", r, p.columns, p.cellWidth)
						}
					}
				}
			}
		}
	}
}
