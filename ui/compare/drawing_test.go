package compare

import (
	"image"
	"strings"
	"testing"
)

// drawn draws a plan, a character for 5 cells and 4 lines: = the strip, L the
// list, P the pinned answer, 1 to 9 and a to z the boxes.
func drawn(p viewLayout, w, h int) string {
	rows := make([][]byte, (h+3)/4)
	for y := range rows {
		rows[y] = []byte(strings.Repeat(".", w/5))
	}
	fill := func(r image.Rectangle, with byte) {
		for y := r.Min.Y / 4; y*4 < r.Max.Y && y < len(rows); y++ {
			for x := r.Min.X / 5; x*5 < r.Max.X && x < len(rows[y]); x++ {
				rows[y][x] = with
			}
		}
	}
	for i, r := range p.boxes {
		fill(r, "123456789abcdefghijklmnopqrstuvwxyz"[i])
	}
	fill(p.list, 'L')
	fill(p.pinned, 'P')
	if p.hasStrip {
		fill(image.Rect(0, 0, w, 1), '=')
	}
	var out strings.Builder
	for _, row := range rows {
		out.WriteString("\n" + string(row))
	}
	return out.String()
}

func TestPlansDrawn(t *testing.T) {
	tests := []struct {
		name  string
		input layoutInput
		want  string
	}{
		{"2 at 80", layoutInput{w: 80, h: 20, n: 2}, `
1111111122222222
1111111122222222
1111111122222222
1111111122222222
1111111122222222`},
		{"4 at 80 are a strip", layoutInput{w: 80, h: 21, n: 4}, `
================
1111111122222222
1111111122222222
1111111122222222
1111111122222222
1111111122222222`},
		{"15 at 80 are a list", layoutInput{w: 80, h: 20, n: 15}, `
LLLLLLLL11111111
LLLLLLLL11111111
LLLLLLLL11111111
LLLLLLLL11111111
LLLLLLLL11111111`},
		{"4 at 120 are two rows", layoutInput{w: 120, h: 36, n: 4}, `
111111111111222222222222
111111111111222222222222
111111111111222222222222
111111111111222222222222
333333333333444444444444
333333333333444444444444
333333333333444444444444
333333333333444444444444
333333333333444444444444`},
		{"15 at 120, one hasPinned: no room for three", layoutInput{w: 120, h: 12, n: 15, hasPinned: true}, `
LLLLLLLLLL11111111111111
LLLLLLLLLL11111111111111
LLLLLLLLLL11111111111111`},
		{"4 at 200 are a row", layoutInput{w: 200, h: 12, n: 4}, `
1111111111222222222233333333334444444444
1111111111222222222233333333334444444444
1111111111222222222233333333334444444444`},
		{"15 at 200, one pinned", layoutInput{w: 200, h: 12, n: 15, hasPinned: true}, `
LLLLLLLLLLPPPPPPPPPPPPPPPP11111111111111
LLLLLLLLLLPPPPPPPPPPPPPPPP11111111111111
LLLLLLLLLLPPPPPPPPPPPPPPPP11111111111111`},
		{"15 at 200 as cards", layoutInput{w: 200, h: 48, n: 15, chosen: Grid}, `
1111111122222222333333334444444455555555
1111111122222222333333334444444455555555
1111111122222222333333334444444455555555
1111111122222222333333334444444455555555
66666666777777778888888899999999aaaaaaaa
66666666777777778888888899999999aaaaaaaa
66666666777777778888888899999999aaaaaaaa
66666666777777778888888899999999aaaaaaaa
bbbbbbbbccccccccddddddddeeeeeeeeffffffff
bbbbbbbbccccccccddddddddeeeeeeeeffffffff
bbbbbbbbccccccccddddddddeeeeeeeeffffffff
bbbbbbbbccccccccddddddddeeeeeeeeffffffff`},
		{"15 at 120 as cards need a strip", layoutInput{w: 120, h: 37, n: 15, chosen: Grid}, `
========================
111111112222222233333333
444444445555555566666666
444444445555555566666666
777777778888888899999999
777777778888888899999999
777777778888888899999999
aaaaaaaabbbbbbbbcccccccc
aaaaaaaabbbbbbbbcccccccc
aaaaaaaabbbbbbbbcccccccc`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := drawn(arrange(tt.input), tt.input.w, tt.input.h); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestTheFirstChoiceOfLayouts(t *testing.T) {
	for _, tt := range []struct {
		w, h, n int
		want    string
	}{
		{200, 56, 15, "list grid strip"}, {120, 36, 15, "list strip grid"}, {80, 20, 15, "list strip grid"},
		{80, 20, 4, "strip grid list"}, {120, 36, 4, "grid strip list"}, {200, 56, 4, "columns grid list"}, {200, 56, 2,
			"columns list"}, {60, 20, 2, "strip"},
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
