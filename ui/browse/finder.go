package browse

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
	"confab/ui/widget"
)

// finder is the common part of lists and the gallery: a filter, the search for it, a cursor among the entries, and a
// box beside them.
type finder struct {
	overlay.Base
	Texts
	selection
	boxes
	owner   entries
	name    action.List
	onLeave action.Action // when the dialog is closed without a choice
	filter  widget.Field
	side    overlay.Pager // of the box beside or below
	tag     int           // of the newest movement of the cursor
	w, h    int           // of the screen

	gen            int    // of the newest search
	found          int    // generation of the search whose results are shown
	shown          string // query of the results shown
	total          int    // entries without a filter
	problem        string // why the search failed
	isEnterPending bool   // enter was pressed before the newest search was answered
	isNewSearch    bool   // the results shown are the first of their query
}

// entries is the dialog that has a [finder].
type entries interface {
	part.Receiver
	filtered() (action.Action, tea.Cmd) // called when the filter has changed
	moved() (action.Action, tea.Cmd)    // called when the cursor has moved
	open() (action.Action, tea.Cmd)     // called by a click on the entry under the cursor
	search() tea.Cmd
	page() int // rows that the keys of a page move

	moveTo(to int) bool
	moveRows(by int) bool
	scrollsSide() bool
	scrollSide(down bool) action.Action
}

// foundMsg brings the results of a search.
type foundMsg[T any] struct {
	gen   int
	query string
	found T
}

// restedMsg reports that the cursor has not moved for a moment.
type restedMsg struct{ tag int }

func newFinder(owner entries, base overlay.Base, name action.List, texts Texts) finder {
	return finder{Base: base, Texts: texts, owner: owner, name: name,
		filter: widget.NewField(base.Keys, "", texts.Placeholder)}
}

// startSearch starts a search; find runs in a command.
func startSearch[T any](f *finder, query string, find func() T) tea.Cmd {
	f.gen++
	gen := f.gen
	return func() tea.Msg { return part.Result{To: f.owner, Msg: foundMsg[T]{gen, query, find()}} }
}

// noteFound notes the answer to a search and reports whether the search is the newest one.
func (f *finder) noteFound(gen int, query string, err error) bool {
	if gen != f.gen {
		return false
	}
	f.isNewSearch = f.found == 0 || query != f.shown
	f.found, f.shown, f.problem = gen, query, ""
	if err != nil {
		f.problem = part.Sentence(err)
	}
	return true
}

// selectFound puts the cursor on the first entry of a new search, otherwise on the former one if that was found again.
func (f *finder) selectFound(first, former int) {
	switch {
	case f.isNewSearch:
		f.at, f.first = first, 0
	case former >= 0:
		f.at = former
	}
	f.moveTo(f.at)
}

// click moves the cursor; a click on the entry under the cursor opens it.
func (f *finder) click(msg tea.MouseClickMsg) (action.Action, tea.Cmd) {
	f.isEnterPending = false
	i, ok := f.entryAt(msg.X, msg.Y)
	switch {
	case !ok || msg.Button != tea.MouseLeft:
		return nil, nil
	case f.moveTo(i):
		return f.owner.moved()
	}
	return f.owner.open()
}

// state returns the state of the dialog; its position is that of the cursor and of the box beside.
func (f *finder) state(target string, pictures []graphics.Placement) action.LayerState {
	return action.LayerState{Lookups: keys.LookupsIn(f.Scope()), Target: target, IsNewSearch: f.isNewSearch,
		Pictures: pictures, TakesKey: f.filter.Takes}
}

// Cursor implements [action.Dialog].
func (f *finder) Cursor() *tea.Cursor {
	if f.listW < 8 || f.listH < 3 {
		return nil
	}
	return f.filter.Cursor(4, 1)
}

func (f *finder) fitBoxes(b boxes, cols, rows int) {
	f.boxes, f.cols, f.rows = b, cols, rows
	f.filter.SetWidth(b.listW - 6)
	f.reveal()
	_, h := b.sideInner()
	f.side.Set(f.side.Lines(), h)
}

// rest sends a [restedMsg] after a delay.
func (f *finder) rest(delay time.Duration) tea.Cmd {
	f.tag++
	rested := part.Result{To: f.owner, Msg: restedMsg{f.tag}}
	return tea.Tick(delay, func(time.Time) tea.Msg { return rested })
}

// handleInput handles keys, pastes and the wheel.
func (f *finder) handleInput(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		if f.filter.Update(msg) {
			return f.owner.filtered()
		}
	case keys.Press:
		return f.key(msg)
	case tea.MouseWheelMsg:
		if by := keys.Wheel(msg); f.isInSide(msg.X, msg.Y) {
			f.side.Scroll(by)
		} else if f.moveRows(cmp.Compare(by, 0)) {
			return f.owner.moved()
		}
	}
	return nil, nil
}

func (f *finder) key(msg keys.Press) (action.Action, tea.Cmd) {
	f.isEnterPending = false
	if msg.Scope == keys.Vi {
		if f.filter.Update(msg) {
			return f.owner.filtered()
		}
		return nil, nil
	}
	entry, _ := f.Keys.Entry(msg.Scope, msg.Command)
	isText := msg.Command == "" || entry.WhenEmpty && f.filter.Value() != ""
	if msg.Scope == f.Scope() && !isText {
		if a := f.refused(msg); a != nil {
			return a, nil
		}
		return f.Run(msg.Command), nil
	}
	a := f.commonKey(msg)
	switch {
	case a != nil:
		return a, nil
	case !f.filter.Edits(msg):
		return overlay.UnusedKey(msg), nil
	case f.filter.Update(msg):
		return f.owner.filtered()
	}
	return nil, nil
}

