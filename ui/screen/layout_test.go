package screen

import (
	"image"
	"strings"
	"testing"

	"confab/internal/testflags"
	"confab/ui/action"
)

// draw draws the places at a tenth of their width and half their height, each
// by its letter: h header, m models, c conversation, b beside it, s system, p
// prompt, f footer.
func draw(p Layout, w, h int) string {
	grid := make([][]byte, h)
	for y := range grid {
		grid[y] = []byte(strings.Repeat(".", w))
	}
	paint := func(r image.Rectangle, c byte) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				if grid[y][x] != '.' {
					c = '#' // two places overlap
				}
				grid[y][x] = c
			}
		}
	}
	paint(p.Header, 'h')
	paint(p.Footer, 'f')
	paint(p.SidePane, 'b')
	for pane, c := range map[action.Pane]byte{action.PaneModels: 'm', action.PaneConversation: 'c',
		action.PaneSystem: 's',
		action.PanePrompt: 'p'} {
		paint(p.Panes[pane], c)
	}
	var out strings.Builder
	for y := range grid {
		out.WriteByte('\n')
		for x := 0; x < w; x += 4 {
			out.WriteByte(grid[y][x])
		}
	}
	return out.String()
}

func TestArrange(t *testing.T) {
	tests := []struct {
		name string
		in   LayoutInput
		want string
	}{
		{"120x24, system prompt empty: no pane",
			LayoutInput{W: 120, H: 24, Focus: action.PanePrompt, PromptRows: 1, NoSystem: true}, `
hhhhhhhhhhhhhhhhhhhhhhhhhhhhhh
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
ffffffffffffffffffffffffffffff`},
		{"120x24, with a system prompt and a long prompt",
			LayoutInput{W: 120, H: 24, Focus: action.PanePrompt, PromptRows: 40}, `
hhhhhhhhhhhhhhhhhhhhhhhhhhhhhh
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccc
mmmmmmmmssssssssssssssssssssss
mmmmmmmmssssssssssssssssssssss
mmmmmmmmssssssssssssssssssssss
mmmmmmmmssssssssssssssssssssss
mmmmmmmmssssssssssssssssssssss
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
ffffffffffffffffffffffffffffff`},
		{"220x20, the room beside the conversation is of use",
			LayoutInput{W: 220, H: 20, Focus: action.PanePrompt, PromptRows: 1, NoSystem: true}, `
hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
mmmmmmmmcccccccccccccccccccccccccccbbbbbbbbbbbbbbbbbbbb
ppppppppppppppppppppppppppppppppppppppppppppppppppppppp
ppppppppppppppppppppppppppppppppppppppppppppppppppppppp
ppppppppppppppppppppppppppppppppppppppppppppppppppppppp
fffffffffffffffffffffffffffffffffffffffffffffffffffffff`},
		{"80x18 has no room for models and system", LayoutInput{W: 80, H: 18, Focus: action.PanePrompt, PromptRows: 1}, `
hhhhhhhhhhhhhhhhhhhh
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
pppppppppppppppppppp
pppppppppppppppppppp
pppppppppppppppppppp
ffffffffffffffffffff`},
		{"60x18, models focused take the conversation's place",
			LayoutInput{W: 60, H: 18, Focus: action.PaneModels, PromptRows: 1}, `
hhhhhhhhhhhhhhh
mmmmmmmmmmmmmmm
mmmmmmmmmmmmmmm
mmmmmmmmmmmmmmm
mmmmmmmmmmmmmmm
mmmmmmmmmmmmmmm
mmmmmmmmmmmmmmm
mmmmmmmmmmmmmmm
mmmmmmmmmmmmmmm
mmmmmmmmmmmmmmm
mmmmmmmmmmmmmmm
mmmmmmmmmmmmmmm
mmmmmmmmmmmmmmm
mmmmmmmmmmmmmmm
ppppppppppppppp
ppppppppppppppp
ppppppppppppppp
fffffffffffffff`},
		{"80x18, models focused take the place of the conversation",
			LayoutInput{W: 80, H: 18, Focus: action.PaneModels, PromptRows: 1}, `
hhhhhhhhhhhhhhhhhhhh
mmmmmmmmmmmmmmmmmmmm
mmmmmmmmmmmmmmmmmmmm
mmmmmmmmmmmmmmmmmmmm
mmmmmmmmmmmmmmmmmmmm
mmmmmmmmmmmmmmmmmmmm
mmmmmmmmmmmmmmmmmmmm
mmmmmmmmmmmmmmmmmmmm
mmmmmmmmmmmmmmmmmmmm
mmmmmmmmmmmmmmmmmmmm
mmmmmmmmmmmmmmmmmmmm
mmmmmmmmmmmmmmmmmmmm
mmmmmmmmmmmmmmmmmmmm
mmmmmmmmmmmmmmmmmmmm
pppppppppppppppppppp
pppppppppppppppppppp
pppppppppppppppppppp
ffffffffffffffffffff`},
		{"80x18, the focused system prompt unfolds",
			LayoutInput{W: 80, H: 18, Focus: action.PaneSystem, PromptRows: 1, NoSystem: true}, `
hhhhhhhhhhhhhhhhhhhh
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
cccccccccccccccccccc
ssssssssssssssssssss
ssssssssssssssssssss
ssssssssssssssssssss
ssssssssssssssssssss
ssssssssssssssssssss
pppppppppppppppppppp
pppppppppppppppppppp
pppppppppppppppppppp
ffffffffffffffffffff`},
		{"40x8 shows one pane at a time", LayoutInput{W: 40, H: 8, Focus: action.PaneConversation}, `
hhhhhhhhhh
cccccccccc
cccccccccc
cccccccccc
cccccccccc
cccccccccc
cccccccccc
ffffffffff`},
		{"160x20, a docked comparison beside the list of models",
			LayoutInput{W: 160, H: 20, Focus: action.PanePrompt, IsDocked: true, PromptRows: 1}, `
hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh
mmmmmmmmcccccccccccccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccccccccccccc
mmmmmmmmcccccccccccccccccccccccccccccccc
pppppppppppppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppppppppppppp
ffffffffffffffffffffffffffffffffffffffff`},
		{"120x20, a docked comparison over the whole width",
			LayoutInput{W: 120, H: 20, Focus: action.PanePrompt, IsDocked: true, PromptRows: 1, NoSystem: true}, `
hhhhhhhhhhhhhhhhhhhhhhhhhhhhhh
cccccccccccccccccccccccccccccc
cccccccccccccccccccccccccccccc
cccccccccccccccccccccccccccccc
cccccccccccccccccccccccccccccc
cccccccccccccccccccccccccccccc
cccccccccccccccccccccccccccccc
cccccccccccccccccccccccccccccc
cccccccccccccccccccccccccccccc
cccccccccccccccccccccccccccccc
cccccccccccccccccccccccccccccc
cccccccccccccccccccccccccccccc
cccccccccccccccccccccccccccccc
cccccccccccccccccccccccccccccc
cccccccccccccccccccccccccccccc
cccccccccccccccccccccccccccccc
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
ffffffffffffffffffffffffffffff`},
		{"zoomed", LayoutInput{W: 120, H: 8, Focus: action.PanePrompt, IsZoomed: true}, `
hhhhhhhhhhhhhhhhhhhhhhhhhhhhhh
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
pppppppppppppppppppppppppppppp
ffffffffffffffffffffffffffffff`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := draw(Arrange(tt.in), tt.in.W, tt.in.H); got != tt.want {
				t.Errorf("got:%s\nwant:%s", got, tt.want)
			}
		})
	}
}

// TestArrangeCoversEveryScreen looks at every size and mode: nothing overlaps,
// nothing is left out, nothing stands outside.
func TestArrangeCoversEveryScreen(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("it is one pure function, called for every size there is")
	}
	for w := 1; w <= 240; w += 7 {
		for h := 1; h <= 70; h++ {
			for focus := range action.Pane(4) {
				for _, rows := range []int{0, 1, 5, 100} {
					p := Arrange(LayoutInput{W: w, H: h, Focus: focus, PromptRows: rows, NoSystem: rows == 1,
						IsDocked: rows == 5})
					if p.TooSmall {
						continue
					}
					drawn := draw(p, w, h)
					if strings.ContainsAny(drawn, ".#") {
						t.Fatalf("%dx%d focus %d rows %d:%s", w, h, focus, rows, drawn)
					}
					if p.Panes[focus].Empty() {
						t.Fatalf("%dx%d: the focused pane %d is not shown", w, h, focus)
					}
				}
			}
		}
	}
}
