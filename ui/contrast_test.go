package ui_test

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"confab/service"
	"confab/themes"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/part"
)

// visits are screens that one session leads through: the keys that lead to each from the one before, and what it shows.
var visits = []struct {
	name, shows string
	keys        []string
}{
	{"start", "Nothing sent yet", nil},
	{"list of models", "space mark", []string{"ctrl+l", "down"}},
	{"a turn is running", "esc stop", []string{"esc", "T", "i", "d", "e", "s", "enter"}},
	{"side by side", "1 alpha3.1-8b", []string{"pass"}},
	{"difference", "same wording", []string{"alt+2", "d"}},
	{"blind vote", "Blind vote", []string{"esc", "V"}},
	{"votes", "Model against model", []string{"a", "b", "e"}},
	{"answers", "● alpha3.1-8b", []string{"esc", "v", "l", "l"}},
	{"found text", "find  ans", []string{"/", "a", "n", "s", "enter", "n"}},
	{"exports", "Write", []string{"esc", "w"}},
	{"sessions", "Sessions", []string{"esc", "ctrl+s"}},
	{"prompts", "Prompts", []string{"esc", "ctrl+r"}},
	{"found prompts", "1 of 1 match", []string{"t", "i"}},
	{"pictures", "sim-image", []string{"esc", "esc", "ctrl+g"}},
	{"system prompt", "System prompt", []string{"esc", "ctrl+t"}},
	{"system prompts", "Personas", []string{"ctrl+t"}},
	{"commands", "Commands", []string{"esc", "ctrl+p"}},
	{"found commands", "match", []string{"c", "o", "p"}},
	{"help", "Everywhere", []string{"esc", "esc", "f1"}},
	{"a run", "2 of 4 passed", []string{"esc", "run"}},
	{"cells of a run", "2 of 4 passed", []string{"l", "j"}},
	{"recent sessions", "Recent  ", []string{"esc", "ctrl+n", "tab"}},
}

// TestContrast draws screens in every shipped theme and asks of every pair of colors for the contrast of WCAG 2.2: 4.5
// for text, 3 for marks, see [leastContrast] for what is exempt.
func TestContrast(t *testing.T) {
	run(t, func(t *testing.T) {
		models := sideBySide("alpha3.1-8b", "oss-20b", "oss-120b", "zeta", "sim-image")
		s := open(t, 120, 40, models, func(o *ui.Options, _ *service.Options) {
			o.Start.Given.System = "You are a patient teacher."
		})
		wrong := map[string]bool{}
		for _, v := range visits {
			for _, key := range v.keys {
				switch key {
				case "pass":
					s.pass(10 * time.Second)
				case "run":
					s.runs(suiteFolder(t, refunds))
					s.pass(5 * time.Second)
				default:
					s.press(key)
				}
			}
			s.shows(v.shows)
			for _, p := range themes.Shipped() {
				s.program.Send(part.Do(action.SetTheme{Name: p.Name}))
				time.Sleep(100 * time.Millisecond)
				synctest.Wait()
				for _, problem := range s.contrasts(p) {
					if !wrong[p.Name+problem] {
						wrong[p.Name+problem] = true
						t.Errorf("%s, %s: %s", p.Name, v.name, problem)
					}
				}
			}
		}
	})
}

// contrasts returns what cannot be read on the screen, which is drawn in a theme. What is dimmed behind a dialog is
// exempt.
func (s *screen) contrasts(p themes.Palette) (problems []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	box := s.dialogBox(p)
	for y := range s.h {
		for x := range s.w {
			cell := s.term.CellAt(x, y)
			if strings.TrimSpace(cell.Content) == "" || y < s.h-1 && !image.Pt(x, y).In(box) {
				continue
			}
			if problem := contrastProblem(p, cell); problem != "" {
				problems = append(problems, problem)
			}
		}
	}
	return problems
}

// dialogBox returns the cells of the dialog, around all that are on its background, and the whole screen for none.
func (s *screen) dialogBox(p themes.Palette) (box image.Rectangle) {
	for y := range s.h {
		for x := range s.w {
			if p.Overlay != "" && colorName(s.term.CellAt(x, y).Style.Bg) == p.Overlay {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if box.Empty() {
		return image.Rect(0, 0, s.w, s.h)
	}
	return box
}

// contrastProblem says what is wrong with the colors of a cell, "" for nothing.
func contrastProblem(p themes.Palette, cell *uv.Cell) string {
	fg, bg := colorName(cell.Style.Fg), colorName(cell.Style.Bg)
	styles := themes.New(p)
	layers := []string{"", p.Background, p.Surface, p.Overlay, p.Focus, p.Selection, p.Match, p.Removed,
		p.Added, colorName(styles.SelectedIdle.GetBackground()),
		colorName(styles.Prompt.GetBackground()),
		colorName(styles.RemovedCurrent.GetBackground()), colorName(styles.AddedCurrent.GetBackground())}
	switch {
	case strings.Contains("▀▄▌█", cell.Content) && !slices.Contains(layers, bg):
		return "" // a picture
	case strings.HasPrefix(p.Name, "ansi16"):
		if strings.HasPrefix(fg, "#") || bg != "" {
			return fmt.Sprintf("%q is in %s on %s, which are not the terminal's own", cell.Content, fg, bg)
		}
		return ""
	case !slices.Contains(layers, bg) && (fg != p.Background || !slices.Contains(p.Models[:], bg)): // on a bar of votes
		return fmt.Sprintf("%q is on %s, which is no background of the theme", cell.Content, bg)
	}
	if fg == "" {
		fg = p.Text
	}
	if bg == "" {
		bg = p.Background
	}
	if cell.Style.Attrs&uv.AttrReverse != 0 {
		fg, bg = bg, fg
	}
	least := leastContrast(p, cell.Content, fg, bg)
	if got := themes.Contrast(lipgloss.Color(fg), lipgloss.Color(bg)); got < least {
		return fmt.Sprintf("%q in %s on %s has %.2f, not %.1f", cell.Content, fg, bg, got, least)
	}
	return ""
}

// leastContrast is what a text must have on its background, and 0 for decorations: frames of panes without focus and
// rules, which part what is told apart by blank cells and titles as well, and the mark of the selected row, which is
// seen by its bar.
func leastContrast(p themes.Palette, content, fg, bg string) float64 {
	r := []rune(content)[0]
	isDrawing := r >= 0x2500 && r <= 0x25ff
	switch {
	case r >= 0x2500 && r <= 0x257f && fg == p.Border, content == "▌" && fg == bg:
		return 0
	case isDrawing:
		return 3
	}
	return 4.5
}

func colorName(c color.Color) string {
	switch c := c.(type) {
	case nil:
		return ""
	case ansi.BasicColor:
		return fmt.Sprint(int(c))
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
