// Package compare shows the answers to one prompt side by side: in columns, in a grid, in columns under a strip that
// names all answers, or one by one beside a list. Every answer keeps its own scroll position, and every answer that has
// no box is in the strip or the list.
//
// Positions come from one pure function, [arrange]. The text of a cell is shown by the reader of the conversation
// ([conversation.Pane] with one answer); this package adds the boxes, order, focus, pinning, samples, differences and
// votes.
package compare

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/service/suite"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/part"
)

// View is the comparison of the answers to one prompt.
type View struct {
	part.Unconverted
	keys       keys.Map
	styles     *themes.Styles
	models     []themes.Style // of the models of cells, by their numbers from 1
	profile    colorprofile.Profile
	imageIDs   *graphics.ImageIDs
	cellAspect float64
	makeReader func() *conversation.Pane
	randIntn   func(n int) int
	now        func() time.Time

	isPreview     bool // shows the boxes alone, and acts on no keys
	w, h          int
	focused       bool
	content       Case
	cells         []*cell
	listed        []*cell // the cells that are shown, in their order
	focusIndex    int     // in listed
	windowStart   int     // index in listed of the cell in the first box
	layout        viewLayout
	boxes         []box
	chosenLayouts map[string]Layout // see layoutKey
	stripIsHead   bool              // the strip replaces the line above the boxes
	isZoomed      bool
	dragged       string // the answer in whose box the mouse drags
	showsPrompt   bool   // the whole prompt is shown
	jumpDigits    string // the number of the answer to jump to, as typed so far
	isJumping     bool

	syncMode syncMode
	order    sortOrder
	filter   filter
	pin      string                // name of the pinned cell
	figures  map[int64]textFigures // by answer
	find     finder
	diff     *differenceLayer
	vote     *blindVote
	wins     winsMsg
	source   sourcePreview
}

var _ part.ReadingPane = (*View)(nil)

// New returns an empty view with a clock. makeReader makes the reader of a cell.
func New(m keys.Map, s *themes.Styles, now func() time.Time, makeReader func() *conversation.Pane) *View {
	return &View{keys: m, styles: s, now: now, makeReader: makeReader, chosenLayouts: map[string]Layout{},
		find: finder{index: -1}, randIntn: rand.IntN, figures: map[int64]textFigures{}}
}

// NewPreview returns an empty view without keys, which shows the answers of a cell under the table of a run, or of two.
func NewPreview(s *themes.Styles, now func() time.Time, makeReader func() *conversation.Pane) *View {
	v := New(keys.Map{}, s, now, makeReader)
	v.isPreview = true
	return v
}

// SetCase shows a case, with one of its answers focused unless that is 0. Scroll positions, order and focus are kept
// while the case is the same.
func (v *View) SetCase(content Case, answer int64) {
	old := v.cells
	if !content.isSame(v.content) {
		old, v.listed, v.focusIndex, v.windowStart, v.isZoomed, v.diff, v.vote = nil, nil, 0, 0, false, nil, nil
		v.filter, v.figures, v.find = showAll, map[int64]textFigures{}, finder{index: -1}
		v.source = sourcePreview{reader: v.source.reader}
		if content.Name == "" || v.content.Name == "" { // the rows of one run keep order and pin
			v.pin, v.order = "", byNumber
		}
	}
	v.content = content
	v.cells = makeCells(content, old, v.newReader)
	v.colorModels()
	v.relist()
	v.focusNewPicture(old)
	for i, x := range v.listed {
		if j := x.indexOf(answer); j >= 0 && answer != 0 {
			v.focusIndex = i
			x.choose(j)
		}
	}
	v.findMatches()
	v.relayout()
}

// Apply applies events to the turns of the case.
func (v *View) Apply(events ...history.Event) {
	for i, t := range v.content.Turns {
		if slices.ContainsFunc(events, func(e history.Event) bool { return e.Turn == t.ID }) {
			v.replaceTurn(i, history.Apply(t, events...))
		}
	}
}

// PutTurn replaces a turn of the case; other turns are ignored.
func (v *View) PutTurn(t history.Turn) {
	if i := slices.IndexFunc(v.content.Turns, func(o history.Turn) bool { return o.ID == t.ID }); i >= 0 {
		v.replaceTurn(i, t)
	}
}

// replaceTurn shows a newer version of a turn. While its answers only progress, the cells alone are updated: order,
// layout and search depend on answers that have ended.
func (v *View) replaceTurn(i int, t history.Turn) {
	content := v.content
	content.Turns = slices.Clone(content.Turns)
	content.Turns[i] = t
	if !onlyProgresses(v.content.Turns[i], t) {
		wasRunning := v.isRunning()
		v.SetCase(content, 0)
		if wasRunning && !v.isRunning() && !v.focused {
			v.showStarts()
		}
		return
	}
	v.content = content
	for _, x := range v.cells {
		x.update(t)
	}
}

func (v *View) isRunning() bool { return slices.ContainsFunc(v.cells, (*cell).isRunning) }

// showStarts shows the beginning of every answer in which nobody has scrolled.
func (v *View) showStarts() {
	for _, r := range v.readers() {
		if r.IsUnread() {
			r.ToStart()
		}
	}
}

// onlyProgresses tells whether a turn differs from an older version only in answers that are running in both.
func onlyProgresses(old, t history.Turn) bool {
	return slices.EqualFunc(old.Answers, t.Answers, func(a, b history.Answer) bool {
		isRunning := a.State == history.Running && b.State == history.Running
		return a.ID == b.ID && (isRunning || a.Version == b.Version && a.State == b.State)
	})
}

