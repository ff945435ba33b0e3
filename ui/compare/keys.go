package compare

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// Update implements [part.Pane].
func (c *Compare) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case keys.Press:
		return c.key(msg)
	case tea.MouseWheelMsg:
		c.wheel(msg)
		return nil, nil
	case tea.MouseClickMsg:
		c.click(msg.X, msg.Y)
		return nil, nil
	case tea.PasteMsg:
		if c.find.typing {
			c.setFind(c.find.text + termtext.Line(msg.Content))
		}
		return nil, nil
	case tea.MouseMsg:
		return nil, nil
	case measuredMsg:
		c.measured(msg)
		return nil, nil
	case likenessMsg:
		c.liked(msg)
		return nil, nil
	case differenceMsg:
		c.differs(msg)
		return nil, nil
	case ChainMsg:
		c.chained(msg)
		return nil, nil
	}
	var wishes action.Several
	var cmds []tea.Cmd
	for _, r := range c.readers() {
		wish, cmd := r.Update(msg)
		if wish != nil {
			wishes = append(wishes, wish)
		}
		cmds = append(cmds, cmd)
	}
	if len(wishes) == 0 {
		return nil, tea.Batch(cmds...)
	}
	return wishes, tea.Batch(cmds...)
}

// key gives a key to a jump under way, to a choice of a code block, or to its
// command; a bare digit jumps.
func (c *Compare) key(msg keys.Press) (action.Action, tea.Cmd) {
	if c.blind != nil {
		command := msg.Command
		if command == "" || c.blind.ended {
			return action.Unused{Key: msg.String()}, nil
		}
		return c.performBlind(command)
	}
	name := msg.String()
	digit := len(name) == 1 && name[0] >= '0' && name[0] <= '9'
	x := c.current()
	switch {
	case c.find.typing:
		return c.typeFind(msg), nil
	case c.diff != nil:
	case x != nil && c.reading(x).Choosing():
		return c.reading(x).Update(msg)
	case c.jumping && digit:
		c.jump += name
		return nil, nil
	case c.jumping:
		to := c.jump
		c.jumping, c.jump = false, ""
		if msg.Command == keys.Accept {
			return c.jumpTo(to), nil
		}
		return nil, nil
	case digit && name != "0":
		return c.jumpTo(name), nil
	}
	command := msg.Command
	if command == "" {
		return action.Unused{Key: msg.String()}, nil
	}
	return c.HandleCommand(command)
}

func (c *Compare) jumpTo(number string) action.Action {
	n, err := strconv.Atoi(number)
	i := slices.IndexFunc(c.listed, func(x *cell) bool { return x.place == n })
	if err != nil || i < 0 {
		return action.Notify{Severity: action.Warn, Text: "There is no answer " + number + " here."}
	}
	c.focus(i)
	return nil
}

// focus moves the focus to a listed answer.
func (c *Compare) focus(i int) {
	c.at = max(min(i, len(c.listed)-1), 0)
	c.layout()
}

// HandleCommand implements [part.Pane].
func (c *Compare) HandleCommand(command keys.Command) (action.Action, tea.Cmd) {
	x := c.current()
	if x == nil {
		switch command {
		case keys.ShowAnswers:
			c.nextShow()
			return nil, nil
		case keys.Help:
			return action.ShowHelp{Scope: keys.Compare}, nil
		}
		return action.Unused{Why: "No answer is listed" + c.keys.Phrase(keys.Compare, keys.ShowAnswers,
			": %s shows other ones") + "."}, nil
	}
	if wish, ok := c.performDifference(command); ok {
		return wish, nil
	}
	if why := c.nothingToMove(command); why != "" {
		return action.Unused{Why: why}, nil
	}
	if c.performMove(command) {
		return nil, nil
	}
	if c.performView(command) {
		return c.describeView(command), nil
	}
	if wish, ok := c.performCase(command); ok {
		return wish, nil
	}
	switch command {
	case keys.Help:
		return action.ShowHelp{Scope: keys.Compare}, nil
	case keys.Difference:
		return c.openDifference()
	case keys.SwapSides, keys.DiffColumns:
		return action.Notify{Severity: action.Info,
			Text: "That is for a difference" + c.keys.Phrase(keys.Compare, keys.Difference, ": %s shows one") + "."}, nil
	case keys.Find:
		c.openFind()
		return nil, nil
	case keys.FindNext:
		return c.nextHit(1), nil
	case keys.FindPrevious:
		return c.nextHit(-1), nil
	case keys.BlindVote:
		return c.openBlind(), nil
	case keys.ShowWins:
		return action.ShowWins{}, nil
	case keys.NextCase:
		return action.StepCase{By: 1}, nil
	case keys.PrevCase:
		return action.StepCase{By: -1}, nil
	case keys.Pin:
		c.pinCurrent()
		return nil, nil
	case keys.BeforeAfter:
		return c.flip(), nil
	}
	if !x.asked() {
		return action.Notify{Severity: action.Info,
			Text: termtext.Line(x.name) + " was not asked for an answer to this yet."}, nil
	}
	return c.reading(x).HandleCommand(command)
}

