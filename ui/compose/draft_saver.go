package compose

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/ui/action"
	"confab/ui/part"
)

// saveDelay is how long a change may stay only on screen; a crash loses no more than that. The character count follows
// at the same time: painting it on every key would double what a key costs on a slow line.
const saveDelay = time.Second

// DraftSaver saves what was written and not sent, soon after each change.
type DraftSaver struct {
	Env
	opened    func(hasDraft bool) action.Action // says what waits in an opened session
	isSaving  bool                              // the store takes drafts
	isDirty   bool
	isLoaded  bool // a draft was put into the panes
	isTicking bool
}

type (
	saveTickMsg struct{}
	draftMsg    struct {
		session  int64
		draft    service.Draft
		found    bool
		isOrphan bool // a screen that crashed left it behind
	}
)

// NewDraftSaver returns a saver of what is written in the panes of the environment. The function opened returns what to
// say of a session that was opened.
func NewDraftSaver(e Env, opened func(hasDraft bool) action.Action) *DraftSaver {
	return &DraftSaver{Env: e, opened: opened, isSaving: true}
}

// SetSaving tells whether the store takes drafts.
func (d *DraftSaver) SetSaving(on bool) { d.isSaving = on }

// Loaded tells whether a draft was put into the panes.
func (d *DraftSaver) Loaded() bool { return d.isLoaded }

// Forget forgets the changes of a session that is left.
func (d *DraftSaver) Forget() { d.isDirty, d.isTicking, d.isLoaded = false, false, false }

// Update implements [part.Receiver].
func (d *DraftSaver) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case saveTickMsg:
		d.Prompt.Count()
		return nil, d.Save()
	case draftMsg:
		return d.restore(msg)
	}
	return nil, nil
}

// NoteChange notes that the texts or settings changed: they are saved soon, and their characters are counted.
func (d *DraftSaver) NoteChange() tea.Cmd {
	d.isDirty = true
	if d.isTicking {
		return nil
	}
	d.isTicking = true
	return tea.Tick(saveDelay, func(time.Time) tea.Msg { return part.Result{To: d, Msg: saveTickMsg{}} })
}

// Save saves the draft if it changed.
func (d *DraftSaver) Save() tea.Cmd {
	d.isTicking = false
	if !d.isDirty {
		return nil
	}
	d.isDirty = !d.isSaving
	return d.save(d.Session().ID, d.draft())
}

// SaveNow saves the draft if it changed or a turn was sent in its session.
func (d *DraftSaver) SaveNow() tea.Cmd {
	d.isDirty = true
	return d.Save()
}

// DropNew removes the draft of the new session once its text was sent: otherwise the next start would offer it as one
// that was not.
func (d *DraftSaver) DropNew() tea.Cmd { return d.save(0, service.Draft{}) }

func (d *DraftSaver) save(session int64, draft service.Draft) tea.Cmd {
	if !d.isSaving {
		return nil
	}
	return func() tea.Msg {
		if err := d.Service.SaveDraft(d.Ctx, session, draft); err != nil {
			return part.Fail(err)
		}
		return nil
	}
}

// LoadNew brings back what was written in the new session before another one was opened.
func (d *DraftSaver) LoadNew() tea.Cmd { return d.load(0) }

// Load reads the draft of a session; of a new one, the newest that a crashed screen left behind.
func (d *DraftSaver) Load(session int64) tea.Cmd {
	if session != 0 {
		return d.load(session)
	}
	return func() tea.Msg {
		draft, found := d.Service.OrphanedDraft(d.Ctx)
		return part.Result{To: d, Msg: draftMsg{draft: draft, found: found, isOrphan: true}}
	}
}

func (d *DraftSaver) load(session int64) tea.Cmd {
	return func() tea.Msg {
		draft, err := d.Service.Draft(d.Ctx, session)
		found := err == nil && draft.Text+draft.System != ""
		return part.Result{To: d, Msg: draftMsg{session: session, draft: draft, found: found}}
	}
}

// restore puts a draft into the panes, unless something was written there meanwhile.
func (d *DraftSaver) restore(msg draftMsg) (action.Action, tea.Cmd) {
	if msg.session != d.Session().ID {
		return nil, nil
	}
	if !msg.found || !d.Prompt.Empty() {
		return d.opened(false), nil
	}
	d.isLoaded = true
	draft := msg.draft
	d.Prompt.SetText(draft.Text)
	d.System.SetText(draft.System)
	d.Prompt.SetSettings(draft)
	if len(draft.Models) > 0 {
		d.Mark(draft.Models)
	}
	notice := d.opened(msg.session != 0)
	if msg.isOrphan {
		d.isDirty = true
		notice = action.Notify{Severity: action.Info, Text: "This is the draft that was not sent last time.",
			While: func() bool { return !d.Prompt.Empty() }}
	}
	return action.Several{action.Relayout{}, notice}, nil
}
