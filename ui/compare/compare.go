// Package compare shows the answers to one prompt side by side: in columns, in a grid, in columns under a strip that
// names all answers, or one by one beside a list. Every answer keeps its scroll position.
//
// [arrange] computes all positions. A [conversation.Pane] with one answer draws the text of a cell; this package adds
// boxes, order, focus, pinning and samples. A vote or a difference is a [mode] that replaces the boxes.
package compare

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/turns"
)

// View is the pane that compares the answers to one prompt. It reads turns of runs and stores votes.
type View struct {
	part.Commands
	env       part.Env
	turns     *turns.Turns
	session   *conversation.Pane // draws as its readers do
	styles    *themes.Styles
	models    []themes.Style // of the models of the cells, in their order
	randIntn  func(n int) int
	isPreview bool                         // draws only the boxes and has no keys
	previewed func() action.ShowDifference // what it shows; nil for what it is given
	focused   bool

	content  Case
	pair     action.ShowDifference // the requested answers of two runs
	laidOut  []answerState
	revision int // of the turns that are laid out
	cellList
	placement
	mode  mode // nil for the boxes
	zoom  zoom
	find  finder
	jump  jump
	votes []int64 // stored in this screen
	wins  winsMsg
}

// mode replaces the answers by a vote or a difference.
type mode interface {
	part.Commands
	scroll(lines int)
	lines() []string
	boxes() []box
	margins() (above, below int) // lines around the boxes
	close() bool                 // reports whether the mode ends with the key that goes back
}

// New returns an empty view that draws with the settings of the pane of the open session.
func New(env part.Env, held *turns.Turns, session *conversation.Pane) *View {
	v := &View{env: env, turns: held, session: session, styles: env.Styles(), randIntn: rand.IntN,
		cellList: cellList{figures: map[int64]textFigures{}}, placement: placement{chosen: map[string]Layout{}},
		find: finder{index: -1}}
	v.Commands = commands.For(v, env.Keys)
	return v
}

// NewPreview returns a view without keys that shows the answers of the focused cell of a table, once they are read.
func NewPreview(env part.Env, held *turns.Turns, session *conversation.Pane,
	focused func() action.ShowDifference) *View {
	env.Keys = keys.Map{}
	v := New(env, held, session)
	v.isPreview, v.previewed = true, focused
	return v
}

// SetCase shows a case and focuses an answer unless it is 0. The same case keeps scroll positions, order and focus.
func (v *View) SetCase(content Case, answer int64) {
	old := v.cells
	if !content.isSame(v.content) {
		old, v.listed, v.focusIndex, v.windowStart, v.mode = nil, nil, 0, 0, nil
		v.filter, v.figures, v.find = showAll, map[int64]textFigures{}, finder{index: -1}
		v.zoom = zoom{source: v.zoom.source}
		if content.Name == "" || v.content.Name == "" { // the rows of one run keep order and pin
			v.pin, v.order = "", byNumber
		}
	}
	v.content = content
	samples := v.samples()
	v.cells = makeCells(content, samples, old, v.session.NewReader)
	v.laidOut, v.revision = statesOf(samples), v.turns.Revision()
	v.colorModels()
	v.relist()
	v.focusNewPicture(old)
	for i, x := range v.listed {
		if j := x.indexOf(answer); j >= 0 && answer != 0 {
			v.focusIndex, x.sampleIndex = i, j
		}
	}
	v.findMatches()
	v.relayout()
}

// answerState identifies what is known of an answer.
type answerState struct {
	id      int64
	version int
	state   history.State
}

func statesOf(samples []sample) []answerState {
	states := make([]answerState, len(samples))
	for i, s := range samples {
		a := s.answer()
		states[i] = answerState{a.ID, a.Version, a.State}
	}
	return states
}

