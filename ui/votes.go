package ui

import (
	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/ui/action"
	"confab/ui/compare"
)

type (
	// votedMsg tells that a vote is stored.
	votedMsg struct{ id int64 }
	// winsMsg brings how the models fared in all votes.
	winsMsg struct{ wins history.Wins }
)

// voteLog stores votes, and takes the newest of this screen back.
type voteLog struct {
	root *Model
	ids  []int64 // of the votes of this screen
}

// afterVote remembers a vote, so that it can be taken back.
func (l *voteLog) afterVote(msg votedMsg) tea.Cmd {
	l.ids = append(l.ids, msg.id)
	return l.loadWins()
}

// loadWins reads how the models fared in all votes.
func (l *voteLog) loadWins() tea.Cmd {
	ctx, svc := l.root.ctx, l.root.o.Service
	return func() tea.Msg {
		wins, err := svc.Wins(ctx)
		if err != nil {
			return doneMsg{err: err}
		}
		return winsMsg{wins}
	}
}

func (l *voteLog) vote(v history.Vote) tea.Cmd {
	ctx, svc := l.root.ctx, l.root.o.Service
	return func() tea.Msg {
		stored, err := svc.AddVote(ctx, v)
		if err != nil {
			return doneMsg{err: err}
		}
		return votedMsg{id: stored.ID}
	}
}

func (l *voteLog) undoVote() tea.Cmd {
	if len(l.ids) == 0 {
		return l.root.notify(action.Info, "There is no vote to take back.")
	}
	id := l.ids[len(l.ids)-1]
	l.ids = l.ids[:len(l.ids)-1]
	undo := l.root.callService("The vote is taken back.", func(s *service.Service) error { return s.UndoVote(l.root.ctx, id) })
	return tea.Sequence(undo, l.loadWins())
}

// showWins shows how the models fared in all votes.
func (l *voteLog) showWins() tea.Cmd {
	ctx, svc, bound := l.root.ctx, l.root.o.Service, l.root.keys
	return func() tea.Msg {
		wins, err := svc.Wins(ctx)
		if err != nil {
			return doneMsg{err: err}
		}
		return showMsg{action.ShowText{Title: "Wins over the whole history", Text: compare.WinsText(wins, bound)}}
	}
}
