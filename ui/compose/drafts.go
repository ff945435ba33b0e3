package compose

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/ui/action"
	"confab/ui/part"
)

// saveDelay is the time after which a change is saved and the characters are counted. Drawing the count on every key
// would double the cost of a key on a slow line.
const saveDelay = time.Second

// draftState is the state of the draft, the text that was not sent yet.
type draftState struct {
	isDirty   bool
	isLoaded  bool // a draft was put into the panes
	isTicking bool
}

type (
	saveTickMsg struct{}
	// unsavedMsg reports that the history could not be reached; the composer tries again.
	unsavedMsg struct{ session int64 }
	draftMsg   struct {
		session  int64
		draft    service.Draft
		found    bool
		isOrphan bool // of a screen that crashed
	}
)

// IsDraftLoaded reports whether a draft was put into the panes.
func (c *Composer) IsDraftLoaded() bool { return c.isLoaded }

func (c *Composer) forgetDraft() { c.draftState = draftState{} }

// NoteChange schedules saving the draft and counting its characters.
func (c *Composer) NoteChange() tea.Cmd {
	c.isDirty = true
	if c.isTicking {
		return nil
	}
	c.isTicking = true
	return tea.Tick(saveDelay, func(time.Time) tea.Msg { return part.Result{To: c, Msg: saveTickMsg{}} })
}

// SaveDraft saves the draft if it changed.
func (c *Composer) SaveDraft() tea.Cmd {
	c.isTicking = false
	if !c.isDirty {
		return nil
	}
	return c.SaveDraftNow()
}

// SaveDraftNow saves the draft even if it has not changed.
func (c *Composer) SaveDraftNow() tea.Cmd {
	c.isTicking, c.isDirty = false, !c.IsSaving
	return c.writeDraft(c.Session().ID, c.Draft(), c.changedSetup())
}

// DropNewDraft removes the draft of the new session after its text was sent, so that the next start does not offer it.
func (c *Composer) DropNewDraft() tea.Cmd { return c.writeDraft(0, service.Draft{}, nil) }

// Draft returns the draft in the panes.
func (c *Composer) Draft() service.Draft {
	draft := c.settings
	for _, b := range c.waiting() {
		draft.Waiting = append(draft.Waiting, b.content)
	}
	if c.IsEmpty() && c.SystemText() == "" && draft.Source == nil && len(draft.Waiting) == 0 {
		return service.Draft{}
	}
	draft.Text, draft.System, draft.Models = c.Text(), c.System.Text(), c.Models.Marked()
	if draft.Files = c.filesIn(textOf(append(draft.Waiting, c.content())...)); c.hasVariants() {
		draft.Variants, draft.Current = c.Variants(), c.current
	}
	return draft
}

// writeDraft saves a draft of a session, and what its next turn is sent with, nil for no change.
func (c *Composer) writeDraft(session int64, draft service.Draft, setup *history.Setup) tea.Cmd {
	if !c.IsSaving {
		return nil
	}
	return func() tea.Msg {
		err := c.Service.SaveDraft(c.Ctx, session, draft)
		if err == nil && setup != nil {
			err = c.Service.SaveSetup(c.Ctx, session, *setup)
		}
		if errors.Is(err, history.ErrUnreachable) { // another part reports that
			return part.Result{To: c, Msg: unsavedMsg{session}}
		}
		if err != nil {
			return part.Fail(err)
		}
		return nil
	}
}

// LoadOrphanedDraft reads the newest draft of a crashed screen, for a new session.
func (c *Composer) LoadOrphanedDraft() tea.Cmd {
	return func() tea.Msg {
		draft, found := c.Service.OrphanedDraft(c.Ctx)
		return part.Result{To: c, Msg: draftMsg{draft: draft, found: found, isOrphan: true}}
	}
}

// loadDraft reads the draft of a session, or of the new one for 0.
func (c *Composer) loadDraft(session int64) tea.Cmd {
	return func() tea.Msg {
		draft, err := c.Service.Draft(c.Ctx, session)
		return part.Result{To: c, Msg: draftMsg{session: session, draft: draft, found: err == nil && draft.HasPrompt()}}
	}
}

// restoreDraft puts a draft into the panes unless the user has written something meanwhile.
func (c *Composer) restoreDraft(msg draftMsg) action.Action {
	if msg.session != c.Session().ID {
		return nil
	}
	c.noteWaiting()
	defer func() { c.Given = history.Setup{} }()
	if !msg.found || !c.IsEmpty() {
		return c.opened(false)
	}
	c.isLoaded = true
	c.System.Reset(msg.draft.System)
	c.setPrompt(c.withWaiting(msg.draft))
	written := msg.draft
	written.Waiting, written.System, written.Source = nil, "", nil // in the queue again, and in use
	isRestored := msg.session != 0 && (!c.IsEmpty() || written.HasPrompt())
	c.editor.area.Forget()
	c.setSettings(msg.draft)
	if len(msg.draft.Models) > 0 {
		c.Mark(msg.draft.Models)
	}
	c.ApplyGiven()
	notice := c.opened(isRestored)
	if msg.isOrphan {
		c.isDirty = true
		notice = action.Notify{Severity: action.Info, Text: "Draft from last time restored.",
			While: func() bool { return !c.IsEmpty() }}
	}
	return action.WithCmd(action.Sequence{action.Relayout{}, notice}, c.restoreFiles(msg.draft.Files))
}