// ShowDifference shows how two answers of different runs differ, as they are in their turns. Behind the difference they
// are shown side by side, which is all there is for pictures, and for an answer alone: its turn is the only one.
func (v *View) ShowDifference(turns [2]history.Turn, a action.ShowDifference) action.Action {
	content := Case{Name: a.NameA + " → " + a.NameB, Named: map[int64]string{}}
	texts := 0
	for i, x := range []history.Answer{a.A, a.B} {
		if turns[i].ID == 0 {
			continue
		}
		if stored, ok := turns[i].Answer(x.ID); ok {
			x = stored
		}
		if x.State == history.Done && x.Picture == nil {
			texts++
		}
		name := [...]string{a.NameA, a.NameB}[i]
		turns[i].Answers = []history.Answer{x}
		content.Turns, content.Columns = append(content.Turns, turns[i]), append(content.Columns, name)
		content.Named[x.Turn] = name
	}
	v.diff = nil
	v.SetCase(content, a.B.ID)
	if texts < 2 {
		return nil
	}
	if !v.isPreview {
		v.pin = a.NameA
		v.relayout()
	}
	return v.openDifference()
}

// Column returns the name of the focused cell, to be focused in another case.
func (v *View) Column() string {
	if x := v.current(); x != nil {
		return x.name
	}
	return ""
}

// FocusColumn focuses the cell with a name, where there is one.
func (v *View) FocusColumn(name string) {
	if i := v.indexOf(name); i >= 0 {
		v.focus(i)
	}
}

// indexOf returns the index in listed of the cell with a name, -1 for none.
func (v *View) indexOf(name string) int {
	return slices.IndexFunc(v.listed, func(x *cell) bool { return x.name == name })
}

// IsLarge tells whether something is read that is worth the whole screen: a zoomed answer, a difference or a vote.
func (v *View) IsLarge() bool { return v.isZoomed || v.diff != nil || v.vote != nil }

// Focused returns the focused answer and its turn, zeros for none.
func (v *View) Focused() (turn, answer int64) {
	if x := v.current(); x != nil {
		return x.turn().ID, x.answer().ID
	}
	return 0, 0
}

// Reader returns what shows the focused answer, nil for none.
func (v *View) Reader() *conversation.Pane {
	if x := v.current(); x != nil && x.wasAsked() {
		return x.reader
	}
	return nil
}

// Target identifies the answer that keys act on, or the pair that is voted on.
func (v *View) Target() string {
	if v.vote != nil {
		return fmt.Sprint("pair ", v.vote.seen)
	}
	turn, answer := v.Focused()
	return fmt.Sprint(turn, " ", answer)
}

// ReadingPosition tells which answer is focused, and how far it is scrolled.
func (v *View) ReadingPosition() string {
	switch x := v.current(); {
	case v.vote != nil:
		return v.vote.readers[0].ReadingPosition() + v.vote.readers[1].ReadingPosition()
	case v.diff != nil:
		return fmt.Sprint(v.Target(), v.diff.top, v.diff.hunk)
	case x != nil:
		return x.reader.ReadingPosition()
	}
	return ""
}

// Case returns what is shown.
func (v *View) Case() Case { return v.content }

// SetWins sets the wins over the whole history, and the votes on the run, which are shown after a vote.
func (v *View) SetWins(w history.Wins, votes suite.Votes) { v.wins = winsMsg{w, votes} }

// SetProfile sets the colors that pictures can be drawn with.
func (v *View) SetProfile(p colorprofile.Profile) {
	v.profile = p
	for _, r := range v.readers() {
		r.SetProfile(p)
	}
}

// SetImageIDs sets how the terminal draws pictures; see [conversation.Pane.SetImageIDs].
func (v *View) SetImageIDs(ids *graphics.ImageIDs, cellAspect float64) {
	v.imageIDs, v.cellAspect = ids, cellAspect
	for _, r := range v.readers() {
		r.SetImageIDs(ids, cellAspect)
	}
}

// SetStyles implements [part.Pane].
func (v *View) SetStyles(s *themes.Styles) {
	v.styles = s
	v.colorModels()
	for _, r := range v.readers() {
		r.SetStyles(s)
	}
}

// SetSize implements [part.Pane].
func (v *View) SetSize(w, h int) { v.w, v.h = w, h; v.relayout() }

// SetFocused implements [part.Pane].
func (v *View) SetFocused(focused bool) tea.Cmd { v.focused = focused; return nil }

// Scope implements [part.Pane].
func (v *View) Scope() keys.Scope { return keys.Compare }

// ChosenLayouts returns the layouts that were chosen, by number of answers and width, to be stored.
func (v *View) ChosenLayouts() string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(v.chosenLayouts)) {
		out = append(out, key+"="+string(v.chosenLayouts[key]))
	}
	return strings.Join(out, ";")
}

// SetChosenLayouts restores what [View.ChosenLayouts] returned and ignores anything else in the text.
func (v *View) SetChosenLayouts(text string) {
	for entry := range strings.SplitSeq(text, ";") {
		key, layout, ok := strings.Cut(entry, "=")
		if ok && slices.Contains([]Layout{Columns, Grid, Strip, List}, Layout(layout)) {
			v.chosenLayouts[key] = Layout(layout)
		}
	}
}

// current returns the focused cell; nil while nothing is listed.
func (v *View) current() *cell {
	if v.focusIndex < 0 || v.focusIndex >= len(v.listed) {
		return nil
	}
	return v.listed[v.focusIndex]
}

// pinned returns the pinned cell, nil for none.
func (v *View) pinned() *cell {
	if i := slices.IndexFunc(v.cells, func(x *cell) bool { return x.name == v.pin }); i >= 0 && v.pin != "" {
		return v.cells[i]
	}
	return nil
}