// commonKey returns the action of a key that has the same command in other dialogs, nil for none. The key that opens a
// list closes it.
func (f *finder) commonKey(msg keys.Press) action.Action {
	if list, ok := listOf(msg); ok && list == f.name {
		return f.leave(nil)
	} else if ok {
		return f.leave(action.RunCommand{Scope: keys.Everywhere, Command: msg.Command})
	}
	a := f.CommonKey(msg)
	if _, closes := a.(action.CloseDialog); closes {
		return f.leave(nil)
	}
	return a
}

// leave closes the dialog without a choice and then does an action, which may be nil.
func (f *finder) leave(then action.Action) action.Action {
	return action.Join(action.CloseDialog{}, f.onLeave, then)
}

// listOf returns the list that a key opens, "" for a pane or a form. ok is false for other keys.
func listOf(msg keys.Press) (list action.List, ok bool) {
	if msg.Scope != keys.Everywhere {
		return "", false
	}
	list, ok = map[keys.Command]action.List{
		keys.Commands: action.ListCommands, keys.Sessions: action.ListSessions,
		keys.OldPrompts: action.ListPrompts,
		keys.Pictures:   action.ListPictures, keys.Themes: action.ListThemes,
		keys.ChooseModels: "", keys.Personas: "",
	}[msg.Command]
	return list, ok
}

// refused explains why a command cannot be done now; nil where it can.
func (f *finder) refused(msg keys.Press) action.Action {
	why := f.Refusal(msg.Command)
	if why == "" {
		return nil
	}
	e, _ := f.Keys.Entry(f.Scope(), msg.Command)
	return action.Unused{Key: msg.String(), Why: fmt.Sprintf("%s (%s)%s", msg, e.Short, why)}
}

// choose closes the dialog and does the action of an entry, which may be nil.
func choose(enter action.Action) action.Action {
	if enter == nil {
		return action.Unused{Why: "Nothing to choose in this list."}
	}
	return overlay.CloseThen(enter)
}

func (f *finder) scrollsSide() bool { return f.hasSide() && f.side.Scrolls() }

func (f *finder) scrollSide(down bool) action.Action {
	if !f.hasSide() {
		return action.Unused{Why: "No room for a preview at this size."}
	}
	f.side.ScrollHalf(down)
	return nil
}

func (f *finder) count(n int) string {
	switch {
	case f.found == 0:
		return ""
	case f.filter.Value() != "":
		return fmt.Sprintf("%d of %d match", n, max(f.total, n))
	case f.total > n:
		return fmt.Sprintf("%d of %d", n, f.total)
	}
	return fmt.Sprint(n)
}

// draw draws the box of the entries, with a title, and the one beside or below it.
func (f *finder) draw(title, right, sideName string, borders [][]keys.Hint, lines []string) string {
	box := f.Box(title, right, borders[0], f.listW, f.listH)
	box.Pad = 0
	list := widget.BoxLines(box, lines)
	if !f.hasSide() {
		return strings.Join(list, "\n")
	}
	sideBox := f.Box(sideName, f.side.Position(), borders[1], f.sideW, f.sideH)
	sideBox.Title, sideBox.Focused = sideName, false
	side := widget.BoxLines(sideBox, f.side.View())
	if f.isBeside {
		return widget.JoinBlocks(list, side)
	}
	return strings.Join(append(list, side...), "\n")
}

// headLines draws the filter, and below it the text under, or what may follow the search word that was typed.
func (f *finder) headLines(under string) []string {
	lines := []string{" " + f.Styles.Accent.On(">") + " " + f.filter.View(true)}
	if f.head < 2 {
		return lines
	}
	w := f.listW - 6
	query := f.filter.Value()
	if values := queryValues()[query[strings.LastIndexByte(query, ' ')+1:]]; f.HasQuery && values != "" {
		under = ansi.Truncate(values, w, "…")
	}
	if under != "" {
		under = "   " + f.Styles.Faint.On(keepEnd(under, w))
	}
	return append(lines, under)
}

// queryValues returns what may follow the words of [history.ParseQuery].
func queryValues() map[string]string {
	const days = "today, yesterday, 2026-01-31, 2026-01, 2026, 3d, 2w or 6m"
	return map[string]string{
		"before:": days, "after:": days,
		"model:": "a name, part of one, or several with commas",
		"kind:":  "text, image or edit",
		"state:": "queued, running, done, failed, stopped or interrupted",
		"rated:": "good, bad, best or none",
	}
}

// keepEnd cuts a path on the left to w cells.
func keepEnd(s string, w int) string {
	if n := ansi.StringWidth(s); n > w && w > 1 {
		return ansi.TruncateLeft(s, n-w+1, "…")
	}
	return s
}

// messageMargin is the cells of a box that a message in it does not use.
const messageMargin = 8

// message draws the problem, that entries are being read, or why there are none.
func (f *finder) message(isFiltered bool) []string {
	style, text := f.Styles.Muted, f.Empty
	switch {
	case f.problem != "":
		style, text = f.Styles.Danger, f.problem
	case f.found == 0:
		text = "Reading…"
	case isFiltered:
		text = "Nothing matches “" + f.filter.Value() + "”."
		if f.HasQuery {
			text += " Filters: model:, rated: (good, bad, best, none), before: and after:, as in after:yesterday."
		}
	}
	return widget.StyleLines(style, "   ", termtext.Wrap(termtext.Clean(text), max(f.listW-messageMargin, 1)))
}
