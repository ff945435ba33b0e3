package dialog

import (
	"image"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
	"confab/ui/widget"
)

// viewer is a box of lines to be read.
type viewer struct {
	overlay.Base
	title            string
	maxWidth, leastH int                  // of the box, in cells; of its lines
	layOut           func(w int) []string // draws the lines for a width
	text             string               // to be copied; empty for the help
	answer           int64                // with a request that can be copied as curl; 0 for none
	lookups          []keys.Lookup
	isHelp           bool
	screenW, screenH int
	w, h             int
	pager            overlay.Pager
}

var viewerCommands = part.Table[*viewer]{Scope: keys.TextViewer, Bindings: []part.Binding[*viewer]{
	{Command: keys.Down, Keys: "down j", Moves: 1, Short: "down", Long: "Line down"},
	{Command: keys.Up, Keys: "up k", Moves: -1, Short: "up", Long: "Line up"},
	{Command: keys.PageDown, Keys: "pgdown space", Moves: 1, Short: "page down", Long: "Page down",
		Rank: part.RankIf(4, func(v *viewer) bool { return v.pager.Scrolls() })},
	{Command: keys.PageUp, Keys: "pgup", Moves: -1, Short: "page up", Long: "Page up"},
	{Command: keys.Top, Keys: "home g", Moves: -1, Short: "top", Long: "To the top"},
	{Command: keys.Bottom, Keys: "end G", Moves: 1, Short: "bottom", Long: "To the end"},
	{Command: "copy_view", Keys: "y", Short: "copy", Long: "Copy the text",
		Rank: part.RankIf(2, func(v *viewer) bool { return !v.isHelp }),
		Do:   func(v *viewer) action.Action { return action.Copy{Text: v.text, What: v.title} }},
	{Command: "copy_curl", Keys: "c", Short: "copy as curl",
		Long:    "Copy the request as a curl command, without the key",
		Rank:    part.RankIf(3, func(v *viewer) bool { return v.answer != 0 }),
		Refuses: (*viewer).lacksRequest,
		Do:      func(v *viewer) action.Action { return action.Curl{Answer: v.answer} }},
	{Command: keys.Close, Keys: "esc q", Short: "close", Long: "Close", Rank: part.Ranked[*viewer](1),
		Action: action.CloseDialog{}},
}}

func (v *viewer) lacksRequest() string {
	if v.answer == 0 {
		return "No request to copy here."
	}
	return ""
}

// SetStyles implements [action.Dialog].
func (v *viewer) SetStyles(s *themes.Styles) {
	v.Styles = s
	v.SetSize(v.screenW, v.screenH)
}

// SetSize implements [action.Dialog].
func (v *viewer) SetSize(w, h int) {
	v.screenW, v.screenH = w, h
	v.w, v.h = overlay.Size(w, h, v.maxWidth, h)
	lines := v.layOut(max(v.w-4, 0))
	v.h = min(v.h, max(len(lines), v.leastH)+2)
	v.pager.Set(lines, v.h-2)
}

// Update implements [action.Dialog].
func (v *viewer) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	key, isKey := msg.(keys.Press)
	if v.pager.Update(msg) || !isKey {
		return nil, nil
	}
	switch {
	case v.isHelp && key.Command == keys.Help: // the key that opened it
		return action.CloseDialog{}, nil
	case key.Scope != keys.TextViewer || v.isHelp && key.Command != keys.Close:
		return v.CommonOrUnused(key), nil
	}
	return v.Run(key.Command), nil
}

// State implements [action.Dialog].
func (v *viewer) State() action.LayerState {
	return action.LayerState{Lookups: v.lookups, Position: strconv.Itoa(v.pager.Top())}
}

// Size implements [action.Dialog].
func (v *viewer) Size() image.Point { return image.Pt(v.w, v.h) }

// Work implements [action.Dialog].
func (v *viewer) Work() tea.Cmd { return nil }

// View implements [action.Dialog].
func (v *viewer) View() string {
	borders, _ := v.Hints()
	return widget.DrawBox(v.Box(v.title, v.pager.Position(), borders[0], v.w, v.h), v.pager.View())
}

