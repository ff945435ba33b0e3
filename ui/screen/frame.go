package screen

import (
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/widget"
)

// Frame draws the screen and finds what is drawn at a position. The zero value is an empty screen.
type Frame struct {
	W, H     int // cells of the screen
	Layout   Layout
	Keys     keys.Map
	Styles   *themes.Styles
	Regions  []Region // panes on the screen, in a line from left to right
	Focused  Region   // may be hidden, with an empty rectangle
	Dialog   action.Dialog
	Header   func() Header
	Footer   *Footer
	Progress func() Progress
	// Border returns the border of a pane that does not draw its own.
	Border func(r Region, hasFocus bool) Border
}

// Draw draws the screen, with the dialog over it.
func (f Frame) Draw() string {
	switch {
	case f.W == 0:
		return " "
	case f.Layout.TooSmall:
		return termtext.Fit("The window is too small", f.W)
	}
	rows := make([]strings.Builder, f.Layout.Footer.Min.Y)
	rows[0].WriteString(f.Header().Line())
	for _, r := range f.Regions {
		for i, line := range f.withBorder(r, r.Pane.View()) {
			rows[r.Rect.Min.Y+i].WriteString(line)
		}
	}
	lines := make([]string, len(rows), len(rows)+1)
	for i := range rows {
		lines[i] = rows[i].String()
	}
	panes := strings.Join(append(lines, f.Footer.Line(f.W, f.Progress(), f.footerHints())), "\n")
	switch {
	case f.Dialog == nil:
		return panes
	case f.Styles.ScreenReader:
		panes = f.withoutPanes(panes)
	}
	return DrawLayers(f.Styles, panes, f.Dialog.View(), f.middle())
}

// withoutPanes blanks all but header and footer: a screen reader would read the panes with the lines of a dialog.
func (f Frame) withoutPanes(screen string) string {
	lines := strings.Split(screen, "\n")
	for i := 1; i < len(lines)-1; i++ {
		lines[i] = strings.Repeat(" ", f.W)
	}
	return strings.Join(lines, "\n")
}

// withBorder draws the border around the lines of a pane that does not draw its own.
func (f Frame) withBorder(r Region, lines []string) []string {
	if r.DrawsBorder {
		return lines
	}
	hasFocus := r.ID == f.Focused.ID && f.Dialog == nil
	b := f.Border(r, hasFocus)
	return widget.BoxLines(widget.Box{W: r.Rect.Dx(), H: r.Rect.Dy(), Focused: hasFocus, Styles: f.Styles,
		Title: b.Title.String(), Right: b.Right, Bottom: b.Bottom}, lines)
}

// middle returns the rectangle of the dialog: in the middle of the screen, but that large ones without questions begin
// on the same line, and that it leaves the prompt to be seen where a person types one and there is room above it.
func (f Frame) middle() image.Rectangle {
	size := f.Dialog.Size()
	if corner, ok := f.besideWord(size); ok {
		return image.Rectangle{Min: corner, Max: corner.Add(size)}
	}
	height := size.Y
	if w, h := overlay.Frame(f.W, f.H); size.X >= w && f.Dialog.Scope() != keys.Form {
		height = max(height, h)
	}
	corner := image.Pt(max((f.W-size.X)/2, 0), max((f.H-height)/2, 0))
	if prompt := f.Focused; prompt.ID == action.PanePrompt && size.Y < prompt.Rect.Min.Y {
		corner.Y = min(corner.Y, prompt.Rect.Min.Y-size.Y)
	}
	return image.Rectangle{Min: corner, Max: corner.Add(size)}
}

// titleInRow is the column of a dialog in which the titles of its rows begin.
const titleInRow = 4

// besideWord returns the corner of a dialog that completes a word of the focused pane: above the word, else below it,
// and what it lists in the columns of what is typed.
func (f Frame) besideWord(size image.Point) (corner image.Point, ok bool) {
	width := f.Dialog.State().WordWidth
	if width == 0 || f.Focused.Rect.Empty() {
		return corner, false
	}
	cursor := f.Focused.Pane.Cursor()
	if cursor == nil {
		return corner, false
	}
	at := f.Focused.corner().Add(image.Pt(cursor.X, cursor.Y))
	corner = image.Pt(max(min(at.X-width+1-titleInRow, f.W-size.X), 0), at.Y-size.Y)
	if corner.Y < f.Layout.Header.Max.Y {
		corner.Y = max(min(at.Y+1, f.Layout.Footer.Min.Y-size.Y), 0)
	}
	return corner, true
}

// top returns the dialog, else the focused pane, and its first cell.
func (f Frame) top() (action.Layer, image.Point) {
	if f.Dialog != nil {
		return f.Dialog, f.middle().Min
	}
	return f.Focused.Pane, f.Focused.corner()
}

// Cursor returns the cursor of the dialog, else of the focused pane.
func (f Frame) Cursor() *tea.Cursor {
	if f.W == 0 || f.Layout.TooSmall {
		return nil
	}
	top, corner := f.top()
	if f.Dialog != nil {
		if _, ok := f.besideWord(f.Dialog.Size()); ok {
			top, corner = f.Focused.Pane, f.Focused.corner()
		}
	}
	c := top.Cursor()
	if c != nil {
		c.X += corner.X
		c.Y += corner.Y
		c.Color = f.Styles.Cursor
	}
	return c
}

