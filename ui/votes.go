package ui

import (
	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/ui/action"
	"confab/ui/compare"
)

type (
	// votedMsg tells that a vote is stored.
	votedMsg struct{ id int64 }
	// winsMsg brings how the models fared in all votes.
	winsMsg struct{ wins service.Wins }
)

// afterVote remembers a vote, so that it can be taken back.
func (m *Model) afterVote(msg votedMsg) tea.Cmd {
	m.votes = append(m.votes, msg.id)
	return m.loadWins()
}

// loadWins reads how the models fared in all votes.
func (m *Model) loadWins() tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		wins, err := svc.Wins(ctx)
		if err != nil {
			return doneMsg{err: err}
		}
		return winsMsg{wins}
	}
}

func (m *Model) vote(v service.Vote) tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		stored, err := svc.AddVote(ctx, v)
		if err != nil {
			return doneMsg{err: err}
		}
		return votedMsg{id: stored.ID}
	}
}

func (m *Model) undoVote() tea.Cmd {
	if len(m.votes) == 0 {
		return nil
	}
	id := m.votes[len(m.votes)-1]
	m.votes = m.votes[:len(m.votes)-1]
	undo := m.callService("The vote is taken back.", func(s Service) error { return s.UndoVote(m.ctx, id) })
	return tea.Sequence(undo, m.loadWins())
}

// showWins shows how the models fared in all votes.
func (m *Model) showWins() tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		wins, err := svc.Wins(ctx)
		if err != nil {
			return doneMsg{err: err}
		}
		return showMsg{action.ShowText{Title: "Wins over the whole history", Text: compare.WinsText(wins)}}
	}
}
