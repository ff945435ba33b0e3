package sessions

import (
	"cmp"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/service/api"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// startedMsg tells that the store is open, or why it is not.
type startedMsg struct {
	report   service.StartReport
	canShare bool
	err      error
	session  int64 // to open; 0 is a new one
}

// slowStart is how long opening the store may take before the screen says that it does.
const slowStart = 1500 * time.Millisecond

// slowStartMsg comes that long after the start.
type slowStartMsg struct{}

// Start opens the store, then a session; 0 is a new one.
func (p *Part) Start(session int64) tea.Cmd {
	p.isRestoring = session != 0
	return tea.Batch(p.openStore(session), tea.Tick(slowStart, func(time.Time) tea.Msg {
		return part.Result{To: p, Msg: slowStartMsg{}}
	}))
}

// openStore opens the store once.
func (p *Part) openStore(session int64) tea.Cmd {
	return func() tea.Msg {
		report, err := p.env.Service.Start(p.env.Ctx)
		canShare := err == nil && p.env.Service.CanShare(p.env.Ctx)
		return part.Result{To: p, Msg: startedMsg{report, canShare, err, session}}
	}
}

func (p *Part) afterStart(msg startedMsg) (action.Action, tea.Cmd) {
	isRefused := errors.Is(msg.err, history.ErrRefused)
	if (isRefused || errors.Is(msg.err, history.ErrUnreachable)) && p.env.Ctx.Err() == nil {
		p.isLost, p.isRestoring = true, false
		text := "The history is not reachable, trying again."
		if known := (*api.Error)(nil); isRefused && errors.As(msg.err, &known) {
			text = known.Message + " Trying again."
		}
		again := p.openStore(msg.session)
		if isRefused { // at once, unlike where nothing answers
			again = func() tea.Msg {
				select {
				case <-time.After(reopenInterval):
				case <-p.env.Ctx.Done():
				}
				return p.openStore(msg.session)()
			}
		}
		return action.Notify{Severity: action.Bad, Text: text, While: func() bool { return p.isLost }}, again
	}
	p.isStarted = true
	p.isSaving, p.canShare = msg.err == nil && msg.report.IsSaving, msg.canShare
	then := action.Sequence{action.AskEngines{}}
	var retry tea.Cmd
	switch n := msg.report.Recovered; {
	case msg.err != nil:
		p.isRestoring = false
		then = append(then, action.Fail{Err: msg.err})
	case msg.report.Problem != nil:
		then = append(then, action.Notify{Severity: action.Bad, Text: msg.report.Problem.Message})
		retry = p.reopenLater()
	case n > 0:
		then = append(then, action.Notify{Severity: action.Warn, Text: format.Several(n, "answer was", "answers were") +
			" interrupted last time" + p.env.Keys.Phrase(keys.Conversation, keys.Again, "; %s runs one again") + "."})
	}
	if p.isLost {
		p.isLost = false
		then = append(then, action.Notify{Severity: action.Good, Text: "The history is reachable again."})
	}
	cmds := []tea.Cmd{p.composer.ReadModels(), p.composer.ReadPersonas(), p.readSettings, p.watch,
		retry}
	if msg.session != 0 {
		return append(then, action.OpenSession{Session: msg.session}), tea.Batch(cmds...)
	}
	then = append(then, action.ReadRecent{})
	return then, tea.Batch(append(cmds, p.composer.LoadOrphanedDraft(), p.composer.FindUnfinished())...)
}

// reopenInterval is how far apart two tries are to open a history that could not be.
const reopenInterval = 5 * time.Second

// reopenedMsg tells what came of opening the history again.
type reopenedMsg struct {
	report  service.ReopenReport
	err     error
	isAsked bool // a person wants to know
}

// reopenLater tries after a while to open the history that could not be.
func (p *Part) reopenLater() tea.Cmd {
	return tea.Tick(reopenInterval, func(time.Time) tea.Msg { return p.reopen(false) })
}

func (p *Part) reopen(isAsked bool) tea.Msg {
	report, err := p.env.Service.Reopen(p.env.Ctx)
	return part.Result{To: p, Msg: reopenedMsg{report, err, isAsked}}
}

// Reopen tries at once to open the history that could not be.
func (p *Part) Reopen() (action.Action, tea.Cmd) {
	return nil, func() tea.Msg { return p.reopen(true) }
}

// afterReopening goes on with the history: the open session may have another id there.
func (p *Part) afterReopening(msg reopenedMsg) (action.Action, tea.Cmd) {
	switch {
	case p.isSaving:
		return nil, nil
	case msg.err != nil && msg.isAsked:
		return action.Fail{Err: msg.err}, nil
	case !msg.report.IsSaving && msg.isAsked && p.env.Service.StoreProblem() == nil:
		return action.Notify{Severity: action.Info, Text: "Nothing is kept: saving is switched off."}, nil
	case !msg.report.IsSaving && msg.isAsked:
		return action.Notify{Severity: action.Info,
			Text: "Everything is saved once the running answers have ended."}, nil
	case !msg.report.IsSaving:
		return nil, p.reopenLater()
	}
	p.isSaving = true
	text := "The history can be written again."
	if n := msg.report.Turns; n > 0 {
		text += " " + format.Several(n, "turn was", "turns were") + " saved."
	}
	return action.Notify{Severity: action.Good, Text: text}, p.Start(cmp.Or(msg.report.Sessions[p.open.ID], p.open.ID))
}

// readSettings reads what was chosen in earlier screens.
func (p *Part) readSettings() tea.Msg {
	var kept action.ApplySettings
	kept.Theme, _ = p.env.Service.Setting(p.env.Ctx, "theme")
	kept.Models, _ = p.env.Service.Setting(p.env.Ctx, "models")
	kept.Layouts, _ = p.env.Service.Setting(p.env.Ctx, "layouts")
	kept.Commands, _ = p.env.Service.Setting(p.env.Ctx, "commands")
	return part.Do(kept)
}

// SaveSetting stores a choice for later screens.
func (p *Part) SaveSetting(a action.SaveSetting) (action.Action, tea.Cmd) {
	if !p.isSaving || !p.isStarted {
		return nil, nil
	}
	return nil, part.Then(func() (action.Action, error) {
		return nil, p.env.Service.SetSetting(p.env.Ctx, a.Name, a.Value)
	})
}
