package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/ui/action"
	"confab/ui/pane"
)

// drafting says what of the texts is not kept yet.
type drafting struct {
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

func (draftTickMsg) unseen() {}
func (countTickMsg) unseen() {}

// countLater lets the characters be counted once nothing was typed for a
// while.
func (d *drafting) countLater() tea.Cmd {
	d.timed = true
	at := d.keys
	return tea.Tick(countDelay, func(time.Time) tea.Msg { return countTickMsg{keys: at} })
}

// counts goes on waiting while something is typed.
func (d *drafting) counts(msg countTickMsg) tea.Cmd {
	if msg.keys != d.keys {
		return d.countLater()
	}
	d.timed = false
	return func() tea.Msg { return countMsg{} }
}

// written notes that the texts or settings changed: they are kept soon, and
// the prompt may need another height.
func (m *Model) written() tea.Cmd {
	m.drafts.dirty = true
	m.drafts.keys++
	rows := m.prompt.Rows(m.w-2, m.h/3)
	if _, h := inner(m.places.panes[action.PanePrompt]); rows != h || m.focus == action.PaneSystem {
		m.relayout()
	}
	var cmds []tea.Cmd
	if !m.drafts.timed {
		cmds = append(cmds, m.drafts.countLater())
	}
	if !m.drafts.armed {
		m.drafts.armed = true
		cmds = append(cmds, tea.Tick(draftDelay, func(time.Time) tea.Msg { return draftTickMsg{} }))
	}
	return tea.Batch(cmds...)
}

// draft is what the screen holds and has not sent.
func (m *Model) draft() service.Draft {
	if m.prompt.Empty() && m.system.Empty() && m.prompt.Settings().Source == nil {
		return service.Draft{}
	}
	s := m.prompt.Settings()
	return service.Draft{Text: m.prompt.Text(), System: m.system.Text(), Models: m.models.Marked(),
		Aspect: s.Aspect, Nonce: s.Nonce, Source: s.Source, Samples: s.Samples, Context: s.Context}
}

// saveDraft keeps the draft if it changed.
func (m *Model) saveDraft() tea.Cmd {
	m.drafts.armed = false
	if !m.drafts.dirty || !m.saving {
		return nil
	}
	m.drafts.dirty = false
	ctx, svc, session, draft := m.ctx, m.o.Service, m.session.ID, m.draft()
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
	m.putIn()
	if save := m.saveDraft(); save != nil {
		save()
	}
}

// dropNewDraft removes the draft of the new session once its text was sent:
// otherwise the next start would offer it as one that was not.
func (m *Model) dropNewDraft() tea.Cmd {
	if !m.saving {
		return nil
	}
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		if err := svc.SaveDraft(ctx, 0, service.Draft{}); err != nil {
			return doneMsg{err: err}
		}
		return nil
	}
}

// loadNewDraft brings back what was written in the new session before another
// one was opened.
func (m *Model) loadNewDraft() tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		d, err := svc.Draft(ctx, 0)
		return draftMsg{draft: d, found: err == nil && d.Text+d.System != ""}
	}
}

// loadDraft reads the draft of a session; of a new one, the newest that a
// crashed screen left behind.
func (m *Model) loadDraft(session int64) tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
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
func (m *Model) afterDraft(msg draftMsg) tea.Cmd {
	if msg.session != m.session.ID {
		return nil
	}
	if !msg.found || !m.prompt.Empty() {
		return m.tellBack(false)
	}
	m.drafts.found = true
	d := msg.draft
	m.prompt.SetText(d.Text)
	m.system.SetText(d.System)
	m.prompt.SetSettings(pane.Settings{Aspect: d.Aspect, Nonce: d.Nonce, Source: d.Source, Samples: d.Samples, Context: d.Context})
	if len(d.Models) > 0 {
		m.mark(d.Models)
	}
	m.drafts.shown = m.prompt.Characters()
	m.relayout()
	if msg.orphan {
		m.drafts.dirty = true
		return m.notifyWhile(func() bool { return !m.prompt.Empty() }, action.Info, "This is the draft that was not sent last time.")
	}
	return m.tellBack(msg.session != 0)
}
