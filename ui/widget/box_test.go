package widget_test

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/themes"
	"confab/ui/widget"
)

func TestDraw(t *testing.T) {
	tests := []struct {
		name  string
		box   widget.Box
		lines []string
		want  string
	}{
		{"focused", widget.Box{Title: "Sessions", Bottom: "enter open", Focused: true, W: 20, H: 4},
			[]string{"> refund", "two"}, `
┏━ Sessions ━━━━━━━┓
┃> refund          ┃
┃two               ┃
┗━ enter open ━━━━━┛`},
		{"without focus, padded, right", widget.Box{Title: "Preview", Right: "1/2", W: 20, H: 3, Pad: 1},
			[]string{"a line that is too long"}, `
╭─ Preview ── 1/2 ─╮
│ a line that is … │
╰──────────────────╯`},
		{"long title is cut", widget.Box{Title: "A title longer than the box", Right: "1/2", W: 16, H: 2}, nil, `
╭─ A t… ─ 1/2 ─╮
╰──────────────╯`},
		{"right is left out", widget.Box{Title: "Preview", Right: "a long remark", W: 18, H: 2}, nil, `
╭─ Preview ──────╮
╰────────────────╯`},
		{"wide characters", widget.Box{Title: "会話の題名です", W: 14, H: 3}, []string{"日本語の長い行です"}, `
╭─ 会話の… ──╮
│日本語の長… │
╰────────────╯`},
		{"no room for a title", widget.Box{Title: "T", W: 6, H: 3}, []string{"abcdef"}, `
╭────╮
│abc…│
╰────╯`},
		{"no room for padding", widget.Box{W: 3, H: 3, Pad: 1}, []string{"a"}, `
╭─╮
│a│
╰─╯`},
		{"no room for a border", widget.Box{Title: "T", W: 5, H: 1}, []string{"abcdefg"}, `
abcd…`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.box.Styles = &themes.Styles{}
			got := "\n" + widget.DrawBox(tt.box, tt.lines)
			if got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestSize draws boxes of every small size and expects exactly that size.
func TestSize(t *testing.T) {
	red := themes.NewStyle(lipgloss.NewStyle().Foreground(color.RGBA{255, 0, 0, 255}))
	for name, styles := range map[string]*themes.Styles{"plain": {},
		"colored": {Border: red, Title: red, Faint: red, BorderFocused: red, TitleFocused: red}} {
		for w := range 40 {
			for h := range 5 {
				for _, focused := range []bool{false, true} {
					b := widget.Box{Title: "Title 題名", Right: "3/4", Bottom: red.Render("enter") + " open",
						Focused: focused, W: w,
						H: h, Pad: w % 2, Styles: styles}
					lines := widget.BoxLines(b,
						[]string{"ordinary",
							red.Render("colored and much longer than the box is, I think") + "\x1b[1m", "日本語の長い行です",
							"4", "5", "6"})
					want := h
					if w == 0 {
						want = 0
					}
					if len(lines) != want {
						t.Fatalf("%s %dx%d: got %d lines", name, w, h, len(lines))
					}
					for i, line := range lines {
						if got := ansi.StringWidth(line); got != w {
							t.Errorf("%s %dx%d: line %d is %d cells: %q", name, w, h, i, got, line)
						}
					}
				}
			}
		}
	}
}

// TestStylesEnd expects that a line's own open style does not reach the border.
func TestStylesEnd(t *testing.T) {
	got := widget.BoxLines(widget.Box{W: 10, H: 3, Styles: &themes.Styles{}}, []string{"\x1b[1mbold"})[1]
	if want := "│\x1b[1mbold    \x1b[m│"; got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestBlanksChangeNoStyle counts the changes of style in a line, which are most of what a terminal is sent.
func TestBlanksChangeNoStyle(t *testing.T) {
	red := themes.NewStyle(lipgloss.NewStyle().Foreground(color.RGBA{255, 0, 0, 255}))
	got := widget.BoxLines(widget.Box{W: 10, H: 4, Styles: &themes.Styles{Border: red}}, []string{"", "a"})
	for i, want := range map[int]int{1: 2, 2: 4} {
		if n := strings.Count(got[i], "\x1b["); n != want {
			t.Errorf("%q changes the style %d times, want %d", got[i], n, want)
		}
	}
}

func TestBeside(t *testing.T) {
	got := widget.JoinBlocks([]string{"ab", "cd"}, []string{"12", "34"})
	if want := "ab12\ncd34"; got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got := widget.JoinBlocks(); got != "" {
		t.Errorf("of nothing: got %q", got)
	}
}

func BenchmarkDraw(b *testing.B) {
	red := themes.NewStyle(lipgloss.NewStyle().Foreground(color.RGBA{255, 0, 0, 255}))
	styles := &themes.Styles{Border: red, Title: red, Faint: red}
	lines := make([]string, 58)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d %s", i, strings.Repeat("text ", 25))
	}
	b.ReportAllocs()
	for b.Loop() {
		widget.DrawBox(widget.Box{Title: "Conversation", Bottom: "↓ 82 %", W: 160, H: 60, Styles: styles}, lines)
	}
}
