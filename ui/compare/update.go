package compare

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

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

// lookups returns where keys are looked up.
func (v *View) lookups() []keys.Lookup {
	x := v.current()
	switch {
	case v.mode != nil:
		return keys.LookupsIn(v.mode.Scope())
	case v.find.IsTyping:
		return keys.InLine()
	case x != nil && v.readerOf(x).IsChoosing():
		return nil
	case v.jump.isTyping:
		return []keys.Lookup{{Scope: keys.Form, Only: []keys.Command{keys.Accept}}}
	}
	return keys.LookupsIn(keys.Compare)
}

// handleKey passes a key to the search, the choice of a code block, the jump to a number, or its command.
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
		v.relayout()
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

// jump is the number of an answer while the user types it.
type jump struct {
	isTyping bool
	digits   string
}

func (v *View) jumpTo(number string) action.Action {
	n, err := strconv.Atoi(number)
	i := slices.IndexFunc(v.listed, func(x *cell) bool { return x.number == n })
	if err != nil || i < 0 {
		return action.Notify{Severity: action.Warn, Text: "No answer " + number + " here."}
	}
	v.focus(i)
	return nil
}

// focus focuses the i-th listed answer, or the nearest existing one.
func (v *View) focus(i int) action.Action {
	v.focusIndex = max(min(i, len(v.listed)-1), 0)
	v.relayout()
	return nil
}

// focusColumn focuses the cell with a name, if it exists.
func (v *View) focusColumn(name string) {
	if i := v.indexOf(name); i >= 0 {
		v.focus(i)
	}
}

func notifyInfo(text string) action.Action { return action.Notify{Severity: action.Info, Text: text} }

// Run implements [part.Commands].
func (v *View) Run(command keys.Command) action.Action {
	if v.mode != nil {
		return v.mode.Run(command)
	}
	return v.Commands.Run(command)
}

// Hints implements [part.Commands]; hints in the borders of boxes are left out.
func (v *View) Hints() []keys.Hint {
	hints, inBorders := v.Commands.Hints(), []keys.Hint{}
	switch d, ok := v.mode.(*difference); {
	case ok:
		hints, inBorders = d.Hints(), d.borderHints()
	case v.mode != nil:
		hints = v.mode.Hints()
	case v.find.IsTyping:
		return keys.LineHints(v.env.Keys, "find", "close")
	}
	for _, b := range v.boxes {
		inBorders = append(inBorders, v.borderHints(b)...)
	}
	return slices.DeleteFunc(hints, func(h keys.Hint) bool {
		return slices.ContainsFunc(inBorders, func(b keys.Hint) bool { return b.Key == h.Key })
	})
}

// takesKeys tells whether keys are the view's.
func (v *View) takesKeys() bool { return v.focused && !v.env.IsCovered() }

// hintsWithFocus returns the hints of commands while keys are the view's.
func (v *View) hintsWithFocus(commands ...keys.Command) []keys.Hint {
	if !v.takesKeys() {
		return nil
	}
	return v.env.Keys.Hints(keys.Compare, commands...)
}

func (v *View) hasFocusInList() bool { return v.layout.layout == List && v.mode == nil }

func (v *View) stepSample(by int) action.Action {
	x := v.current()
	x.sampleIndex = max(min(x.sampleIndex+by, len(x.distinct)-1), 0)
	v.findMatches()
	v.relayout()
	return nil
}

// askWrite opens the form to write the focused answer, or those of the row of a run, to a file.
func (v *View) askWrite() action.Action {
	w, ok := inReader(keys.Write)(v).(action.ShowWrite)
	if !ok || v.content.Run == 0 {
		return w
	}
	w.Run = v.content.Run
	w.Row = append(w.Row, v.content.Turns...)
	return w
}

// changeLayout chooses the next layout, or leaves the zoom.
func (v *View) changeLayout() action.Action {
	if v.zoom.shows != zoomNothing {
		return v.toggleZoom(zoomNothing)
	}
	v.chosen[v.layoutKey()] = v.nextLayout()
	v.relayout()
	return nil
}

// nextLayout returns the layout after the shown one.
func (v *View) nextLayout() Layout {
	all := v.possibleLayouts()
	return all[(slices.Index(all, v.layout.layout)+1)%len(all)]
}

// layoutWord names what the key of layouts does.
func (v *View) layoutWord() string {
	if v.zoom.shows != zoomNothing {
		return "all answers"
	}
	return string(v.nextLayout())
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

func (m syncMode) String() string { return [...]string{"proportionally", "by line", "separately"}[m] }

func (v *View) nextSync() syncMode { return (v.sync + 1) % 3 }

func (v *View) changeSync() action.Action {
	v.sync = v.nextSync()
	return notifyInfo("Answers scroll " + v.sync.String() + ".")
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

func (v *View) togglePin() action.Action {
	if x := v.current(); v.pin != x.name {
		v.pin = x.name
	} else if v.pin = ""; v.order == bySimilarity {
		v.order = byNumber
		v.list(false)
	}
	v.relayout()
	return nil
}

// capturesText reports whether letters are text of the search.
func (v *View) capturesText() bool { return v.find.IsTyping && v.mode == nil }

// Back closes the top layer of the view and reports whether there was one.
func (v *View) Back() bool {
	_, showsDifference := v.mode.(*difference)
	switch {
	case showsDifference && v.content.IsPair:
		return false
	case v.mode != nil && !v.mode.close():
	case v.mode != nil:
		v.mode = nil
		if len(v.content.Turns) == 0 { // the vote was on answers of a table
			return false
		}
	case v.jump.isTyping:
		v.jump.isTyping = false
	case v.find.IsTyping || v.find.Text != "":
		v.closeFind()
	case v.zoom.shows != zoomNothing && !v.zoom.isOpened:
		v.toggleZoom(zoomNothing)
	case v.showsPrompt:
		v.showsPrompt = false
	default:
		return false
	}
	v.relayout()
	return true
}
