package compare

import (
	"fmt"
	"image"
	"strings"
	"testing"
)

func TestTheUsualLayoutsOfTheSizes(t *testing.T) {
	tests := []struct {
		w, h, n int
		layout  Layout
		boxes   int
		width   int // of the first box
	}{
		{80, 20, 2, Columns, 2, 40}, {120, 36, 2, Columns, 2, 60}, {200, 56, 2, Columns, 2, 100},
		{80, 17, 4, Strip, 2, 40}, {60, 20, 4, Strip, 1, 60}, {100, 20, 4, Grid, 4, 50}, {100, 20, 3, Grid, 3, 50},
		{80, 18, 4, Grid, 4, 40}, {120, 17, 4, Strip, 3, 40}, {120, 36, 4, Grid, 4, 60}, {200, 56, 4, Columns, 4, 50},
		{80, 20, 15, List, 1, 44}, {120, 36, 15, List, 1, 70}, {200, 56, 15, List, 1, 146},
		{80, 20, 1, Columns, 1, 80}, {60, 16, 2, Strip, 1, 60}, {120, 36, 3, Columns, 3, 40},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%dx%d with %d", tt.w, tt.h, tt.n), func(t *testing.T) {
			p := arrange(layoutInput{w: tt.w, h: tt.h, n: tt.n})
			if p.layout != tt.layout || len(p.boxes) != tt.boxes || p.boxes[0].Dx() != tt.width {
				t.Errorf("got %s, %d boxes, the first %d wide; want %s, %d, %d", p.layout, len(p.boxes),
					p.boxes[0].Dx(), tt.layout,
					tt.boxes, tt.width)
			}
		})
	}
}

// TestNoPlanHidesOrOverlaps looks at every size, number and requested layout: no box is
// under 40 cells where two fit, none overlaps or leaves the view, and every
// answer has a box or the strip or list that leads to it.
func TestNoPlanHidesOrOverlaps(t *testing.T) {
	for w := 20; w <= 240; w += 3 {
		for _, h := range []int{8, 14, 20, 36, 56} {
			for n := 1; n <= 20; n++ {
				for _, want := range append(possibleLayouts(w, h, n), "") {
					for _, pinned := range []bool{false, true} {
						p := arrange(layoutInput{w: w, h: h, n: n, chosen: want, hasPinned: pinned})
						name := fmt.Sprintf("%dx%d n=%d want=%q pinned=%v: %+v", w, h, n, want, pinned, p)
						if len(p.boxes) < n && !p.hasStrip && p.list.Empty() {
							t.Fatal("out of sight:", name)
						}
						all := append([]image.Rectangle{p.list, p.pinned}, p.boxes...)
						for i, a := range all {
							if a.Empty() {
								continue
							}
							if !a.In(image.Rect(0, 0, w, h)) || i > 1 && len(p.boxes) > 1 && a.Dx() < minBoxWidth {
								t.Fatal("outside or too narrow:", name)
							}
							for _, b := range all[i+1:] {
								if a.Overlaps(b) {
									t.Fatal("overlap:", name)
								}
							}
						}
					}
				}
			}
		}
	}
}

func TestAPinnedAnswerStandsBesideTheList(t *testing.T) {
	p := arrange(layoutInput{w: 200, h: 56, n: 15, hasPinned: true})
	if p.pinned.Dx() != 73 || p.boxes[0].Dx() != 73 || p.list.Dx() != 54 {
		t.Errorf("got list %d, pinned %d, focused %d", p.list.Dx(), p.pinned.Dx(), p.boxes[0].Dx())
	}
}

// Two wide pictures stand above each other where they are larger so, two tall ones beside each other.
func TestPicturesUseTheWholeSpace(t *testing.T) {
	for ratio, want := range map[float64]string{2 * 16.0 / 9: "(0,0)-(120,18) (0,18)-(120,37)",
		2 * 9.0 / 16: "(0,0)-(60,37) (60,0)-(120,37)"} {
		l := arrange(layoutInput{w: 120, h: 37, n: 2, ratio: ratio})
		if got := fmt.Sprint(l.boxes[0], " ", l.boxes[1]); got != want {
			t.Errorf("ratio %.2f: got %s, want %s", ratio, got, want)
		}
	}
}

func TestTheFirstChoiceOfLayouts(t *testing.T) {
	for _, tt := range []struct {
		w, h, n int
		want    string
	}{
		{200, 56, 15, "list grid strip"}, {120, 36, 15, "list strip grid"}, {80, 20, 15, "list strip grid"},
		{80, 17, 4, "strip list"}, {100, 20, 4, "grid strip list"}, {120, 36, 4, "grid strip list"},
		{200, 56, 4, "columns grid list"}, {200, 56, 2, "columns list"}, {60, 20, 2, "strip"},
	} {
		var got []string
		for _, l := range possibleLayouts(tt.w, tt.h, tt.n) {
			got = append(got, string(l))
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%d at %dx%d: %s, want %s", tt.n, tt.w, tt.h, s, tt.want)
		}
	}
}
