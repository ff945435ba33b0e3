package runs

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/part"
)

// shareRun lets all users of the database read a run, or ends that.
func (p *Part) shareRun(a action.ShareRun) (action.Action, tea.Cmd) {
	return nil, part.Ask(p, func() (tea.Msg, error) {
		return sharedMsg{a.Run, !a.Stop}, p.env.Service.ShareRun(p.env.Ctx, a.Run, !a.Stop)
	})
}

func (p *Part) afterShare(msg sharedMsg) action.Action {
	text := fmt.Sprintf("All users of this database can read run %d now.", msg.run)
	if !msg.isShared {
		text = fmt.Sprintf("Run %d is not shared any more.", msg.run)
	}
	if shown := p.view.shown(); shown.Run.ID == msg.run {
		shown.Run.IsShared = msg.isShared
		p.view.SetTable(shown)
	}
	return action.Sequence{action.Notify{Severity: action.Good, Text: text}, action.Reread{}}
}

// adoptRun writes what another user's run asked as a suite of one's own, and asks how to run it.
func (p *Part) adoptRun(a action.AdoptRun) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg {
		path, err := p.env.Service.WriteRunSuite(p.env.Ctx, a.Run)
		if err != nil {
			return part.Fail(err)
		}
		return part.Do(action.OpenSuite{Path: path})
	}
}
