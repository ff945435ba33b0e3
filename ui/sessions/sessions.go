// Package sessions opens sessions, reads their turns, and changes what is stored.
package sessions

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/compose"
	"confab/ui/conversation"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/turns"
)

// Controller holds the open session and shows its turns in a conversation.
type Controller struct {
	env          part.Env
	turns        *turns.Turns
	conversation *conversation.Pane
	composer     *compose.Composer
	open         history.Session
	isStarted    bool       // the store was opened, or could not be
	isRestoring  bool       // the session that the screen starts with, or its draft, is not shown yet
	held         []tea.Msg  // what was typed meanwhile
	storesOpen   bool       // which session is open is stored
	trash        []deletion // deletions of this screen, the newest last; what went together comes back together
	isDeleting   bool
	isLost       bool // the history is not reachable
	canShare     bool // the history has other users

	isReadingChanges bool // of others
	hasMoreChanges   bool // came while earlier ones were read
}

// New returns a controller without an open session.
func New(env part.Env, held *turns.Turns, c *conversation.Pane, composer *compose.Composer) *Controller {
	return &Controller{env: env, turns: held, conversation: c, composer: composer}
}

// Open returns the open session; its id is 0 while nothing was sent.
func (c *Controller) Open() history.Session { return c.open }

// CanUndo tells whether there is a deletion to undo.
func (c *Controller) CanUndo() bool { return len(c.trash) > 0 }

// CanShare tells whether the history has other users, with whom sessions and runs can be shared.
func (c *Controller) CanShare() bool { return c.canShare }

// Hold keeps what is typed before the session that the screen starts with is shown, and reports whether it does. What
// ends the program is not kept.
func (c *Controller) Hold(msg tea.Msg) bool {
	if !c.isRestoring {
		return false
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		command := c.env.Keys.Find(keys.OnLatin(msg), keys.LookupsIn(keys.Everywhere)).Command
		if command == keys.Quit || command == keys.Interrupt {
			return false
		}
	case tea.PasteMsg:
	default:
		return false
	}
	c.held = append(c.held, msg)
	return true
}

// release returns the actions that handle what was kept.
func (c *Controller) release() (then action.Sequence) {
	for _, msg := range c.held {
		then = append(then, action.Route{Msg: msg})
	}
	c.isRestoring, c.held = false, nil
	return then
}

type (
	// openedMsg brings a session that was opened, and the turns to show of it.
	openedMsg struct {
		session history.Session
		setup   *history.Setup
		turns   []history.Turn
		turn    int64 // to go to; 0 is the newest
		answer  int64 // of the turn, to go to; 0 is the prompt

		keepsPrompt bool
	}
	// restoredMsg tells that the session that the screen starts with is shown with its draft.
	restoredMsg struct{}
	// refreshedMsg brings the name and the counts of the open session.
	refreshedMsg struct{ session history.Session }
	// turnsMsg brings a page of turns of a session.
	turnsMsg struct {
		session      int64
		page         history.Page
		turns        []history.Turn
		older, newer bool // there are more
	}
)

// Update implements [part.Receiver].
func (c *Controller) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case startedMsg:
		return c.afterStart(msg)
	case slowStartMsg:
		then := c.release()
		if !c.isStarted && !c.isLost {
			then = append(then, action.Notify{Severity: action.Warn,
				Text:  "The history does not respond yet, trying again.",
				While: func() bool { return !c.isStarted && !c.isLost }})
		}
		return then, nil
	case restoredMsg:
		return c.release(), nil
	case reopenedMsg:
		return c.afterReopening(msg)
	case openedMsg:
		return c.afterOpen(msg)
	case refreshedMsg:
		if msg.session.ID == c.open.ID {
			c.open = msg.session
		}
	case turnsMsg:
		c.showTurns(msg)
	case conversation.FoundTurnsMsg:
		c.conversation.FoundTurns(msg)
	case changedMsg:
		return c.afterChange(msg)
	case changedSessionMsg:
		return c.afterReadingChanges(msg)
	case deletedMsg:
		return c.afterDelete(msg), nil
	}
	return nil, nil
}

// OpenSession reads a session and its newest turns, or those around one.
func (c *Controller) OpenSession(a action.OpenSession) (action.Action, tea.Cmd) {
	ctx, svc := c.env.Ctx, c.env.Service
	return nil, tea.Sequence(c.composer.SaveDraft(), part.Ask(c, func() (tea.Msg, error) {
		s, err := svc.Session(ctx, a.Session)
		if err != nil {
			return nil, err
		}
		if t, err := svc.Turn(ctx, a.Turn); err == nil && t.IsHidden && s.Owner == "" {
			if err := svc.ShowBranch(ctx, a.Turn); err != nil {
				return nil, err
			}
		}
		setup, err := svc.Setup(ctx, a.Session)
		if err != nil {
			return nil, err
		}
		turns, err := svc.Turns(ctx, a.Session, history.Page{Around: a.Turn, Limit: conversation.PageSize})
		return openedMsg{session: s, setup: setup, turns: turns, turn: a.Turn, answer: a.Answer,
			keepsPrompt: a.KeepsPrompt}, err
	}))
}

