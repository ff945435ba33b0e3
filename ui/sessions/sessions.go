// Package sessions is the part of the screen that opens sessions, reads their turns, and changes what is stored.
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

// Part holds the open session and shows its turns in a conversation.
type Part struct {
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

// New returns the part without a session.
func New(env part.Env, held *turns.Turns, c *conversation.Pane, composer *compose.Composer) *Part {
	return &Part{env: env, turns: held, conversation: c, composer: composer}
}

// Open returns the open session; its id is 0 while nothing was sent.
func (p *Part) Open() history.Session { return p.open }

// CanUndo tells whether there is a deletion to undo.
func (p *Part) CanUndo() bool { return len(p.trash) > 0 }

// CanShare tells whether the history has other users, with whom sessions and runs can be shared.
func (p *Part) CanShare() bool { return p.canShare }

// Hold keeps what is typed before the session that the screen starts with is shown, and reports whether it does. What
// ends the program is not kept.
func (p *Part) Hold(msg tea.Msg) bool {
	if !p.isRestoring {
		return false
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		command := p.env.Keys.Find(keys.OnLatin(msg), keys.LookupsIn(keys.Everywhere)).Command
		if command == keys.Quit || command == keys.Interrupt {
			return false
		}
	case tea.PasteMsg:
	default:
		return false
	}
	p.held = append(p.held, msg)
	return true
}

// release returns the actions that handle what was kept.
func (p *Part) release() (then action.Sequence) {
	for _, msg := range p.held {
		then = append(then, action.Route{Msg: msg})
	}
	p.isRestoring, p.held = false, nil
	return then
}

type (
	// openedMsg brings a session that was opened, and the turns to show of it.
	openedMsg struct {
		session history.Session
		setup   *history.Setup
		turns   []history.Turn
		turn    int64 // to go to; 0 is the newest

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
func (p *Part) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case startedMsg:
		return p.afterStart(msg)
	case slowStartMsg:
		then := p.release()
		if !p.isStarted && !p.isLost {
			then = append(then, action.Notify{Severity: action.Warn,
				Text:  "The history does not answer yet, still trying.",
				While: func() bool { return !p.isStarted && !p.isLost }})
		}
		return then, nil
	case restoredMsg:
		return p.release(), nil
	case reopenedMsg:
		return p.afterReopening(msg)
	case openedMsg:
		return p.afterOpen(msg)
	case refreshedMsg:
		if msg.session.ID == p.open.ID {
			p.open = msg.session
		}
	case turnsMsg:
		p.showTurns(msg)
	case conversation.FoundTurnsMsg:
		p.conversation.FoundTurns(msg)
	case changedMsg:
		return p.afterChange(msg)
	case changedSessionMsg:
		return p.afterReadingChanges(msg)
	case deletedMsg:
		return p.afterDelete(msg), nil
	}
	return nil, nil
}

// OpenSession reads a session and its newest turns, or those around one.
func (p *Part) OpenSession(a action.OpenSession) (action.Action, tea.Cmd) {
	ctx, svc := p.env.Ctx, p.env.Service
	return nil, tea.Sequence(p.composer.SaveDraft(), part.Ask(p, func() (tea.Msg, error) {
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
		return openedMsg{session: s, setup: setup, turns: turns, turn: a.Turn, keepsPrompt: a.KeepsPrompt}, err
	}))
}

func (p *Part) afterOpen(msg openedMsg) (action.Action, tea.Cmd) {
	p.open = msg.session
	older := len(msg.turns) > 0 && len(msg.turns) < msg.session.Turns
	p.conversation.SetTurns(msg.turns, older && msg.turn == 0)
	if msg.turn != 0 {
		p.conversation.SetWindow(msg.turns, older, older, msg.turn)
	}
	var load tea.Cmd
	if msg.keepsPrompt {
		load = p.composer.NoteChange()
	} else {
		load = p.composer.Open(msg.session, msg.setup)
	}
	if p.isRestoring {
		load = tea.Sequence(load, func() tea.Msg { return part.Result{To: p, Msg: restoredMsg{}} })
	}
	then := action.Sequence{action.ShowConversation{}, action.Relayout{}}
	if msg.turn == 0 {
		then = append(then, action.ShowNewest{})
	}
	return then, tea.Batch(load, p.StoreOpen())
}

// NewSession leaves the open session for an empty one.
func (p *Part) NewSession(action.NewSession) (action.Action, tea.Cmd) {
	load := p.composer.StartNew()
	p.open = history.Session{}
	p.conversation.SetTurns(nil, false)
	return action.Sequence{action.ShowConversation{}, action.Focus{Pane: action.PanePrompt}, action.Relayout{},
		action.ReadRecent{}}, tea.Batch(load, p.StoreOpen())
}

// Join makes the session that was made for the first turn the open one.
func (p *Part) Join(session int64) tea.Cmd {
	p.open.ID = session
	return p.composer.DropNewDraft()
}

// Refresh reads the name and the counts of the open session again.
func (p *Part) Refresh() tea.Cmd {
	id := p.open.ID
	if id == 0 {
		return nil
	}
	return func() tea.Msg {
		s, err := p.env.Service.Session(p.env.Ctx, id)
		if err != nil {
			return nil // the action that changed the session reports the failure
		}
		return part.Result{To: p, Msg: refreshedMsg{s}}
	}
}

// LoadTurns reads a page of the open session.
func (p *Part) LoadTurns(a action.LoadTurns) (action.Action, tea.Cmd) {
	id, page := p.open.ID, a.Page
	return nil, func() tea.Msg {
		turns, err := p.env.Service.Turns(p.env.Ctx, id, page)
		if err != nil {
			return nil // the page is asked for again when it is scrolled to
		}
		full := len(turns) >= page.Limit
		return part.Result{To: p, Msg: turnsMsg{session: id, page: page, turns: turns,
			older: page.After == 0 && (full || page.Around > conversation.FirstTurn),
			newer: page.After != 0 && full || page.Around != 0}}
	}
}

// ShowBranch shows a turn of another branch, and what follows it.
func (p *Part) ShowBranch(a action.ShowBranch) (action.Action, tea.Cmd) {
	return nil, part.Then(func() (action.Action, error) {
		return action.LoadTurns{Page: history.Page{Around: a.Turn, Limit: conversation.PageSize}},
			p.env.Service.ShowBranch(p.env.Ctx, a.Turn)
	})
}

func (p *Part) showTurns(msg turnsMsg) {
	if msg.session != p.open.ID {
		return
	}
	switch page := msg.page; {
	case page.Before != 0:
		p.conversation.AddOlder(msg.turns, msg.older)
	case page.After != 0:
		p.conversation.AddNewer(msg.turns, msg.newer)
	case page.Around == conversation.FirstTurn:
		p.conversation.SetWindow(msg.turns, false, msg.newer, 0)
	case page.Around != 0:
		p.conversation.SetWindow(msg.turns, msg.older, msg.newer, page.Around)
	default:
		p.conversation.SetTurns(msg.turns, msg.older)
	}
}

// FindTurns asks which turns of the open session hold a text.
func (p *Part) FindTurns(a action.FindTurns) (action.Action, tea.Cmd) {
	id := p.open.ID
	return nil, part.Ask(p, func() (tea.Msg, error) {
		turns, err := p.env.Service.FindInSession(p.env.Ctx, id, a.Text)
		return conversation.FoundTurnsMsg{Gen: a.Gen, Turns: turns}, err
	})
}

// RemoveDeleted removes from the screen what was deleted.
func (p *Part) RemoveDeleted(a action.Deleted) (action.Action, tea.Cmd) {
	switch {
	case a.Session == p.open.ID && a.Session != 0:
		return action.NewSession{}, nil
	case a.Turn != 0:
		p.turns.Remove(a.Turn)
		return nil, nil
	}
	var reread action.RereadTurns
	for _, t := range p.turns.Window() {
		if slices.ContainsFunc(t.Answers, func(x history.Answer) bool { return slices.Contains(a.Answers, x.ID) }) {
			reread.Turns = append(reread.Turns, t.ID)
		}
	}
	return reread, nil
}
