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

// maxWindow bounds the turns held, so that a long session costs no more than a short one.
const maxWindow = 240

// SetTurns replaces what is shown by the newest turns of a session.
func (c *Pane) SetTurns(turns []history.Turn, older bool) {
	c.turns, c.hasOlder, c.hasNewer, c.isLoading = turns, older, false, false
	c.views, c.previews, c.find = map[int64]*answerView{}, map[graphics.File]graphics.PreviewMsg{}, finder{}
	c.forgetRendered()
	c.flow = flow.Flow{}
	c.flow.SetHeight(c.turnLines())
	c.selectNewest()
	c.rebuild()
}

// Turns returns the turns of the window, oldest first.
func (c *Pane) Turns() []history.Turn { return c.turns }

// Turn returns a turn of the window.
func (c *Pane) Turn(id int64) (history.Turn, bool) {
	at := c.indexOf(id)
	if at < 0 {
		return history.Turn{}, false
	}
	return c.turns[at], true
}

func (c *Pane) indexOf(turn int64) int {
	return slices.IndexFunc(c.turns, func(t history.Turn) bool { return t.ID == turn })
}

// PutTurn shows a turn anew, or adds it at the end and goes there.
func (c *Pane) PutTurn(t history.Turn) {
	if at := c.indexOf(t.ID); at >= 0 {
		c.chosen = c.neighbor(func(r ref) bool {
			_, stays := t.Answer(r.answer)
			return r.turn == t.ID && !stays
		})
		c.turns[at] = t
		c.rebuild()
		return
	}
	if c.hasNewer {
		return // the window is elsewhere; the turn is read when the reader comes back
	}
	c.turns = append(c.turns, t)
	c.selectNewest()
	c.rebuild()
	c.flow.FollowFrom(flow.Key{Turn: t.ID, Role: roleYou})
}

// Apply applies events to the turns they belong to.
func (c *Pane) Apply(events ...history.Event) {
	for i, t := range c.turns {
		c.turns[i] = history.Apply(t, events...)
	}
	for _, e := range events {
		at := c.indexOf(e.Turn)
		if at < 0 {
			continue
		}
		a, _ := c.turns[at].Answer(e.Answer.ID)
		c.growText(e.Turn, a)
		if a.State == history.Running && hasText(a) && c.flow.IsFollowing() {
			c.flow.ToEnd() // also of texts that are longer than the screen
		}
	}
	c.rebuild()
}

// RemoveTurn takes a turn away.
func (c *Pane) RemoveTurn(id int64) {
	c.chosen = c.neighbor(func(r ref) bool { return r.turn == id })
	c.turns = slices.DeleteFunc(slices.Clone(c.turns), func(t history.Turn) bool { return t.ID == id })
	c.rebuild()
}

// AddOlder puts a page before the window; more tells whether there are even older turns.
func (c *Pane) AddOlder(turns []history.Turn, more bool) {
	c.isLoading, c.hasOlder = false, more
	c.turns = slices.Concat(turns, c.turns)
	if len(c.turns) > maxWindow {
		c.turns, c.hasNewer = c.turns[:maxWindow], true
	}
	c.rebuild()
}

// AddNewer puts a page after the window; more tells whether there are even newer turns.
func (c *Pane) AddNewer(turns []history.Turn, more bool) {
	c.isLoading, c.hasNewer = false, more
	c.turns = slices.Concat(c.turns, turns)
	if len(c.turns) > maxWindow {
		c.turns, c.hasOlder = c.turns[len(c.turns)-maxWindow:], true
	}
	c.rebuild()
}

// ShowsEnd tells whether the newest turn of the session is in the window.
func (c *Pane) ShowsEnd() bool { return !c.hasNewer }

// SetWindow replaces the window by a page and goes to one of its turns, or to its first when turn is 0.
func (c *Pane) SetWindow(turns []history.Turn, older, newer bool, turn int64) {
	c.isLoading = false
	c.turns, c.hasOlder, c.hasNewer = turns, older, newer
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
	total, above := c.flow.Lines()
	switch {
	case c.isLoading:
	case c.hasOlder && above < 3*c.h:
		return c.load(history.Page{Before: c.turns[0].ID})
	case c.hasNewer && total-above < 4*c.h:
		return c.load(history.Page{After: c.turns[len(c.turns)-1].ID})
	}
	return nil
}

// CopyNewest copies the newest answer that is done, of the newest turn that has one.
func (c *Pane) CopyNewest() action.Action {
	var newest history.Answer
	for i := len(c.turns) - 1; i >= 0 && newest.ID == 0; i-- {
		for _, a := range c.turns[i].Answers {
			if a.State == history.Done && (newest.ID == 0 || a.Ended.After(newest.Ended)) {
				newest = a
			}
		}
	}
	return copyAnswer(newest)
}
