package sessions

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
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
	first    First
	session  int64  // to open; 0 is a new one
	name     string // of a new one
	resumes  bool   // it is that of the last screen
	notFound error  // why the session that was asked for cannot be opened
}

// First says which session a screen starts with.
type First struct {
	ID int64 // where it is known
	// Find looks up the session that a person asked for; its error ends the screen. A session without an id is a new
	// one that gets its name. It may be nil.
	Find    func(context.Context) (history.Session, error)
	Resumes bool // else that of the user's last screen, unless the user left that; which one is open is stored then
	Last    bool // else the one that was used last; a new one without any of these
	// KeepsPrompt leaves what is written as it is: the session is only read again.
	KeepsPrompt bool
}

// slowStart is how long opening the store may take before the screen says that it does.
const slowStart = 1500 * time.Millisecond

// slowStartMsg comes that long after the start.
type slowStartMsg struct{}

// Start opens the store, then a session.
func (c *Controller) Start(first First) tea.Cmd {
	c.isRestoring = c.open.ID == 0 && (first.ID != 0 || first.Find != nil || first.Resumes || first.Last)
	c.storesOpen = c.storesOpen || first.Resumes
	return tea.Batch(c.openStore(first), tea.Tick(slowStart, func(time.Time) tea.Msg {
		return part.Result{To: c, Msg: slowStartMsg{}}
	}))
}

// openStore opens the store once, and looks up the session to open.
func (c *Controller) openStore(first First) tea.Cmd {
	return func() tea.Msg {
		msg := startedMsg{first: first, session: first.ID}
		msg.report, msg.err = c.env.Service.Start(c.env.Ctx)
		if msg.err == nil {
			msg.canShare = c.env.Service.CanShare(c.env.Ctx)
			msg.session, msg.name, msg.resumes, msg.notFound = c.find(first)
		}
		return part.Result{To: c, Msg: msg}
	}
}

// find returns the session to open; 0 is a new one, also where the store tells of none.
func (c *Controller) find(first First) (session int64, name string, resumes bool, err error) {
	ctx, svc := c.env.Ctx, c.env.Service
	if first.ID != 0 {
		return first.ID, "", false, nil
	}
	if first.Find != nil {
		s, err := first.Find(ctx)
		return s.ID, s.Name, false, err
	}
	if first.Resumes {
		text, _ := svc.Setting(ctx, service.OpenSessionSetting)
		if id, _ := strconv.ParseInt(text, 10, 64); id != 0 {
			if s, err := svc.Session(ctx, id); err == nil {
				return s.ID, "", true, nil
			}
		}
	}
	if first.Last {
		last, _ := svc.LastSession(ctx)
		return last.ID, "", false, nil
	}
	return 0, "", false, nil
}

// StoreOpen stores which session is open, for the user's next screen.
func (c *Controller) StoreOpen() tea.Cmd {
	if !c.storesOpen {
		return nil
	}
	_, store := c.SaveSetting(action.SaveSetting{Name: service.OpenSessionSetting,
		Value: strconv.FormatInt(c.open.ID, 10)})
	return store
}