// Pictures returns the visible pictures in cells of the screen.
func (f Frame) Pictures() (all []graphics.Placement) {
	add := func(layer action.Layer, corner image.Point) {
		for _, p := range layer.State().Pictures {
			if p = p.Moved(corner); !p.Visible().Empty() {
				all = append(all, p)
			}
		}
	}
	if f.Dialog != nil {
		add(f.top())
		return all
	}
	for _, r := range f.Regions {
		add(r.Pane, r.corner())
	}
	return all
}

// mostHints is the most hints of the footer, with help and quit.
const mostHints = 6

// footerHints returns the hints of the top layer that are not in its border, the most useful first, then help and quit.
func (f Frame) footerHints() []keys.Hint {
	last := f.Keys.Hints(keys.Everywhere, keys.Help, keys.Quit)
	if f.Dialog != nil && f.Dialog.Name() == overlay.HelpName {
		last = f.Keys.Hints(keys.Everywhere, keys.Quit)
	}
	own := slices.DeleteFunc(keys.UniqueHints(f.ownHints()), func(h keys.Hint) bool {
		return slices.ContainsFunc(last, func(l keys.Hint) bool { return h.Text == l.Text })
	})
	return append(own[:min(len(own), mostHints-len(last))], last...)
}

// ownHints returns the hints of the top layer for the footer.
func (f Frame) ownHints() []keys.Hint {
	if f.Dialog != nil {
		_, footer := f.Dialog.Hints()
		return footer
	}
	own := f.Focused.Pane.Hints()
	switch {
	case f.Focused.DrawsBorder:
		return slices.Concat(f.Keys.Hints(keys.Everywhere, keys.Back), own)
	case f.Focused.ID == action.PanePrompt:
		above := f.Border(f.Focused, true).Hints
		hints := f.Keys.Hints(keys.Everywhere, keys.Commands, keys.ChooseModels, keys.Sessions, keys.NextPane)
		return slices.DeleteFunc(hints, func(h keys.Hint) bool {
			return slices.ContainsFunc(above, func(a keys.Hint) bool { return a.Key == h.Key })
		})
	case f.Focused.ID == action.PaneModels && !f.Focused.Rect.Empty():
		own = own[len(f.Border(f.Focused, true).Hints):]
	}
	return append(own, f.Keys.Hints(keys.Everywhere, keys.NextPane, keys.Commands)...)
}

// Hit is a command or the key of a hint at a cell of the screen.
type Hit struct {
	Pane    action.Pane
	Command keys.Command
	Key     string
	IsWord  bool // the key is a word of a notice, which may be no key
}

// HitAt returns the command or hint at a cell of header, footer, a border, or where a pane has one.
func (f Frame) HitAt(at image.Point) (Hit, bool) {
	hit := Hit{Pane: f.Focused.ID}
	var hint keys.Hint
	ok := false
	switch {
	case at.In(f.Layout.Footer):
		hint, hit.IsWord, ok = f.Footer.HintAt(at.X, f.W, f.Progress(), f.footerHints())
	case f.Dialog != nil:
		borders, _ := f.Dialog.Hints()
		hint, ok = hintInBorder(strings.Split(f.Dialog.View(), "\n"), at.Sub(f.middle().Min), slices.Concat(borders...))
	case at.In(f.Layout.Header):
		hit.Command = f.Header().CommandAt(at.X)
	default:
		i := slices.IndexFunc(f.Regions, func(r Region) bool { return at.In(r.Rect) })
		if i < 0 {
			return Hit{}, false
		}
		hit.Pane = f.Regions[i].ID
		hint, hit.Command = f.hitInRegion(f.Regions[i], at)
		ok = hint.Key != ""
	}
	if ok {
		hit.Key = hint.Key
	}
	return hit, hit.Key != "" || hit.Command != ""
}

func (f Frame) hitInRegion(r Region, at image.Point) (keys.Hint, keys.Command) {
	if hintAt := r.Pane.State().HintAt; hintAt != nil && !r.IsSide {
		inside := at.Sub(r.corner())
		if hint, ok := hintAt(inside.X, inside.Y); ok {
			return hint, ""
		}
	}
	b := Border{Hints: r.Pane.Hints()}
	if !r.DrawsBorder {
		b = f.Border(r, r.ID == f.Focused.ID)
	}
	at = at.Sub(r.Rect.Min)
	if hint, ok := hintInBorder(f.withBorder(r, r.Pane.View()), at, b.Hints); ok {
		return hint, ""
	}
	if at.Y == 0 {
		return keys.Hint{}, b.Title.CommandAt(at.X - widget.TitleColumn)
	}
	return keys.Hint{}, ""
}

// hintInBorder returns the hint at a cell of lines if the line is a border.
func hintInBorder(lines []string, at image.Point, hints []keys.Hint) (keys.Hint, bool) {
	if at.Y < 0 || at.Y >= len(lines) {
		return keys.Hint{}, false
	}
	line := ansi.Strip(lines[at.Y])
	if !widget.IsBorder(line) {
		return keys.Hint{}, false
	}
	return keys.HintAt(line, at.X, hints)
}