func (c *Controller) afterOpen(msg openedMsg) (action.Action, tea.Cmd) {
	c.open = msg.session
	older := len(msg.turns) >= conversation.PageSize && len(msg.turns) < msg.session.Turns // less is the whole path
	c.conversation.SetTurns(msg.turns, older && msg.turn == 0)
	if msg.turn != 0 {
		c.conversation.SetWindow(msg.turns, older, older, msg.turn)
		if t, ok := c.turns.Turn(msg.turn); ok && len(t.Answers) > 0 && t.Answers[0].ID != msg.answer {
			c.conversation.GoTo(msg.turn, msg.answer) // the first is seen below its prompt
		}
	}
	var load tea.Cmd
	if msg.keepsPrompt {
		load = c.composer.NoteChange()
	} else {
		load = c.composer.Open(msg.session, msg.setup)
	}
	if c.isRestoring {
		load = tea.Sequence(load, func() tea.Msg { return part.Result{To: c, Msg: restoredMsg{}} })
	}
	then := action.Sequence{action.ShowConversation{}, action.Relayout{}}
	if msg.turn == 0 {
		then = append(then, action.ShowNewest{})
	}
	return then, tea.Batch(load, c.StoreOpen())
}

// NewSession leaves the open session for an empty one.
func (c *Controller) NewSession(action.NewSession) (action.Action, tea.Cmd) {
	load := c.composer.StartNew()
	c.open = history.Session{}
	c.conversation.SetTurns(nil, false)
	return action.Sequence{action.ShowConversation{}, action.Focus{Pane: action.PanePrompt}, action.Relayout{},
		action.ReadRecent{}}, tea.Batch(load, c.StoreOpen())
}

// Join makes the session that was made for the first turn the open one.
func (c *Controller) Join(session int64) tea.Cmd {
	c.open.ID = session
	return c.composer.DropNewDraft()
}

// Refresh reads the name and the counts of the open session again.
func (c *Controller) Refresh() tea.Cmd {
	id := c.open.ID
	if id == 0 {
		return nil
	}
	return func() tea.Msg {
		s, err := c.env.Service.Session(c.env.Ctx, id)
		if err != nil {
			return nil // the action that changed the session reports the failure
		}
		return part.Result{To: c, Msg: refreshedMsg{s}}
	}
}

// LoadTurns reads a page of the open session.
func (c *Controller) LoadTurns(a action.LoadTurns) (action.Action, tea.Cmd) {
	id, page := c.open.ID, a.Page
	return nil, func() tea.Msg {
		turns, err := c.env.Service.Turns(c.env.Ctx, id, page)
		if err != nil {
			return nil // the page is asked for again when it is scrolled to
		}
		full := len(turns) >= page.Limit
		return part.Result{To: c, Msg: turnsMsg{session: id, page: page, turns: turns,
			older: full && page.After == 0, newer: full && (page.After != 0 || page.Around != 0)}}
	}
}

// ShowBranch shows a turn of another branch, and what follows it.
func (c *Controller) ShowBranch(a action.ShowBranch) (action.Action, tea.Cmd) {
	if len(c.turns.Waiting()) > 0 { // they would go to the other branch
		return action.Notify{Severity: action.Warn, Text: "Prompts are queued here: take them back or let them be " +
			"sent, then change the branch.", While: func() bool { return len(c.turns.Waiting()) > 0 }}, nil
	}
	return nil, part.Then(func() (action.Action, error) {
		return action.LoadTurns{Page: history.Page{Around: a.Turn, Limit: conversation.PageSize}},
			c.env.Service.ShowBranch(c.env.Ctx, a.Turn)
	})
}

func (c *Controller) showTurns(msg turnsMsg) {
	if msg.session != c.open.ID {
		return
	}
	switch page := msg.page; {
	case page.Before != 0:
		c.conversation.AddOlder(msg.turns, msg.older)
	case page.After != 0:
		c.conversation.AddNewer(msg.turns, msg.newer)
	case page.Around == conversation.FirstTurn:
		c.conversation.SetWindow(msg.turns, false, msg.newer, 0)
	case page.Around != 0:
		c.conversation.SetWindow(msg.turns, msg.older, msg.newer, page.Around)
	default:
		c.conversation.SetTurns(msg.turns, msg.older)
	}
}

// FindTurns asks which turns of the open session hold a text.
func (c *Controller) FindTurns(a action.FindTurns) (action.Action, tea.Cmd) {
	id := c.open.ID
	return nil, part.Ask(c, func() (tea.Msg, error) {
		turns, err := c.env.Service.FindInSession(c.env.Ctx, id, a.Text)
		return conversation.FoundTurnsMsg{Gen: a.Gen, Turns: turns}, err
	})
}

// removeTurn removes a deleted turn from the screen. In place of a branch another one may be shown now, so that the
// turns around it are read again.
func (c *Controller) removeTurn(id int64) action.Action {
	window := c.turns.Window()
	hasBranches := slices.ContainsFunc(window, func(t history.Turn) bool { return len(t.Siblings) > 0 })
	near := int64(conversation.FirstTurn)
	if at := c.turns.IndexOf(id); at > 0 {
		near = window[at-1].ID
	}
	c.turns.Remove(id)
	if !hasBranches {
		return nil
	}
	return action.LoadTurns{Page: history.Page{Around: near, Limit: conversation.PageSize}}
}

// RemoveDeleted removes from the screen what was deleted.
func (c *Controller) RemoveDeleted(a action.Deleted) (action.Action, tea.Cmd) {
	switch {
	case a.Session == c.open.ID && a.Session != 0:
		return action.NewSession{}, nil
	case a.Turn != 0:
		return c.removeTurn(a.Turn), nil
	}
	var reread action.RereadTurns
	for _, t := range c.turns.Window() {
		if slices.ContainsFunc(t.Answers, func(x history.Answer) bool { return slices.Contains(a.Answers, x.ID) }) {
			reread.Turns = append(reread.Turns, t.ID)
		}
	}
	return reread, nil
}
