package compare

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/graphics"
	"confab/ui/keys"
)

// Update implements [part.Pane].
func (v *View) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case keys.Press:
		return v.handleKey(msg)
	case tea.PasteMsg:
		if v.find.IsTyping {
			return v.typeFind(msg), nil
		}
	case tea.MouseMsg:
		return v.handleMouse(msg)
	case graphics.SentMsg, graphics.PreviewMsg:
		return updateAll(v.readers(), func(r *conversation.Pane) (action.Action, tea.Cmd) { return r.Update(msg) })
	}
	return v.receive(msg)
}

// Lookups implements [part.KeyLooker].
func (v *View) Lookups() []keys.Lookup {
	x := v.current()
	switch {
	case v.mode != nil:
		return v.mode.lookups()
	case v.find.IsTyping:
		return keys.InLine()
	case x != nil && v.readerOf(x).IsChoosing():
		return nil
	case v.jump.isTyping:
		return []keys.Lookup{{Scope: keys.Form, Only: []keys.Command{keys.Accept}}}
	}
	return keys.LookupsIn(keys.Compare)
}

// handleKey gives a key to a search, a choice of code blocks, a jump to a number, or its command.
func (v *View) handleKey(msg keys.Press) (action.Action, tea.Cmd) {
	name, x := msg.String(), v.current()
	isDigit := len(name) == 1 && name[0] >= '0' && name[0] <= '9'
	switch {
	case v.mode != nil:
	case v.find.IsTyping:
		return v.typeFind(msg), nil
	case x != nil && v.readerOf(x).IsChoosing():
		return v.readerOf(x).Update(msg)
	case v.jump.isTyping && isDigit:
		v.jump.digits += name
		return nil, nil
	case v.jump.isTyping:
		v.jump.isTyping = false
		if msg.Command == keys.Accept {
			return v.jumpTo(v.jump.digits), nil
		}
		return nil, nil
	case isDigit && name != "0":
		return v.jumpTo(name), nil
	}
	if msg.Command == "" {
		return action.Unused{Key: name}, nil
	}
	return v.Run(msg.Command), nil
}

// jump is the number of the answer to go to, while it is typed.
type jump struct {
	isTyping bool
	digits   string
}

func (v *View) jumpTo(number string) action.Action {
	n, err := strconv.Atoi(number)
	i := slices.IndexFunc(v.listed, func(x *cell) bool { return x.number == n })
	if err != nil || i < 0 {
		return action.Notify{Severity: action.Warn, Text: "There is no answer " + number + " here."}
	}
	v.focus(i)
	return nil
}

func (v *View) focus(i int) {
	v.focusIndex = max(min(i, len(v.listed)-1), 0)
	v.relayout()
}

// FocusColumn focuses the cell with a name, where there is one.
func (v *View) FocusColumn(name string) {
	if i := v.indexOf(name); i >= 0 {
		v.focus(i)
	}
}

func notifyInfo(text string) action.Action { return action.Notify{Severity: action.Info, Text: text} }

// Run implements [part.Pane].
func (v *View) Run(command keys.Command) action.Action {
	x := v.current()
	switch {
	case v.mode != nil:
		return v.mode.handle(v, command)
	case x != nil:
	case command == keys.ShowAnswers:
		v.nextFilter()
		return nil
	case command == keys.Help:
		return action.ShowHelp{Scope: keys.Compare}
	default:
		return action.Unused{Why: "No answer is listed" + v.env.Keys.Phrase(keys.Compare, keys.ShowAnswers,
			": %s shows other ones") + "."}
	}
	if why := v.whyUseless(command); why != "" {
		return action.Unused{Why: why}
	}
	if v.moveFocus(command) {
		return nil
	}
	if a, ok := v.handleViewCommand(command); ok {
		v.relayout()
		return a
	}
	if a, ok := v.handleCaseCommand(command); ok {
		return a
	}
	if !x.wasAsked() {
		return v.notAsked(x)
	}
	if command == keys.StopAnswer && x.answer().State.HasEnded() {
		return notifyInfo("This answer has ended.")
	}
	then := v.readerOf(x).Run(command)
	if w, ok := then.(action.ShowWrite); ok && v.content.Run != 0 {
		w.Run = v.content.Run
		for _, t := range v.content.Turns {
			w.Row = append(w.Row, t.ID)
		}
		return w
	}
	return then
}

func (v *View) notAsked(x *cell) action.Action {
	return notifyInfo(termtext.Line(x.name) + " was not asked for an answer to this yet.")
}

func (v *View) hasFocusInList() bool { return v.layout.layout == List && v.mode == nil }

