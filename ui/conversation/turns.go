package conversation

import (
	"slices"

	"confab/history"
	"confab/ui/action"
	"confab/ui/flow"
	"confab/ui/graphics"
)

// PageSize is the number of turns read at once.
const PageSize = 40

// FirstTurn, as the turn a page is read around, means the first turns of a session: ids begin with it.
const FirstTurn = 1

// SetTurns replaces what is shown by the newest turns of a session.
func (c *Pane) SetTurns(page []history.Turn, older bool) {
	c.turns.SetWindow(page, older, false)
	c.isLoading, c.goal = false, ref{}
	c.views, c.previews, c.find = map[int64]*answerView{}, map[graphics.File]graphics.PreviewMsg{}, finder{}
	c.forgetRendered()
	c.flow = flow.Flow{}
	c.flow.SetHeight(c.turnLines())
	c.selectNewest()
	c.rebuild()
}

// shownTurns returns the turns of the window, or that of the one answer that is read.
func (c *Pane) shownTurns() []history.Turn {
	if c.only == 0 {
		return c.turns.Window()
	}
	t, ok := c.turns.Turn(c.chosen.turn)
	if !ok {
		return nil
	}
	return []history.Turn{t}
}

func (c *Pane) isEmpty() bool { return len(c.shownTurns()) == 0 }

// turn returns a turn that is shown.
func (c *Pane) turn(id int64) (history.Turn, bool) {
	if c.only == 0 && c.turns.IndexOf(id) < 0 {
		return history.Turn{}, false
	}
	return c.turns.Turn(id)
}

// PutTurn shows a turn anew, or adds it at the end and goes there. Where the window is elsewhere, the turn is read when
// the reader comes back.
func (c *Pane) PutTurn(t history.Turn) {
	if c.turns.IndexOf(t.ID) >= 0 || c.turns.HasNewer() {
		c.turns.Put(t)
		c.takeChanges()
		return
	}
	c.turns.Append(t)
	c.takeChanges()
	c.selectNewest()
	c.flow.FollowFrom(flow.Key{Turn: t.ID, Role: roleYou})
}

// isOutdated tells whether turns have changed since they were laid out. What a reader of one answer shows is up to who
// has it.
func (c *Pane) isOutdated() bool { return c.only == 0 && c.revision != c.turns.Revision() }

// takeChanges lays out what has changed of the turns.
func (c *Pane) takeChanges() {
	if c.isOutdated() {
		c.rebuild()
	}
}

// prepareChanges selects another answer where the selected one is gone, and cuts what has come of the texts that grow.
func (c *Pane) prepareChanges() {
	c.chosen = c.neighbor()
	for _, t := range c.turns.Window() {
		for _, a := range t.Answers {
			if a.State != history.Running {
				continue
			}
			c.growText(t.ID, a)
			if hasText(a) && c.flow.IsFollowing() {
				c.flow.ToEnd() // also of texts that are longer than the screen
			}
		}
	}
}

// AddOlder puts a page before the window; more tells whether there are even older turns.
func (c *Pane) AddOlder(page []history.Turn, more bool) {
	c.isLoading = false
	c.turns.AddOlder(page, more)
	c.takeChanges()
}

// AddNewer puts a page after the window; more tells whether there are even newer turns.
func (c *Pane) AddNewer(page []history.Turn, more bool) {
	c.isLoading = false
	c.turns.AddNewer(page, more)
	c.takeChanges()
}

// SetWindow replaces the window by a page and goes to one of its turns, or to its first when turn is 0.
func (c *Pane) SetWindow(page []history.Turn, older, newer bool, turn int64) {
	c.isLoading = false
	c.turns.SetWindow(page, older, newer)
	c.rebuild()
	c.GoTo(turn, 0)
}

// load asks for a page of turns.
func (c *Pane) load(page history.Page) action.Action {
	c.isLoading = true
	page.Limit = PageSize
	return action.LoadTurns{Page: page}
}

// loadNear asks for further turns when the reader comes near an edge of the window.
func (c *Pane) loadNear() action.Action {
	window := c.turns.Window()
	total, above := c.flow.Lines()
	switch {
	case c.isLoading || c.only != 0:
	case c.turns.HasOlder() && above < 3*c.h:
		return c.load(history.Page{Before: window[0].ID})
	case c.turns.HasNewer() && total-above < 4*c.h:
		return c.load(history.Page{After: window[len(window)-1].ID})
	}
	return nil
}

// CopyNewest copies the newest answer that is done, of the newest turn that has one.
func (c *Pane) CopyNewest() action.Action {
	var newest history.Answer
	for _, t := range slices.Backward(c.turns.Window()) {
		for _, a := range t.Answers {
			if a.State == history.Done && (newest.ID == 0 || a.Ended.After(newest.Ended)) {
				newest = a
			}
		}
		if newest.ID != 0 {
			break
		}
	}
	return copyAnswer(newest)
}