func (c *Controller) afterStart(msg startedMsg) (action.Action, tea.Cmd) {
	isRefused := errors.Is(msg.err, history.ErrRefused)
	if (isRefused || errors.Is(msg.err, history.ErrUnreachable)) && c.env.Ctx.Err() == nil {
		c.isLost = true
		text := "The history cannot be reached, trying again."
		if known := (*api.Error)(nil); isRefused && errors.As(msg.err, &known) {
			text = known.Message + " Trying again."
		}
		again := c.openStore(msg.first)
		if isRefused { // at once, unlike where nothing answers
			again = func() tea.Msg {
				select {
				case <-time.After(reopenInterval):
				case <-c.env.Ctx.Done():
				}
				return c.openStore(msg.first)()
			}
		}
		return append(c.release(), action.Notify{Severity: action.Bad, Text: text,
			While: func() bool { return c.isLost }}), again
	}
	if msg.notFound != nil {
		return action.Quit{Err: msg.notFound}, nil
	}
	c.isStarted = true
	c.composer.IsSaving, c.canShare = msg.err == nil && msg.report.IsSaving, msg.canShare
	then := action.Sequence{action.AskEngines{}}
	var retry tea.Cmd
	switch n := msg.report.Recovered; {
	case msg.err != nil:
		then = append(append(then, action.Fail{Err: msg.err}), c.release()...)
	case msg.report.Problem != nil:
		then = append(then, action.Notify{Severity: action.Bad, Text: msg.report.Problem.Message})
		retry = c.reopenLater()
	case n > 0:
		then = append(then, action.Notify{Severity: action.Warn, Text: format.Several(n, "answer was", "answers were") +
			" interrupted last time" +
			c.env.Keys.Phrase(keys.Everywhere, keys.LastSession, "; %s opens the last session") + "."})
	}
	if c.isLost {
		c.isLost = false
		then = append(then, action.Notify{Severity: action.Good, Text: "The history can be reached again."})
	}
	cmds := []tea.Cmd{c.composer.ReadModels(), c.composer.ReadPersonas(), c.readSettings, c.watch,
		retry}
	if msg.first.ID == 0 && c.open.ID != 0 { // a turn was sent before the store named another session
		msg.session, msg.resumes = 0, false
	}
	if msg.resumes {
		then = append(then, action.Notify{Severity: action.Info,
			Text: "Restored the session from before confab was closed."})
	}
	if msg.session != 0 {
		then = append(then, action.OpenSession{Session: msg.session, KeepsPrompt: msg.first.KeepsPrompt})
		return then, tea.Batch(cmds...)
	}
	if c.open.ID == 0 && msg.name != "" {
		c.open.Name = msg.name
		then = append(then, action.Notify{Severity: action.Info, Text: "A new session: “" +
			termtext.Line(msg.name) + "” begins with the first prompt.",
			While: func() bool { return c.open.ID == 0 && c.open.Name != "" }})
	}
	then = append(append(then, action.ReadRecent{}), c.release()...)
	return then, tea.Batch(append(cmds, c.composer.LoadOrphanedDraft(), c.composer.FindUnfinished())...)
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
func (c *Controller) reopenLater() tea.Cmd {
	return tea.Tick(reopenInterval, func(time.Time) tea.Msg { return c.reopen(false) })
}

func (c *Controller) reopen(isAsked bool) tea.Msg {
	report, err := c.env.Service.Reopen(c.env.Ctx)
	return part.Result{To: c, Msg: reopenedMsg{report, err, isAsked}}
}

// Reopen tries at once to open the history that could not be.
func (c *Controller) Reopen() (action.Action, tea.Cmd) {
	return nil, func() tea.Msg { return c.reopen(true) }
}

// afterReopening goes on with the history: the open session may have another id there.
func (c *Controller) afterReopening(msg reopenedMsg) (action.Action, tea.Cmd) {
	switch {
	case c.composer.IsSaving:
		return nil, nil
	case msg.err != nil && msg.isAsked:
		return action.Fail{Err: msg.err}, nil
	case !msg.report.IsSaving && msg.isAsked && c.env.Service.StoreProblem() == nil:
		return action.Notify{Severity: action.Info, Text: "Nothing is saved: saving is turned off."}, nil
	case !msg.report.IsSaving && msg.isAsked:
		return action.Notify{Severity: action.Info,
			Text: "Everything will be saved when the running answers end."}, nil
	case !msg.report.IsSaving:
		return nil, c.reopenLater()
	}
	c.composer.IsSaving = true
	text := "Saving works again."
	if n := msg.report.Turns; n > 0 {
		text += " " + format.Several(n, "turn was", "turns were") + " saved."
	}
	c.open.ID = cmp.Or(msg.report.Sessions[c.open.ID], c.open.ID) // before the draft is saved
	then := action.Sequence{action.Notify{Severity: action.Good, Text: text}, action.RenumberRuns{IDs: msg.report.Runs}}
	return then, c.Start(First{ID: c.open.ID, KeepsPrompt: true})
}

// readSettings reads what was chosen in earlier screens.
func (c *Controller) readSettings() tea.Msg {
	var kept action.ApplySettings
	kept.Theme, _ = c.env.Service.Setting(c.env.Ctx, "theme")
	kept.Models, _ = c.env.Service.Setting(c.env.Ctx, "models")
	kept.Layouts, _ = c.env.Service.Setting(c.env.Ctx, "layouts")
	kept.Commands, _ = c.env.Service.Setting(c.env.Ctx, "commands")
	return part.Do(kept)
}

// SaveSetting stores a choice for later screens.
func (c *Controller) SaveSetting(a action.SaveSetting) (action.Action, tea.Cmd) {
	if !c.isStarted {
		return nil, nil
	}
	return nil, part.Then(func() (action.Action, error) {
		return nil, c.env.Service.SetSetting(c.env.Ctx, a.Name, a.Value)
	})
}