// moveFocus handles the commands that move the focus or a window; it tells whether this is one.
func (v *View) moveFocus(command keys.Command) bool {
	x := v.current()
	height := v.h
	if len(v.layout.boxes) > 0 {
		height = v.layout.boxes[0].Dy() - 2
	}
	switch by, isScroll := command.Lines(height, 2, 1<<30); {
	case v.hasFocusInList() && command == keys.Down:
		command = keys.NextAnswer
	case v.hasFocusInList() && command == keys.Up:
		command = keys.PreviousAnswer
	case isScroll:
		v.scroll(by)
		return true
	}
	switch command {
	case keys.NextAnswer:
		v.focus(v.focusIndex + 1)
	case keys.PreviousAnswer:
		v.focus(v.focusIndex - 1)
	case keys.WindowRight:
		v.focus(v.windowStart + len(v.layout.boxes))
	case keys.WindowLeft:
		v.focus(v.windowStart - 1)
	case keys.JumpAnswer:
		v.jump = jump{isTyping: true}
	case keys.NextSample:
		v.chooseSample(x, 1)
	case keys.PreviousSample:
		v.chooseSample(x, -1)
	default:
		return false
	}
	return true
}

func (v *View) chooseSample(x *cell, by int) {
	x.sampleIndex = max(min(x.sampleIndex+by, len(x.distinct)-1), 0)
	v.findMatches()
	v.relayout()
}

// handleViewCommand handles the commands that change how answers are shown. Its action describes changes that are not
// visible in every layout and width.
func (v *View) handleViewCommand(command keys.Command) (a action.Action, ok bool) {
	switch command {
	case keys.Layouts:
		v.nextLayout()
	case keys.ZoomAnswer:
		v.toggleZoom(zoomAnswer)
	case keys.SyncScroll:
		v.sync = (v.sync + 1) % 3
		return notifyInfo("Side by side, answers scroll together " + v.sync.describe() + "."), true
	case keys.SortAnswers:
		v.nextOrder()
		return notifyInfo("The answers are in the order of " + v.order.describe() + "."), true
	case keys.ShowAnswers:
		v.nextFilter()
		return notifyInfo("Shown: " + v.filter.String() + "."), true
	case keys.WholePrompt:
		v.showsPrompt = !v.showsPrompt
	case keys.Pin:
		v.togglePin()
	case keys.BeforeAfter:
		return v.toggleSource(), true
	case keys.Find:
		v.find.Start(v.styles, v.w)
	default:
		return nil, false
	}
	return nil, true
}

// nextLayout chooses another layout; from a zoomed answer it returns to the layout before.
func (v *View) nextLayout() {
	if v.zoom.shows != zoomNothing {
		v.toggleZoom(zoomNothing)
		return
	}
	all := v.possibleLayouts()
	v.chosen[v.layoutKey()] = all[(slices.Index(all, v.layout.layout)+1)%len(all)]
}

func (v *View) possibleLayouts() []Layout {
	if v.styles.ScreenReader {
		return []Layout{Strip}
	}
	return possibleLayouts(v.body().Dx(), v.body().Dy(), len(v.listed))
}

// syncMode is how the other cells scroll with the focused one.
type syncMode int

const (
	syncByShare syncMode = iota
	syncByLine
	syncOff
)

func (m syncMode) String() string { return [...]string{"by share", "by line", "off"}[m] }

func (m syncMode) describe() string {
	return [...]string{"by share of their length", "by lines", "not at all"}[m]
}

// scroll scrolls the focused answer, and the others with it.
func (v *View) scroll(n int) {
	x := v.current()
	reader := v.readerOf(x)
	reader.Scroll(n)
	if v.sync == syncOff {
		return
	}
	share := reader.Share()
	for _, b := range v.boxes {
		switch {
		case b.cell == nil || b.cell == x:
		case v.sync == syncByShare:
			b.reader.SetShare(share)
		default:
			b.reader.Scroll(n)
		}
	}
}

func (v *View) togglePin() {
	if x := v.current(); v.pin != x.name {
		v.pin = x.name
		return
	}
	v.pin = ""
	if v.order == bySimilarity {
		v.order = byNumber
		v.list(false)
	}
}

// CapturesText tells whether letters are typed text now.
func (v *View) CapturesText() bool { return v.find.IsTyping && v.mode == nil }

// Back closes the top layer of the view; it tells whether there was one.
func (v *View) Back() bool {
	switch {
	case v.mode != nil && !v.mode.close():
	case v.mode != nil:
		v.mode = nil
	case v.jump.isTyping:
		v.jump.isTyping = false
	case v.find.IsTyping || v.find.Text != "":
		v.closeFind()
	case v.zoom.shows != zoomNothing:
		v.toggleZoom(zoomNothing)
	case v.showsPrompt:
		v.showsPrompt = false
	default:
		return false
	}
	v.relayout()
	return true
}
