package dialog

import (
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

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
	leastH           int                  // of its lines
	layOut           func(w int) []string // draws the lines for a width
	text             string               // to be copied
	answer           int64                // with a request that can be copied as curl; 0 for none
	screenW, screenH int
	w, h             int
	pager            overlay.Pager
}

var viewerCommands = part.Table[*viewer]{Scope: keys.TextViewer, Bindings: []part.Binding[*viewer]{
	{Command: keys.Down, Keys: "down j", Short: "down", Long: "Line down"},
	{Command: keys.Up, Keys: "up k", Short: "up", Long: "Line up"},
	{Command: keys.PageDown, Keys: "pgdown space", Short: "page down", Long: "Page down",
		Rank: part.RankIf(4, func(v *viewer) bool { return v.pager.Scrolls() })},
	{Command: keys.PageUp, Keys: "pgup", Short: "page up", Long: "Page up"},
	{Command: keys.Top, Keys: "home g", Short: "top", Long: "To the top"},
	{Command: keys.Bottom, Keys: "end G", Short: "bottom", Long: "To the end"},
	{Command: "copy_view", Keys: "y", Short: "copy", Long: "Copy the text",
		Rank: part.Ranked[*viewer](2),
		Do:   func(v *viewer) action.Action { return action.Copy{Text: v.text, What: v.title} }},
	{Command: "copy_curl", Keys: "c", Short: "copy as curl",
		Long:    "Copy the request as a curl command, without the key",
		Rank:    part.RankIf(3, func(v *viewer) bool { return v.answer != 0 }),
		Refuses: (*viewer).lacksRequest,
		Do:      func(v *viewer) action.Action { return action.Curl{Answer: v.answer} }},
	{Command: keys.Help, Keys: "?", Short: "help", Long: "Help for texts",
		Action: action.ShowHelp{Scope: keys.TextViewer}},
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
	v.w, v.h = overlay.Size(w, h, overlay.TextWidth)
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
	if key.Scope != keys.TextViewer {
		return v.CommonOrUnused(key), nil
	}
	return v.Run(key.Command), nil
}

// State implements [action.Dialog].
func (v *viewer) State() action.LayerState {
	return action.LayerState{Lookups: keys.LookupsIn(keys.TextViewer)}
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
	return overlay.SplitHints(v.Commands.Hints(), v.w)
}

// maxTextWidth is the most cells of a line of text.
const maxTextWidth = overlay.TextWidth - 4

// NewText returns a dialog that shows a text, cleaned, and copies the original. Of a text with Fit, such as a table, it
// copies the drawn lines.
func NewText(a action.ShowText, m keys.Map, s *themes.Styles) action.Dialog {
	if a.Fit != nil {
		v := newViewer(a.Title, ansi.Strip(strings.Join(a.Fit(maxTextWidth), "\n")), m, s)
		v.layOut = func(w int) []string { return a.Fit(w) }
		return v
	}
	clean := termtext.Clean(a.Text)
	v := newViewer(a.Title, a.Text, m, s)
	v.layOut = func(w int) []string {
		return widget.StyleLines(v.Styles.Text, "", termtext.Wrap(clean, max(w, 2)))
	}
	v.answer = a.Answer
	return v
}

func newViewer(title, text string, m keys.Map, s *themes.Styles) *viewer {
	v := &viewer{title: termtext.Line(title), text: text, leastH: 3}
	v.Base = overlay.NewBase("text", viewerCommands.For(v, m), m, s)
	return v
}
