package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/ui/action"
	"confab/ui/compose"
)

// draftSaver saves what was written and not sent, soon after each change.
type draftSaver struct {
	root  *Model
	dirty bool
	armed bool // a tick is under way
	keys  int  // counts what was typed
	timed bool // a count tick is under way
	shown int  // characters shown in the prompt's border
	found bool // a draft was put into the panes
}

type (
	draftTickMsg struct{}
	countTickMsg struct{ keys int } // keys is what had been typed when it was sent
	countMsg     struct{}
	draftMsg     struct {
		session int64
		draft   service.Draft
		found   bool
		orphan  bool
	}
)

// draftDelay is how long a change may stay only on screen; a crash loses no
// more than that.
const draftDelay = time.Second

// countDelay keeps the character count still while keys are typed: painting it
// on every key would double what a key costs on a slow line.
const countDelay = 400 * time.Millisecond

func (draftTickMsg) Invisible() {}
func (countTickMsg) Invisible() {}

// reset forgets the changes of a session that is left. What counts characters goes on.
func (d *draftSaver) reset() {
	*d = draftSaver{root: d.root, keys: d.keys, timed: d.timed}
}

// countLater lets the characters be counted once nothing was typed for a
// while.
func (d *draftSaver) countLater() tea.Cmd {
	d.timed = true
	at := d.keys
	return tea.Tick(countDelay, func(time.Time) tea.Msg { return countTickMsg{keys: at} })
}

// counts goes on waiting while something is typed.
func (d *draftSaver) counts(msg countTickMsg) tea.Cmd {
	if msg.keys != d.keys {
		return d.countLater()
	}
	d.timed = false
	return func() tea.Msg { return countMsg{} }
}

// written notes that the texts or settings changed: they are kept soon, and
// the prompt may need another height.
func (saver *draftSaver) noteChange() tea.Cmd {
	saver.dirty = true
	saver.keys++
	rows := saver.root.prompt.Rows(saver.root.w-2, saver.root.h/3)
	if _, h := inner(saver.root.layout.panes[action.PanePrompt]); rows != h || saver.root.focus == action.PaneSystem {
		saver.root.relayout()
	}
	var cmds []tea.Cmd
	if !saver.timed {
		cmds = append(cmds, saver.countLater())
	}
	if !saver.armed {
		saver.armed = true
		cmds = append(cmds, tea.Tick(draftDelay, func(time.Time) tea.Msg { return draftTickMsg{} }))
	}
	return tea.Batch(cmds...)
}

// draft is what the screen holds and has not sent.
func (saver *draftSaver) current() service.Draft {
	if saver.root.prompt.Empty() && saver.root.system.Empty() && saver.root.prompt.Settings().Source == nil {
		return service.Draft{}
	}
	s := saver.root.prompt.Settings()
	return service.Draft{Text: saver.root.prompt.Text(), System: saver.root.system.Text(),
		Models: saver.root.models.Marked(),
		Aspect: s.Aspect, Nonce: s.Nonce, Source: s.Source, Samples: s.Samples, Context: s.Context}
}

// saveDraft keeps the draft if it changed.
func (saver *draftSaver) save() tea.Cmd {
	saver.armed = false
	if !saver.dirty || !saver.root.saving {
		return nil
	}
	saver.dirty = false
	ctx, svc, session, draft := saver.root.ctx, saver.root.o.Service, saver.root.session.ID, saver.current()
	return func() tea.Msg {
		if err := svc.SaveDraft(ctx, session, draft); err != nil {
			return doneMsg{err: err}
		}
		return nil
	}
}

// KeepDraft keeps what was written and is not kept yet. It is for whoever runs
// the screen, once it has ended: by a signal or a closed terminal it ends
// without a word.
func (m *Model) KeepDraft() {
	m.pastes.putIn()
	if save := m.drafts.save(); save != nil {
		save()
	}
}

// dropNewDraft removes the draft of the new session once its text was sent:
// otherwise the next start would offer it as one that was not.
func (saver *draftSaver) dropNew() tea.Cmd {
	if !saver.root.saving {
		return nil
	}
	ctx, svc := saver.root.ctx, saver.root.o.Service
	return func() tea.Msg {
		if err := svc.SaveDraft(ctx, 0, service.Draft{}); err != nil {
			return doneMsg{err: err}
		}
		return nil
	}
}

// loadNewDraft brings back what was written in the new session before another
// one was opened.
func (saver *draftSaver) loadNew() tea.Cmd {
	ctx, svc := saver.root.ctx, saver.root.o.Service
	return func() tea.Msg {
		d, err := svc.Draft(ctx, 0)
		return draftMsg{draft: d, found: err == nil && d.Text+d.System != ""}
	}
}

// loadDraft reads the draft of a session; of a new one, the newest that a
// crashed screen left behind.
func (saver *draftSaver) load(session int64) tea.Cmd {
	ctx, svc := saver.root.ctx, saver.root.o.Service
	return func() tea.Msg {
		if session == 0 {
			d, found := svc.OrphanedDraft(ctx)
			return draftMsg{draft: d, found: found, orphan: true}
		}
		d, err := svc.Draft(ctx, session)
		return draftMsg{session: session, draft: d, found: err == nil && d.Text+d.System != ""}
	}
}

// afterDraft puts a draft into the panes, unless something was written there
// meanwhile.
func (saver *draftSaver) afterDraft(msg draftMsg) tea.Cmd {
	if msg.session != saver.root.session.ID {
		return nil
	}
	if !msg.found || !saver.root.prompt.Empty() {
		return saver.root.tellBack(false)
	}
	saver.found = true
	d := msg.draft
	saver.root.prompt.SetText(d.Text)
	saver.root.system.SetText(d.System)
	saver.root.prompt.SetSettings(compose.Settings{Aspect: d.Aspect, Nonce: d.Nonce, Source: d.Source, Samples: d.Samples,
		Context: d.Context})
	if len(d.Models) > 0 {
		saver.root.mark(d.Models)
	}
	saver.shown = saver.root.prompt.Characters()
	saver.root.relayout()
	if msg.orphan {
		saver.dirty = true
		return saver.root.notifyWhile(func() bool { return !saver.root.prompt.Empty() }, action.Info,
			"This is the draft that was not sent last time.")
	}
	return saver.root.tellBack(msg.session != 0)
}
