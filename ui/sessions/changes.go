package sessions

import (
	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/ui/action"
	"confab/ui/part"
)

// call calls the service in a command, and shows text when it succeeded.
func (p *Part) call(text string, do func(*service.Service) error) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg { return part.ChangeResult(do(p.env.Service), text) }
}

func (p *Part) Rename(a action.Rename) (action.Action, tea.Cmd) {
	return p.call("It is called "+a.Name+" now.", func(s *service.Service) error {
		return s.RenameSession(p.env.Ctx, a.Session, a.Name)
	})
}

func (p *Part) SavePersona(a action.SavePersona) (action.Action, tea.Cmd) {
	return p.call("The system prompt "+a.Persona.Name+" is kept.", func(s *service.Service) error {
		_, err := s.SavePersona(p.env.Ctx, a.Persona)
		return err
	})
}

func (p *Part) DeletePersona(a action.DeletePersona) (action.Action, tea.Cmd) {
	return p.call("The system prompt is deleted.", func(s *service.Service) error {
		return s.DeletePersona(p.env.Ctx, a.ID)
	})
}

// Fork copies a session. The copy of the open one begins with the settings there are now, and what was written for one
// that is only to be read goes into it.
func (p *Part) Fork(a action.Fork) (action.Action, tea.Cmd) {
	draft, setup, isOpen := p.composer.Draft(), p.composer.Setup(), p.open.ID == a.Session
	isShared := isOpen && p.open.Owner != ""
	return nil, func() tea.Msg {
		s, err := p.env.Service.ForkSession(p.env.Ctx, a.Session, a.Turn, "")
		if err == nil && isOpen {
			err = p.env.Service.SaveSetup(p.env.Ctx, s.ID, setup)
		}
		if err == nil && isShared {
			err = p.env.Service.SaveDraft(p.env.Ctx, s.ID, draft)
			_ = p.env.Service.SaveDraft(p.env.Ctx, a.Session, service.Draft{}) // the copy has it
		}
		return part.ChangeResult(err, "This is a copy to go on from.", action.CloseDialog{},
			action.OpenSession{Session: s.ID})
	}
}

func (p *Part) ShareSession(a action.ShareSession) (action.Action, tea.Cmd) {
	text := "All users of this database can read the session now."
	if a.Stop {
		text = "The session is not shared any more."
	}
	return p.call(text, func(s *service.Service) error { return s.ShareSession(p.env.Ctx, a.Session, !a.Stop) })
}

func (p *Part) Judge(a action.Judge) (action.Action, tea.Cmd) {
	return nil, part.Then(func() (action.Action, error) {
		answer, err := p.env.Service.Judge(p.env.Ctx, a.Answer, a.Rating, a.Winner, a.Note)
		if err != nil {
			return nil, err
		}
		return p.readTurn(answer.Turn)
	})
}

// readTurn reads a turn, to be shown anew.
func (p *Part) readTurn(id int64) (action.Action, error) {
	t, err := p.env.Service.Turn(p.env.Ctx, id)
	return action.ShowTurn{Turn: t}, err
}

func (p *Part) RereadTurns(a action.RereadTurns) (action.Action, tea.Cmd) {
	cmds := make([]tea.Cmd, len(a.Turns))
	for i, id := range a.Turns {
		cmds[i] = part.Then(func() (action.Action, error) { return p.readTurn(id) })
	}
	return nil, tea.Batch(cmds...)
}
