package compare

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/pane"
)

// Update implements [pane.Pane].
func (c *Compare) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return c.key(msg)
	case tea.MouseWheelMsg:
		return c.wheel(msg), nil
	case tea.MouseClickMsg:
		c.click(msg.X, msg.Y)
		return nil, nil
	case tea.MouseMsg, tea.PasteMsg:
		return nil, nil
	case likenessMsg:
		c.liked(msg)
		return nil, nil
	case differenceMsg:
		c.differs(msg)
		return nil, nil
	}
	var wishes action.Several
	var cmds []tea.Cmd
	for _, x := range c.cells {
		wish, cmd := x.reader.Update(msg)
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
// effect; a bare digit jumps.
func (c *Compare) key(msg tea.KeyPressMsg) (action.Action, tea.Cmd) {
	if c.blind != nil {
		return c.performBlind(c.keys.Effect(keys.Voting, msg))
	}
	name := msg.String()
	digit := len(name) == 1 && name[0] >= '0' && name[0] <= '9'
	switch {
	case c.current() != nil && c.current().reader.Choosing():
		return c.current().reader.Update(msg)
	case c.jumping && digit:
		c.jump += name
		return nil, nil
	case c.jumping:
		to := c.jump
		c.jumping, c.jump = false, ""
		if name == "enter" {
			return c.jumpTo(to), nil
		}
		return nil, nil
	case digit && name != "0":
		return c.jumpTo(name), nil
	}
	return c.Perform(c.keys.Effect(keys.Compare, msg))
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
	c.closeDifference()
	c.layout()
}

// Perform implements [pane.Pane].
func (c *Compare) Perform(effect keys.Effect) (action.Action, tea.Cmd) {
	x := c.current()
	if x == nil {
		if effect == keys.ShowAnswers {
			c.cycleShow()
		}
		return nil, nil
	}
	if c.performMove(effect) || c.performView(effect) {
		return nil, nil
	}
	switch effect {
	case keys.Help:
		return action.ShowHelp{Scope: string(keys.Compare)}, nil
	case keys.Difference:
		return c.openDifference()
	case keys.SwapSides:
		if c.diff != nil {
			c.performDifference(effect)
			return nil, c.compareTexts()
		}
		return nil, nil
	case keys.BlindVote:
		return c.openBlind(), nil
	case keys.ShowWins:
		return action.ShowWins{}, nil
	case keys.NextCase:
		return action.StepCase{By: 1}, nil
	case keys.PrevCase:
		return action.StepCase{By: -1}, nil
	case keys.Pin:
		return c.pinCurrent(), nil
	}
	return x.reader.Perform(effect)
}

// performMove carries out the effects that move the focus or a window.
func (c *Compare) performMove(effect keys.Effect) bool {
	x := c.current()
	_, h := c.boxSize()
	switch effect {
	case keys.NextAnswer:
		c.focus(c.at + 1)
	case keys.PrevAnswer:
		c.focus(c.at - 1)
	case keys.WindowRight:
		c.focus(min(c.first+len(c.plan.cells), len(c.listed)-1))
	case keys.WindowLeft:
		c.focus(max(c.first-1, 0))
	case keys.Down:
		c.scroll(1)
	case keys.Up:
		c.scroll(-1)
	case keys.PageDown:
		c.scroll(max(h-2, 1))
	case keys.PageUp:
		c.scroll(-max(h-2, 1))
	case keys.HalfDown:
		c.scroll(max(h/2, 1))
	case keys.HalfUp:
		c.scroll(-max(h/2, 1))
	case keys.Top:
		c.scroll(-1 << 30)
	case keys.Bottom:
		c.scroll(1 << 30)
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

// performView carries out the effects that change how answers are shown.
func (c *Compare) performView(effect keys.Effect) bool {
	switch effect {
	case keys.Layouts:
		c.nextLayout()
	case keys.ZoomAnswer:
		c.zoom = !c.zoom
	case keys.SyncScroll:
		c.sync = (c.sync + 1) % 3
	case keys.SortAnswers:
		c.by = (c.by + 1) % 4
		if c.by == byLikeness && c.pinned() == nil {
			c.by = byPlace
		}
		c.relist()
	case keys.ShowAnswers:
		c.cycleShow()
	case keys.WholePrompt:
		c.whole = !c.whole
	case keys.DiffColumns, keys.FindNext, keys.FindPrevious:
		return c.performDifference(effect)
	default:
		return false
	}
	c.layout()
	return true
}

func (c *Compare) cycleShow() {
	for range 4 {
		c.show = (c.show + 1) % 4
		c.relist()
		if len(c.listed) > 0 {
			break
		}
	}
	c.layout()
}

func (c *Compare) nextLayout() {
	body := c.body()
	all := possible(body.Dx(), body.Dy(), len(c.listed))
	i := slices.Index(all, c.plan.layout)
	c.wants[c.wantKey()] = all[(i+1)%len(all)]
	c.zoom = false
}

// sample steps through the samples of a cell.
func (c *Compare) sample(x *cell, n int) {
	x.choose(max(min(x.at+n, len(x.samples)-1), 0))
	c.layout()
}

// scroll moves the focused answer, and the others along with it.
func (c *Compare) scroll(n int) {
	if c.diff != nil {
		c.diff.scroll(n)
		return
	}
	x := c.current()
	x.reader.Scroll(n)
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

func (c *Compare) pinCurrent() action.Action {
	x := c.current()
	if c.pin == x.name {
		c.pin = ""
	} else {
		c.pin = x.name
	}
	c.likes = map[int64]float64{}
	c.layout()
	return nil
}

func (c *Compare) wheel(msg tea.MouseWheelMsg) action.Action {
	n := 3
	if msg.Button == tea.MouseWheelUp {
		n = -3
	}
	if c.diff != nil {
		c.diff.scroll(n)
		return nil
	}
	if i := c.boxAt(msg.X, msg.Y); i >= 0 && c.boxed(i) != nil {
		c.boxed(i).reader.Scroll(n)
	}
	return nil
}

// click focuses what was clicked on, in a box or in the list.
func (c *Compare) click(x, y int) {
	if i := c.boxAt(x, y); i >= 0 && c.first+i < len(c.listed) {
		c.focus(c.first + i)
		return
	}
	if row := y - c.body().Min.Y - c.plan.list.Min.Y - 2; x < c.plan.list.Max.X && row >= 0 {
		if at := c.listTop() + row; at < len(c.listed) {
			c.focus(at)
		}
	}
}

func (c *Compare) boxAt(x, y int) int {
	for i, r := range c.plan.cells {
		r = r.Add(c.body().Min)
		if x >= r.Min.X && x < r.Max.X && y >= r.Min.Y && y < r.Max.Y {
			return i
		}
	}
	return -1
}

// Capturing tells whether letters are text now.
func (c *Compare) Capturing() bool { return false }

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
	case c.zoom:
		c.zoom = false
	case c.whole:
		c.whole = false
	default:
		return false
	}
	c.layout()
	return true
}

// Hints implements [pane.Pane].
func (c *Compare) Hints() []keys.Hint {
	if c.blind != nil {
		return c.keys.Hints(keys.Voting, keys.VoteA, keys.VoteB, keys.VoteEqual, keys.VoteBad, keys.VoteSkip, keys.UndoVote)
	}
	if c.diff != nil {
		return c.keys.Hints(keys.Compare, keys.FindNext, keys.DiffColumns, keys.SwapSides, keys.CopyAnswer)
	}
	hints := c.keys.Hints(keys.Compare, keys.NextAnswer, keys.Down, keys.ZoomAnswer, keys.Difference, keys.Layouts, keys.MarkWinner, keys.Again, keys.Write)
	if x := c.current(); x != nil && !x.answer().State.Ended() {
		hints = append(hints, c.keys.Hints(keys.Compare, keys.StopAnswer)...)
	}
	return hints
}

var _ pane.Pane = (*Compare)(nil)
