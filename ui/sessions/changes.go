package sessions

import (
	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/ui/action"
	"confab/ui/part"
)

// call calls the service in a command, and shows text when it succeeded.
func (c *Controller) call(text string, do func(*service.Service) error) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg { return part.ChangeResult(do(c.env.Service), text) }
}

func (c *Controller) Rename(a action.Rename) (action.Action, tea.Cmd) {
	return c.call("Renamed to "+a.Name+".", func(s *service.Service) error {
		return s.RenameSession(c.env.Ctx, a.Session, a.Name)
	})
}

func (c *Controller) SavePersona(a action.SavePersona) (action.Action, tea.Cmd) {
	return c.call("Saved persona “"+a.Persona.Name+"”.", func(s *service.Service) error {
		_, err := s.SavePersona(c.env.Ctx, a.Persona)
		return err
	})
}

func (c *Controller) DeletePersona(a action.DeletePersona) (action.Action, tea.Cmd) {
	return c.call("Persona deleted.", func(s *service.Service) error {
		return s.DeletePersona(c.env.Ctx, a.ID)
	})
}

// Fork copies a session. The copy of the open one begins with the settings there are now, and what was written for one
// that is only to be read goes into it.
func (c *Controller) Fork(a action.Fork) (action.Action, tea.Cmd) {
	draft, setup, isOpen := c.composer.Draft(), c.composer.Setup(), c.open.ID == a.Session
	isShared := isOpen && c.open.Owner != ""
	return nil, func() tea.Msg {
		s, err := c.env.Service.ForkSession(c.env.Ctx, a.Session, a.Turn, "")
		if err == nil && isOpen {
			err = c.env.Service.SaveSetup(c.env.Ctx, s.ID, setup)
		}
		if err == nil && isShared {
			err = c.env.Service.SaveDraft(c.env.Ctx, s.ID, draft)
			_ = c.env.Service.SaveDraft(c.env.Ctx, a.Session, service.Draft{}) // the copy has it
		}
		return part.ChangeResult(err, "Forked: you are in the copy.", action.CloseDialog{},
			action.OpenSession{Session: s.ID})
	}
}

func (c *Controller) ShareSession(a action.ShareSession) (action.Action, tea.Cmd) {
	text := "Shared: all users of this database can read the session."
	if a.Stop {
		text = "The session is no longer shared."
	}
	return c.call(text, func(s *service.Service) error { return s.ShareSession(c.env.Ctx, a.Session, !a.Stop) })
}

func (c *Controller) Judge(a action.Judge) (action.Action, tea.Cmd) {
	return nil, part.Then(func() (action.Action, error) {
		answer, err := c.env.Service.Judge(c.env.Ctx, a.Answer, a.Rating, a.Winner, a.Note)
		if err != nil {
			return nil, err
		}
		return c.readTurn(answer.Turn)
	})
}

// ToggleBest marks the best answer, or takes the mark from it.
func (c *Controller) ToggleBest(a action.ToggleBest) (action.Action, tea.Cmd) {
	return nil, part.Then(func() (action.Action, error) {
		var shown action.Sequence
		beside, err := c.bestBeside(a.Answer)
		if err != nil {
			return shown, err
		}
		for _, id := range append(append(beside, a.Others...), a.Answer) {
			answer, err := c.env.Service.Answer(c.env.Ctx, id)
			if err != nil {
				return shown, err
			}
			isBest := id == a.Answer && !answer.IsWinner
			if isBest == answer.IsWinner {
				continue
			}
			if _, err = c.env.Service.Judge(c.env.Ctx, id, answer.Rating, isBest, answer.Note); err != nil {
				return shown, err
			}
			show, err := c.readTurn(answer.Turn)
			if err != nil {
				return shown, err
			}
			shown = append(shown, show)
		}
		return shown, nil
	})
}

// bestBeside returns the answers that are marked as the best in the turns beside that of an answer, such as those to
// other values, where one model answered all: only one of them is the best.
func (c *Controller) bestBeside(id int64) (marked []int64, err error) {
	answer, err := c.env.Service.Answer(c.env.Ctx, id)
	if err != nil {
		return nil, err
	}
	beside, err := c.env.Service.Siblings(c.env.Ctx, answer.Turn)
	for _, t := range beside {
		for _, a := range t.Answers {
			if a.Model != answer.Model {
				return nil, err
			}
			if a.IsWinner && a.ID != id {
				marked = append(marked, a.ID)
			}
		}
	}
	return marked, err
}

// readTurn reads a turn, to be shown anew.
func (c *Controller) readTurn(id int64) (action.Action, error) {
	t, err := c.env.Service.Turn(c.env.Ctx, id)
	return action.ShowTurn{Turn: t}, err
}

func (c *Controller) RereadTurns(a action.RereadTurns) (action.Action, tea.Cmd) {
	cmds := make([]tea.Cmd, len(a.Turns))
	for i, id := range a.Turns {
		cmds[i] = part.Then(func() (action.Action, error) { return c.readTurn(id) })
	}
	return nil, tea.Batch(cmds...)
}