// takeChanges lays out what has changed of the answers. It draws only their cells anew while answers run: order, layout
// and search depend on finished ones.
func (v *View) takeChanges() {
	if v.revision == v.turns.Revision() {
		return
	}
	v.revision = v.turns.Revision()
	before, now := v.laidOut, statesOf(v.samples())
	isRunning := func(s answerState) bool { return s.state == history.Running }
	onlyProgresses := slices.EqualFunc(before, now, func(a, b answerState) bool {
		return a == b || a.id == b.id && isRunning(a) && isRunning(b)
	})
	if !onlyProgresses {
		v.SetCase(v.content, 0)
		v.showStarts(before)
		return
	}
	v.laidOut = now
	for _, x := range v.cells {
		if i := slices.IndexFunc(now, func(s answerState) bool { return s.id == x.answer().ID }); before[i] != now[i] {
			v.boxOf(x.name).show()
		}
	}
}

// showStarts scrolls answers that have ended since to their start, but not one that the user has scrolled or follows.
func (v *View) showStarts(before []answerState) {
	for _, x := range v.cells {
		a, r := x.answer(), v.readerOf(x)
		wasRunning := slices.ContainsFunc(before, func(s answerState) bool {
			return s.id == a.ID && s.state == history.Running
		})
		if wasRunning && a.State.HasEnded() && r.IsUnread() && !(v.focused && x == v.current()) {
			r.ToStart()
		}
	}
}

// IsLarge reports whether the view shows a zoomed answer, a difference or a vote, for which side panes are hidden.
func (v *View) IsLarge() bool { return v.zoom.shows == zoomAnswer || v.mode != nil }

// Focused returns the focused answer and its turn, zeros for none.
func (v *View) Focused() (turn, answer int64) {
	if x := v.current(); x != nil {
		return x.turn().ID, x.answer().ID
	}
	return 0, 0
}

// Reader returns the pane of the focused answer, nil for none.
func (v *View) Reader() *conversation.Pane {
	if x := v.current(); x != nil && x.wasAsked() {
		r := v.readerOf(x)
		r.ReadOnly(x.turn().ID, x.answer().ID) // it has no box behind a difference
		return r
	}
	return nil
}

// State implements [part.Pane].
func (v *View) State() action.LayerState {
	return action.LayerState{Lookups: v.lookups(), CapturesText: v.capturesText(), Target: v.target(),
		Pictures: v.Pictures(), HintAt: v.hintAt, DoubleClick: v.doubleClick,
		TakesKey: v.find.Takes}
}

// target identifies the answer that keys act on, or the pair that is voted on.
func (v *View) target() string {
	if vote, ok := v.mode.(*blindVote); ok {
		return fmt.Sprint("pair ", vote.seen)
	}
	turn, answer := v.Focused()
	return fmt.Sprint(turn, " ", answer)
}

// Case returns the shown case.
func (v *View) Case() Case { return v.content }

// ShowsPrompt reports whether the prompt of a turn, or the same one of a later turn, is shown above its answers.
func (v *View) ShowsPrompt(turn int64) bool {
	named, isKnown := v.turns.Turn(turn)
	return v.mode == nil && (slices.Contains(v.content.Turns, turn) || isKnown && named.Prompt == v.prompt())
}

// SetProfile sets the colors of the terminal, for pictures.
func (v *View) SetProfile(p colorprofile.Profile) {
	for _, r := range v.readers() {
		r.SetProfile(p)
	}
}

// SetImageIDs sets how the terminal draws pictures; see [conversation.Pane.SetImageIDs].
func (v *View) SetImageIDs(ids *graphics.ImageIDs, cellAspect float64) {
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

// ChosenLayouts encodes the chosen layouts by number of answers and width.
func (v *View) ChosenLayouts() string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(v.chosen)) {
		out = append(out, key+"="+string(v.chosen[key]))
	}
	return strings.Join(out, ";")
}

// SetChosenLayouts restores what [View.ChosenLayouts] returned; it ignores invalid entries.
func (v *View) SetChosenLayouts(text string) {
	for entry := range strings.SplitSeq(text, ";") {
		key, layout, ok := strings.Cut(entry, "=")
		if ok && slices.Contains([]Layout{Columns, Grid, Strip, List}, Layout(layout)) {
			v.chosen[key] = Layout(layout)
		}
	}
}