// inList tells whether the answers are picked from a list.
func (c *Compare) inList() bool { return c.plan.layout == List && !c.zoom && c.diff == nil }

// performMove carries out the commands that move the focus or a window.
func (c *Compare) performMove(command keys.Command) bool {
	x := c.current()
	_, h := c.boxSize()
	switch {
	case !c.inList():
	case command == keys.Down:
		c.focus(c.at + 1)
		return true
	case command == keys.Up:
		c.focus(c.at - 1)
		return true
	}
	if by, ok := command.Lines(h, 2, 1<<30); ok {
		c.scroll(by)
		return true
	}
	switch command {
	case keys.NextAnswer:
		c.focus(c.at + 1)
	case keys.PrevAnswer:
		c.focus(c.at - 1)
	case keys.WindowRight:
		c.focus(min(c.first+len(c.plan.cells), len(c.listed)-1))
	case keys.WindowLeft:
		c.focus(max(c.first-1, 0))
	case keys.JumpAnswer:
		c.jumping, c.jump = true, ""
	case keys.NextSample:
		c.sample(x, 1)
	case keys.PrevSample:
		c.sample(x, -1)
	default:
		return false
	}
	return true
}

// performView carries out the commands that change how answers are shown.
func (c *Compare) performView(command keys.Command) bool {
	switch command {
	case keys.Layouts:
		c.nextLayout()
	case keys.ZoomAnswer:
		c.setZoom(!c.zoom)
	case keys.SyncScroll:
		c.sync = (c.sync + 1) % 3
	case keys.SortAnswers:
		c.nextOrder()
	case keys.ShowAnswers:
		c.nextShow()
	case keys.WholePrompt:
		c.whole = !c.whole
	default:
		return false
	}
	c.layout()
	return true
}

// setZoom fills the view with the focused answer, or goes back to where it was
// read before.
func (c *Compare) setZoom(on bool) {
	c.zoom, c.beside = on, false
	for _, x := range c.cells {
		x.wide = nil
	}
}

// nextLayout takes another layout; from a zoomed answer it goes back to the one
// there was.
func (c *Compare) nextLayout() {
	if c.zoom || c.beside {
		c.setZoom(false)
		return
	}
	body := c.body()
	all := possible(body.Dx(), body.Dy(), len(c.listed))
	i := slices.Index(all, c.plan.layout)
	c.wants[c.wantKey()] = all[(i+1)%len(all)]
}

// sample steps through the samples of a cell.
func (c *Compare) sample(x *cell, n int) {
	x.choose(x.at + n)
	c.changed()
	c.layout()
}

// scroll moves the focused answer, and the others along with it.
func (c *Compare) scroll(n int) {
	if c.diff != nil {
		c.diff.scroll(n, c.h-2)
		return
	}
	x := c.current()
	c.reading(x).Scroll(n)
	if c.zoom {
		return
	}
	share := x.reader.Share()
	for _, o := range c.visible() {
		switch {
		case o == x:
		case c.sync == byShare:
			o.reader.SetShare(share)
		case c.sync == byLine:
			o.reader.Scroll(n)
		}
	}
}

func (c *Compare) boxSize() (w, h int) {
	if len(c.plan.cells) == 0 {
		return c.w, c.h
	}
	return c.plan.cells[0].Dx() - 2, c.plan.cells[0].Dy() - 2
}

func (c *Compare) pinCurrent() {
	x := c.current()
	if c.pin == x.name {
		c.pin = ""
	} else {
		c.pin = x.name
	}
	if c.pin == "" && c.by == byLikeness {
		c.by = byPlace
		c.relist()
	}
	c.layout()
}

// Lookups implements [part.KeyLooker].
func (c *Compare) Lookups() []keys.Lookup {
	x := c.current()
	switch {
	case c.blind != nil:
		return keys.In(keys.Voting)
	case c.find.typing:
		return keys.InLine()
	case c.diff != nil:
	case x != nil && c.reading(x).Choosing():
		return nil
	case c.jumping:
		return []keys.Lookup{{Scope: keys.Form, Only: []keys.Command{keys.Accept}}}
	}
	return keys.In(keys.Compare)
}

// Capturing tells whether letters are text now.
func (c *Compare) Capturing() bool { return c.find.typing && c.diff == nil && c.blind == nil }

// Back closes the top layer of the view; it tells whether there was one.
func (c *Compare) Back() bool {
	switch {
	case c.blind != nil && !c.blind.ended && len(c.blind.votes) > 0:
		c.blind.ended = true
	case c.blind != nil:
		c.blind = nil
	case c.jumping:
		c.jumping = false
	case c.diff != nil:
		c.closeDifference()
	case c.find.text != "" || c.find.typing:
		c.closeFind()
	case c.zoom, c.beside:
		c.setZoom(false)
	case c.whole:
		c.whole = false
	default:
		return false
	}
	c.layout()
	return true
}

var _ part.Pane = (*Compare)(nil)