// Hints implements [action.Dialog].
func (v *viewer) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	if v.isHelp {
		return overlay.SplitHints(v.Commands.Hints(), v.w)
	}
	return v.BorderHints(v.Commands.Hints(), v.w)
}

// maxTextWidth is the most cells of the box of a text: longer lines are hard to read.
const maxTextWidth = 104

// NewText returns a dialog that shows a text, cleaned, and copies the original. Of a text with Fit, such as a table, it
// copies the drawn lines.
func NewText(a action.ShowText, m keys.Map, s *themes.Styles) action.Dialog {
	if a.Fit != nil {
		v := newViewer(a.Title, ansi.Strip(strings.Join(a.Fit(maxTextWidth-4), "\n")), m, s)
		v.layOut = a.Fit
		return v
	}
	clean := termtext.Clean(a.Text)
	v := newViewer(a.Title, a.Text, m, s)
	v.layOut = func(w int) []string { return widget.StyleLines(v.Styles.Text, "", termtext.Wrap(clean, max(w, 2))) }
	v.answer = a.Answer
	return v
}

func newViewer(title, text string, m keys.Map, s *themes.Styles) *viewer {
	v := &viewer{title: termtext.Line(title), text: text, maxWidth: maxTextWidth, leastH: 3,
		lookups: keys.LookupsIn(keys.TextViewer)}
	v.Base = overlay.NewBase("text", viewerCommands.For(v, m), m, s)
	return v
}

// maxKeysWidth is the most cells that keys take in the help.
const maxKeysWidth = 18

// NewHelp returns a dialog with the keys of a scope and those that work everywhere. The key of the help closes it.
func NewHelp(m keys.Map, about keys.Scope, s *themes.Styles) action.Dialog {
	v := &viewer{title: "Keys", maxWidth: 160, isHelp: true,
		lookups: []keys.Lookup{{Scope: keys.TextViewer}, {Scope: about, Only: []keys.Command{keys.Help}}}}
	v.Base = overlay.NewBase("help", viewerCommands.For(v, m), m, s)
	v.layOut = func(w int) []string { return v.helpColumns(about, w) }
	return v
}

// helpColumns draws the keys of a scope and those that work everywhere, side by side on a wide screen.
func (v *viewer) helpColumns(about keys.Scope, w int) []string {
	half := w
	if w >= 100 {
		half = (w - 3) / 2
	}
	left := v.helpSection(keys.Everywhere, half)
	var right []string
	switch {
	case about != keys.Everywhere && len(v.Keys.Entries(about)) > 0:
		left, right = v.helpSection(about, half), left
		if about == keys.Prompt || about == keys.Form {
			left = slices.Concat(left, []string{""}, v.helpSection(keys.Text, half))
		}
		if half == w {
			return append(append(left, ""), right...)
		}
	case half == w:
		return left
	default:
		middle := (len(left) + 1) / 2
		left, right = left[:middle], append([]string{""}, left[middle:]...)
	}
	return joinColumns(half+3, left, right)
}

// helpSection draws a scope's keys at a width, under its name.
func (v *viewer) helpSection(scope keys.Scope, w int) []string {
	lines := []string{v.Styles.Strong.On(format.Capitalize(string(scope)))}
	entries := v.Keys.Entries(scope)
	keysW := 0
	for _, e := range entries {
		keysW = max(keysW, min(termtext.Width(strings.Join(e.Keys, " ")), maxKeysWidth))
	}
	for _, e := range entries {
		names := widget.StyleLines(v.Styles.Key, "", termtext.Wrap(termtext.Line(strings.Join(e.Keys, " ")), keysW))
		texts := widget.StyleLines(v.Styles.KeyText, "", termtext.Wrap(e.Long, max(w-keysW-2, 10)))
		lines = append(lines, joinColumns(keysW+2, names, texts)...)
	}
	return lines
}

// joinColumns puts two blocks of lines side by side, the second one from a column on.
func joinColumns(column int, left, right []string) []string {
	block := lipgloss.NewStyle().Width(column).Render(strings.Join(left, "\n"))
	return strings.Split(lipgloss.JoinHorizontal(lipgloss.Top, block, strings.Join(right, "\n")), "\n")
}
